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
