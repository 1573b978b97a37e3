import ObjectStore

/// A relationship to several objects.
///
/// A list from a store knows its owner, so that it can be queried. It has the objects if they were prefetched, see
/// `prefetching(_:_:)` of ``Query``.
///
/// ```swift
/// let late = try await store.fetch(japan.albums.filter(#Predicate { ($0.year ?? 0) > 1980 }))
/// japan.albums = [tinDrum, quietLife]  // exactly these, once it is saved
/// japan.albums.insert(oilOnCanvas)  // and this one
/// japan.albums.remove(id: "Adolescent Sex")
/// ```
///
/// A list that is made by ``init()`` and not changed leaves the links as they are when its object is saved.
public struct ToMany<Target: Storable>: Sendable {
  /// The owner; nil if the list was not read from a store.
  var owner: ListOwner?
  /// The objects, if they are known.
  private(set) var loaded: [Target]?
  /// The effect of saving on the links.
  private(set) var change = Change.none
  /// The objects that were added, by their identities. New ones among them are saved too.
  private var added: [Target.ID: Target] = [:]
  /// The identities in ``loaded`` and ``change``, collected at the first insertion so that inserting many is quick.
  private var index: InsertionIndex?

  private struct InsertionIndex: Sendable {
    /// For each known identity, the first place in the objects.
    var places: [Target.ID: Int]
    /// The identities that saving links.
    var linked: Set<Target.ID>
  }

  enum Change: Sendable {
    case none
    /// Exactly these objects. Objects without identity are written with their owner, so all of them must be known.
    case all([Target.ID])
    case some(added: [Target.ID], removed: Set<Target.ID>)
  }

  /// Leaves the links as they are.
  public init() {}

  /// Exactly these objects.
  public init(_ objects: some Sequence<Target>) {
    let objects = Array(objects)
    loaded = objects
    change = .all(objects.map(\.id))
  }

  /// Exactly the objects with these identities, whether they are in the store or not.
  public init(ids: some Sequence<Target.ID>) {
    change = .all(Array(ids))
  }

  init(owner: ListOwner?, loaded: [Target]? = nil) {
    self.owner = owner
    self.loaded = loaded
  }

  /// Whether the objects are known: they were prefetched, or set by the program.
  public var isLoaded: Bool { loaded != nil }

  /// The objects, if they are known.
  public var objects: [Target]? { loaded }

  /// The objects with some identities, as far as they are known.
  func objects(among ids: [Target.ID]) -> [Target.ID: Target] {
    guard let loaded, !ids.isEmpty else { return added }
    return added.merging(loaded.lazy.map { ($0.id, $0) }) { _, last in last }
  }

  /// Whether all objects that were added are known.
  var knowsAll: Bool {
    guard let loaded else { return false }
    switch change {
    case .none: return true
    case .all(let ids): return ids.count <= loaded.count
    case .some(let added, _):
      let known = Set(loaded.map(\.id))
      return added.allSatisfy(known.contains)
    }
  }

  // MARK: - Changes

  /// Adds an object at the end, unless it is there already.
  public mutating func insert(_ object: Target) {
    makeIndex()
    if loaded == nil, object.isInStore { added[object.id] = object }
    if let place = index?.places[object.id], object.isInStore {
      loaded?[place] = object
    } else if let count = loaded?.count {
      if index?.places[object.id] == nil { index?.places[object.id] = count }
      loaded?.append(object)
    }
    add(object.id)
  }

  /// Adds the object with an identity at the end, whether it is in the store or not, unless the list has it already.
  ///
  /// The objects that are known stay known. This one is not among them until they are fetched again.
  public mutating func insert(id: Target.ID) {
    makeIndex()
    add(id)
  }

  /// Removes the object with an identity from the list. The object itself stays in the store.
  public mutating func remove(id: Target.ID) {
    loaded?.removeAll { $0.id == id }
    added[id] = nil
    index = nil
    switch change {
    case .all(let ids): change = .all(ids.filter { $0 != id })
    case .some(let added, let removed):
      change = .some(added: added.filter { $0 != id }, removed: removed.union([id]))
    case .none: change = .some(added: [], removed: [id])
    }
  }

  private mutating func makeIndex() {
    guard index == nil else { return }
    var places: [Target.ID: Int] = [:]
    for (place, object) in (loaded ?? []).enumerated() where places[object.id] == nil {
      places[object.id] = place
    }
    let linked: [Target.ID] =
      switch change {
      case .none: []
      case .all(let ids): ids
      case .some(let added, _): added
      }
    index = InsertionIndex(places: places, linked: Set(linked))
  }

  /// Links an object, unless it is linked already.
  private mutating func add(_ id: Target.ID) {
    guard index?.linked.insert(id).inserted ?? true || !Target.isStored(id) else { return }
    // The list is taken out of this value first, since a copy of it for each object would take long.
    let former = change
    change = .none
    switch consume former {
    case .all(var ids):
      ids.append(id)
      change = .all(ids)
    // If the object was removed before, that stays noted: it comes back at the end, not at its former place.
    case .some(var added, let removed):
      added.append(id)
      change = .some(added: added, removed: removed)
    case .none: change = .some(added: [id], removed: [])
    }
  }
}

extension ToMany: ExpressibleByArrayLiteral {
  public init(arrayLiteral objects: Target...) { self.init(objects) }
}

extension ToMany: RandomAccessCollection {
  public var startIndex: Int { 0 }

  /// How many objects there are. They must have been prefetched.
  public var endIndex: Int { known.count }

  public subscript(position: Int) -> Target { known[position] }

  /// How many objects there are. Outside predicates, they must have been prefetched.
  public var count: Int { known.count }

  /// Whether there are none. Outside predicates, the objects must have been prefetched.
  public var isEmpty: Bool { known.isEmpty }

  private var known: [Target] {
    guard let loaded else {
      preconditionFailure(
        "The \(Target.entityName) objects of this relationship were not fetched. Fetch them along with"
          + " prefetching(_:), or by themselves with store.fetch(_:); `objects` is nil until then.")
    }
    return loaded
  }
}

extension ToMany: CustomStringConvertible {
  public var description: String {
    loaded.map { "\($0.count) \(Target.entityName)" } ?? "\(Target.entityName), not fetched"
  }
}

/// The owner of a list.
struct ListOwner: Sendable, Hashable {
  let entity: String
  let relationship: String
  /// The key of the owner, as the store keeps it.
  let key: [SQLValue]
}

/// A list is encoded as its objects if all are known and their type is `Encodable`, else as their identities.
///
/// If a list was not fetched, its key is left out or has null. If objects were inserted or removed, these are
/// encoded: `{"added": […], "removed": […]}`. A decoded list is set as a whole, so that saving it makes exactly these
/// links. Without its key, or with null, saving leaves the links as they are.
extension ToMany: Codable {
  private enum ChangeKey: String, CodingKey {
    case added
    case removed
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    if let changes = try? decoder.container(keyedBy: ChangeKey.self) {
      for link in try changes.decode([CodedLink<Target>].self, forKey: .removed) { remove(id: link.id) }
      for link in try changes.decode([CodedLink<Target>].self, forKey: .added) { insert(id: link.id) }
    } else if try !decoder.singleValueContainer().decodeNil() {
      let links = try decoder.singleValueContainer().decode([CodedLink<Target>].self)
      let isNamed = !links.isEmpty && links.allSatisfy { $0.object == nil }
      self = isNamed ? ToMany(ids: EmptyCollection()) : ToMany(EmptyCollection())
      for link in links {
        if let object = link.object { insert(object) } else { insert(id: link.id) }
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let ids {
      var list = encoder.unkeyedContainer()
      for member in members(ids) { try list.encode(CodedLink(member.id, member.object)) }
    } else if isUntouched {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    } else {
      var container = encoder.container(keyedBy: ChangeKey.self)
      try container.encode(changes.added.map { CodedLink<Target>($0, nil) }, forKey: .added)
      try container.encode(changes.removed.map { CodedLink<Target>($0, nil) }, forKey: .removed)
    }
  }

  /// Whether its objects are not known and nothing was changed.
  fileprivate var isUntouched: Bool { ids == nil && changes.added.isEmpty && changes.removed.isEmpty }
}

// The compiler uses these functions in the code that it writes for a `Codable` struct, since they fit the types of
// the properties best.

extension KeyedEncodingContainer {
  /// Encodes a list. If it was not fetched, its key is left out.
  public mutating func encode<Target>(_ list: ToMany<Target>, forKey key: Key) throws {
    try encodeIfPresent(list.isUntouched ? nil : list, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a list. If its key is missing, the list leaves the links as they are.
  public func decode<Target>(_ type: ToMany<Target>.Type, forKey key: Key) throws -> ToMany<Target> {
    try decodeIfPresent(type, forKey: key) ?? ToMany()
  }

  /// Decodes the row id of an object. If its key is missing, the object is new.
  public func decode(_ type: RowID.Type, forKey key: Key) throws -> RowID {
    try decodeIfPresent(type, forKey: key) ?? RowID()
  }
}

/// Encoded as a number, as the text of an identity of its own, or as null.
extension RowID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self.init()
    } else if let key = try? container.decode(String.self) {
      self.init(key: key)
    } else {
      self.init(try container.decode(Int64.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let key {
      try container.encode(key)
    } else if let value {
      try container.encode(value)
    } else {
      try container.encodeNil()
    }
  }
}

extension ToMany: Hashable {
  /// Whether two lists have the same links once both are saved: to the same objects in the same order.
  ///
  /// Neither the values of the objects matter, nor whether a list was set as a whole or changed. Two lists whose
  /// objects are not known are equal if the same objects were inserted and removed. They never equal a list whose
  /// objects are known.
  public static func == (left: Self, right: Self) -> Bool { left.content == right.content }

  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  private enum Content: Hashable {
    case objects([LinkContent<Target>])
    /// The insertions and removals in a list whose objects are not known.
    case changes(added: [LinkContent<Target>], removed: Set<Target.ID>)
  }

  private var content: Content {
    if let ids { return .objects(members(ids).map { LinkContent($0.id, $0.object) }) }
    return .changes(added: changes.added.map { LinkContent($0, nil) }, removed: changes.removed)
  }

  /// The objects that were inserted and removed, if it is not known what the list had before.
  var changes: (added: [Target.ID], removed: Set<Target.ID>) {
    if case .some(let added, let removed) = change { (added, removed) } else { ([], []) }
  }

  /// The identities of the objects after the list is saved; nil if they are not known.
  var ids: [Target.ID]? {
    if case .all(let ids) = change { return ids }
    guard let known = loaded?.map(\.id) else { return nil }
    let there = Set(known)
    return known + changes.added.filter { !there.contains($0) }
  }

  /// The objects of this list with some identities, as far as they are known.
  func members(_ ids: [Target.ID]) -> [(id: Target.ID, object: Target?)] {
    var known: [Target.ID: Target] = [:]
    // New parts have no identity. They come in the order in which they were given.
    var parts: [Target] = []
    for object in loaded ?? [] {
      if object.isInStore { known[object.id] = object } else { parts.append(object) }
    }
    var next = parts.makeIterator()
    return ids.map { id in (id, Target.isStored(id) ? known[id] : next.next()) }
  }
}

/// How links are compared: by the object that each leads to. A part that has no identity yet is compared by its
/// values.
struct LinkContent<Target: Storable>: Hashable {
  private let id: Target.ID
  private let values: [AnyHashable]

  init(_ id: Target.ID, _ object: Target?) {
    self.id = id
    values =
      Target.isStored(id)
      ? [] : object.map { object in Target.properties.all.map { $0.content(object) } } ?? []
  }
}
