import Foundation

/// A plain value that has no others in it.
enum PlainScalar {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number in its own digits, as JSON writes it.
  case digits(String)
  case real(Double)
  case text(String)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)

  /// A value of a property list; nil for containers and references.
  init?(_ value: PropertyListValue) {
    switch value {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .digits(String(number))
    case .real(let number): self = .real(number)
    case .date(let seconds): self = .date(seconds)
    case .data(let bytes): self = .text(Data(bytes).base64EncodedString())
    case .string(let text): self = .text(text)
    case .uid, .array, .dictionary: return nil
    }
  }

  /// An object of an archive; nil if it is not plain.
  init?(_ object: ArchivedObject) throws(PropertyListError) {
    for name in object.classNames {
      guard let read = Self.classes[name] else { continue }
      guard let scalar = try read.scalar(of: object) else { return nil }
      self = scalar
      return
    }
    return nil
  }

  /// How an object of a class is read.
  private enum Reading {
    case null, string, attributedString, date, data, url, uuid, decimal, number

    func scalar(of object: ArchivedObject) throws(PropertyListError) -> PlainScalar? {
      switch self {
      case .null: return .null
      case .string: return try PlainScalar.string(object).map(PlainScalar.text)
      case .attributedString:
        switch try object.value("NSString") {
        case .value(.string(let text)): return .text(text)
        case .object(let string): return try PlainScalar.string(string).map(PlainScalar.text)
        default: return nil
        }
      case .date: return object.fields["NS.time"]?.number.map(PlainScalar.date)
      case .data:
        return try object.value("NS.data").value?.data.map { .text(Data($0).base64EncodedString()) }
      case .url: return try ArchivedURL.text(of: object).map(PlainScalar.text)
      case .uuid: return object.fields["NS.uuidbytes"]?.data.flatMap(ArchivedUUID.uuid).map(PlainScalar.uuid)
      case .decimal: return try ArchivedDecimal.decimal(of: object).map(PlainScalar.decimal)
      case .number:
        let keys = ["NS.boolval", "NS.intval", "NS.dblval"]
        return keys.lazy.compactMap { object.fields[$0] }.first.flatMap { PlainScalar($0) }
      }
    }
  }

  private static let classes: [String: Reading] = [
    "NSNull": .null, "NSString": .string, "NSAttributedString": .attributedString, "NSDate": .date,
    "NSData": .data, "NSURL": .url, "NSUUID": .uuid, "NSDecimalNumber": .decimal, "NSNumber": .number,
  ]

  private static func string(_ object: ArchivedObject) throws(PropertyListError) -> String? {
    if case .value(.string(let text)) = try object.value("NS.string") { return text }
    guard case .value(.data(let bytes)) = try object.value("NS.bytes") else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func uuid(_ uuid: UUID) -> PlainScalar { .text(uuid.uuidString.lowercased()) }

  private static func decimal(_ number: Decimal) -> PlainScalar {
    number.isNaN ? .real(.nan) : .digits(number.description)
  }

  /// What a value is as the key of an object in JSON; nil if it can be none.
  static func key(_ value: ArchivedValue) -> String? {
    switch value {
    case .value(.string(let text)): text
    case .value(.integer(let number)): String(number)
    case .value(.unsigned(let number)): String(number)
    case .object(let object):
      if case .text(let text)? = try? PlainScalar(object) { text } else { nil }
    default: nil
    }
  }
}

extension PropertyListValue {
  /// The number, whole or not; nil if it is none.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}
