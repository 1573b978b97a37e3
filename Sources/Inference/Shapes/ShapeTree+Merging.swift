/// Making one place of several.
extension ShapeTree {
  /// The place that a place belongs to now. The way there is shortened for the next time.
  func find(_ index: Int32) -> Int32 {
    var index = index
    while pointer(index).pointee.flags.contains(.merged) {
      let next = pointer(index).pointee.element
      if pointer(next).pointee.flags.contains(.merged) {
        pointer(index).pointee.element = pointer(next).pointee.element
      }
      index = next
    }
    return index
  }

  /// Ends the reading: nothing new comes to any place.
  mutating func complete() {
    isComplete = true
    for index in 0..<Int32(count) where self[index].key >= 0 {
      pointer(index).pointee.countEmptinessAsNulls()
    }
  }

  /// Makes one place of two, and of all that they have in common. The second one belongs to the first then, unless the
  /// first one stands in it.
  mutating func merge(_ first: Int32, _ second: Int32) { merge(first, second, isJoin: false) }

  /// - Parameters:
  ///   - isJoin: Whether the two stand at different places, so that what each has itself is no more than before.
  ///   - isOnePlace: Whether the two are one place of the JSON, as the values of a dictionary are, or the objects that a key told
  ///     apart: an object is the same in both, or its identity is none.
  private mutating func merge(_ first: Int32, _ second: Int32, isJoin: Bool, isOnePlace: Bool = false) {
    var work = [(first, second)]
    var isOuter = true
    while let (one, other) = work.popLast() {
      defer { isOuter = false }
      var (keep, gone) = (find(one), find(other))
      guard keep != gone else { continue }
      // The outer place stays: members that move into one of themselves would be their own parents.
      if stands(keep, in: gone) { swap(&keep, &gone) }
      if self[keep].objects == 0, self[keep].childCount == 0 { takeForm(keep, of: gone) }
      if self[keep].flags.contains(.split) != self[gone].flags.contains(.split) {
        unsplit(self[keep].flags.contains(.split) ? keep : gone, &work)
      } else if self[keep].flags.contains(.split), self[keep].kindKey != self[gone].kindKey {
        unsplit(keep, &work)
        unsplit(gone, &work)
      }
      // One of them may have been a kind of the other.
      guard find(keep) != find(gone) else { continue }
      if self[keep].flags.contains(.dictionary) != self[gone].flags.contains(.dictionary) {
        let plain = self[keep].flags.contains(.dictionary) ? gone : keep
        // A dictionary of itself would never end.
        guard !holdsItself(plain) else { continue }
        collapse(plain, &work)
      }
      if !isOnePlace {
        settle(keep)
        settle(gone)
      }
      absorbCounts(keep, gone, isOfOnePlace: !(isJoin && isOuter))
      absorbMembers(keep, gone, &work)
      var node = self[gone]
      node.flags.insert(.merged)
      node.element = keep
      self[gone] = node
    }
  }

  /// Whether a place was found somewhere in the objects of another one, or stands there now: a place that became one with another
  /// has the owner of that one.
  func stands(_ inner: Int32, in outer: Int32) -> Bool {
    var index = self[inner].parent
    while index >= 0 {
      let place = find(index)
      if index == outer || place == outer { return true }
      index = self[place].parent
    }
    return false
  }

  /// Lets a place without objects keep its objects as another one does.
  private func takeForm(_ keep: Int32, of gone: Int32) {
    let other = self[gone]
    let node = pointer(keep)
    node.pointee.flags.formUnion(other.flags.intersection([.split, .unsplit, .dictionary]))
    node.pointee.kindKey = other.kindKey
  }

  /// Makes a place whose objects were told apart by a key one whose objects are not.
  mutating func unsplit(_ index: Int32) {
    var work: [(Int32, Int32)] = []
    unsplit(index, &work)
    for (first, second) in work { merge(first, second, isJoin: false, isOnePlace: true) }
  }

  private mutating func unsplit(_ index: Int32, _ work: inout [(Int32, Int32)]) {
    let variants = children(of: index)
    let node = pointer(index)
    node.pointee.flags.remove(.split)
    node.pointee.flags.insert(.unsplit)
    (node.pointee.firstChild, node.pointee.lastChild, node.pointee.childCount) = (-1, -1, 0)
    // A kind that is one with that of another place stays so, and this place with it. The objects count where they are.
    for variant in variants where self[variant].flags.contains(.merged) { work.append((index, variant)) }
    let own = variants.filter { !self[$0].flags.contains(.merged) }
    pointer(index).pointee.objects = own.reduce(0) { $0 + self[$1].objects }
    // A value may be the same word as a key: the places of values are no children any more.
    for variant in own { pointer(variant).pointee.flags.insert(.merged) }
    for variant in own {
      absorbMembers(index, variant, &work)
      pointer(variant).pointee.element = index
    }
  }

  /// Makes dictionaries of the objects of a place: what they had under different keys is one place.
  mutating func collapse(_ index: Int32) {
    var work: [(Int32, Int32)] = []
    collapse(index, &work)
    for (first, second) in work { merge(first, second, isJoin: false, isOnePlace: true) }
  }

  private mutating func collapse(_ index: Int32, _ work: inout [(Int32, Int32)]) {
    let members = children(of: index)
    pointer(index).pointee.flags.insert(.dictionary)
    (pointer(index).pointee.firstChild, pointer(index).pointee.lastChild) = (-1, -1)
    pointer(index).pointee.childCount = 0
    pointer(index).pointee.identity = -1
    pointer(index).pointee.identityRank = .max
    let values = elements(of: index)
    let keys = keyPlace(of: index)
    guard values >= 0, keys >= 0 else { return }
    for member in members {
      let total = self[member].total
      let key = self[member].key
      _ = note(text: bytes(ofKey: key), at: keys)
      pointer(keys).pointee.strings += max(0, total - 1)
      if total > 1, hasDifferentValues(member) {
        pointer(keys).pointee.repeats = max(0, pointer(keys).pointee.repeats)
        pointer(keys).pointee.conflicts += 1
      }
      pointer(member).pointee.key = -1
      work.append((values, member))
    }
  }

  /// Whether different values came at a place, or in the objects there.
  private func hasDifferentValues(_ index: Int32) -> Bool {
    ([index] + children(of: index)).contains { self[$0].scalars > 1 && self[$0].values.count > 1 }
  }

  /// Whether objects of a place stand somewhere in objects of the same place, as the parts of a tree do.
  func holdsItself(_ index: Int32) -> Bool {
    let index = find(index)
    var rest = [index]
    var seen: Set<Int32> = []
    while let next = rest.popLast() {
      let element = self[next].element
      for member in children(of: next) + (element >= 0 ? [element] : []) {
        let place = find(member)
        if place == index { return true }
        if seen.insert(place).inserted { rest.append(place) }
      }
    }
    return false
  }

  /// The place of the keys of a place's dictionaries; -1 if there are too many places.
  mutating func keyPlace(of index: Int32) -> Int32 {
    let known = self[index].keys
    if known >= 0 { return known }
    let added = add(under: index)
    if added >= 0 { pointer(index).pointee.keys = added }
    return added
  }

  /// Whether a place is one of the members of a place's objects, or stands in one: then it cannot have these members itself.
  func isInside(_ inner: Int32, objectsOf index: Int32) -> Bool {
    let inner = find(inner)
    return children(of: index).contains { find($0) == inner || stands(inner, in: $0) }
  }

  /// Counts the objects that stood at a place beside lists as elements of those lists, which do not stand in these objects.
  mutating func moveObjects(of index: Int32, to element: Int32) {
    var work: [(Int32, Int32)] = []
    let ranks = (self[element].identityRank, self[index].identityRank)
    if self[element].objects == 0, self[element].childCount == 0 { takeForm(element, of: index) }
    settle(element)
    settle(index)
    for member in children(of: index) {
      let known = childWherever(of: element, key: self[member].key)
      if known >= 0 { work.append((known, member)) } else { adopt(member, by: element) }
    }
    absorbIdentity(element, index, ranks)
    let node = pointer(index)
    (node.pointee.firstChild, node.pointee.lastChild, node.pointee.childCount) = (-1, -1, 0)
    if self[element].ownObjects >= 0 { pointer(element).pointee.ownObjects += node.pointee.objects }
    pointer(element).pointee.objects += node.pointee.objects
    node.pointee.lists += node.pointee.objects
    node.pointee.objects = 0
    node.pointee.flags.remove(.split)
    node.pointee.kindKey = -1
    for (first, second) in work { merge(first, second) }
  }

  // MARK: - Parts

  /// - Parameter isOfOnePlace: Whether both stand under one key of one kind of object.
  private mutating func absorbCounts(_ keep: Int32, _ gone: Int32, isOfOnePlace: Bool) {
    var node = self[keep]
    var other = self[gone]
    let strings = node.strings
    if node.ownObjects < 0 { node.ownObjects = node.objects }
    node.ownTotal = node.totalOfItsOwn + (isOfOnePlace ? other.totalOfItsOwn : 0)
    node.othersNulls += isOfOnePlace ? other.othersNulls : other.nulls
    node.nulls += other.nulls
    node.trues += other.trues
    node.falses += other.falses
    node.integers += other.integers
    node.fractions += other.fractions
    node.strings += other.strings
    node.objects += other.objects
    node.lists += other.lists
    node.minimum = min(node.minimum, other.minimum)
    node.maximum = max(node.maximum, other.maximum)
    node.largeNumbers += other.largeNumbers
    node.hugeNumbers += other.hugeNumbers
    node.underOwners += other.underOwners
    node.namingOwners += other.namingOwners
    node.metUnderKeys += other.metUnderKeys
    node.differentUnderKeys += other.differentUnderKeys
    node.fractionDigits = max(node.fractionDigits, other.fractionDigits)
    node.exponents += other.exponents
    node.shortest = min(node.shortest, other.shortest)
    node.longest = max(node.longest, other.longest)
    node.emptyTexts += other.emptyTexts
    node.forms = node.forms.intersection(other.forms)
    node.fewestElements = min(node.fewestElements, other.fewestElements)
    node.mostElements = max(node.mostElements, other.mostElements)
    if other.lastNew > 0 { node.lastNew = strings + other.lastNew }
    node.flags.formUnion(
      other.flags.intersection([.longTexts, .mixedPrefixes, .truncated, .emptiness, .repeats]))
    if strings == 0 {
      node.prefixHash = other.prefixHash
      if other.flags.contains(.slashes) { node.flags.insert(.slashes) }
      prefixes[keep] = prefixes[gone]
    } else if other.strings > 0 {
      if !other.flags.contains(.slashes) { node.flags.remove(.slashes) }
      if node.prefixHash != other.prefixHash { node.flags.insert(.mixedPrefixes) }
    }
    node.values.absorb(&other.values, &room)
    node.tails.absorb(&other.tails, &room)
    absorbSamples(keep, gone)
    if isComplete, node.key >= 0 { node.countEmptinessAsNulls() }
    self[keep] = node
    self[gone] = other
  }

  /// Makes one place of two whose objects are of one entity, though they stand under different keys.
  mutating func join(_ first: Int32, _ second: Int32) { merge(first, second, isJoin: true) }

  /// Makes one place of objects and of others that only name them by their identities: what these lack says nothing.
  mutating func join(_ objects: Int32, references: Int32) {
    settle(find(objects), isSure: true)
    settle(find(references), isSure: true)
    forgetContents(of: find(references))
    join(objects, references)
  }

  /// Takes back what was noted of what objects say.
  private mutating func forgetContents(of index: Int32) {
    let node = pointer(index)
    node.pointee.contents.free(&room)
    node.pointee.contents = DistinctValues()
    node.pointee.within.free(&room)
    node.pointee.within = DistinctValues()
    node.pointee.listed.free(&room)
    node.pointee.listed = DistinctValues()
  }

  private mutating func absorbSamples(_ keep: Int32, _ gone: Int32) {
    guard let other = samples.removeValue(forKey: gone) else { return }
    var own = samples[keep] ?? []
    for text in other where own.count < Self.mostSamples && !own.contains(text) { own.append(text) }
    samples[keep] = own
  }

  /// Gives a place the children, the elements and the identity of another one.
  private mutating func absorbMembers(_ keep: Int32, _ gone: Int32, _ work: inout [(Int32, Int32)]) {
    let ranks = (self[keep].identityRank, self[gone].identityRank)
    noteContradictions(keep, gone, ranks)
    if self[keep].childCount == 0, self[keep].rowCount == 0 {
      (pointer(keep).pointee.rowStart, pointer(keep).pointee.rowCount) = (
        self[gone].rowStart, self[gone].rowCount
      )
    } else {
      // The columns of two samples are not the same.
      pointer(keep).pointee.rowStart = -1
    }
    for member in children(of: gone) {
      let known = childWherever(of: keep, key: self[member].key)
      if known >= 0 { work.append((known, member)) } else { adopt(member, by: keep) }
    }
    let other = self[gone]
    if other.element >= 0 {
      if self[keep].element >= 0 {
        work.append((self[keep].element, other.element))
      } else {
        pointer(keep).pointee.element = other.element
        pointer(other.element).pointee.parent = keep
      }
    }
    if other.keys >= 0 {
      if self[keep].keys >= 0 {
        work.append((self[keep].keys, other.keys))
      } else {
        pointer(keep).pointee.keys = other.keys
      }
    }
    absorbIdentity(keep, gone, ranks)
  }

  /// Counts the repetitions of identities at a place before it becomes one with others: what several places say of an
  /// object may differ, without being about two objects.
  ///
  /// - Parameter isSure: Whether a name that only may be an identity is one.
  private func settle(_ index: Int32, isSure: Bool = false) {
    let node = pointer(index)
    guard isComplete, node.pointee.repeats < 0,
      isSure || node.pointee.identityRank <= IdentityNames.strongest
    else { return }
    let (repeats, conflicts) = node.pointee.repetitions
    node.pointee.repeats = repeats
    node.pointee.conflicts = conflicts
  }

  /// Takes back that objects of one identity said different things, where what differed turned out to be said of others.
  mutating func forgetConflicts(of index: Int32) {
    let node = pointer(index)
    node.pointee.repeats = max(0, node.pointee.repetitions.repeats)
    node.pointee.conflicts = 0
    node.pointee.within.free(&room)
    node.pointee.within = DistinctValues()
  }

  /// Counts the identities that mean different objects at two places: objects with the same keys that say different things of one
  /// identity in one document, or in lists of objects, where an object does not change.
  private func noteContradictions(_ keep: Int32, _ gone: Int32, _ ranks: (Int32, Int32)) {
    guard isComplete, ranks.0 == ranks.1, ranks.0 <= IdentityNames.strongest,
      Set(children(of: keep).map { self[$0].key }) == Set(children(of: gone).map { self[$0].key })
    else { return }
    let (one, other) = (self[keep], self[gone])
    // Long identities are the same only where they mean the same, if they ever do.
    let identity = self[find(one.identity)]
    let isLong = identity.integers > 0 ? identity.minimum > ShapeMatcher.smallNumbers : identity.shortest >= 8
    // Objects with the same address or name are the same, whatever else changed, unless each of several is another under the two
    // keys: the players of games have a rating and a result in each.
    let (known, others) = one.contents.firsts(apartFrom: other.contents)
    let areListed = one.key < 0 || other.key < 0
    for (first, second, areNamed) in [
      (one.within, other.within, others * 2 < known), (one.listed, other.listed, false),
    ] {
      let (shared, apart) = first.firsts(apartFrom: second)
      guard apart > 0, apart * 2 >= shared, apart == shared || !isLong,
        !areNamed || !areListed && apart == shared && shared > 1
      else { continue }
      let node = pointer(keep)
      guard !areNamed else {
        node.pointee.metUnderKeys += shared
        node.pointee.differentUnderKeys += apart
        return
      }
      node.pointee.repeats = max(0, node.pointee.repeats) + shared
      node.pointee.conflicts += apart
      return
    }
  }

  /// Gives a place what another one noted of its identities, if both have the same, or else what the better one has.
  private mutating func absorb(
    _ set: WritableKeyPath<ShapeNode, DistinctValues>, _ keep: Int32, _ gone: Int32, _ ranks: (Int32, Int32)
  ) {
    var other = self[gone][keyPath: set]
    if ranks.1 < ranks.0 {
      pointer(keep).pointee[keyPath: set].free(&room)
      pointer(keep).pointee[keyPath: set] = other
    } else if ranks.0 == ranks.1 {
      pointer(keep).pointee[keyPath: set].absorb(&other, &room)
    } else {
      other.free(&room)
    }
    pointer(gone).pointee[keyPath: set] = DistinctValues()
  }

  private mutating func absorbIdentity(_ keep: Int32, _ gone: Int32, _ ranks: (Int32, Int32)) {
    var ranks = ranks
    if ranks.1 < ranks.0 {
      // In a tree, the place under a key may have become one with another.
      let identity = childWherever(of: keep, key: self[self[gone].identity].key)
      if identity >= 0 {
        pointer(keep).pointee.identity = identity
        pointer(keep).pointee.identityRank = ranks.1
        pointer(keep).pointee.repeats = self[gone].repeats
        pointer(keep).pointee.conflicts = self[gone].conflicts
      } else {
        ranks.1 = .max
      }
    } else if ranks.0 == ranks.1, self[gone].repeats >= 0 {
      pointer(keep).pointee.repeats = max(0, self[keep].repeats) + self[gone].repeats
      pointer(keep).pointee.conflicts += self[gone].conflicts
    }
    for set in [\ShapeNode.contents, \.within, \.listed] { absorb(set, keep, gone, ranks) }
  }
}
