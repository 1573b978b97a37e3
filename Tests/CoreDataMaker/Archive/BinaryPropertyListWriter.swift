/// Writes the binary form of property lists by its description, and shares nothing with the reader.
package struct BinaryPropertyListWriter {
  /// The objects: containers have the numbers of their elements.
  private var objects: [[UInt8]] = []
  private var pending: [(number: Int, marker: UInt8, elements: [Int])] = []
  private var texts: [String: Int] = [:]

  package static func bytes(of tree: PropertyListTree) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.add(tree)
    return writer.file(top: top)
  }

  private mutating func add(_ tree: PropertyListTree) -> Int {
    if case .string(let text) = tree, let number = texts[text] { return number }
    let number = objects.count
    objects.append([])
    switch tree {
    case .null: objects[number] = [0]
    case .boolean(let flag): objects[number] = [flag ? 9 : 8]
    case .integer(let value): objects[number] = Self.integer(value)
    case .unsigned(let value):
      objects[number] = [0x14] + [UInt8](repeating: 0, count: 8) + Self.bytes(value, 8)
    case .real(let value): objects[number] = [0x23] + Self.bytes(value.bitPattern, 8)
    case .float(let value): objects[number] = [0x22] + Self.bytes(UInt64(value.bitPattern), 4)
    case .date(let value): objects[number] = [0x33] + Self.bytes(value.bitPattern, 8)
    case .data(let bytes): objects[number] = Self.head(0x40, bytes.count) + bytes
    case .string(let text):
      texts[text] = number
      objects[number] = Self.text(text)
    case .uid(let value):
      let size = value < 256 ? 1 : value < 65_536 ? 2 : 4
      objects[number] = [0x80 | UInt8(size - 1)] + Self.bytes(UInt64(value), size)
    case .array(let elements): pending.append((number, 0xA0, elements.map { add($0) }))
    case .set(let elements): pending.append((number, 0xC0, elements.map { add($0) }))
    case .dictionary(let members):
      let keys = members.map { add(.string($0.0)) }
      pending.append((number, 0xD0, keys + members.map { add($0.1) }))
    }
    return number
  }

  private static func bytes(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  private static func integer(_ value: Int64) -> [UInt8] {
    // Those with a sign have 8 bytes.
    let power = value < 0 ? 3 : value < 256 ? 0 : value < 65_536 ? 1 : value < 1 << 32 ? 2 : 3
    return [0x10 | UInt8(power)] + bytes(UInt64(bitPattern: value), 1 << power)
  }

  private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 15] + integer(Int64(count))
  }

  private static func text(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return head(0x50, text.utf8.count) + text.utf8 }
    let units = Array(text.utf16)
    return head(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private func file(top: Int) -> [UInt8] {
    let referenceSize = objects.count < 256 ? 1 : objects.count < 65_536 ? 2 : 4
    var objects = objects
    for (number, marker, elements) in pending {
      let count = marker == 0xD0 ? elements.count / 2 : elements.count
      objects[number] =
        Self.head(marker, count) + elements.flatMap { Self.bytes(UInt64($0), referenceSize) }
    }
    var file = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(file.count)
      file += object
    }
    let table = file.count
    let offsetSize = table < 256 ? 1 : table < 65_536 ? 2 : 4
    for offset in offsets { file += Self.bytes(UInt64(offset), offsetSize) }
    file += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, top, table] { file += Self.bytes(UInt64(number), 8) }
    return file
  }
}
