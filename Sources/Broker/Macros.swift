// The words that make a Swift struct an entity. `@Entity` reads all the others, which do nothing by themselves.

public import BrokerCore

/// Makes a struct an entity: a kind of object that comes from JSON and is kept in the store.
///
/// ```swift
/// @Entity struct Band {
///   @Identity var name: String
///   @Key("description") var bandDescription: String?
///   var formed = 1970
///   var genre: Genre?
///   @Attribute(indexed: true, minimum: 0, maximum: 10) var rating: Double?
///   @Relationship(inverse: \Album.band, deleteRule: .cascade) var albums: ToMany<Album>
///   @Relationship(ordered: true) var members: ToMany<Musician>
///   var label: ToOne<Label>?
/// }
/// ```
///
/// Every stored property is an attribute, or a relationship if its type is ``ToOne`` or ``ToMany``. Computed and static
/// properties are not stored. The identity says which object a JSON object is. It is the property that is marked
/// ``Identity()``; without a mark, the one called `id`, `remoteID` or the entity's name with `ID` after it.
///
/// An initial value is the default for JSON that lacks the property. It must be a literal (a number, a string
/// without interpolation, `true`, `false`, or an array of these) or an implicit member such as `.rock` if the type is
/// written. Other initial values, such as `Date()` or `UUID()`, are used in Swift only: an import leaves such a
/// property empty, or reports that it is missing.
///
/// - Parameters:
///   - name: The entity's name in the model and in the store, if it is not the struct's.
///   - identified: `false` for objects that others own and that have no identity of their own. Their `id`
///     is the number of their row.
///   - renamedFrom: What the entity was called before: a store keeps its objects then.
@attached(member, names: named(id))
@attached(
  extension, conformances: Storable,
  // Not the four names that it makes: with these, Swift 6.3 compiles no type that comes after one whose
  // `inverse:` leads to it, where testing is enabled.
  names: arbitrary)
public macro Entity(_ name: String? = nil, identified: Bool = true, renamedFrom: String? = nil) =
  #externalMacro(module: "BrokerMacros", type: "EntityMacro")

/// Says that a property identifies its objects, by itself or together with the others marked so: an attribute, or a
/// relationship to one object that is not optional.
///
/// ```swift
/// @Entity struct Version {
///   @Identity var crate: ToOne<Crate>
///   @Identity var number: String
/// }
/// ```
@attached(peer)
public macro Identity() = #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says under which key JSON has a property: a name or, with dots, a path into nested objects.
///
/// - Parameters:
///   - key: The preferred key, which an export writes.
///   - others: More keys, tried in this order where JSON lacks the first.
@attached(peer)
public macro Key(_ key: String, _ others: String...) =
  #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says more about an attribute than its type does.
///
/// - Parameters:
///   - name: Its name in the model and in the store, if it is not the property's.
///   - indexed: Whether the store has an index for it. For a list, the index has its elements.
///   - search: Whether the store has a full-text index of it, of texts, addresses and lists of texts: see
///     ``Query/matching(_:)``.
///   - unique: Whether no two objects may have the same value.
///   - minimum: The least value, or the least length of a string.
///   - maximum: The greatest value, or the greatest length of a string.
///   - pattern: A regular expression that the whole string must match.
///   - dateFormat: How JSON writes the date: `yyyy/MM/dd`, for example.
///   - transformers: The transformers, in the order in which an import applies them: `["trimmed", .prefix("Band/")]`.
///   - exported: Whether exports have it.
///   - renamedFrom: What the attribute was called before: a store keeps its values then.
///   - unknown: The case of an enumeration that stands for values of JSON that it does not have. It is written as
///     an implicit member: `.other`.
@attached(peer)
public macro Attribute(
  name: String? = nil, indexed: Bool = false, search: Bool = false, unique: Bool = false,
  minimum: Double? = nil, maximum: Double? = nil, pattern: String? = nil, dateFormat: String? = nil,
  transformers: [TransformerCall] = [],
  exported: Bool = true, renamedFrom: String? = nil
) = #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says more about an enumeration than its type does, with the case for values of JSON that it does not have.
///
/// ```swift
/// @Attribute(unknown: Mood.other) var mood: Mood
/// ```
///
/// - Parameters:
///   - unknown: The case that stands for values that the enumeration does not have.
///   - renamedFrom: What the attribute was called before: a store keeps its values then.
@attached(peer)
public macro Attribute<Case: RawRepresentable>(
  name: String? = nil, indexed: Bool = false, unknown: Case, renamedFrom: String? = nil
) =
  #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says which key, or key path, of JSON tells the sub-entity of an object.
///
/// ```swift
/// @Entity @Kinds("type", unknown: .skip) struct Event {
///   var id: Int
/// }
///
/// @Entity @Kind("PushEvent") struct Push {
///   @Inherited var event: Event
///   var size: Int
/// }
/// ```
///
/// - Parameters:
///   - key: The key whose value tells it: what a ``Kind(_:_:)`` says, or the name of an entity in any case style.
///   - unknown: What happens to objects of an unknown kind: they are issues, they are left out, or they become objects
///     of another entity.
@attached(peer)
public macro Kinds(_ key: String, unknown: UnknownKind = .issue) =
  #externalMacro(module: "BrokerMacros", type: "KindMacro")

/// Says which values of the key of ``Kinds(_:unknown:)`` stand for an entity.
@attached(peer)
public macro Kind(_ value: String, _ others: String...) =
  #externalMacro(module: "BrokerMacros", type: "KindMacro")

/// Says more about a relationship than its type does.
///
/// Say at one end of two which relationship is the inverse: Swift cannot resolve key paths that lead to each
/// other, and says “circular reference” of both. Of types that stand in another one, begin with the outermost: `\Catalogue.Album.band`.
///
/// - Parameters:
///   - name: Its name in the model and in the store, if it is not the property's.
///   - inverse: The relationship that leads back, as `\Album.band`; `nil` if there is none. Left out, it is
///     found by itself where there is only one that can be meant.
///   - deleteRule: What happens to the objects that a deleted object leads to.
///   - ordered: Whether a list has an order of its own.
///   - minimum: The least number of objects in a list.
///   - maximum: The greatest number of objects in a list.
///   - transformers: The transformers of the keys of its objects, in the order in which an import applies them.
///   - renamedFrom: What the relationship was called before: a store keeps its links then.
@attached(peer)
public macro Relationship(
  name: String? = nil, inverse: AnyKeyPath? = nil, deleteRule: DeleteRule = .nullify, ordered: Bool = false,
  minimum: Int? = nil, maximum: Int? = nil, transformers: [TransformerCall] = [], renamedFrom: String? = nil
) = #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says more about a relationship than its type does, with the name of the inverse in place of its key path.
///
/// Use it for a relationship that is its own inverse, for which a key path cannot be written:
///
/// ```swift
/// @Entity struct Person {
///   @Identity var name: String
///   @Relationship(inverse: "friends") var friends: ToMany<Person>
/// }
/// ```
///
/// - Parameter inverse: The name of the property that leads back. The compiler checks that there is one.
@attached(peer)
public macro Relationship(
  name: String? = nil, inverse: String, deleteRule: DeleteRule = .nullify, ordered: Bool = false,
  minimum: Int? = nil, maximum: Int? = nil, transformers: [TransformerCall] = [], renamedFrom: String? = nil
) = #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says that a stored property is not kept in the store. It needs an initial value.
@attached(peer)
public macro Transient() = #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says that an entity inherits from the one that a property holds: its properties, and its identity.
///
/// ```swift
/// @Entity struct Employee {
///   @Inherited var person: Person
///   var salary: Double
/// }
/// ```
///
/// Where the inherited entity has no identity, `@Identity` gives this one an identity of its own.
@attached(peer)
public macro Inherited() = #externalMacro(module: "BrokerMacros", type: "PropertyMacro")

/// Says that an attribute is the version of an object: JSON with an older version does not overwrite a newer one.
@attached(peer)
public macro Version() = #externalMacro(module: "BrokerMacros", type: "PropertyMacro")
