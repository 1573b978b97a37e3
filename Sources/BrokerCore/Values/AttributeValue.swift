import Bytes
public import Foundation
public import ObjectModel
public import ObjectStore

/// A type that an attribute can have as it is: numbers, texts, dates and the like.
///
/// Enumerations with a raw value of such a type need not conform, nor `Codable` types, which are kept as JSON. A type
/// of your own conforms by saying what the store keeps:
///
/// ```swift
/// struct Colour: AttributeValue {
///   var hex: String
///   static var attributeType: AttributeType { .string }
///   var storedValue: SQLValue { .text(hex) }
///   init(hex: String) { self.hex = hex }
///   init?(stored: SQLValue) {
///     guard case .text(let hex) = stored else { return nil }
///     self.hex = hex
///   }
/// }
/// ```
public protocol AttributeValue: Sendable {
  /// The type of the attribute in the model.
  static var attributeType: AttributeType { get }
  /// The value as the store keeps it.
  var storedValue: SQLValue { get }
  /// The value for a stored one; nil if the type has no such value.
  init?(stored: SQLValue)
  /// Reads the value of a column; nil if it is null or the type has no such value.
  init?(column: borrowing StoredColumn)
  /// The least and the greatest value, if the type has a narrower range than ``attributeType``.
  static var bounds: (least: String, most: String)? { get }
}

extension AttributeValue {
  public init?(column: borrowing StoredColumn) { self.init(stored: column.value) }
  public static var bounds: (least: String, most: String)? { nil }
}

/// A column of the row that a statement stands on.
///
/// It is lent to ``AttributeValue/init(column:)`` and must not be kept: it does not keep the statement alive, which
/// moves on to other rows.
public struct StoredColumn: ~Copyable {
  // Unowned, since counting references would take longer than reading most values.
  private unowned(unsafe) let statement: any Cursor
  private let index: Int

  init(_ statement: any Cursor, _ index: Int) {
    self.statement = statement
    self.index = index
  }

  /// Whether there is no value.
  public var isNull: Bool { statement.isNull(index) }

  /// The value as the store keeps it.
  public var value: SQLValue { statement.value(index) }

  /// The value as a whole number; nil if it is none.
  @inline(__always)
  var integer: Int64? { statement.storage(index) == .integer ? statement.integer(index) : nil }

  /// The value as a number; nil if it is none.
  @inline(__always)
  var double: Double? {
    switch statement.storage(index) {
    case .real, .integer: statement.double(index)
    default: nil
    }
  }

  /// The value as a text; nil if it is none.
  @inline(__always)
  var string: String? { statement.storage(index) == .text ? statement.string(index) : nil }

  /// The UTF-8 of a text, until the statement moves on; nil if it is none.
  @inline(__always)
  var text: UnsafeBufferPointer<UInt8>? {
    statement.storage(index) == .text ? statement.text(index) : nil
  }

  var blob: UnsafeRawBufferPointer? { statement.storage(index) == .blob ? statement.blob(index) : nil }
}

// Whole numbers. A type that Core Data does not have uses the next wider one, within its own bounds.

extension AttributeValue where Self: FixedWidthInteger & Sendable {
  public var storedValue: SQLValue { .integer(Int64(truncatingIfNeeded: self)) }

  public init?(stored: SQLValue) {
    guard case .integer(let value) = stored else { return nil }
    self.init(exactly: value)
  }

  @inline(__always)
  public init?(column: borrowing StoredColumn) {
    guard let value = column.integer else { return nil }
    self.init(exactly: value)
  }
}

extension Int: AttributeValue {
  public static var attributeType: AttributeType { .integer64 }
}

extension Int64: AttributeValue {
  public static var attributeType: AttributeType { .integer64 }
}

extension Int32: AttributeValue {
  public static var attributeType: AttributeType { .integer32 }
}

extension Int16: AttributeValue {
  public static var attributeType: AttributeType { .integer16 }
}

extension Int8: AttributeValue {
  public static var attributeType: AttributeType { .integer16 }
  public static var bounds: (least: String, most: String)? { ("-128", "127") }
}

extension UInt8: AttributeValue {
  public static var attributeType: AttributeType { .integer16 }
  public static var bounds: (least: String, most: String)? { ("0", "255") }
}

extension UInt16: AttributeValue {
  public static var attributeType: AttributeType { .integer32 }
  public static var bounds: (least: String, most: String)? { ("0", "65535") }
}

extension UInt32: AttributeValue {
  public static var attributeType: AttributeType { .integer64 }
  public static var bounds: (least: String, most: String)? { ("0", "4294967295") }
}

extension Bool: AttributeValue {
  public static var attributeType: AttributeType { .boolean }
  public var storedValue: SQLValue { .integer(self ? 1 : 0) }

  public init?(stored: SQLValue) {
    guard case .integer(let value) = stored else { return nil }
    self = value != 0
  }

  @inline(__always)
  public init?(column: borrowing StoredColumn) {
    guard let value = column.integer else { return nil }
    self = value != 0
  }
}

extension Double: AttributeValue {
  public static var attributeType: AttributeType { .double }
  public var storedValue: SQLValue { isFinite ? .real(self) : .null }

  public init?(stored: SQLValue) {
    switch stored {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: return nil
    }
  }

  @inline(__always)
  public init?(column: borrowing StoredColumn) {
    guard let value = column.double else { return nil }
    self = value
  }
}

extension Float: AttributeValue {
  public static var attributeType: AttributeType { .float }
  public var storedValue: SQLValue { isFinite ? .real(Double(self)) : .null }

  public init?(stored: SQLValue) {
    guard let value = Double(stored: stored) else { return nil }
    self.init(value)
  }

  @inline(__always)
  public init?(column: borrowing StoredColumn) {
    guard let value = column.double else { return nil }
    self.init(value)
  }
}

/// Kept as text with all digits.
extension Decimal: AttributeValue {
  public static var attributeType: AttributeType { .decimal }

  public var storedValue: SQLValue {
    guard !isNaN else { return .null }
    var text = description
    var bytes = ByteBuffer()
    let isCanonical = text.withUTF8 { DecimalNumber($0)?.append(to: &bytes) ?? false }
    return .text(isCanonical ? String(decoding: bytes.elements, as: UTF8.self) : text)
  }

  public init?(stored: SQLValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}

extension String: AttributeValue {
  public static var attributeType: AttributeType { .string }
  public var storedValue: SQLValue { .text(self) }

  public init?(stored: SQLValue) {
    guard case .text(let text) = stored else { return nil }
    self = text
  }

  @inline(__always)
  public init?(column: borrowing StoredColumn) {
    guard let text = column.string else { return nil }
    self = text
  }
}

/// Kept in lower case.
extension UUID: AttributeValue {
  public static var attributeType: AttributeType { .uuid }
  public var storedValue: SQLValue { .text(uuidString.lowercased()) }

  public init?(stored: SQLValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(uuidString: text)
  }
}

extension URL: AttributeValue {
  public static var attributeType: AttributeType { .uri }
  public var storedValue: SQLValue { .text(absoluteString) }

  public init?(stored: SQLValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(string: text)
  }
}

extension Data: AttributeValue {
  public static var attributeType: AttributeType { .binary }
  public var storedValue: SQLValue { .blob(Array(self)) }

  public init?(stored: SQLValue) {
    guard case .blob(let bytes) = stored else { return nil }
    self.init(bytes)
  }

  public init?(column: borrowing StoredColumn) {
    guard let bytes = column.blob else { return nil }
    self.init(bytes)
  }
}

/// Kept as text in UTC, with the fewest digits, at most nine, from which the same moment is read.
extension Date: AttributeValue {
  public static var attributeType: AttributeType { .date }

  /// Null outside the years 0 to 9999, which the store cannot keep.
  public var storedValue: SQLValue {
    DateText(secondsSince2001: timeIntervalSinceReferenceDate).map { .text($0.text) } ?? .null
  }

  public init?(stored: SQLValue) {
    guard case .text(var text) = stored else { return nil }
    guard let date = text.withUTF8({ Date(storedText: $0) }) else { return nil }
    self = date
  }

  @inline(__always)
  public init?(column: borrowing StoredColumn) {
    guard let text = column.text, let date = Date(storedText: text) else { return nil }
    self = date
  }

  init?(storedText text: UnsafeBufferPointer<UInt8>) {
    guard let time = ISODate.read(text) else { return nil }
    self.init(time)
  }

  /// A moment in UTC.
  init(_ time: CivilTime) {
    // Counted from 2001, as in `Date`, so that nothing is lost by rounding.
    let seconds = time.secondsSince1970 - 978_307_200
    var scale: Int64 = 1
    for _ in 0..<time.fractionDigits { scale *= 10 }
    self.init(
      timeIntervalSinceReferenceDate: DateText.read(
        Int64(seconds), Int64(time.fraction), time.fractionDigits, scale))
  }
}

/// A stored value that does not fit the type that it is read as.
public struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
  public var entity: String
  /// The object's identity. The values of a composite one are joined by commas. For an entity without identity, the
  /// row id.
  public var identity = ""
  /// The property's name in the model.
  public var property: String
  public var expected: String
  public var found: String

  public var description: String {
    let object = identity.isEmpty ? entity : "\(entity) \(identity)"
    let place = entity.isEmpty ? property : "\(object).\(property)"
    return "\(place) cannot be read: expected \(expected), found \(found)."
  }

  /// A stored value, shortened, for messages.
  static func text(of value: SQLValue) -> String {
    switch value {
    case .null: "nothing"
    case .integer(let integer): String(integer)
    case .real(let number): String(number)
    case .text(let text): "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
