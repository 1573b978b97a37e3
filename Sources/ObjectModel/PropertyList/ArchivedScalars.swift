import Foundation

/// The bytes of an archived UUID.
enum ArchivedUUID {
  static func uuid(_ bytes: ArraySlice<UInt8>) -> UUID? {
    guard bytes.count == 16 else { return nil }
    var uuid = UUID_NULL
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
    return UUID(uuid: uuid)
  }

  private static let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// An archived `NSURL`: a text, and maybe an address that it is relative to.
enum ArchivedURL {
  /// The whole address; nil if the object has none.
  static func text(of object: ArchivedObject) throws(PropertyListError) -> String? {
    guard let relative = try relative(of: object) else { return nil }
    guard let base = try object.value("NS.base").object else { return relative }
    // No address is relative to one that is relative itself.
    guard let base = try self.relative(of: base).flatMap({ URL(string: $0) }) else { return nil }
    return URL(string: relative, relativeTo: base)?.absoluteString
  }

  private static func relative(of object: ArchivedObject) throws(PropertyListError) -> String? {
    switch try object.value("NS.relative") {
    case .value(.string(let text)): text
    // A mutable string is an object of its own.
    case .object(let string): try string.value("NS.string").value?.text
    default: nil
    }
  }
}

/// An archived `NSDecimalNumber`: digits in units of 16 bits, and an exponent of ten.
enum ArchivedDecimal {
  /// The number; nil if its fields are not as they should be.
  static func decimal(of object: ArchivedObject) throws(PropertyListError) -> Decimal? {
    let fields = object.fields
    guard let length = fields["NS.length"]?.integer, (0...8).contains(length),
      let exponent = fields["NS.exponent"]?.integer, (-128...127).contains(exponent),
      case .boolean(let isNegative)? = fields["NS.negative"],
      let bytes = try object.value("NS.mantissa").value?.data, bytes.count == 16
    else { return nil }
    // 1 is little-endian.
    let isLittle = fields["NS.mantissa.bo"]?.integer != 2
    var value = Decimal()
    var place = bytes.startIndex
    let units = (0..<8).map { _ in
      defer { place += 2 }
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? first | second << 8 : first << 8 | second
    }
    if length == 0 { return isNegative ? Decimal.nan : 0 }
    for unit in units.prefix(Int(length)).reversed() { value = value * 65_536 + Decimal(unit) }
    guard value.isFinite else { return nil }
    let sign: FloatingPointSign = isNegative ? .minus : .plus
    return Decimal(sign: sign, exponent: Int(exponent), significand: value)
  }
}
