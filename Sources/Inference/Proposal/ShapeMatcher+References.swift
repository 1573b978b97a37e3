import Mapping

/// Objects that name others by their identities and say little else of them.
extension ShapeMatcher {
  /// Joins objects that have nothing but an identity with those of the entity whose identities these are: `{"id": 7}` in another
  /// object names one that stands elsewhere.
  func joinReferences() throws {
    let places = shapes.objectPlaces().prefix(Self.mostPlaces).filter { shapes[$0].identity >= 0 }
    let references = places.filter {
      !isAtTop($0) && (shapes.keys(of: $0).count == 1 || !kinds(of: $0).isEmpty)
    }
    guard !references.isEmpty else { return }
    let whole = places.filter { shapes.keys(of: $0).count > 1 && !isAtTop($0) || isInList($0) }
    for place in references {
      try shapes.checkCancellation()
      let reference = candidate(place)
      let key = shapes[place].identity
      guard !isVariant(reference), !isPart(reference), shapes[key].total == shapes[place].objects else {
        continue
      }
      // The questions that take longest come last.
      let named = whole.filter { shapes.find($0) != shapes.find(place) && mayBeNamed($0, by: key) }.map(
        candidate
      )
      .filter {
        if isVariant($0) || isPart($0) { return false }
        if isShortForm(reference, of: $0, key) { return true }
        // Objects that stand in no list are named where they are called so and most identities came there.
        return
          (isInList($0.index)
          || $0.name == reference.name && reference.keys.count == 1 && hasMost($0, of: key))
          && shapes[shapes[$0.index].identity].values.areUnique
          && (reference.keys.count == 1 ? isNamed($0, by: reference, key) : isSaid($0, by: reference, key))
      }
      guard named.count == 1 else { continue }
      // The values beside the type and the identity are a short form of the other object.
      if reference.keys.count > 1 { noteShortForms(at: reference) }
      shapes.tree.join(named[0].index, references: place)
    }
  }

  /// Whether objects say of which type they are, as those of another place do, have no keys that these lack, and only identities of these:
  /// `{"gid": "7", "resource_type": "user"}` beside `{"gid": "7", "resource_type": "user", "name": "Ann"}`.
  private func isShortForm(_ reference: Candidate, of whole: Candidate, _ key: Int32) -> Bool {
    guard let identity = whole.identity, !reference.kinds.isEmpty, reference.kinds == whole.kinds,
      reference.keys.count < whole.keys.count, reference.keys.isSubset(of: whole.keys)
    else { return false }
    let (found, compared) = shapes[key].values.overlap(with: shapes[identity].values)
    return compared > 0 && found == compared
  }

  /// Whether two of three identities or more are those of objects at another place.
  private func hasMost(_ whole: Candidate, of key: Int32) -> Bool {
    let (found, compared) = shapes[key].values.overlap(with: shapes[shapes[whole.index].identity].values)
    return compared >= 2 && found * 3 >= compared * 2
  }

  /// Whether objects say to be of the type that objects of another place are called like, and have identities of these.
  private func isSaid(_ whole: Candidate, by reference: Candidate, _ key: Int32) -> Bool {
    guard !whole.name.isEmpty,
      reference.kinds.values.contains(where: {
        Names.singulars(whole.name).contains(Names.folded(Self.withoutReference($0)))
      })
    else { return false }
    let (found, compared) = shapes[key].values.overlap(with: shapes[shapes[whole.index].identity].values)
    guard compared >= 2, found == compared else { return false }
    // The owner of a cat, `{"id": 1, "name": "Ann", "kind": "cat"}`, is none of the cats.
    if shareLabels(reference.index, whole.index) { return true }
    let isSmall = shapes[key].integers > 0 && !shapes.areMadeByProgram(key)
    return !isSmall && !haveLabels(reference.index, whole.index)
  }

  /// Whether objects of two places have names or addresses under the same key.
  private func haveLabels(_ first: Int32, _ second: Int32) -> Bool {
    shapes.children(of: first).contains { child in
      !LabelNames.flags(of: shapes.key(of: child)).isDisjoint(with: [.label, .address])
        && shapes.child(of: second, named: shapes.key(of: child)) != nil
    }
  }

  /// Whether objects have identities under the key of others, and of their type.
  private func mayBeNamed(_ whole: Int32, by key: Int32) -> Bool {
    let one = shapes[whole].identity
    return shapes.keyNumber(of: one) == shapes.keyNumber(of: key)
      && (shapes[one].strings == 0 && shapes[key].strings == 0
        || shapes[one].integers == 0 && shapes[key].integers == 0)
      && shapes[key].values.overlap(with: shapes[one].values).found > 0
  }

  /// Whether identities are those of objects at another place, and not by chance.
  private func isNamed(_ whole: Candidate, by reference: Candidate, _ key: Int32) -> Bool {
    let one = shapes[whole.index].identity
    let (found, compared) = shapes[key].values.overlap(with: shapes[one].values)
    if !whole.name.isEmpty, whole.name == reference.name { return found > 0 && found * 2 >= compared }
    guard compared >= 2, found == compared else { return false }
    return shapes.areMadeByProgram(key)
  }
}
