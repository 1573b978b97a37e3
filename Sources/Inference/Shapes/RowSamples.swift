import Bytes

/// The values of the first objects at the top of the JSON, as hashes: they tell which values are different together.
struct RowSamples: ~Copyable {
  private var hashes = PlainBuffer<UInt64>(capacity: 16)
  private var places = 0

  static let columns = 16
  static let mostRows = 2_048
  /// Samples are kept for so many places, and only near the top.
  private static let mostPlaces = 48
  static let deepest = 3

  /// The place for the values of another object; -1 if there are enough.
  @inline(__always)
  mutating func row(of node: UnsafeMutablePointer<ShapeNode>) -> Int {
    guard node.pointee.rowCount < Self.mostRows else { return -1 }
    if node.pointee.rowStart < 0 {
      guard places < Self.mostPlaces, node.pointee.rowCount == 0 else { return -1 }
      places += 1
      node.pointee.rowStart = hashes.append(repeating: 0, count: Self.columns * Self.mostRows)
    }
    node.pointee.rowCount += 1
    return node.pointee.rowStart + (node.pointee.rowCount - 1) * Self.columns
  }

  @inline(__always)
  func note(_ hash: UInt64, in row: Int, column: Int) {
    if column < Self.columns { hashes[row + column] = hash }
  }

  /// Whether no two objects of a sample have the same values in some columns, and all have values there.
  func areUnique(_ node: ShapeNode, columns: [Int]) -> Bool {
    guard node.rowStart >= 0, columns.allSatisfy({ $0 < Self.columns }) else { return false }
    var seen: Set<UInt64> = []
    for row in 0..<node.rowCount {
      var hash: UInt64 = 0
      for column in columns {
        let value = hashes[node.rowStart + row * Self.columns + column]
        guard value != 0 else { return false }
        hash = Hashing.mix(hash ^ value)
      }
      guard seen.insert(hash).inserted else { return false }
    }
    return true
  }
}
