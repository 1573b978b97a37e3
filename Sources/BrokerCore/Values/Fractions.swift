import Bytes
public import Foundation
public import ObjectModel
public import ObjectStore

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
