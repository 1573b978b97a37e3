import ObjectModel

/// The attribute that says which object an object is.
struct IdentityChoice {
  /// The place of its values.
  var node: Int32
  /// The keys on the way to it, such as `$oid` behind `_id`.
  var path: [String] = []
  var certainty: Guess.Certainty
  var evidence: String
}

/// Finds the identities of objects: by the names of keys, and by whether their values tell the objects apart.
struct IdentityChooser {
  let shapes: Shapes
  /// Places whose values other places name.
  let referenced: Set<Int32>
  /// The keys of dictionaries at the top of the JSON, with the name of what stands in them.
  let recordKeys: [(name: String, keys: Int32)]

  /// - Parameters:
  ///   - isRecord: Whether the objects stand at the top of the JSON.
  ///   - names: What else the objects may be called: by the name of a file, for example.
  func choice(of index: Int32, isRecord: Bool, names: [String] = []) -> IdentityChoice? {
    var best: (rank: Int32, choice: IdentityChoice)?
    let owners = [shapes.tree.ownerName(of: index), shapes.tree.ownerName(of: shapes.find(index))] + names
    for member in shapes.children(of: index) {
      let ranks = owners.compactMap { IdentityNames.rank(of: shapes.key(of: member), owner: $0) }
      let child = inner(member) ?? member
      guard var rank = ranks.min(),
        var choice = check(child, of: index, rank: rank, isRecord: isRecord)
      else { continue }
      choice.path = [shapes.key(of: member)] + (child == member ? [] : [shapes.key(of: child)])
      // What others refer to is the identity, unless one is called so.
      if rank > IdentityNames.strongest, referenced.contains(shapes.find(child)) {
        rank = IdentityNames.strongest
      }
      if rank < best?.rank ?? .max { best = (rank, choice) }
    }
    if let best { return best.choice }
    return isRecord ? inEnvelope(of: index) ?? unnamed(index) : nil
  }

  /// An identity in what each object has under a key such as `metadata`.
  private func inEnvelope(of index: Int32) -> IdentityChoice? {
    guard !shapes.isSplit(index) else { return nil }
    for member in shapes.children(of: index) where FlatObject.isHeaderKey(shapes.key(of: member)) {
      guard shapes.isObject(member), !shapes.isSplit(member), shapes[member].nulls == 0,
        shapes.tree[member].objectsOfItsOwn == shapes[index].objects
      else { continue }
      let names = shapes.children(of: member).compactMap { child -> (rank: Int32, node: Int32)? in
        IdentityNames.rank(of: shapes.key(of: child), owner: "").map { ($0, child) }
      }
      guard let best = names.min(by: { $0.rank < $1.rank }), best.rank <= IdentityNames.strongest,
        isComplete(best.node, of: member), shapes[best.node].values.areUnique
      else { continue }
      let path = [shapes.key(of: member), shapes.key(of: best.node)]
      return IdentityChoice(
        node: best.node, path: path, certainty: .likely,
        evidence:
          "all \(shapes[index].objects) objects have “\(path.joined(separator: "."))”, and all values differ")
    }
    return nil
  }

  /// The only value of an object that stands for a scalar: of `{"$oid": "5f43"}`.
  private func inner(_ member: Int32) -> Int32? {
    guard shapes.isObject(member), !shapes.isSplit(member) else { return nil }
    let children = shapes.children(of: member)
    guard children.count == 1, shapes.key(of: children[0]).hasPrefix("$") else { return nil }
    return children[0]
  }

  /// Whether each source has one of the objects, so that the name of the source tells them apart.
  private func isOneEach(_ index: Int32) -> Bool {
    let node = shapes.tree[index]
    let place = node.flags.contains(.variant) && node.parent >= 0 ? node.parent : index
    return shapes.oneEach.contains(shapes.find(place))
  }

  /// Whether all objects have a value that can be a key.
  private func isComplete(_ child: Int32, of index: Int32) -> Bool {
    let node = shapes[child]
    return node.integers + node.strings == shapes[index].objects && node.total == node.integers + node.strings
      && node.emptyTexts == 0 && node.largeNumbers == 0 && !node.flags.contains(.longTexts)
  }

  private func check(_ child: Int32, of index: Int32, rank: Int32, isRecord: Bool) -> IdentityChoice? {
    guard isComplete(child, of: index) else { return nil }
    let node = shapes[child]
    let owner = shapes[index]
    let key = shapes.key(of: child)
    let isReferenced = referenced.contains(shapes.find(child))
    let isStrong = rank <= IdentityNames.strongest
    if isStrong, rank > 4, namesRecord(child, key) { return nil }
    if rank >= IdentityNames.unsure, !isReferenced, owner.objects < 2 || isOneEach(index) { return nil }
    if rank >= IdentityNames.weakest, !isReferenced, !isRecord { return nil }
    if rank >= IdentityNames.weakest, !isReferenced, owner.objects < 3 || key.lowercased() == "title" {
      return nil
    }
    let said = node.values.isExact ? "" : ", by a sample of the values"
    if node.values.areUnique {
      // An object inside another that comes once with each value may as well be a part of it.
      let isInList = shapes.tree[index].key < 0
      if !isStrong, !isRecord, !isReferenced, owner.objects < 3 || !isInList { return nil }
      return IdentityChoice(
        node: child, certainty: isStrong ? .certain : .likely,
        evidence: owner.objects == 1
          ? "the one object has “\(key)”"
          : "all \(owner.objects) objects have “\(key)”, and all values differ\(said)")
    }
    let isMain = shapes.find(owner.identity < 0 ? child : owner.identity) == shapes.find(child)
    guard isMain, owner.contents.count > 0 else { return nil }
    return repeated(child, owner, key, said, isStrong, isReferenced, isRecord)
  }

  /// Whether a key like `areaId` names an object that stands elsewhere, in a dictionary by its identity.
  private func namesRecord(_ child: Int32, _ key: String) -> Bool {
    let name = LinkName(key)
    return recordKeys.contains { record in
      guard name.score(for: record.name, isSelf: false) >= 3 else { return false }
      let (found, compared) = shapes[child].values.overlap(with: shapes[record.keys].values)
      return compared > 0 && found * 20 >= compared * 19
    }
  }

  /// Decides about values that come several times: do they come with the same object?
  private func repeated(
    _ child: Int32, _ owner: ShapeNode, _ key: String, _ said: String, _ isStrong: Bool, _ isReferenced: Bool,
    _ isRecord: Bool
  ) -> IdentityChoice? {
    let distinct = shapes[child].values.estimatedCount
    if !isStrong, distinct < 2 { return nil }
    let counted = owner.knownRepetitions
    let conflicts = Double(counted.conflicts) / Double(max(1, counted.repeats))
    let evidence = "\(owner.objects) objects have \(distinct) values of “\(key)”"
    if conflicts < 0.05 {
      return IdentityChoice(
        node: child, certainty: .certain,
        evidence: "\(evidence), and equal values always come with the same object\(said)")
    }
    guard isStrong || isReferenced else { return nil }
    // In one document an object does not change: what differs belongs to where it stands, as a role in a film does.
    let within = Double(min(counted.repeats, owner.conflictsWithin)) / Double(max(1, counted.repeats))
    guard within < 0.1 else { return nil }
    guard
      conflicts < 0.1 || (isReferenced && !isOrdinal(shapes[child])) || (!isRecord && isWide(shapes[child]))
    else {
      return nil
    }
    return IdentityChoice(
      node: child, certainty: .doubtful,
      evidence:
        "\(evidence); \(Int((conflicts * 100).rounded())) % of those that came again came with something else"
    )
  }

  /// Whether values are so long that no two objects have the same one by chance.
  private func isWide(_ node: ShapeNode) -> Bool {
    node.integers > 0 ? node.minimum > 100_000 : node.shortest >= 8
  }

  /// Whether values may just count the elements of a list.
  private func isOrdinal(_ node: ShapeNode) -> Bool {
    node.integers > 0 && node.minimum >= 0 && node.minimum <= 1 && node.maximum <= 1_000
  }

  /// A key without the name of an identity, whose values are all different and look like codes.
  private func unnamed(_ index: Int32) -> IdentityChoice? {
    let objects = shapes[index].objects
    guard objects >= 5, !isOneEach(index) else { return nil }
    let candidates = shapes.children(of: index).filter { child in
      guard isComplete(child, of: index) else { return false }
      let node = shapes[child]
      guard node.values.areUnique else { return false }
      if node.integers > 0 {
        // A number in the first place that is called like a key.
        return child == shapes.children(of: index).first && LinkName(shapes.key(of: child)).hasEnding
      }
      if node.strings > 0 {
        return node.forms.contains(.word) && node.longest <= 64 && node.forms.isDisjoint(with: .dates)
      }
      return false
    }
    let named = candidates.first { referenced.contains(shapes.find($0)) }
    guard let child = named ?? candidates.first else { return nil }
    let key = shapes.key(of: child)
    return IdentityChoice(
      node: child, certainty: .doubtful,
      evidence: "all \(objects) values of “\(key)” differ, though its name is not that of an identity")
  }
}
