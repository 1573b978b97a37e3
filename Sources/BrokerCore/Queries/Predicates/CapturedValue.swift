import Foundation
import ObjectModel
import ObjectStore

/// The values that a predicate has captured.
enum CapturedValue {
  static func isNil(_ value: Any) -> Bool { (value as? any AnyOptional)?.isNil ?? false }

  /// A value as the store would keep it.
  ///
  /// - Throws: ``QueryError`` for values of types that the store does not compare.
  static func expression(_ value: Any) throws -> StoreExpression {
    StoreExpression(.constant(try constant(value)))
  }

  private static func constant(_ value: Any) throws -> PredicateConstant {
    if isNil(value) { return .null }
    if let value = value as? any AttributeValue { return try stored(value) }
    if let raw = (value as? any RawRepresentable)?.rawValue as? any AttributeValue { return try stored(raw) }
    if let parts = (value as? any IdentifiedValue)?.identityParts { return .identity(parts) }
    if let value = value as? any IdentityValue { return .identity(value.storedParts) }
    throw QueryError.unsupported("a value of the type \(type(of: value))")
  }

  private static func stored<Value: AttributeValue>(_ value: Value) throws -> PredicateConstant {
    let stored = value.storedValue
    if stored != .null { return .stored(stored, Value.attributeType) }
    // The store cannot keep infinity, but every value is less than it.
    switch value {
    case let number as Double where !number.isNaN: return .stored(.real(number), .double)
    case let number as Float where !number.isNaN: return .stored(.real(Double(number)), .float)
    default: throw QueryError("\(value) is no value that an object of a store can have")
    }
  }

  // MARK: - Several values

  /// The elements of a list that a predicate has captured.
  static func elements(_ value: Any, _ method: String) throws -> [Any] {
    guard let sequence = value as? any Sequence else {
      throw QueryError.unsupported("\(method) of the type \(type(of: value))")
    }
    return all(sequence)
  }

  private static func all(_ sequence: some Sequence) -> [Any] { sequence.map { $0 } }

  static func range(_ value: Any) throws -> ValueRange? {
    guard let bounds = (value as? any RangeValue)?.bounds else { return nil }
    return ValueRange(
      lower: try bounds.lower.map(expression), upper: try bounds.upper.map(expression),
      includesUpper: bounds.includesUpper)
  }

  // MARK: - Types

  /// Whether values of a type are equal exactly if the store keeps the same for them, and the store can compare it.
  static func isComparable(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalType.Type { return isComparable(optional.wrappedType) }
    if type is any AttributeValue.Type || type is any IdentityValue.Type || type is any IdentifiedValue.Type {
      return true
    }
    guard let type = type as? any RawRepresentable.Type else { return false }
    return hasStoredRawValues(type)
  }

  private static func hasStoredRawValues<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool {
    Raw.RawValue.self is any AttributeValue.Type
  }

  /// Whether a type has the same order as what the store keeps of it.
  static func isOrdered(_ type: Any.Type) -> Bool { ordered.contains(ObjectIdentifier(type)) }

  private static let ordered: Set<ObjectIdentifier> = Set(
    [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self,
      Double.self, Float.self, Decimal.self, String.self, Date.self, UUID.self,
    ].map { ObjectIdentifier($0 as Any.Type) })
}

/// A ``ToOne``.
protocol IdentifiedValue {
  var identityParts: [SQLValue] { get }
}

extension ToOne: IdentifiedValue {
  var identityParts: [SQLValue] { Target.storedParts(of: id) }
}

protocol OptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrappedType: Any.Type { Wrapped.self }
}

/// A range of any kind.
protocol RangeValue {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension Range: RangeValue {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: RangeValue {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: RangeValue {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeThrough: RangeValue {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: RangeValue {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}
