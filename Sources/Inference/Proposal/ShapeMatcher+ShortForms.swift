/// Short forms: objects that stand for others, which came in full elsewhere.
extension ShapeMatcher {
  /// Notes the places of objects that say of themselves that they are references.
  func noteReferences() {
    for index in shapes.objectPlaces() where !referenceTypes(of: index).isEmpty {
      shapes.shortForms.insert(index)
    }
  }

  /// Notes that objects at one of two places of an entity are a short form of those at the other: they have fewer keys, the same
  /// objects came at both, and all say something else at one place than all say at the other: which form this is, or what they are called.
  func noteShortForm(_ first: Candidate, _ second: Candidate) {
    let (short, long) = first.keys.count < second.keys.count ? (first, second) : (second, first)
    guard short.keys.count < long.keys.count, short.keys.isSubset(of: long.keys),
      let one = short.identity, let other = long.identity,
      shapes[one].values.overlap(with: shapes[other].values).found > 0,
      shapes.children(of: short.index).contains(where: { child in
        short.keys.count * 2 <= long.keys.count && saysForm(child, long.index)
          || saysOtherName(child, of: short.index, than: long.index)
      })
    else { return }
    noteShortForms(at: short)
  }

  /// Whether what objects are called at one place is what they say at the other one under another key: `octocat/Hello` is the `full_name` of
  /// a repository whose `name` is `Hello`.
  private func saysOtherName(_ child: Int32, of short: Int32, than long: Int32) -> Bool {
    let key = shapes.key(of: child)
    guard LabelNames.flags(of: key).contains(.label), shapes[child].strings == shapes[short].objects,
      let twin = shapes.child(of: long, named: key),
      shapes[child].values.overlap(with: shapes[twin].values).found == 0
    else { return false }
    return shapes.children(of: long).contains { other in
      other != twin && shapes[other].strings > 0
        && shapes[child].values.overlap(with: shapes[other].values).found > 0
    }
  }

  func noteShortForms(at short: Candidate) {
    let place = shapes.find(short.index)
    for index in 0..<Int32(shapes.tree.count)
    where shapes.tree[index].objects > 0 && shapes.find(index) == place {
      shapes.shortForms.insert(index)
    }
  }

  /// Whether parts of objects at two places hold objects under one key, of which those in one are a short form of those in the other: as
  /// one place, it would not be known which are.
  func holdShortForms(_ first: Candidate, _ second: Candidate) -> Bool {
    guard first.identity == nil, second.identity == nil else { return false }
    return shapes.tree.children(of: first.index).contains { child in
      guard
        let twin = shapes.tree.children(of: second.index).first(where: {
          shapes.keyNumber(of: $0) == shapes.keyNumber(of: child)
        }),
        [child, twin].allSatisfy({ shapes.isObject($0) && !shapes.isSplit($0) && !shapes.isDictionary($0) })
      else { return false }
      // They may be one entity already.
      guard shapes.find(twin) != shapes.find(child) else {
        return shapes.shortForms.contains(child) != shapes.shortForms.contains(twin)
      }
      let (one, other) = (candidate(child), candidate(twin))
      return isEmptyForm(one, other) || isEmptyForm(other, one)
    }
  }

  func noteEmptyForm(_ short: Candidate, _ long: Candidate) {
    if isEmptyForm(short, long) { noteShortForms(at: short) }
  }

  /// Whether objects at one of two places of an entity stand for those at the other: the same objects came at both, and all have
  /// an empty list at one place where some have elements at the other, or a null where all have a value, and fewer keys. Whatever
  /// else they say there is the same of all.
  private func isEmptyForm(_ short: Candidate, _ long: Candidate) -> Bool {
    guard let one = short.identity, let other = long.identity,
      shapes[one].values.overlap(with: shapes[other].values).found > 0
    else { return false }
    var isEmpty = false
    for child in shapes.children(of: short.index) {
      let node = shapes[child]
      let isEmptied = node.lists > 0 && node.lists == node.present && node.mostElements == 0
      if let twin = shapes.child(of: long.index, named: shapes.key(of: child)) {
        let other = shapes[twin]
        if isEmptied, other.lists > 0, other.mostElements > 0 { isEmpty = true }
        let isShort = node.nulls > 0 && node.present == 0 && short.keys.count < long.keys.count
        if isShort, other.scalars == shapes[long.index].objects,
          sayTheSame(short.index, long.index, besides: one)
        {
          isEmpty = true
        }
      } else if !isEmptied, node.scalars != node.present || node.values.count > 1 {
        return false
      }
    }
    // An object that says something else there has changed, or belongs to where it stands.
    return isEmpty && sayTheSame(short.index, long.index, besides: one)
  }

  /// Whether all objects have one value at a child, and all at another place have another one. Of one of the places there may be a
  /// single object.
  func saysForm(_ child: Int32, _ long: Int32) -> Bool {
    guard let twin = shapes.child(of: long, named: shapes.key(of: child)) else { return false }
    let (own, others) = (shapes[child], shapes[twin])
    return own.values.count == 1 && others.values.count == 1 && others.total == shapes[long].objects
      && own.scalars == own.total && others.scalars == others.total
      && max(own.total, others.total) > 1
      && own.values.overlap(with: others.values).found == 0
  }
}
