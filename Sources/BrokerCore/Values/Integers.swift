public import ObjectModel
public import ObjectStore

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
