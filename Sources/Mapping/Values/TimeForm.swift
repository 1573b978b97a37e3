import Bytes
import ObjectStore

/// How texts in ISO 8601 write moments of UTC: `2024-03-01T10:00:00.000Z` has a `T`, three digits of a second and a `Z`.
struct TimeForm: Hashable, Sendable {
  /// The end of a text, which says that it is in UTC.
  enum Zone: String {
    case none = ""
    case letter = "Z"
    case colon = "+00:00"
    case digits = "+0000"
  }

  private var hasSpace: Bool
  /// The digits behind the second; nil if there are now more, now fewer.
  private var fraction: Int?
  private var zone: Zone

  /// The place of the byte between a day and a time.
  static let separatorPlace = 10
  private static let seconds = 19
  private static let mostDigits = 9

  /// The form in which exports write moments unless all came in another one; a fraction stays as it is.
  static let usual = TimeForm(hasSpace: false, fraction: nil, zone: .letter)

  private init(hasSpace: Bool, fraction: Int?, zone: Zone) {
    (self.hasSpace, self.fraction, self.zone) = (hasSpace, fraction, zone)
  }

  /// The form of a text; nil if it is no moment with seconds in UTC, or one without separators.
  init?(of text: UnsafeBufferPointer<UInt8>) {
    guard text.count >= Self.seconds, text[4] == UInt8(ascii: "-"), text[13] == UInt8(ascii: ":"),
      text[Self.separatorPlace] == UInt8(ascii: "T") || text[Self.separatorPlace] == 0x20
    else { return nil }
    hasSpace = text[Self.separatorPlace] == 0x20
    var rest = text[Self.seconds...]
    var digits = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }.count
      rest = rest.dropFirst(digits)
    }
    guard digits <= Self.mostDigits, let zone = Zone(rawValue: String(decoding: rest, as: UTF8.self)) else {
      return nil
    }
    (fraction, self.zone) = (digits, zone)
  }

  /// Whether texts of this form end with a `Z`, and are all as long as each other.
  var endsWithLetter: Bool { zone == .letter && fraction != nil }

  /// The form of moments of two forms that differ in the digits of a fraction only; nil if they differ in more.
  func united(with other: TimeForm) -> TimeForm? {
    guard hasSpace == other.hasSpace, zone == other.zone else { return nil }
    var result = self
    if fraction != other.fraction { result.fraction = nil }
    return result
  }

  /// Whether exports write moments like this anyhow.
  var isUsual: Bool { !hasSpace && zone == .letter && (fraction ?? 0) == 0 }

  // MARK: - Its name

  /// A form by its name, as `T3Z`, `T*+00:00` for changing digits, ` 0` for a space and neither digits nor a zone.
  init?(_ form: ObservedJSONStyle.DateForm) {
    var rest = form.rawValue[...]
    guard let separator = rest.popFirst(), separator == "T" || separator == " ", let digits = rest.popFirst(),
      digits == "*" || digits.isWholeNumber, let zone = Zone(rawValue: String(rest))
    else { return nil }
    (hasSpace, fraction, self.zone) = (separator == " ", digits.wholeNumberValue, zone)
  }

  var dateForm: ObservedJSONStyle.DateForm {
    let digits = fraction.map(String.init) ?? "*"
    return ObservedJSONStyle.DateForm(rawValue: "\(hasSpace ? " " : "T")\(digits)\(zone.rawValue)")
  }

  // MARK: - Writing

  /// Appends a date of the store, `1981-11-13 20:15:00.5`. Digits that it has beyond the form are written as well.
  func append(_ stored: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) {
    let start = bytes.count
    bytes.append(stored)
    guard stored.count >= Self.seconds, stored[Self.separatorPlace] == 0x20 else { return }
    if !hasSpace { bytes[start + Self.separatorPlace] = UInt8(ascii: "T") }
    let digits = max(0, stored.count - Self.seconds - 1)
    if let fraction, fraction > digits {
      if digits == 0 { bytes.append(utf8: ".") }
      bytes.append(utf8: String(repeating: "0", count: fraction - digits))
    }
    if zone == .letter { bytes.append(UInt8(ascii: "Z")) } else { bytes.append(utf8: zone.rawValue) }
  }
}
