extension ToMany: Hashable {
  /// Whether they are the same links: to the same objects in the same order, once both are saved.
  ///
  /// What the objects hold does not matter, nor does whether a list was set as a whole or changed into what it is. A
  /// list of which nothing is known equals others of which nothing is known, if the same was inserted and removed, and
  /// none of which something is.
  public static func == (left: Self, right: Self) -> Bool { left.content == right.content }

  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  private enum Content: Hashable {
    case objects([LinkContent<Target>])
    /// What was said of objects that are not known.
    case changes(added: [LinkContent<Target>], removed: Set<Target.ID>)
  }

  private var content: Content {
    if let ids { return .objects(members(ids).map { LinkContent($0.id, $0.object) }) }
    return .changes(added: changes.added.map { LinkContent($0, nil) }, removed: changes.removed)
  }

  /// What was inserted and removed, where it is not known what there was.
  var changes: (added: [Target.ID], removed: Set<Target.ID>) {
    if case .some(let added, let removed) = change { (added, removed) } else { ([], []) }
  }

  /// The identities of the objects as they will be once the list is saved; nil if they are not known.
  var ids: [Target.ID]? {
    if case .all(let ids) = change { return ids }
    guard let known = loaded?.map(\.id) else { return nil }
    let there = Set(known)
    return known + changes.added.filter { !there.contains($0) }
  }

  /// What is known of the objects with some identities of this list.
  func members(_ ids: [Target.ID]) -> [(id: Target.ID, object: Target?)] {
    var known: [Target.ID: Target] = [:]
    // New parts have no identity: they come in the order in which they were given.
    var parts: [Target] = []
    for object in loaded ?? [] {
      if object.isInStore { known[object.id] = object } else { parts.append(object) }
    }
    var next = parts.makeIterator()
    return ids.map { id in (id, Target.isStored(id) ? known[id] : next.next()) }
  }
}

/// What a link is to those who compare it: which object it leads to, or what that holds if it is a part that has no
/// identity yet.
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
