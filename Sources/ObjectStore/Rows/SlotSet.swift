/// A set of slots of an entity; without allocation for the first 64.
package struct SlotSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  package init() {}

  package var isEmpty: Bool { low == 0 && high.isEmpty }

  package mutating func insert(_ slot: Int) {
    if slot < 64 {
      low |= 1 << UInt64(slot)
    } else {
      let word = slot / 64 - 1
      while high.count <= word { high.append(0) }
      high[word] |= 1 << UInt64(slot % 64)
    }
  }

  package mutating func remove(_ slot: Int) {
    if slot < 64 {
      low &= ~(1 << UInt64(slot))
    } else if slot / 64 - 1 < high.count {
      high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
      while high.last == 0 { high.removeLast() }
    }
  }

  package func contains(_ slot: Int) -> Bool {
    if slot < 64 { return low >> UInt64(slot) & 1 == 1 }
    let word = slot / 64 - 1
    return word < high.count && high[word] >> UInt64(slot % 64) & 1 == 1
  }
}
