/// A generator of the same numbers for the same seed: SplitMix64.
package struct Seeded: RandomNumberGenerator, Sendable {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 to `bound` - 1.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// Whether a chance of one in so many comes true.
  package mutating func one(in count: Int) -> Bool { below(count) == 0 }

  package mutating func flip() -> Bool { next() & 1 == 1 }

  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for index in result.indices { result.swapAt(index, index + below(result.count - index)) }
    return result
  }

  /// Some of the elements, in some order.
  package mutating func some<Element>(_ elements: [Element], atMost most: Int) -> [Element] {
    Array(shuffled(elements).prefix(below(most + 1)))
  }
}
