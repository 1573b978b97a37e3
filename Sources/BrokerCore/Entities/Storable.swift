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

/// An attribute whose type is an entity, or a link to one. If `@Entity` writes the description, the compiler refuses
/// it; if a program writes it by hand, it is refused when the model is made.
enum EntityMistake {
  /// A mistake in a `Codable` type of an attribute.
  static func of(_ type: Any.Type) -> String? {
    switch type {
    case let optional as any WrappingType.Type where optional is any AnyOptional.Type: of(optional.inner)
    case is any Storable.Type: "\(type) is an entity, so the property has to be a ToOne<\(type)>"
    case is any LinkType.Type: "\(type) is a relationship, so it has to be listed as one"
    case let list as any WrappingType.Type where list.inner is any Storable.Type:
      "\(list.inner) is an entity, so the property has to be a ToMany<\(list.inner)>"
    default: nil
    }
  }
}

/// A type that holds values of another.
private protocol WrappingType {
  static var inner: Any.Type { get }
}

extension Optional: WrappingType { static var inner: Any.Type { Wrapped.self } }
extension Array: WrappingType { static var inner: Any.Type { Element.self } }
extension Set: WrappingType { static var inner: Any.Type { Element.self } }

private protocol LinkType {}

extension ToOne: LinkType {}
extension ToMany: LinkType {}

/// The treatment of objects of JSON whose kind is not known.
public struct UnknownKind: Sendable {
  private enum Form: Sendable {
    case issue
    case skip
    case entity(any Storable.Type)
  }

  private let form: Form

  /// They are skipped, and each is an issue.
  public static let issue = UnknownKind(form: .issue)

  /// They are skipped.
  public static let skip = UnknownKind(form: .skip)

  /// They become objects of one entity: the one whose objects they were expected to be, or one that inherits from it.
  public static func entity<Kind: Storable>(_ type: Kind.Type) -> UnknownKind {
    UnknownKind(form: .entity(type))
  }

  /// The type that they become objects of.
  var type: (any Storable.Type)? {
    if case .entity(let type) = form { type } else { nil }
  }

  /// The annotation for it; nil for none. It is made when it is needed, since a type that inherits describes itself
  /// by the type that this is an option of.
  var word: String? {
    switch form {
    case .issue: nil
    case .skip: "skip"
    case .entity(let type): type.entityName
    }
  }
}

/// The kinds of a type's objects.
struct KindOptions: Sendable {
  var key: String?
  var unknown: UnknownKind?
  /// The values that stand for the entity itself.
  var values: [String] = []

  func annotate(_ userInfo: inout [String: String]) {
    userInfo["broker.discriminator"] = key
    userInfo["broker.unknown"] = unknown?.word
    if !values.isEmpty { userInfo["broker.kind"] = values.joined(separator: ",") }
  }
}

// The names that `@Entity` uses in its expansion. A type of the program that is called `Property` or `Broker` would
// hide ours, and then ours could not be named even with its module. So the macro uses names that no program has.

public typealias _BrokerIdentityDecoder = IdentityDecoder
public typealias _BrokerIdentityEncoder = IdentityEncoder
public typealias _BrokerIdentityValue = IdentityValue
public typealias _BrokerProperties<Root: Storable> = Properties<Root>
public typealias _BrokerProperty<Root: Storable> = Property<Root>
public typealias _BrokerRow = ObjectRow
public typealias _BrokerRowID = RowID
public typealias _BrokerStorable = Storable
