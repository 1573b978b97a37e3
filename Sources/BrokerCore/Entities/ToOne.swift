import ObjectStore

/// A relationship to one object.
///
/// It says which object that is, and has the object itself if it was prefetched, see `prefetching(_:_:)` of
/// ``Query``. `ToOne<Band>` is a relationship that every object must have, and `ToOne<Band>?` is one that may be
/// empty.
///
/// ```swift
/// album.band = ToOne(japan)
/// album.band = ToOne(id: "Japan")
/// let name = album.band.name  // nil if the band was not fetched along
/// let band = try await store.fetch(album.band)
/// ```
///
/// If the object has not arrived yet, an optional relationship reads as nil. A required one has the identity of the
/// object.
@dynamicMemberLookup
public struct ToOne<Target: Storable>: Sendable {
  /// The identity of the target.
  public let id: Target.ID
  /// Holds the target; nil if it was not prefetched.
  private let place: FetchedObject<Target>?

  /// Makes a link to the object with an identity, whether it is in the store or not.
  public init(id: Target.ID) {
    self.id = id
    place = nil
  }

  /// Makes a link to an object that is still being fetched.
  init(id: Target.ID, fetchedInto place: FetchedObject<Target>) {
    self.id = id
    self.place = place
  }

  /// Makes a link to an object.
  public init(_ object: Target) {
    id = object.id
    place = FetchedObject(object)
  }

  /// The target, if it was prefetched.
  public var object: Target? { place?.object }

  /// A property of the target; nil if the target was not prefetched.
  ///
  /// In predicates and orders nothing needs to be prefetched: `#Predicate<Album> { $0.band.name == "Japan" }`.
  public subscript<Value>(dynamicMember path: KeyPath<Target, Value>) -> Value? {
    object?[keyPath: path]
  }

  /// A property of the target; nil if the target was not prefetched.
  public subscript<Value>(dynamicMember path: KeyPath<Target, Value?>) -> Value? {
    object?[keyPath: path] ?? nil
  }
}

extension ToOne: Hashable {
  /// Whether two links lead to the same object, prefetched or not. The values of the object matter only if it is a
  /// part that is not saved yet and so has no identity.
  public static func == (left: Self, right: Self) -> Bool { left.content == right.content }
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  private var content: LinkContent<Target> { LinkContent(id, object) }
}

extension ToOne: CustomStringConvertible {
  public var description: String { "\(Target.entityName) \(id)" }
}

/// A target that links share. It is a class, since a struct cannot hold a value of its own type.
///
/// Unchecked: the object is set while it is fetched, before any link to it leaves the fetch.
final class FetchedObject<Target>: @unchecked Sendable {
  private(set) var object: Target?

  init(_ object: Target? = nil) { self.object = object }

  /// Sets the object.
  func fill(_ object: Target) { self.object = object }
}

/// A relationship is encoded as its object if that was prefetched and its type is `Encodable`, else as the identity:
/// a text or a number, or for an identity of several attributes a list of these. Decoding takes either.
extension ToOne: Codable {
  public init(from decoder: any Decoder) throws {
    let link = try CodedLink<Target>(from: decoder)
    self = link.object.map { ToOne($0) } ?? ToOne(id: link.id)
  }

  public func encode(to encoder: any Encoder) throws { try CodedLink(id, object).encode(to: encoder) }
}
