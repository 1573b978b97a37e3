import ObjectStore

/// A relationship to several objects.
///
/// As it comes from the store it knows whose relationship it is, so that it can be queried; it has the objects if
/// they were fetched along, see `prefetching(_:_:)` of ``Query``.
///
/// ```swift
/// let late = try await store.fetch(japan.albums.filter(#Predicate { ($0.year ?? 0) > 1980 }))
/// japan.albums = [tinDrum, quietLife]  // exactly these, once it is saved
/// japan.albums.insert(oilOnCanvas)  // and this one
/// japan.albums.remove(id: "Adolescent Sex")
/// ```
///
/// A list that nothing was said of, ``init()``, leaves the links as they are when its object is saved.
public struct ToMany<Target: Storable>: Sendable {
  /// Whose relationship it is; nil if it was not read from a store.
  var owner: ListOwner?
  /// The objects, if they are known.
  private(set) var loaded: [Target]?
  /// What saving makes of the links.
  private(set) var change = Change.none
  /// The objects that were added, by their identities: those that are new are saved along.
  private var added: [Target.ID: Target] = [:]
  /// What both of these have, so that many objects can be inserted; nil before the first is.
  private var index: InsertionIndex?

  private struct InsertionIndex: Sendable {
    /// The first place in the objects of each that is known.
    var places: [Target.ID: Int]
    /// The identities that saving links.
    var linked: Set<Target.ID>
  }

  enum Change: Sendable {
    case none
    /// Exactly these. Objects without identity are written themselves, so there they all must be known.
    case all([Target.ID])
    case some(added: [Target.ID], removed: Set<Target.ID>)
  }

  /// Says nothing of the links.
  public init() {}

  /// Exactly these objects.
  public init(_ objects: some Sequence<Target>) {
    let objects = Array(objects)
    loaded = objects
    change = .all(objects.map(\.id))
  }

  /// Exactly the objects with these identities, be they there or not.
  public init(ids: some Sequence<Target.ID>) {
    change = .all(Array(ids))
  }

  init(owner: ListOwner?, loaded: [Target]? = nil) {
    self.owner = owner
    self.loaded = loaded
  }

  /// Whether the objects are known: they were fetched along, or given.
  public var isLoaded: Bool { loaded != nil }

  /// The objects, if they are known.
  public var objects: [Target]? { loaded }

  /// The objects with some identities that are known, be they fetched or added.
  func objects(among ids: [Target.ID]) -> [Target.ID: Target] {
    guard let loaded, !ids.isEmpty else { return added }
    return added.merging(loaded.lazy.map { ($0.id, $0) }) { _, last in last }
  }

  /// Whether the objects that were added are all known.
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

  /// Adds the object with an identity at the end, be it there or not, unless it is there already.
  ///
  /// The objects that are known stay known; this one is not among them before they are fetched again.
  public mutating func insert(id: Target.ID) {
    makeIndex()
    add(id)
  }

  /// Takes the object with an identity out of the list. The object itself stays in the store.
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
    // The list is taken out first: a copy of it for each object would take long.
    let former = change
    change = .none
    switch consume former {
    case .all(var ids):
      ids.append(id)
      change = .all(ids)
    // What was removed stays so: it comes back at the end, not in its former place.
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

  /// How many objects there are. They must have been fetched along.
  public var endIndex: Int { known.count }

  public subscript(position: Int) -> Target { known[position] }

  /// How many objects there are. They must have been fetched along; in predicates they need not.
  public var count: Int { known.count }

  /// Whether there are none. They must have been fetched along; in predicates they need not.
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

/// Whose relationship a list is.
struct ListOwner: Sendable, Hashable {
  let entity: String
  let relationship: String
  /// The key of the owner, as the store keeps it.
  let key: [SQLValue]
}
