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
