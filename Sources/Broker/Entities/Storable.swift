/// A type whose values are objects of a store.
///
/// ``Entity(_:identified:)`` writes the conformance. By hand it is:
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
/// A value is a copy of what the store held when it was read: it does not change by itself, and changing it
/// changes nothing in the store before it is saved.
public protocol Storable: Identifiable, Sendable where ID: IdentityValue {
  /// The entity that the type stands for, and its properties in the order in which ``init(row:)`` reads them.
  static var properties: Properties<Self> { get }

  /// Reads an object from a row, the value of the property with index `i` by `row.value(i)`.
  ///
  /// - Throws: ``ReadError`` if the store holds what the type cannot.
  init(row: borrowing ObjectRow) throws
}

extension Storable {
  /// The name of the entity that the type stands for.
  public static var entityName: String { properties.entityName }
}
