public import Foundation
public import ObjectModel
public import ObjectStore

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
