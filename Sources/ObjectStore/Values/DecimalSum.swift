import Bytes

/// The exact sum of decimals in the store's form, which SQLite's own functions would make doubles of.
///
/// Its digits lie in groups of nine. A group takes what is added without carrying, since it has room for billions of
/// them; carrying is done in the end.
package final class DecimalSum {
  private static let groupSize: Int64 = 1_000_000_000
  private static let powers: [Int64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]
  /// A decimal has 200 places at most, on either side of the point.
  private static let mostPlaces = 200
  private static let fractionPlaces = 23 * 9
  /// As many on the other side, and three for what comes of so many numbers as can be.
  private static let groupCount = 23 + 23 + 3

  /// The groups, the least first.
  private var groups = [Int64](repeating: 0, count: groupCount)
  private var count: UInt64 = 0
  /// Whether something was no decimal.
  package private(set) var isUnreadable = false

  package init() {}

  /// Adds a number.
  package func add(_ text: UnsafeBufferPointer<UInt8>) {
    guard let number = DecimalNumber(text), number.digits.count + abs(number.exponent) <= Self.mostPlaces
    else {
      isUnreadable = true
      return
    }
    count += 1
    if count & 0xFFFF_FFFF == 0 { Self.carry(&groups) }
    var place = Self.fractionPlaces + number.exponent + number.digits.count
    for digit in number.digits {
      place -= 1
      let value = Int64(digit & 0x0F) * Self.powers[place % 9]
      groups[place / 9] += number.isNegative ? -value : value
    }
  }

  /// Brings all groups but the last between zero and their size.
  private static func carry(_ groups: inout [Int64]) {
    var carried: Int64 = 0
    for index in groups.indices.dropLast() {
      let value = groups[index] + carried
      carried = value >= 0 ? value / groupSize : -((groupSize - 1 - value) / groupSize)
      groups[index] = value - carried * groupSize
    }
    groups[groups.count - 1] += carried
  }

  /// All digits, the point behind all but the last ``fractionPlaces``.
  private var digits: (isNegative: Bool, digits: [UInt8]) {
    var groups = groups
    Self.carry(&groups)
    let isNegative = groups[groups.count - 1] < 0
    if isNegative {
      for index in groups.indices { groups[index] = -groups[index] }
      Self.carry(&groups)
    }
    var digits: [UInt8] = []
    for group in groups.reversed() {
      for power in Self.powers.reversed() { digits.append(UInt8(group / power % 10)) }
    }
    return (isNegative, digits)
  }

  /// The sum in the store's form; nil if it has more places than a decimal can have.
  package var sum: String? {
    let (isNegative, digits) = digits
    return Self.text(isNegative, digits, fractionPlaces: Self.fractionPlaces)
  }

  /// The average in the store's form, rounded to 38 digits; nil if it has more places than a decimal can have.
  package var average: String? {
    guard count > 0 else { return nil }
    let (isNegative, digits) = digits
    let precision = 38
    // Digits beyond the sum's own: as many as may be kept, the one that rounds, and those of the count.
    let further = precision + 1 + 20
    var quotient: [UInt8] = []
    var rest: UInt64 = 0
    for index in 0..<digits.count + further {
      let next = rest.multipliedFullWidth(by: 10)
      let (low, overflow) = next.low.addingReportingOverflow(UInt64(index < digits.count ? digits[index] : 0))
      let (digit, remainder) = count.dividingFullWidth((next.high + (overflow ? 1 : 0), low))
      quotient.append(UInt8(digit))
      rest = remainder
    }
    Self.round(&quotient, to: precision)
    return Self.text(isNegative, quotient, fractionPlaces: Self.fractionPlaces + further)
  }

  /// Rounds to so many digits, the half up.
  private static func round(_ digits: inout [UInt8], to precision: Int) {
    guard let first = digits.firstIndex(where: { $0 != 0 }), first + precision < digits.count else { return }
    let end = first + precision
    let goesUp = digits[end] >= 5
    for index in end..<digits.count { digits[index] = 0 }
    guard goesUp else { return }
    var index = end - 1
    while index >= 0 {
      guard digits[index] == 9 else {
        digits[index] += 1
        return
      }
      digits[index] = 0
      index -= 1
    }
  }

  private static func text(_ isNegative: Bool, _ digits: [UInt8], fractionPlaces: Int) -> String? {
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    let point = digits.count - fractionPlaces
    text += digits[..<point].map { $0 + 0x30 } + [UInt8(ascii: ".")] + digits[point...].map { $0 + 0x30 }
    var bytes = ByteBuffer()
    let isShort = text.withUnsafeBufferPointer { DecimalNumber($0)?.append(to: &bytes) ?? false }
    return isShort ? String(decoding: bytes.elements, as: UTF8.self) : nil
  }
}

/// The order of decimals in the store's form, by what they are worth.
package enum DecimalOrder {
  static let collation = "broker_decimal"

  /// -1, 0 or 1, all digits taken into account.
  package static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>)
    -> Int32
  {
    guard let a = DecimalNumber(left), let b = DecimalNumber(right) else {
      // Something else wrote these. Any order will do, as long as it is one: numbers before what is none.
      if DecimalNumber(left) != nil { return -1 }
      if DecimalNumber(right) != nil { return 1 }
      return left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }
    let (signA, signB) = (sign(a), sign(b))
    if signA != signB { return signA < signB ? -1 : 1 }
    return signA < 0 ? magnitude(b, a) : magnitude(a, b)
  }

  private static func sign(_ number: DecimalNumber) -> Int32 {
    number.digits.isEmpty ? 0 : number.isNegative ? -1 : 1
  }

  private static func magnitude(_ a: DecimalNumber, _ b: DecimalNumber) -> Int32 {
    let (placesA, placesB) = (a.digits.count + a.exponent, b.digits.count + b.exponent)
    if placesA != placesB, !a.digits.isEmpty { return placesA < placesB ? -1 : 1 }
    if a.digits.lexicographicallyPrecedes(b.digits) { return -1 }
    return b.digits.lexicographicallyPrecedes(a.digits) ? 1 : 0
  }
}
