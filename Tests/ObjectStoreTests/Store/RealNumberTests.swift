import Foundation
import ObjectStore
import TestSettings
import Testing

/// Texts as doubles, beside those that the C library reads.
@Suite struct RealNumberTests {
  @Test func digitsOfEveryCountGiveTheNearestDouble() throws {
    var random = Seeded(state: 11)
    for count in 1...17 {
      for places in 0...30 {
        for _ in 0..<40 {
          var digits = String(1 + random.below(9))
          for _ in 1..<count { digits += String(random.below(10)) }
          // The last digit is not zero, so that there are so many.
          if digits.hasSuffix("0") { digits = digits.dropLast() + "7" }
          try expectNearest("\(random.flip() ? "-" : "")\(digits)e-\(places)")
        }
      }
    }
  }

  @Test func numbersBetweenTwoDoublesAreRoundedToTheEvenOne() throws {
    var random = Seeded(state: 12)
    for _ in 0..<2_000 {
      // Halves of what a double with so large a whole part has.
      let whole = UInt64(1 << 52) + UInt64(random.below(1 << 52))
      try expectNearest("\(whole).5")
    }
  }

  @Test func shortestTextsLeadBack() throws {
    var random = Seeded(state: 13)
    for _ in 0..<5_000 {
      let value = Double(random.next() >> 11) * 0x1p-53 * [1, 180, 1e6, 1e-6][random.below(4)]
      try expectNearest(value.description)
      let shown = String(format: "%.16e", value)
      try expectNearest(shown)
    }
  }

  private func expectNearest(_ text: String) throws {
    let found = Array(text.utf8).withUnsafeBufferPointer { RealNumber.double($0) }
    let expected = Double(text)
    // A whole number is held if it is exact, or written as the double prints it.
    if found == nil, let expected, expected.magnitude >= 0x1p53 { return }
    #expect(found?.bitPattern == expected?.bitPattern, "\(text)")
  }
}
