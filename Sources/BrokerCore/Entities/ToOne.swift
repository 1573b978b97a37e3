import ObjectStore

/// A relationship to one object.
///
/// It says which object that is, and has the object itself if it was fetched along, see `prefetching(_:_:)` of
/// ``Query``. `ToOne<Band>` is a relationship that every object must have, `ToOne<Band>?` one that it may lack.
///
/// ```swift
/// album.band = ToOne(japan)
/// album.band = ToOne(id: "Japan")
/// let name = album.band.name  // nil if the band was not fetched along
/// let band = try await store.fetch(album.band)
/// ```
///
/// An optional relationship to an object that has not arrived reads as nil; a required one says which it will be.
@dynamicMemberLookup
public struct ToOne<Target: Storable>: Sendable {
  /// The identity of the object that it leads to.
  public let id: Target.ID
  /// Where the object is; nil if it is not fetched along.
  private let place: FetchedObject<Target>?

  /// Leads to the object with an identity, be it there or not.
  public init(id: Target.ID) {
    self.id = id
    place = nil
  }

  /// Leads to an object that is being fetched.
  init(id: Target.ID, fetchedInto place: FetchedObject<Target>) {
    self.id = id
    self.place = place
  }

  /// Leads to an object.
  public init(_ object: Target) {
    id = object.id
    place = FetchedObject(object)
  }

  /// The object that it leads to, if it was fetched along.
  public var object: Target? { place?.object }

  /// A property of the object that it leads to; nil if that was not fetched along.
  ///
  /// In predicates and orders it needs no fetching: `#Predicate<Album> { $0.band.name == "Japan" }`.
  public subscript<Value>(dynamicMember path: KeyPath<Target, Value>) -> Value? {
    object?[keyPath: path]
  }

  /// A property of the object that it leads to; nil if that was not fetched along.
  public subscript<Value>(dynamicMember path: KeyPath<Target, Value?>) -> Value? {
    object?[keyPath: path] ?? nil
  }
}

extension ToOne: Hashable {
  /// Whether they lead to the same object, be it fetched along or not. What it holds matters only for a part that is not
  /// saved yet, and so has no identity.
  public static func == (left: Self, right: Self) -> Bool { left.content == right.content }
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  private var content: LinkContent<Target> { LinkContent(id, object) }
}

extension ToOne: CustomStringConvertible {
  public var description: String { "\(Target.entityName) \(id)" }
}

/// An object that links lead to, which share it. A class, since a struct cannot hold one of its own kind.
///
/// Unchecked, since the object is put in when it is fetched, which is before any link to it leaves the fetch.
final class FetchedObject<Target>: @unchecked Sendable {
  private(set) var object: Target?

  init(_ object: Target? = nil) { self.object = object }

  /// Puts the object in.
  func fill(_ object: Target) { self.object = object }
}
