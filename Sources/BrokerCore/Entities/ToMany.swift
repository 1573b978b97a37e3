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
  /// What saving does to the links.
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
