public import Foundation
import ObjectStore

/// A type of values that say which object is meant: texts, whole numbers, UUIDs and the like, or a struct of
/// several of them.
///
/// An enumeration with a raw value becomes one by saying so: `enum Code: String, IdentityValue { … }`.
public protocol IdentityValue: Hashable, Sendable {
  /// Reads the parts of an identity, in the order of the entity's properties.
  ///
  /// - Throws: ``ReadError`` if the store holds what the type cannot.
  init(from parts: inout IdentityDecoder) throws
  /// Gives the parts of an identity, in the order of the entity's properties.
  func encode(to parts: inout IdentityEncoder)
}

/// Takes the parts of an identity.
public struct IdentityEncoder {
  /// The parts as the store keeps them.
  var values: [SQLValue] = []

  /// Adds a part.
  public mutating func append(_ part: some AttributeValue) { values.append(part.storedValue) }

  /// Adds a part that is an enumeration.
  public mutating func append<Part: RawRepresentable>(_ part: Part) where Part.RawValue: AttributeValue {
    values.append(part.rawValue.storedValue)
  }
}

/// Gives the parts of an identity.
public struct IdentityDecoder {
  private let statement: PreparedStatement
  private var column: Int

  init(_ statement: PreparedStatement, from column: Int) {
    self.statement = statement
    self.column = column
  }

  /// The next part.
  ///
  /// - Throws: ``ReadError`` if the store has no such value there.
  public mutating func next<Part: AttributeValue>() throws -> Part {
    defer { column += 1 }
    guard let part = Part(column: StoredColumn(statement, column)) else { throw mismatch("\(Part.self)") }
    return part
  }

  /// The next part, an enumeration.
  ///
  /// - Throws: ``ReadError`` if the store has no such value there.
  public mutating func next<Part: RawRepresentable>() throws -> Part where Part.RawValue: AttributeValue {
    defer { column += 1 }
    guard let raw = Part.RawValue(column: StoredColumn(statement, column)), let part = Part(rawValue: raw)
    else { throw mismatch("\(Part.self)") }
    return part
  }

  private func mismatch(_ type: String) -> ReadError {
    ReadError(
      entity: "", property: "the identity", expected: type,
      found: ReadError.text(of: StoredColumn(statement, column).value))
  }
}

extension IdentityValue where Self: AttributeValue {
  public init(from parts: inout IdentityDecoder) throws { self = try parts.next() }
  public func encode(to parts: inout IdentityEncoder) { parts.append(self) }
}

extension IdentityValue where Self: RawRepresentable, RawValue: AttributeValue {
  public init(from parts: inout IdentityDecoder) throws { self = try parts.next() }
  public func encode(to parts: inout IdentityEncoder) { parts.append(self) }
}

extension String: IdentityValue {}
extension Int: IdentityValue {}
extension Int8: IdentityValue {}
extension Int16: IdentityValue {}
extension Int32: IdentityValue {}
extension Int64: IdentityValue {}
extension UInt8: IdentityValue {}
extension UInt16: IdentityValue {}
extension UInt32: IdentityValue {}
extension Bool: IdentityValue {}
extension UUID: IdentityValue {}
extension Date: IdentityValue {}
extension Decimal: IdentityValue {}
extension URL: IdentityValue {}

extension IdentityValue {
  /// The parts as the store keeps them.
  var storedParts: [SQLValue] {
    var encoder = IdentityEncoder()
    encode(to: &encoder)
    return encoder.values
  }
}
