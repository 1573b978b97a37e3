import Mapping

/// Finds the values in objects under two keys that tell of the object around them, and gives them to this one.
///
/// In `{"home": {"id": 1, "name": "Red", "goals": 2}, "away": {"id": 2, "name": "Blue", "goals": 0}}` the goals are those of the
/// match: the team 1 has others in its next match, and the same name. So a match has its two teams, `homeGoals` and `awayGoals`.
struct LinkValues {
  private let shapes: Shapes

  /// Keys of the two places and of values in them.
  private struct Finding: Hashable {
    let sides: Set<Int32>
    let values: Set<Int32>
  }

  init(_ shapes: Shapes) {
    self.shapes = shapes
  }

  /// Moves the values. Where other files say too little to show it, what one of them shows holds for the same keys.
  func run() {
    let owners = shapes.objectPlaces().filter {
      shapes.find($0) == $0 && !shapes.isSplit($0) && !shapes.isDictionary($0)
    }
    let places = owners.map { owner in (owner, sides: sides(of: owner)) }.filter { $0.sides.count > 1 }
    let findings = Set(places.flatMap { [finding(in: $0.sides), results(of: $0.sides)].compactMap(\.self) })
    for (owner, sides) in places {
      let keys = Set(sides.map(shapes.keyNumber))
      for finding in findings where finding.sides == keys {
        for side in sides { move(finding.values, of: side, to: owner) }
      }
    }
  }

  /// The objects with an identity that stand under keys of an object, if they are alike.
  private func sides(of owner: Int32) -> [Int32] {
    let children = shapes.children(of: owner).filter { child in
      shapes.find(child) == child && shapes.isObject(child) && !shapes.isSplit(child)
        && shapes[child].identityRank <= IdentityNames.strongest
    }
    guard let first = children.first else { return [] }
    let keys = shapes.keys(of: first)
    return children.filter { child in
      let others = shapes.keys(of: child)
      return shapes.key(of: shapes[child].identity) == shapes.key(of: shapes[first].identity)
        && keys.intersection(others).count * 2 > keys.union(others).count
    }
  }

  /// The values that objects with one identity say differently, where each says the same texts otherwise.
  private func finding(in sides: [Int32]) -> Finding? {
    var objects: [UInt64: [Int32: UInt64]] = [:]
    var (different, same) = (Set<Int32>(), Set<Int32>())
    var (repeated, changed) = (Set<UInt64>(), Set<UInt64>())
    for side in sides {
      let columns = shapes.children(of: side).map {
        (key: shapes.keyNumber(of: $0), ordinal: shapes.tree[$0].ordinal)
      }
      guard let rows = shapes.tree.rows.values(of: shapes[side], columns.map { Int($0.ordinal) }) else {
        return nil
      }
      let identity = shapes.keyNumber(of: shapes[side].identity)
      for row in rows {
        let values = Dictionary(
          zip(columns.map(\.key), row).filter { $0.1 != 0 }, uniquingKeysWith: { first, _ in first })
        guard let number = values[identity] else { return nil }
        guard let known = objects[number] else {
          objects[number] = values
          continue
        }
        repeated.insert(number)
        for (key, value) in values where known[key].map({ $0 != value }) ?? false {
          different.insert(key)
          changed.insert(number)
        }
      }
      same.formUnion(columns.map(\.key))
    }
    same.subtract(different)
    let members = sides.flatMap(shapes.children)
    // Objects of other names or addresses are others, of two kinds that are counted from 1 each.
    guard !different.contains(where: { !LabelNames.flags(of: shapes.tree.text(ofKey: $0)).isEmpty }) else {
      return nil
    }
    // Values that differ in a few objects may have changed since.
    guard repeated.count > 1, changed.count * 2 >= repeated.count, different.count <= same.count,
      members.allSatisfy({ !different.contains(shapes.keyNumber(of: $0)) || isMeasure($0) }),
      members.contains(where: { same.contains(shapes.keyNumber(of: $0)) && isText($0) })
    else { return nil }
    return Finding(sides: Set(sides.map(shapes.keyNumber)), values: different)
  }

  /// The values that are the result of a match by their names, where the keys say that its two sides stand there.
  private func results(of sides: [Int32]) -> Finding? {
    let names = sides.map { Words.words(shapes.key(of: $0)) }
    guard names.allSatisfy({ $0.first.map(ShapeMatcher.sides.contains) ?? false }),
      Set(names.map { $0.dropFirst() }).count == 1
    else { return nil }
    let members = sides.flatMap(shapes.children)
    let values = members.filter {
      Self.results.contains(Names.folded(shapes.key(of: $0))) && shapes[$0].scalars == shapes[$0].present
    }
    let hasText = members.contains { shapes[$0].strings > 0 && shapes[$0].strings == shapes[$0].present }
    guard !values.isEmpty, hasText else { return nil }
    return Finding(sides: Set(sides.map(shapes.keyNumber)), values: Set(values.map(shapes.keyNumber)))
  }

  private static let results: Set<String> = ["score", "goals", "runs", "points", "winner", "iswinner"]

  /// Whether values may be those of an object around, and do not tell of a change of the object itself.
  private func isMeasure(_ child: Int32) -> Bool {
    let node = shapes[child]
    return node.scalars == node.present && !DateNames.sayChange(shapes.key(of: child))
  }

  private func isText(_ child: Int32) -> Bool {
    let node = shapes[child]
    return node.strings > 0 && node.strings == node.present && node.values.count > 1
  }

  private func move(_ values: Set<Int32>, of side: Int32, to owner: Int32) {
    for child in shapes.children(of: side) where values.contains(shapes.keyNumber(of: child)) {
      let path = [shapes.key(of: side), shapes.key(of: child)]
      let key = shapes.tree.key(path.joined(separator: "\u{1F}"))
      guard shapes.tree.child(of: owner, key: key) < 0 else { continue }
      shapes.linkPaths[key] = path
      shapes.tree.detach(child, from: side)
      let node = shapes.tree.pointer(child)
      (node.pointee.key, node.pointee.ordinal) = (key, .max)
      shapes.tree.adopt(child, by: owner)
    }
    shapes.tree.forgetConflicts(of: side)
  }
}
