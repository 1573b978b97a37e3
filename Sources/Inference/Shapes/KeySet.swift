/// Keys of objects by their numbers, which thousands of places are compared by: two sets without a key in common are told apart at
/// once, as a rule.
struct KeySet: Hashable {
  /// The keys in ascending order.
  let numbers: [Int32]
  /// One bit for each key; several keys may have the same one.
  private let bits: UInt64

  init(_ keys: Set<Int32>) {
    numbers = keys.sorted()
    bits = numbers.reduce(0) { $0 | 1 << UInt64($1 & 63) }
  }

  var count: Int { numbers.count }
  var isEmpty: Bool { numbers.isEmpty }

  func isDisjoint(with other: KeySet) -> Bool {
    bits & other.bits == 0 || !numbers.contains { other.contains($0) }
  }

  func isSubset(of other: KeySet) -> Bool {
    bits & ~other.bits == 0 && numbers.allSatisfy { other.contains($0) }
  }

  /// The keys that both have.
  func shared(with other: KeySet) -> [Int32] {
    bits & other.bits == 0 ? [] : numbers.filter { other.contains($0) }
  }

  /// How many keys both have.
  func sharedCount(with other: KeySet) -> Int {
    bits & other.bits == 0 ? 0 : numbers.count { other.contains($0) }
  }

  private func contains(_ key: Int32) -> Bool {
    guard bits & (1 << UInt64(key & 63)) != 0 else { return false }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == key
  }
}
