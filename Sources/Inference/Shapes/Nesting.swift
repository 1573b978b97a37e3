/// Which of many places stand in which others: each two of them are asked for, and the ways between them are long.
struct Nesting {
  private let places: [Int32]
  private let numbers: [Int32: Int]
  private let shapes: Shapes
  /// For each place one bit for each other one, which is set where that stands around it.
  private var outer: [UInt64]
  private let width: Int
  /// The places that stand in each place, or in what that was one with when they were looked at last.
  private var inner: [Int32: Set<Int>] = [:]

  /// - Complexity: O(*n* · *d*), for *n* places that are *d* deep at most.
  init(_ places: [Int32], _ shapes: Shapes) {
    self.places = places
    self.shapes = shapes
    width = (places.count + 63) / 64
    outer = Array(repeating: 0, count: width * places.count)
    numbers = Dictionary(places.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for number in places.indices { look(at: number) }
  }

  /// Looks again at what stands in places that became one with others.
  mutating func update() {
    let changed = inner.keys.filter { shapes.find($0) != $0 }
    var numbers: Set<Int> = []
    for place in changed { numbers.formUnion(inner.removeValue(forKey: place) ?? []) }
    for number in numbers { look(at: number) }
  }

  /// Whether one of two places stands in the other.
  func isOneInTheOther(_ first: Int, _ second: Int) -> Bool {
    stands(first, in: second) || stands(second, in: first)
  }

  private func stands(_ place: Int, in other: Int) -> Bool {
    outer[place * width + other / 64] & (1 << UInt64(other % 64)) != 0
  }

  private mutating func look(at number: Int) {
    for word in number * width..<(number + 1) * width { outer[word] = 0 }
    var index = places[number]
    for _ in 0..<ShapeMatcher.deepest where index >= 0 {
      if let other = numbers[index] { outer[number * width + other / 64] |= 1 << UInt64(other % 64) }
      let whole = shapes.find(index)
      inner[whole, default: []].insert(number)
      index = shapes.tree.pointer(whole).pointee.parent
    }
  }
}
