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
    /// What was inserted and removed in a list whose objects are not known.
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
