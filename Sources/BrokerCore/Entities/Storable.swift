/// A type whose values are objects of a store.
///
/// ``Entity(_:identified:renamedFrom:)`` writes the conformance. Written by hand it is:
///
/// ```swift
/// struct Band: Storable {
///   var name: String
///   var formed: Int?
///   var id: String { name }
///
///   static let properties = Properties<Band>(
///     "Band",
///     .attribute("name", \.name, .identity),
///     .attribute("formed", \.formed)
///   )
///
///   init(row: borrowing ObjectRow) throws {
///     name = try row.value(0)
///     formed = try row.value(1)
///   }
/// }
/// ```
///
/// A value is a copy of what the store held when it was read. It does not change when the store does, and the store
/// does not change before the value is saved.
public protocol Storable: Identifiable, Sendable where ID: Hashable & Sendable {
  /// The entity that the type stands for, and its properties in the order in which ``init(row:)`` reads them.
  static var properties: Properties<Self> { get }

  /// Reads an object from a row, the value of the property with index `i` by `row.value(i)`.
  ///
  /// - Throws: ``ReadError`` if the store holds what the type cannot.
  init(row: borrowing ObjectRow) throws

  /// Reads an identity. There is one for each ``IdentityValue``, and for enumerations with raw values.
  static func identity(from parts: inout IdentityDecoder) throws -> ID
  /// Gives the parts of an identity. There is one for each ``IdentityValue``, and for enumerations with raw values.
  static func encode(_ id: ID, to parts: inout IdentityEncoder)
}

extension Storable where ID: IdentityValue {
  public static func identity(from parts: inout IdentityDecoder) throws -> ID { try ID(from: &parts) }
  public static func encode(_ id: ID, to parts: inout IdentityEncoder) { id.encode(to: &parts) }
}

extension Storable where ID: RawRepresentable, ID.RawValue: AttributeValue {
  public static func identity(from parts: inout IdentityDecoder) throws -> ID { try parts.next() }
  public static func encode(_ id: ID, to parts: inout IdentityEncoder) { parts.append(id) }
}

extension Storable where ID: IdentityValue & RawRepresentable, ID.RawValue: AttributeValue {
  public static func identity(from parts: inout IdentityDecoder) throws -> ID { try ID(from: &parts) }
  public static func encode(_ id: ID, to parts: inout IdentityEncoder) { id.encode(to: &parts) }
}

extension Storable {
  /// The name of the type's entity.
  public static var entityName: String { properties.entityName }

  /// The parts of an identity as the store keeps them.
  static func storedParts(of id: ID) -> [SQLValue] {
    var encoder = IdentityEncoder()
    encode(id, to: &encoder)
    return encoder.values
  }

  /// Whether an identity can be that of an object in the store.
  static func isStored(_ id: ID) -> Bool { (id as? RowID)?.isStored ?? true }

  var isInStore: Bool { Self.isStored(id) }
}
