import Mapping
import ObjectModel

/// Evidence that objects of two places are of two entities, however much they have in common.
extension ShapeMatcher {
  /// Whether objects hold under one key objects with an identity and others that have neither this nor other keys of theirs: the author of a
  /// commit is an account at one place, and a name with an address at the other. As one place, the accounts would lose their identity.
  func holdStrangers(_ first: Int32, _ second: Int32) -> Bool {
    guard !shapes.isSplit(first), !shapes.isSplit(second) else { return false }
    return shapes.children(of: first).contains { child in
      guard shapes.isObject(child), !shapes.isSplit(child),
        let twin = shapes.child(of: second, named: shapes.key(of: child)), shapes.isObject(twin),
        !shapes.isSplit(twin),
        shapes.find(twin) != shapes.find(child)
      else { return false }
      let (one, other) = (candidate(child), candidate(twin))
      guard let identity = one.identity ?? other.identity, (one.identity == nil) != (other.identity == nil)
      else { return false }
      let others = one.identity == nil ? one : other
      return !others.ownKeys.numbers.contains(shapes.keyNumber(of: identity)) && others.ownKeys.count > 1
        && one.ownKeys.sharedCount(with: other.ownKeys) == 0
    }
  }

  /// Whether objects are all that two kinds of objects have, besides the word that tells these apart: `{"type": "domain", "data": {…}}` and
  /// `{"type": "volume", "data": {…}}`.
  func areInTwoKinds(_ first: Int32, _ second: Int32) -> Bool {
    let kinds = [first, second].map { shapes.tree[$0].parent }
    return shapes.tree[first].key >= 0 && shapes.tree[first].key == shapes.tree[second].key
      && kinds[0] != kinds[1]
      && FlatObject.isEnvelopeKey(shapes.key(of: first))
      && kinds.allSatisfy { $0 >= 0 && shapes.flags(of: $0).contains(.variant) }
      && shapes.tree[kinds[0]].parent == shapes.tree[kinds[1]].parent
  }

  /// Whether objects stand at the top of files that are called something else: `disks.json` and `firewalls.json`.
  func areOfOtherFiles(_ first: Int32, _ second: Int32) -> Bool {
    let names = [first, second].map { Words.entityName(shapes.rootName(of: $0)) }
    return isAtTop(first) && isAtTop(second) && shapes.tree.root(of: first) != shapes.tree.root(of: second)
      && names.allSatisfy { !$0.isEmpty }
      && names[0] != names[1]
  }

  /// Whether the objects of two places with the same names have addresses of their own that begin in other ways, each with one word more
  /// than the identity: `…/sites/21/` and `…/roles/21/`.
  func haveOtherAddresses(_ first: Int32, _ second: Int32) -> Bool {
    guard let one = ownAddresses(of: first), let other = ownAddresses(of: second) else { return false }
    return one != other
  }

  /// Whether objects at the top of two files are identified by keys that are called like these, and that the others lack: the customers
  /// by `CustomerID`, the suppliers by `SupplierID`.
  func haveKeysOfTheirFiles(_ first: Candidate, _ second: Candidate) -> Bool {
    guard let one = first.identity, let other = second.identity, isAtTop(first.index), isAtTop(second.index),
      shapes.tree.root(of: first.index) != shapes.tree.root(of: second.index),
      shapes.keyNumber(of: one) != shapes.keyNumber(of: other)
    else { return false }
    return [(first, one, second), (second, other, first)].allSatisfy { own, identity, others in
      Words.words(shapes.key(of: identity)).count > 1
        && !others.keys.numbers.contains(shapes.keyNumber(of: identity))
        && IdentityNames.rank(of: shapes.key(of: identity), owner: name(of: own.index)) != nil
    }
  }

  /// The beginning that the addresses of all objects share, if they end with the identities; nil if there is none.
  func ownAddresses(of index: Int32) -> String? {
    guard let identity = shapes[index].identity >= 0 ? shapes[index].identity : nil else { return nil }
    let links = ["links", "_links"].compactMap { shapes.child(of: index, named: $0) }.filter(shapes.isObject)
    let selves = links.compactMap { shapes.child(of: $0, named: "self") }
    let addresses =
      ["url", "href", "self", "selfLink"].compactMap { shapes.child(of: index, named: $0) } + selves
      + selves.filter(shapes.isObject).compactMap { shapes.child(of: $0, named: "href") }
    return addresses.lazy.compactMap { child -> String? in
      let node = shapes[child]
      guard node.strings == shapes[index].objects, node.flags.contains(.slashes),
        !node.flags.contains(.mixedPrefixes)
      else { return nil }
      let (found, compared) = node.tails.overlap(with: shapes[identity].values)
      return compared > 0 && found == compared ? shapes.tree.prefixes[shapes.find(child)] : nil
    }.first
  }

  /// Whether objects without identity hold others under the same keys: objects with the same identities that say to be of different
  /// types, as the associations of contacts and of deals do, or lists of objects with other keys.
  func holdOthers(_ first: Int32, _ second: Int32, depth: Int = 0) -> Bool {
    guard depth < 3, !shapes.isSplit(first), !shapes.isSplit(second) else { return false }
    return shapes.children(of: first).contains { child in
      guard let twin = shapes.child(of: second, named: shapes.key(of: child)),
        shapes.find(twin) != shapes.find(child),
        let one = shapes.listedObjects(child) ?? (shapes.isObject(child) ? child : nil),
        let other = shapes.listedObjects(twin) ?? (shapes.isObject(twin) ? twin : nil)
      else { return false }
      let (inner, others) = (candidate(one), candidate(other))
      if GenericNames.isWrapper(shapes.key(of: child)), shapes[child].lists > 0, shapes[twin].lists > 0,
        areStrangers(inner, others)
      {
        return true
      }
      guard let identity = inner.identity, let twinIdentity = others.identity else {
        return holdOthers(one, other, depth: depth + 1)
      }
      return !areOfOneType(inner, others, 0, 0)
        && shapes[identity].values.overlap(with: shapes[twinIdentity].values).found > 0
    }
  }

  /// Whether objects have hardly any keys in common: the tracks of a playlist, each with who added it, and those of an answer.
  func areStrangers(_ first: Candidate, _ second: Candidate) -> Bool {
    let fewest = min(first.ownKeys.count, second.ownKeys.count)
    return fewest >= 2 && first.ownKeys.sharedCount(with: second.ownKeys) * 2 < fewest
  }

  /// Whether objects of two places have identities in common, and nothing else: then equal identities mean different
  /// objects.
  func contradict(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    let shared = shapes[one].values.overlap(with: shapes[other].values).found
    if shared > 1, areOthersByNumber(first, second, one, other) { return true }
    guard shared > 0, !haveSameObjects(first.index, second.index),
      shared > 1 || !mayHaveChanged(first, second, one, other)
    else { return false }
    var (compared, agreeing) = (0, 0)
    let isAlone = standsAlone(first.index, in: second.index) || standsAlone(second.index, in: first.index)
    for child in shapes.children(of: first.index) where shapes.find(child) != one {
      guard let twin = shapes.child(of: second.index, named: shapes.key(of: child)) else { continue }
      let (own, others) = (shapes[child], shapes[twin])
      // Words that many objects have say nothing, unless each is a word of one object about the other inside it.
      guard own.strings > own.emptyTexts, others.strings > others.emptyTexts,
        isAlone || own.values.count > 1 || own.strings == 1,
        isAlone || others.values.count > 1 || others.strings == 1
      else { continue }
      compared += 1
      if own.values.overlap(with: others.values).found > 0 { agreeing += 1 }
    }
    return compared > 0 && agreeing * 2 < compared
  }

  /// Whether half of the small numbers or more that identify objects of two places, which go by other names, mean other objects: one of two
  /// kinds of objects that is called alike under a number of both, as a vendor and its only platform are, does not make them one.
  func areOthersByNumber(
    _ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32
  ) -> Bool {
    guard name(of: first.index) != name(of: second.index), shapes[one].integers > 0,
      shapes[other].integers > 0,
      min(shapes[one].minimum, shapes[other].minimum) < Self.firstNumbers
    else { return false }
    let (shared, apart) = shapes[first.index].contents.firsts(apartFrom: shapes[second.index].contents)
    guard apart > 0, apart * 2 >= shared else { return false }
    // A key that only one place has makes no other object.
    return shapes.children(of: first.index).allSatisfy { child in
      guard shapes.find(child) != shapes.find(one), shapes[child].strings > shapes[child].emptyTexts,
        let twin = shapes.child(of: second.index, named: shapes.key(of: child)),
        shapes[twin].strings > shapes[twin].emptyTexts
      else { return true }
      let (found, compared) = overlapOfFewer(child, twin)
      return found * 2 <= compared
    }
  }

  /// Whether a single object with a small number came in two lists at the top that go by other names and have keys of their own, and all that
  /// both say of objects is what any object says: the first region, the first rack and the first provider are called `Test`.
  func mayBeSameByChance(
    _ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32
  ) -> Bool {
    let names = [first, second].map { Words.words(Words.entityName(name(of: $0.index))).last }
    let shared = first.keys.sharedCount(with: second.keys)
    return names[0] != names[1] && shared < min(first.keys.count, second.keys.count) && isAtTop(first.index)
      && isAtTop(second.index)
      && shapes.tree.root(of: first.index) != shapes.tree.root(of: second.index)
      && shapes[one].integers > 0 && max(shapes[one].minimum, shapes[other].minimum) < Self.firstNumbers
      && shapes[one].values.overlap(with: shapes[other].values).found == 1 && haveKeysOfAny(first, second)
  }

  /// Whether the only object that came at both of two places under one name, of several, may be the same after a change: all have the
  /// same keys, and no two have one identity by chance as easily as a first one.
  func mayHaveChanged(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    let (own, others) = (shapes[one], shapes[other])
    return shapes.tree.root(of: first.index) != shapes.tree.root(of: second.index) && !first.name.isEmpty
      && first.name == second.name
      && first.keys.count >= 3
      && first.keys.count == second.keys.count
      && first.keys.sharedCount(with: second.keys) == first.keys.count
      && max(own.values.count, others.values.count) > 1
      && shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
      && (own.integers > 0
        ? min(own.minimum, others.minimum) > Self.firstNumbers
        : shapes.areMadeByProgram(one) && shapes.areMadeByProgram(other))
  }

  /// The numbers that the first objects of any kind have.
  static let firstNumbers: Int64 = 1_000

  /// Whether each object has an object in it with its own identity that says something else: `{"id": "PJAN", "version": "1.0",
  /// "structure": {"id": "PJAN", "version": "38.0"}}`.
  func repeatsIdentity(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    guard standsAlone(first.index, in: second.index) || standsAlone(second.index, in: first.index),
      shapes[first.index].objects == shapes[second.index].objects
    else { return false }
    let (found, compared) = shapes[one].values.overlap(with: shapes[other].values)
    guard found > 0, found == compared, shapes[one].values.count == shapes[other].values.count else {
      return false
    }
    return shapes.children(of: first.index).contains { child in
      guard let twin = shapes.child(of: second.index, named: shapes.key(of: child)),
        shapes[child].scalars > shapes[child].emptyTexts, shapes[twin].scalars > shapes[twin].emptyTexts
      else { return false }
      return shapes[child].values.overlap(with: shapes[twin].values).found == 0
    }
  }

  /// Whether objects of two places have identities in common, and each says something else of the object there.
  func areNeverTheSame(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    guard shapes.key(of: one) == shapes.key(of: other),
      shapes[one].values.overlap(with: shapes[other].values).found > 0
    else { return false }
    let (listed, others) = (shapes[first.index].listed, shapes[second.index].listed)
    // Lists that say something else of each object they share, such as a role, are of two kinds.
    if listed.count > 0, others.count > 0, listed.overlap(with: others).found == 0 { return true }
    return !haveSameObjects(first.index, second.index) && !shareLabels(first.index, second.index)
  }

  /// Whether objects go by names of which none is a role of the other's, and no identity came at both places though none of these
  /// is another object's by chance: the areas and the labels of artists have the keys of these, and are none.
  func areNamedApart(
    _ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32, isNested: Bool
  ) -> Bool {
    let fewest = isNested ? 2 : 5
    guard shapes[one].values.estimatedCount >= fewest, shapes[other].values.estimatedCount >= fewest,
      shapes[one].values.overlap(with: shapes[other].values).found == 0
    else { return false }
    let names = [first, second].map { name(of: $0.index) }
    let folded = [first.name, second.name]
    return folded.allSatisfy({ !$0.isEmpty && !GenericNames.isWrapper($0) })
      && !folded[0].hasSuffix(folded[1]) && !folded[1].hasSuffix(folded[0])
      && !names.contains(where: { LinkName.isRole($0) && !LinkName.isInWork($0) || LinkName.isOfItsKind($0) })
      && !LinkName.arePeople((first.keys.numbers + second.keys.numbers).map { shapes.tree.text(ofKey: $0) })
      && shapes.areLong(one) && shapes.areLong(other) && haveKeysOfAny(first, second)
  }

  /// Whether most keys that objects of two places share are such as objects of any kind have.
  func haveKeysOfAny(_ first: Candidate, _ second: Candidate) -> Bool {
    let shared = first.keys.shared(with: second.keys).map { shapes.tree.text(ofKey: $0) }
    let general = shared.filter { key in
      GenericNames.isOfAnyObject(key) || ["name", "type"].contains { Words.words(key).contains($0) }
    }
    return general.count * 2 >= shared.count
  }
}
