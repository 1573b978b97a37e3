import Mapping

/// Whether an object is part of the object around it rather than one of its own.
enum FlatObject {
  private static let mostLeaves = 10
  /// Keys under which services put all that an object has, but for its identity.
  private static let envelopes: Set<String> = [
    "fields", "attributes", "properties", "_source", "snippet", "data", "payload", "details", "document",
  ]

  private static let headers: Set<String> = ["metadata", "meta", "header", "headers", "info", "sys"]

  /// Whether what stands under a key tells of the object around it.
  static func isHeaderKey(_ key: String) -> Bool { isHeader(key) || isEnvelopeKey(key) }

  /// Whether what stands under a key tells of the object around it rather than being all that it has.
  static func isHeader(_ key: String) -> Bool { headers.contains(Names.folded(key)) }

  /// Whether all objects have one under a key such as `metadata`, which tells of them and is no object of its own.
  static func isHeader(_ member: Member, _ shapes: Shapes) -> Bool {
    let own = shapes.tree[member.node]
    return isHeader(member.key) && own.nulls == 0 && own.flags.isDisjoint(with: .merged)
      && own.objects == member.owners
  }

  static func isEnvelopeKey(_ key: String) -> Bool { envelopes.contains(key.lowercased()) }

  /// Whether an object is all that the object around it has besides its identity, so that its members are the other's.
  static func isEnvelope(_ member: Member, _ shapes: Shapes) -> Bool {
    let own = shapes.tree[member.node]
    return member.path.count == 1 && isEnvelopeKey(member.key) && own.nulls == 0
      && !own.flags.contains(.merged) && own.objects == member.owners
  }

  /// Whether objects at a place tell of the objects around them: each of these has one, and they have no identity of their own. An
  /// address is none, where there are as many as objects around: it is the address of these.
  static func tellsOfOwner(_ index: Int32, _ shapes: Shapes) -> Bool {
    let parent = shapes.tree[index].parent
    guard parent >= 0, shapes.tree[index].key >= 0, isHeaderKey(shapes.key(of: index)) else { return false }
    if isThing(index, in: parent, shapes) { return true }
    let (own, owner) = (shapes.tree[index], shapes[parent])
    guard own.objectsOfItsOwn == shapes.tree[parent].objectsOfItsOwn else { return false }
    if isHeader(shapes.key(of: index)) { return true }
    let identity = shapes[index].identity
    guard identity >= 0, shapes[index].identityRank <= IdentityNames.strongest else {
      return shapes.tree[parent].parent >= 0
    }
    // `{"attributes": {"OBJECTID": 7, "NAME": "Oak"}, "geometry": {…}}`: the number of a feature in its layer is that of the outer object.
    if featureNumbers.contains(Names.folded(shapes.key(of: identity))),
      owner.identityRank > IdentityNames.strongest
    {
      return shapes.tree[parent].parent >= 0
    }
    return LabelNames.flags(of: shapes.key(of: identity)) == .address && owner.identity >= 0
      && owner.identityRank <= IdentityNames.strongest && shapes.find(owner.identity) != shapes.find(identity)
      && shapes[identity].values.estimatedCount == shapes[owner.identity].values.estimatedCount
  }

  /// Whether objects hold nothing but others without keys in the end, `{"f:spec": {"f:replicas": {}}}`: their keys name what is said
  /// elsewhere, and there is no value.
  static func isTreeOfKeys(_ index: Int32, _ shapes: Shapes, depth: Int = 0) -> Bool {
    let members =
      shapes.isDictionary(index) ? [shapes.element(of: index)].compactMap(\.self) : shapes.children(of: index)
    return depth < deepestTree && !shapes.isSplit(index) && !members.isEmpty
      && members.allSatisfy { member in
        shapes[member].objects > 0 && shapes[member].objects == shapes[member].total
          && (shapes.keys(of: member).isEmpty && !shapes.isDictionary(member)
            || isTreeOfKeys(member, shapes, depth: depth + 1))
      }
  }

  private static let deepestTree = 32

  /// Whether objects are what others were before a change, or are after it, and both are told: `{"before": {"id": 7, "size": 1}, "after":
  /// {"id": 7, "size": 2}}`. As one object, the older state would be lost.
  static func isState(_ index: Int32, _ shapes: Shapes) -> Bool {
    let parent = shapes.tree[index].parent
    guard parent >= 0, shapes.tree[index].key >= 0,
      let state = states[Names.folded(shapes.key(of: index))], !shapes.isSplit(parent)
    else { return false }
    return shapes.children(of: parent).contains { other in
      Names.folded(shapes.key(of: other)) == state && shapes[other].objects > 0
    }
  }

  /// The names of states, with that of the other one.
  private static let states = [
    "before": "after", "after": "before", "old": "new", "new": "old", "previous": "current",
    "current": "previous",
    "oldvalue": "newvalue", "newvalue": "oldvalue",
  ]

  /// Whether objects are of as many entities as the objects around them say in one word: `[{"type": "domain", "data": {…}}, {"type":
  /// "volume", "data": {…}}]`. Each of these counts its objects by itself.
  static func isOfSeveralKinds(_ index: Int32, _ shapes: Shapes) -> Bool {
    let parent = shapes.tree[index].parent
    guard parent >= 0, shapes.tree[index].key >= 0, isEnvelopeKey(shapes.key(of: index)),
      !shapes.isSplit(parent),
      !shapes.isSplit(index), shapes.tree[index].objectsOfItsOwn == shapes.tree[parent].objectsOfItsOwn,
      let kind = ShapeMatcher.kindKeys.lazy.compactMap({ shapes.child(of: parent, named: $0) }).first,
      shapes[kind].strings == shapes[parent].objects, shapes[kind].values.count > 1
    else { return false }
    let keys = shapes.children(of: index)
    let common = keys.count { shapes[$0].total == shapes[index].objects }
    return keys.count >= 6 && common * 2 < keys.count
  }

  /// Whether objects have nothing but a kind and what stands under `data`, as all things of Reddit do: `{"kind": "t1", "data": {"id": …}}`.
  private static func isThing(_ index: Int32, in parent: Int32, _ shapes: Shapes) -> Bool {
    guard shapes.key(of: index) == "data", shapes[index].objects == shapes[parent].objects,
      !shapes.isSplit(parent)
    else { return false }
    let others = shapes.children(of: parent).map(shapes.key).filter { $0 != "data" }
    return others == ["kind"] || others.isEmpty && shapes.flags(of: parent).contains(.variant)
  }

  private static let featureNumbers: Set<String> = ["objectid", "fid"]

  private static let linkKeys: Set<String> = [
    "href", "rel", "title", "type", "templated", "method", "methods", "name", "media", "hreflang",
    "embeddable",
    "targethints", "taxonomy", "count", "deprecation", "profile",
  ]

  /// Whether an object only holds addresses of other documents, each in an object or a list of objects, as `_links` does.
  /// They are no objects of the model.
  static func holdsLinks(_ member: Member, _ shapes: Shapes) -> Bool {
    guard ["_links", "links"].contains(member.key.lowercased()), !shapes.isDictionary(member.node) else {
      return false
    }
    let members = shapes.children(of: member.node)
    return !members.isEmpty
      && members.allSatisfy { child in
        guard let link = shapes.listedObjects(child) ?? (shapes.isObject(child) ? child : nil) else {
          return false
        }
        let keys = shapes.keys(of: link).map { shapes.tree.text(ofKey: $0).lowercased() }
        return keys.contains("href") && linkKeys.isSuperset(of: keys)
      }
  }

  /// Whether an object has few members, so that key paths lead to them.
  static func isFlat(_ index: Int32, _ shapes: Shapes, _ finder: MemberFinder) -> Bool {
    var leaves = 0
    var rest = [shapes.find(index)]
    var seen: Set<Int32> = []
    while let next = rest.popLast() {
      guard seen.insert(next).inserted, seen.count <= mostLeaves else {
        // Objects with an identity stand under several keys, as the two teams of a match do.
        if seen.count <= mostLeaves, shapes[next].identityRank <= IdentityNames.strongest { continue }
        return false
      }
      for member in finder.members(of: next, isRecord: false) {
        let place = shapes.find(member.node)
        leaves += 1
        guard leaves <= mostLeaves, place != shapes.find(index) else { return false }
        let node = shapes[place]
        if shapes.isSplit(place) { continue }
        if node.objects > 0, node.lists == 0, node.scalars == 0, !shapes.isDictionary(place) {
          leaves -= 1
          rest.append(place)
        }
      }
    }
    return true
  }
}
