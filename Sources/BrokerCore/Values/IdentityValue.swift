public import Foundation
import ObjectStore

/// A type whose values identify objects: texts, whole numbers, UUIDs and the like, or a struct of several of them.
///
/// Enumerations with a raw value of such a type identify objects as well, and need not conform.
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
  private enum Source {
    case row(any Cursor, column: Int)
    case values([SQLValue], place: Int)
  }

  private var source: Source

  init(_ statement: any Cursor, from column: Int) { source = .row(statement, column: column) }

  init(_ parts: [SQLValue]) { source = .values(parts, place: 0) }

  /// The next part.
  ///
  /// - Throws: ``ReadError`` if the store has no such value there.
  public mutating func next<Part: AttributeValue>() throws -> Part {
    let part: Part?
    switch source {
    case .row(let statement, let column):
      part = Part(column: StoredColumn(statement, column))
      if part == nil { throw mismatch(statement.value(column), Part.self) }
      source = .row(statement, column: column + 1)
    case .values(let values, let place):
      part = place < values.count ? Part(stored: values[place]) : nil
      source = .values(values, place: place + 1)
    }
    guard let part else { throw mismatch(.null, Part.self) }
    return part
  }

  /// The next part, an enumeration.
  ///
  /// - Throws: ``ReadError`` if the store has no such value there.
  public mutating func next<Part: RawRepresentable>() throws -> Part where Part.RawValue: AttributeValue {
    let raw: Part.RawValue = try next()
    guard let part = Part(rawValue: raw) else { throw mismatch(raw.storedValue, Part.self) }
    return part
  }

  /// The next part if it is a text. Otherwise nil, and the part is not used up.
  mutating func nextText() -> String? {
    switch source {
    case .row(let statement, let column):
      guard case .text(let text) = statement.value(column) else { return nil }
      source = .row(statement, column: column + 1)
      return text
    case .values(let values, let place):
      guard place < values.count, case .text(let text) = values[place] else { return nil }
      source = .values(values, place: place + 1)
      return text
    }
  }

  private func mismatch(_ value: SQLValue, _ type: Any.Type) -> ReadError {
    ReadError(entity: "", property: "the identity", expected: "\(type)", found: ReadError.text(of: value))
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

/// The identity of an object of an entity without identity: its row in the store.
///
/// It stays the same while the object is in the store, and has no meaning elsewhere. A new object has none before it
/// is saved. If the object is of a sub-entity with an identity of its own, it is that identity with the name of the
/// entity.
public struct RowID: IdentityValue, CustomStringConvertible {
  private enum Place: Hashable {
    case none
    case row(Int64)
    /// The key of an object with an identity of its own: `Photo,5`.
    case key(String)
  }

  private let place: Place

  /// The row's number; nil before the object is saved, and for an object with an identity of its own.
  public var value: Int64? { if case .row(let row) = place { row } else { nil } }

  /// The key of an object with an identity of its own; nil for others.
  var key: String? { if case .key(let key) = place { key } else { nil } }

  /// Whether it can be that of an object in the store.
  var isStored: Bool { place != .none }

  /// The identity of an object that is not in a store yet.
  public init() { place = .none }

  init(_ row: Int64) { place = .row(row) }

  init(key: String) { place = .key(key) }

  public init(from parts: inout IdentityDecoder) throws {
    self = if let key = parts.nextText() { RowID(key: key) } else { RowID(try parts.next() as Int64) }
  }

  public func encode(to parts: inout IdentityEncoder) {
    switch place {
    case .none: parts.append(Int64.min)
    case .row(let row): parts.append(row)
    case .key(let key): parts.append(key)
    }
  }

  public var description: String {
    switch place {
    case .none: "new"
    case .row(let row): String(row)
    case .key(let key): key
    }
  }
}
