import Mapping
import ObjectModel

/// Places whose objects are alike, and the evidence that they are of one entity.
extension ShapeMatcher {
  /// Joins what is alike. True if anything was.
  func joinAlike() throws -> Bool {
    let places = shapes.objectPlaces().prefix(Self.mostPlaces)
    var candidates = places.map(candidate)
    candidates.removeAll { $0.keys.isEmpty || isPart($0) }
    var nesting = Nesting(candidates.map(\.index), shapes)
    var wholes = candidates.map { shapes.find($0.index) }
    var didJoin = false
    for place in candidates.indices where !isVariant(candidates[place]) {
      try shapes.checkCancellation()
      for other in candidates.indices.dropFirst(place + 1) where wholes[place] != wholes[other] {
        guard candidates[place].sharesKeys(with: candidates[other]),
          join(candidates[place], candidates[other], isNested: nesting.isOneInTheOther(place, other))
        else { continue }
        didJoin = true
        for index in candidates.indices { wholes[index] = shapes.find(wholes[index]) }
        noteOwnKeys(of: candidates, wholes)
        nesting.update()
      }
    }
    return didJoin
  }

  /// Joins two places if they are alike. True if they were two, and are one now.
  private func join(_ first: Candidate, _ second: Candidate, isNested: Bool) -> Bool {
    // Kinds that a key like `type` tells apart stay apart.
    guard !isVariant(second), shapes.find(first.index) != shapes.find(second.index),
      areAlike(first, second, isNested: isNested), !holdShortForms(first, second)
    else { return false }
    noteShortForm(first, second)
    noteEmptyForm(first, second)
    noteEmptyForm(second, first)
    let unique = uniqueApart(first.index, second.index)
    shapes.tree.join(first.index, second.index)
    shapes.uniqueApart.formUnion(unique.map(shapes.find))
    return true
  }

  /// Notes the keys that objects have since other places became one with theirs.
  private func noteOwnKeys(of candidates: [Candidate], _ wholes: [Int32]) {
    var keys: [Int32: KeySet] = [:]
    for (candidate, whole) in zip(candidates, wholes) {
      let count = shapes.memberCount(of: whole)
      guard count != candidate.memberCount else { continue }
      let own = keys[whole] ?? KeySet(shapes.keys(of: whole))
      keys[whole] = own
      candidate.ownKeys = own
      candidate.memberCount = count
    }
  }

  /// Whether objects are no objects of the model, however much they are like others.
  func isPart(_ candidate: Candidate) -> Bool {
    isLink(candidate) || isScalar(candidate) || isAddress(candidate)
      || FlatObject.tellsOfOwner(candidate.index, shapes)
      || FlatObject.isOfSeveralKinds(candidate.index, shapes) || FlatObject.isState(candidate.index, shapes)
  }

  /// Whether objects only name others by a type and an identity.
  private func isLink(_ candidate: Candidate) -> Bool {
    guard shapes.dialect == .jsonapi, shapes.tree.ownerName(of: candidate.index) == "data" else {
      return false
    }
    return candidate.keys.count <= 3
  }

  /// Whether objects hold a list under a key that says nothing: pages are alike whatever is on them.
  private func isWrapper(_ candidate: Candidate) -> Bool {
    shapes.children(of: candidate.index).contains { child in
      let key = shapes.key(of: child)
      return GenericNames.isWrapper(key) && key != "children" && shapes.listedObjects(child) != nil
    }
  }

  /// The place of the values that identify objects by the name of their key; nil if objects lack them, or if
  /// several objects have one.
  func strongIdentity(of index: Int32) -> Int32? {
    let node = shapes[index]
    guard node.identity >= 0, node.identityRank <= IdentityNames.strongest else {
      return shapes.identityAmong(identitiesOf: index) ?? identityByFileName(of: index)
    }
    let identity = shapes[node.identity]
    guard identity.total >= node.objects, identity.nulls == 0, identity.emptyTexts == 0 else { return nil }
    return isRefuted(node) ? nil : shapes.find(node.identity)
  }

  /// The place of the values that identify objects at the top by the name of their files, as `answer_id` in `answers.json`: while
  /// they were read, only the keys around them had a say.
  private func identityByFileName(of index: Int32) -> Int32? {
    let objects = shapes[index].objects
    guard isAtTop(index), shapes.tree.meaningfulName(of: index).isEmpty, !shapes.isSplit(index) else {
      return nil
    }
    let owner = name(of: index)
    let child = shapes.children(of: index).first { child in
      IdentityNames.rank(of: shapes.key(of: child), owner: owner).map { $0 <= IdentityNames.strongest }
        ?? false
    }
    guard !owner.isEmpty, let child else { return nil }
    let identity = shapes[child]
    guard identity.integers + identity.strings == objects, identity.total == objects,
      identity.emptyTexts == 0,
      identity.values.areUnique
    else { return nil }
    return shapes.find(child)
  }

  /// Whether values of the identity came again with something else: then they identify nothing.
  private func isRefuted(_ node: ShapeNode) -> Bool {
    let (repeats, conflicts) = node.knownRepetitions
    return conflicts * 10 >= max(1, repeats)
  }

  /// Whether values of the identity came again with something else in one document.
  private func isRefutedWithin(_ node: ShapeNode) -> Bool {
    let conflicts = node.conflictsWithin
    return conflicts > 0 && conflicts * 10 >= node.knownRepetitions.repeats
  }

  /// Whether lists of several objects say different things of most objects that they share.
  private func isRefutedInLists(_ node: ShapeNode) -> Bool {
    let listed = node.listed.firsts
    return listed.withPartners > 0
      && listed.withPartners * 2 >= (node.repetitions.repeats >> node.listed.level)
  }

  func isVariant(_ candidate: Candidate) -> Bool {
    shapes.flags(of: candidate.index).contains(.variant)
  }

  private func contains(_ outer: Int32, _ inner: Int32) -> Bool {
    var index = inner
    for _ in 0..<Self.deepest where index >= 0 {
      if index == outer { return true }
      index = shapes[index].parent
    }
    return false
  }

  /// Whether objects of two places, which share keys, are of one entity.
  ///
  /// - Parameter isNested: Whether one of them stands in the other.
  func areAlike(_ first: Candidate, _ second: Candidate, isNested: Bool) -> Bool {
    // Objects inside of others are compared last, since it takes long.
    mayBeAlike(first, second, isNested: isNested)
      && !(first.identity == nil && second.identity == nil && holdOthers(first.index, second.index))
      && !holdStrangers(first.index, second.index)
  }

  private func mayBeAlike(_ first: Candidate, _ second: Candidate, isNested: Bool) -> Bool {
    guard mayMix(first, second) else { return false }
    if let one = first.collection, let other = second.collection, one != other { return false }
    if areInTwoKinds(first.index, second.index) { return false }
    if areOfOtherTypes(first, second) || haveOtherAddresses(first.index, second.index)
      || haveKeysOfTheirFiles(first, second)
    {
      return false
    }
    // An object and what is in its envelope have the envelope's keys both.
    let keys = isNested ? first.ownKeys : first.keys
    let others = isNested ? second.ownKeys : second.keys
    let shared = keys.sharedCount(with: others)
    guard shared > 0 else { return false }
    let smaller = Double(shared) / Double(min(keys.count, others.count))
    let all = Double(shared) / Double(keys.count + others.count - shared)
    // A list with keys of its own, such as `kind` and `metadata`, is none of its items.
    if isNested, first.identity == nil, second.identity == nil, isWrapper(first) || isWrapper(second),
      !isTree(first.index, second.index)
    {
      return false
    }
    let sameName = !first.name.isEmpty && first.name == second.name
    // Lists under `results` in two files may be of two kinds.
    let isNamed =
      sameName
      && (!GenericNames.isWrapper(first.name) || all >= 0.5 && !areOfOtherFiles(first.index, second.index))
    // A name such as `records` says nothing of types.
    if !sameName || GenericNames.isWrapper(first.name), !areOfOneType(first, second, all, shared) {
      return false
    }
    if sameName, shared >= 2 || all == 1 {
      if isNamed, let one = first.identity, let other = second.identity {
        return smaller >= 0.6 && !contradict(first, second, one, other) && mayBeSame(one, other)
          && (all < 1 || areOfOneType(first, second, all, shared)
            || shapes[one].values.overlap(with: shapes[other].values).found == 0)
      }
      // Objects without identity belong to the object around them, or at the top to their source. As one with objects that
      // have an identity, they would take it from those.
      let belongs =
        first.identity == nil && second.identity == nil && isAtTop(first.index) == isAtTop(second.index)
      if all >= 0.5, belongs,
        isInList(first.index) == isInList(second.index) || all >= 0.8 && areListAndOne(first, second),
        !areValuesOfOthers(first.index, second.index)
      {
        return true
      }
    }
    if shared >= 4, smaller == 1, saysNoMore(first, second) || saysNoMore(second, first) { return true }
    if shared >= 3, smaller == 1, areOneObject(first, second) || areOneObject(second, first) { return true }
    if let one = first.identity, let other = second.identity {
      if isNamed, isTold(twice: one, other) { return true }
      if contradict(first, second, one, other) || all >= 0.8 && areNeverTheSame(first, second, one, other)
        || isNested && repeatsIdentity(first, second, one, other)
      {
        return false
      }
      if shared >= 2, smaller >= 0.7, haveSameObjects(first.index, second.index) {
        return !mayBeSameByChance(first, second, one, other)
      }
      if all == 1, shared >= 2, areSidesOfOne(first, second) { return true }
      if smaller == 1, standFor(first, second, one, other) || standFor(second, first, other, one) {
        return true
      }
      if shared < 10, areNamedApart(first, second, one, other, isNested: isNested) { return false }
      if all >= 0.8, shared >= 5 { return true }
      if shared >= 2, smaller == 1, areWords(one),
        shapes[one].values.overlap(with: shapes[other].values).found > 0
      {
        return true
      }
      if shared >= 3, all >= 0.8, isNested { return true }
      if smaller == 1, shapes.areLong(one), shapes.areLong(other),
        haveSameLabels(first, second, one, other)
      {
        return true
      }
      guard shared >= 4, smaller >= 0.7 else { return false }
      // Small numbers are the same in any two kinds of objects.
      guard
        areWords(one) || shapes[one].minimum > Self.smallNumbers
          || isNested && haveSameObjects(first.index, second.index)
      else { return false }
      return shapes[one].values.overlap(with: shapes[other].values).found > 0
    }
    if shared >= 2, smaller >= 0.7, haveSameNames(first.index, second.index) { return true }
    if shared >= 3, smaller >= 0.7, isAmong(first, second) || isAmong(second, first) { return true }
    // The source identifies the objects at its top, and no others.
    guard first.identity == nil, second.identity == nil, isAtTop(first.index) == isAtTop(second.index) else {
      return false
    }
    if shared >= 8, all >= 0.8, areListsOfOne(first.index, second.index) { return true }
    if shared >= 3, all == 1, areRolesOfPeople(first, second) { return true }
    guard isNested, shared >= 3, all >= 0.6, isTree(first.index, second.index) else { return false }
    return !isWrapper(first) && !isWrapper(second) || smaller == 1
  }

  /// Whether objects, too few to show what identifies them, or inside of others, as the parents of commits are, are among those of another
  /// place: they have the same identities, which nothing has by chance, and the same names.
  private func isAmong(_ few: Candidate, _ many: Candidate) -> Bool {
    guard few.identity == nil, let identity = programmedIdentity(of: many),
      shapes[few.index].objects < shapes[many.index].objects || contains(many.index, few.index),
      shapes[identity].values.areUnique, shapes[identity].scalars == shapes[many.index].objects,
      let twin = shapes.child(of: few.index, named: shapes.key(of: identity)),
      shapes[twin].scalars == shapes[few.index].objects
    else { return false }
    return shapes[twin].values.overlap(with: shapes[identity].values).found > 0
      && shareLabels(few.index, many.index)
  }

  /// The place of the values that identify objects, or of the first ones in them, if these are called like identities and a program made
  /// them.
  private func programmedIdentity(of candidate: Candidate) -> Int32? {
    if let known = candidate.programmedIdentity { return known }
    let identity = candidate.identity ?? shapes.children(of: candidate.index).first
    let found = identity.flatMap { identity in
      let key = shapes.key(of: identity)
      return (LinkName(key).hasEnding || IdentityNames.isHash(key)) && shapes.areMadeByProgram(identity)
        ? identity : nil
    }
    candidate.programmedIdentity = .some(found)
    return found
  }

  /// Whether identities of two places may be those of one entity: they have one key, or values in common. Where objects have an `id`
  /// at one place only, none would be left for all.
  private func mayBeSame(_ one: Int32, _ other: Int32) -> Bool {
    shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
      || shapes[one].values.overlap(with: shapes[other].values).found > 0
  }

  /// Whether no lists came beside the objects of one of two places alone, and the scalars that did, if any, are identities of objects
  /// at the other. As one place, all would be kept as JSON otherwise.
  private func mayMix(_ first: Candidate, _ second: Candidate) -> Bool {
    let (one, other) = (shapes.pointer(first.index), shapes.pointer(second.index))
    // Where lists stand beside objects, the objects are one place with those in the lists first.
    if (one.pointee.lists > 0) != (other.pointee.lists > 0) { return false }
    let areMixed = (one.pointee.scalars > 0, other.pointee.scalars > 0)
    guard areMixed.0 != areMixed.1 else { return true }
    let (mixed, whole) = areMixed.0 ? (one, second) : (other, first)
    guard let identity = whole.identity else { return false }
    let (found, compared) = mixed.pointee.values.overlap(with: shapes[identity].values)
    return found > 0 && found * 2 >= compared
  }

  /// Whether objects stand in others under a key that they have themselves, as the nodes of a tree do, or that some of the others
  /// lack which are like them otherwise: its leaves.
  private func isTree(_ first: Int32, _ second: Int32) -> Bool {
    let (outer, inner) = contains(first, second) ? (first, second) : (second, first)
    var (index, step) = (inner, inner)
    for _ in 0..<Self.deepest where index >= 0 && index != outer {
      if shapes.tree[index].key >= 0 { step = index }
      index = shapes[index].parent
    }
    let key = shapes.keyNumber(of: step)
    if shapes.keys(of: inner).contains(key) { return true }
    let (keys, others) = (shapes.keys(of: inner), shapes.keys(of: outer))
    return shapes[step].parent == outer && shapes[step].total < shapes[outer].objects
      && keys == others.subtracting([key])
  }

  /// Whether objects stand for scalars, as `{"$oid": "5f43"}` does, or have nothing but what tells of them, as `{"sys": {…}}`: those
  /// of any two keys are alike.
  private func isScalar(_ candidate: Candidate) -> Bool {
    let keys = shapes.keys(of: candidate.index).map { shapes.tree.text(ofKey: $0) }
    return keys.count == 1 && (keys[0].hasPrefix("$") || FlatObject.isHeader(keys[0]))
  }

  /// Whether objects are the addresses in `_links`, or these as a whole: those of all objects are alike.
  private func isAddress(_ candidate: Candidate) -> Bool {
    let places = [candidate.index, shapes.tree[candidate.index].parent]
    return places.contains { $0 >= 0 && shapes.tree[$0].key >= 0 && shapes.key(of: $0) == "_links" }
  }

  // MARK: - Evidence

  /// The places of values that no two objects have at either of two places, unless they say the same.
  private func uniqueApart(_ first: Int32, _ second: Int32) -> [Int32] {
    shapes.children(of: first).filter { child in
      let key = shapes.key(of: child)
      guard
        LinkName(key).hasEnding || IdentityNames.isHash(key) && shapes.areMadeByProgram(child)
          || mayBeInSeveralFiles(key) && sayTheSame(first, second, besides: child),
        let twin = shapes.child(of: second, named: key)
      else { return false }
      return [(child, first), (twin, second)].allSatisfy { place, objects in
        shapes[place].values.areUnique || shapes.uniqueApart.contains(shapes.find(place))
          || saysTheSame(of: place, objects)
      }
    }
  }

  /// Whether objects of a place that have the same value say the same, as those do that name a parent of several commits.
  private func saysTheSame(of child: Int32, _ index: Int32) -> Bool {
    let node = shapes[index]
    return node.identity >= 0 && shapes.find(node.identity) == shapes.find(child) && node.contents.count > 0
      && node.knownRepetitions.conflicts == 0
  }

  /// Whether a key says which object an object is, wherever that came.
  private func mayBeInSeveralFiles(_ key: String) -> Bool {
    GenericNames.isAddress(key) || IdentityNames.rank(of: key, owner: "") ?? .max < IdentityNames.unsure
  }

  /// Whether all values that objects of the place with fewer have under keys of both came at the other place too.
  func sayTheSame(_ first: Int32, _ second: Int32, besides identity: Int32) -> Bool {
    shapes.children(of: first).allSatisfy { child in
      guard shapes.find(child) != shapes.find(identity), shapes[child].scalars > 0,
        let twin = shapes.child(of: second, named: shapes.key(of: child)), shapes[twin].scalars > 0
      else { return true }
      let (found, compared) = overlapOfFewer(child, twin)
      return found == compared
    }
  }

  /// Whether objects under one name have the same identities under the same key, such as `station_id`, and not by chance: each place
  /// tells something else of them.
  private func isTold(twice one: Int32, _ other: Int32) -> Bool {
    guard shapes.keyNumber(of: one) == shapes.keyNumber(of: other) else { return false }
    let (found, compared) = shapes[one].values.overlap(with: shapes[other].values)
    // Numbers are the same by chance, unless all are, and their key has the name of the objects.
    guard areWords(one) && areWords(other) else {
      return found >= 3 && found == compared && shapes[other].values.count == found
        && LinkName(shapes.key(of: one)).stem != Words.words(shapes.key(of: one))
    }
    return found >= 2 && found * 2 >= compared
  }

  /// Whether each object of a place stands under a key of an object of another place, in no list.
  func standsAlone(_ inner: Int32, in outer: Int32) -> Bool {
    let parent = shapes.tree[inner].parent
    return parent >= 0 && shapes.tree[inner].key >= 0 && shapes.find(parent) == shapes.find(outer)
  }

  /// Whether objects hold nothing but scalars, and stand under a key of objects at the top that say of themselves which they are, of
  /// other ones at either place: they are values of these, as the owner of a light and of a room are.
  private func areValuesOfOthers(_ first: Int32, _ second: Int32) -> Bool {
    let parents = [first, second].map { shapes.tree[$0].parent }
    return [first, second].allSatisfy { place in
      shapes.tree[place].key >= 0 && !shapes.isSplit(place)
        && shapes.children(of: place).allSatisfy { shapes[$0].objects == 0 && shapes[$0].lists == 0 }
    } && parents.allSatisfy { $0 >= 0 && strongIdentity(of: $0) != nil && isAtTop($0) }
      && shapes.find(parents[0]) != shapes.find(parents[1])
  }

  /// Whether objects have nothing but an identity that nothing else has by chance, or a number that objects of the same name have, and all of
  /// them came at another place too.
  private func standFor(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    let haveOneName =
      !first.name.isEmpty && first.name == second.name && !GenericNames.isWrapper(first.name)
      && shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
      && shapes[one].integers > 0 && shapes[one].minimum > Self.firstNumbers
    guard first.keys.count == 1,
      haveOneName
        || shapes.areLong(one) && (shapes.areMadeByProgram(one) || shapes[one].forms.contains(.uuid))
    else { return false }
    let (found, compared) = shapes[one].values.overlap(with: shapes[other].values)
    return found > 0 && found == compared && second.keys.count > 1
  }

  /// Whether two documents have objects of one kind under its name, one of them by itself and one in a list: `{"domain": {…}}` and
  /// `{"domains": […]}`. Objects with an `id` keep it, which they would lose where one of the places does not prove it.
  private func areListAndOne(_ first: Candidate, _ second: Candidate) -> Bool {
    let keys = [first, second].compactMap { candidate -> String? in
      let place = isInList(candidate.index) ? shapes.tree[candidate.index].parent : candidate.index
      return place >= 0 && shapes.tree[place].key >= 0 ? shapes.key(of: place) : nil
    }
    return keys.count == 2 && shapes.tree.root(of: first.index) != shapes.tree.root(of: second.index)
      && isAtTop(first.index)
      && !keys.contains(where: GenericNames.isWrapper)
      && [first, second].allSatisfy { shapes[$0.index].identityRank > IdentityNames.strongest }
      && Words.entityName(keys[0]) == Words.entityName(keys[1])
  }

  /// Whether objects of two places have a name or an address in common. They may have more names at one of them.
  func shareLabels(_ first: Int32, _ second: Int32) -> Bool {
    shapes.children(of: first).contains { child in
      guard !LabelNames.flags(of: shapes.key(of: child)).isDisjoint(with: [.label, .address]),
        let twin = shapes.child(of: second, named: shapes.key(of: child))
      else { return false }
      return shapes[child].values.overlap(with: shapes[twin].values).found > 0
    }
  }

  /// Whether objects of two places have the same names or addresses that tell them apart: the same people under two keys.
  private func haveSameNames(_ first: Int32, _ second: Int32) -> Bool {
    let (one, other) = (shapes[first], shapes[second])
    guard one.identity >= 0, other.identity >= 0, one.identityRank < IdentityNames.weakest,
      shapes.key(of: one.identity) == shapes.key(of: other.identity),
      // With objects that have none at times, all would lose it: an emoji that everybody has beside those of a server.
      (shapes[one.identity].nulls > 0) == (shapes[other.identity].nulls > 0)
    else { return false }
    let (found, compared) = overlapOfFewer(one.identity, other.identity)
    guard found > 0, found * 2 >= compared, one.contents.overlap(with: other.contents).found > 0 else {
      return false
    }
    // An object's texts change from document to document, but what only may be an identity is none then.
    let isSure = max(one.identityRank, other.identityRank) <= IdentityNames.strongest
    guard isSure || !isRefuted(one) && !isRefuted(other) else { return false }
    // Lists that say something else of an object each time, as of the participants of topics, have objects of their own.
    // Of a few objects it is not known.
    let refuted = [one, other].map(isRefutedInLists)
    guard refuted[0] == refuted[1] || shapes.areLong(one.identity) || (refuted[0] ? other : one).objects < 3
    else {
      return false
    }
    // Values that differ in one document are about the object around, as the address of a token on its platform is.
    return isRefutedWithin(one) == isRefutedWithin(other)
  }

  /// Whether nearly all objects of the place with fewer came at the other one too, and so did their names and addresses.
  private func haveSameLabels(_ first: Candidate, _ second: Candidate, _ one: Int32, _ other: Int32) -> Bool {
    guard shapes.key(of: one) == shapes.key(of: other), areShared(one, other) else { return false }
    var hasLabel = false
    for child in shapes.children(of: first.index) where shapes.find(child) != shapes.find(one) {
      let flags = LabelNames.flags(of: shapes.key(of: child))
      guard !flags.isDisjoint(with: [.label, .address]) else { continue }
      guard let twin = shapes.child(of: second.index, named: shapes.key(of: child)) else { continue }
      guard shapes[child].strings > 0, shapes[twin].strings > 0, areShared(child, twin) else { return false }
      hasLabel = true
    }
    return hasLabel
  }

  /// Whether all that several objects say came at another place too, their names and their addresses among it: they are a short form of the
  /// others, whatever key seems to identify them.
  private func saysNoMore(_ short: Candidate, _ long: Candidate) -> Bool {
    guard short.keys.count < long.keys.count, shapes[short.index].objects > 1 else { return false }
    var (hasName, hasAddress) = (false, false)
    for child in shapes.children(of: short.index) {
      guard shapes[child].scalars == shapes[short.index].objects,
        let twin = shapes.child(of: long.index, named: shapes.key(of: child))
      else { return false }
      let (found, compared) = shapes[child].values.overlap(with: shapes[twin].values)
      guard found == compared else { return false }
      guard compared > 1 else { continue }
      hasName = hasName || LabelNames.flags(of: shapes.key(of: child)) == .label
      hasAddress = hasAddress || shapes[child].forms.contains(.address)
    }
    return hasName && hasAddress
  }

  /// Whether the only object of a place came at another one, where it says more: with a number that no other object has by chance, with its
  /// address, and with all else that it says.
  private func areOneObject(_ short: Candidate, _ long: Candidate) -> Bool {
    guard short.keys.count < long.keys.count,
      let identity = short.identity, let other = long.identity, shapes[identity].values.count == 1,
      shapes.keyNumber(of: identity) == shapes.keyNumber(of: other), shapes.areLong(identity)
    else { return false }
    var hasAddress = false
    for child in shapes.children(of: short.index) {
      guard shapes[child].scalars == shapes[short.index].objects, shapes[child].values.count == 1,
        let twin = shapes.child(of: long.index, named: shapes.key(of: child)),
        shapes[child].values.overlap(with: shapes[twin].values).found == 1
      else { return false }
      hasAddress = hasAddress || shapes[child].forms.contains(.address)
    }
    return hasAddress
  }

  /// Whether several values, and nearly all of the place with fewer, came at two places.
  private func areShared(_ first: Int32, _ second: Int32) -> Bool {
    let (found, compared) = overlapOfFewer(first, second)
    return found >= 2 && found * 10 >= compared * 9
  }

  /// How many values of the place with fewer came at the other one too.
  func overlapOfFewer(_ first: Int32, _ second: Int32) -> (found: Int, compared: Int) {
    let (one, other) = (shapes[first].values, shapes[second].values)
    return one.count <= other.count ? one.overlap(with: other) : other.overlap(with: one)
  }

  /// Whether identities are texts rather than numbers, which any two kinds of objects may have alike.
  private func areWords(_ identity: Int32) -> Bool {
    shapes[identity].strings > 0 && !shapes[identity].forms.contains(.integer)
  }

  /// Whether an object came at both places, with the same texts in it.
  func haveSameObjects(_ first: Int32, _ second: Int32) -> Bool {
    shapes[first].contents.overlap(with: shapes[second].contents).found > 0
  }

  /// Whether objects stand at the root, in a list there, or in a list under a key of the root's object.
  func isAtTop(_ index: Int32) -> Bool {
    var index = index
    while shapes.tree[index].parent >= 0, shapes.tree[index].key < 0 { index = shapes.tree[index].parent }
    let outer = shapes.tree[index].parent
    return outer < 0 || shapes.tree[outer].parent < 0
  }

  func isInList(_ index: Int32) -> Bool { shapes.tree[index].key < 0 }

  /// Whether one of two places stands in the other.
  func isNested(_ first: Int32, _ second: Int32) -> Bool {
    contains(first, second) || contains(second, first)
  }
}
