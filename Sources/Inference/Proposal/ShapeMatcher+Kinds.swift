import Mapping

/// The words with which objects say what they are, and whether those of two places may be of one type.
extension ShapeMatcher {
  /// Whether objects say of themselves that they are of different types. What is alike in many keys is one all the same,
  /// as the accounts of users and of organizations.
  func areOfOneType(_ first: Candidate, _ second: Candidate, _ all: Double, _ shared: Int) -> Bool {
    if all == 1, shared >= 10 { return true }
    if first.namesSeveralTypes || second.namesSeveralTypes { return false }
    return first.kinds.allSatisfy { key, word in second.kinds[key].map { $0 == word } ?? true }
  }

  /// Whether objects of two places have identities in common, and no type: each of these would be of two types.
  func areOfOtherTypes(_ first: Candidate, _ second: Candidate) -> Bool {
    if sayOtherKinds(first.index, second.index) { return true }
    guard let one = first.identity, let other = second.identity,
      shapes[one].values.overlap(with: shapes[other].values).found > 0
    else { return false }
    return shapes.children(of: first.index).contains { child in
      guard Self.kindKeys.contains(shapes.key(of: child)),
        let twin = shapes.child(of: second.index, named: shapes.key(of: child)),
        let words = allWords(child, of: first.index), let others = allWords(twin, of: second.index)
      else { return false }
      return words.isDisjoint(with: others)
    }
  }

  /// Whether a service calls the objects of two places by two names: by `kind` in each document, or in each object, `compute#network`.
  func sayOtherKinds(_ first: Int32, _ second: Int32) -> Bool {
    let said = [first, second].map { place in
      shapes.saidKinds.first { shapes.find($0.key) == shapes.find(place) }?.value
    }
    if let one = said[0], let other = said[1] { return one != other }
    return ["kind", "type"].contains { key in
      guard let kind = shapes.child(of: first, named: key), let twin = shapes.child(of: second, named: key),
        let words = shapes.tree.samples[shapes.find(kind)],
        let others = shapes.tree.samples[shapes.find(twin)],
        !words.isEmpty, !others.isEmpty, (words + others).allSatisfy(Self.isOfService)
      else { return false }
      return Set(words).isDisjoint(with: others)
    }
  }

  /// Whether a word for a kind has the name of its service in it: `compute#network`, `Microsoft.Compute/disks`.
  private static func isOfService(_ word: String) -> Bool {
    let parts = word.split(omittingEmptySubsequences: false) { $0 == "#" || $0 == "/" }
    return parts.count == 2 && parts.allSatisfy { $0.first?.isLetter ?? false }
  }

  /// All texts at a child, each as what it is or as what it is a reference to; nil if they are too many, or objects lack one.
  private func allWords(_ child: Int32, of index: Int32) -> Set<String>? {
    guard shapes[child].strings == shapes[index].objects, let words = shapes.tree.samples[shapes.find(child)],
      shapes[child].values.areDistinct(of: words.count)
    else { return nil }
    return Set(words.map { Names.folded(Self.withoutReference($0)) })
  }

  /// The type of the object that an object names which says that it is a reference: `user` for `user_reference`.
  static func withoutReference(_ type: String) -> String {
    let words = Words.words(type)
    return (isReference(words) ? words.dropLast() : words[...]).joined(separator: "_")
  }

  private static func isReference(_ type: [String]) -> Bool {
    type.count > 1 && type.last.map(referenceWords.contains) ?? false
  }

  private static let referenceWords: Set<String> = ["reference", "ref", "link"]

  /// Whether objects with some types may be of one entity with objects that have others: each has one, and it is the same, or
  /// some have several, and not only those of one side are references to objects of several types.
  static func mayBeOfOneType(_ first: [String], _ second: [String]) -> Bool {
    let mixed = [first, second].count { types in
      types.count > 1 && types.allSatisfy { isReference(Words.words($0)) }
    }
    if mixed == 1 { return false }
    guard first.count == 1, second.count == 1 else { return true }
    return first.map(withoutReference) == second.map(withoutReference)
  }

  /// The types that the objects of a place say to be references to; empty if one says something else.
  func referenceTypes(of index: Int32) -> [String] {
    for child in shapes.children(of: index) where Self.kindKeys.contains(shapes.key(of: child)) {
      if let types = shapes.tree.samples[shapes.find(child)], shapes[child].strings == shapes[index].objects,
        types.allSatisfy({ Self.isReference(Words.words($0)) })
      {
        return types
      }
    }
    return []
  }

  static let kindKeys = ["type", "object", "kind", "_type", "resource_type", "taxonomy"]

  func kinds(of index: Int32) -> [String: String] {
    var result: [String: String] = [:]
    for child in shapes.children(of: index) {
      let key = shapes.key(of: child)
      if Self.kindKeys.contains(key) {
        result[key] = word(at: child, of: index)
      } else if FlatObject.isHeaderKey(key), shapes.isObject(child), !shapes.isSplit(child),
        shapes[child].objects == shapes[index].objects
      {
        for inner in shapes.children(of: child) where Self.kindKeys.contains(shapes.key(of: inner)) {
          result["\(key).\(shapes.key(of: inner))"] = word(at: inner, of: child)
        }
      }
    }
    return result
  }

  /// The text that all objects have at a child, be it as what they are or as what they are a reference to; nil if they have
  /// several, or none.
  private func word(at child: Int32, of index: Int32) -> String? {
    guard shapes[child].strings > 0, shapes[child].strings == shapes[index].objects,
      let words = shapes.tree.samples[shapes.find(child)], shapes[child].values.count == words.count,
      let first = words.first.map(Self.withoutReference)
    else { return nil }
    return words.allSatisfy { Self.withoutReference($0) == first } ? first : nil
  }

  // MARK: - Kinds

  /// Makes one place of objects of several kinds and of other ones that say to be of these kinds and are alike: the customers in
  /// events, which hold invoices too, are those of a list.
  ///
  /// - Throws: ``ImportError`` if the caller cancels.
  func joinKinds() throws {
    guard shapes.dialect == nil else { return }
    let places = (0..<Int32(shapes.tree.count)).filter { index in
      let node = shapes.tree[index]
      return node.flags.contains(.split) && !node.flags.contains(.merged) && !shapes.keptApart.contains(index)
        && shapes.children(of: index).contains { strongIdentity(of: $0) != nil }
    }.prefix(Self.mostPlaces)
    try joinKinds(of: places) { part, whole in
      !shapes.tree.stands(whole, in: part) || shapes.tree[part].key < 0 && standsInItsLike(whole, part)
    }
    // The roots of trees come last: what is in one of them is called like what is in the others.
    try joinKinds(of: places) { part, whole in shapes.tree[part].key >= 0 && holdsInLists(part, whole) }
  }

  /// - Parameter isMeant: Whether objects of a place, the first one, may be of the kinds of another one.
  private func joinKinds(of places: some Sequence<Int32>, _ isMeant: (Int32, Int32) -> Bool) throws {
    for whole in places where isTold(whole) && KindEvidence(whole, shapes).areKinds {
      try shapes.checkCancellation()
      for part in places where part != whole && shapes.tree[part].kindKey == shapes.tree[whole].kindKey {
        // Places that were joined may be told apart no more.
        guard isTold(part), isTold(whole), areOfKinds(part, of: whole) else { continue }
        if shapes.element(of: part) == whole {
          guard !shapes.tree.isInside(whole, objectsOf: part) else { continue }
          shapes.tree.moveObjects(of: part, to: whole)
        } else if shapes.element(of: whole) == part {
          guard !shapes.tree.isInside(part, objectsOf: whole) else { continue }
          shapes.tree.moveObjects(of: whole, to: part)
        } else if isMeant(part, whole) {
          let (outer, inner) = shapes.tree.stands(whole, in: part) ? (part, whole) : (whole, part)
          for (kind, known) in sharedKinds(inner, outer) { shapes.tree.join(known, kind) }
          shapes.tree.join(outer, inner)
        }
      }
    }
  }

  /// Whether the objects of a place are told apart by a key.
  private func isTold(_ index: Int32) -> Bool {
    shapes.find(index) == index && shapes.tree[index].flags.contains(.split)
  }

  private func sharedKinds(_ part: Int32, _ whole: Int32) -> [(kind: Int32, known: Int32)] {
    shapes.children(of: part).compactMap { kind in
      shapes.child(of: whole, named: shapes.key(of: kind)).map { (kind, $0) }
    }
  }

  /// Whether all kinds of objects at a place are kinds of those at another one, or might be.
  private func areOfKinds(_ part: Int32, of whole: Int32) -> Bool {
    let kinds = shapes.children(of: part)
    let shared = sharedKinds(part, whole)
    guard !kinds.isEmpty else { return false }
    if shared.count < kinds.count {
      let evidence = KindEvidence(whole, shapes)
      let isNew = kinds.allSatisfy { kind in
        shared.contains { $0.kind == kind } || mayBeKind(kind, of: evidence, isAlone: shared.isEmpty)
      }
      guard isNew else { return false }
    }
    if haveCommonIdentities(kinds, whole) { return false }
    let names = [part, whole].map { Words.folded(shapes.tree.meaningfulName(of: $0)) }
    let isTree =
      standsInItsLike(part, whole) || standsInItsLike(whole, part) || holdsInLists(part, whole)
      || !names[0].isEmpty && names[0] == names[1]
    return shared.allSatisfy { areOfOneKind($0.kind, $0.known, isTree: isTree) }
  }

  /// Whether objects of some kinds have identities of other kinds: the user 1 and the event 1 are two.
  private func haveCommonIdentities(_ kinds: [Int32], _ whole: Int32) -> Bool {
    kinds.contains { kind in
      guard let identity = strongIdentity(of: kind) else { return false }
      return shapes.children(of: whole).contains { other in
        guard shapes.key(of: other) != shapes.key(of: kind), let known = strongIdentity(of: other) else {
          return false
        }
        return overlapOfFewer(identity, known).found > 0
      }
    }
  }

  /// Whether objects of several kinds have lists of those of another place, as the root of a tree has.
  private func holdsInLists(_ outer: Int32, _ inner: Int32) -> Bool {
    shapes.children(of: outer).contains { kind in
      shapes.children(of: kind).contains { child in
        shapes.element(of: child).map { shapes.find($0) == shapes.find(inner) } ?? false
      }
    }
  }

  /// Whether objects of several kinds stand in others under one key again and again, as what is in folders does.
  private func standsInItsLike(_ inner: Int32, _ outer: Int32) -> Bool {
    guard shapes.tree.stands(inner, in: outer) else { return false }
    let places = [inner] + shapes.tree.places(around: inner)
    let keys = places.prefix { $0 != outer }.map { shapes.tree[$0] }.filter {
      $0.key >= 0 && !$0.flags.contains(.variant)
    }
    return Set(keys.map(\.key)).count == 1
  }

  /// Whether objects that say to be of one kind are so: the same ones came at both places, or nearly all keys are the same.
  ///
  /// - Parameter isTree: Whether one place is inside the other, as nodes of a tree are, or called like it.
  private func areOfOneKind(_ first: Int32, _ second: Int32, isTree: Bool) -> Bool {
    guard let one = strongIdentity(of: first), let other = strongIdentity(of: second),
      shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
    else { return false }
    let (keys, others) = (shapes.keys(of: first), shapes.keys(of: second))
    let shared = keys.intersection(others).count
    if overlapOfFewer(one, other).found > 0 {
      return haveSameObjects(first, second) && shared * 10 >= min(keys.count, others.count) * 7
    }
    let all = isTree ? min(keys.count, others.count) : keys.union(others).count
    return shared >= (isTree ? 3 : 5) && shared * 5 >= all * 4
  }

  /// Whether objects say to be of a kind that did not come among others.
  ///
  /// - Parameter isAlone: Whether no object beside them is of a known kind. Then they have nothing that these do not have.
  private func mayBeKind(_ kind: Int32, of evidence: KindEvidence, isAlone: Bool) -> Bool {
    let keys = shapes.keys(of: kind)
    let common = evidence.common.intersection(keys)
    return (!isAlone || keys.count >= 5 && keys.isSubset(of: evidence.all) && common.count >= 3)
      && common.count * 2 >= evidence.common.count
      && evidence.variants.contains { variant in
        guard let one = strongIdentity(of: kind), let other = strongIdentity(of: variant) else {
          return false
        }
        return shapes.keyNumber(of: one) == shapes.keyNumber(of: other)
      }
  }
}
