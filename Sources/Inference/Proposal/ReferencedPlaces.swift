/// Places whose values other places name: what an object without `id` may be identified by.
struct ReferencedPlaces {
  private(set) var places: Set<Int32> = []
  /// Places of numbers that others name under a longer key, as `owner_member_id` names a `member_id`: of several keys that may be
  /// identities by their names, these are.
  private(set) var numbers: Set<Int32> = []

  /// So many places are compared with each other.
  private static let mostPlaces = 400

  init(_ shapes: Shapes, _ records: [RecordPlace]) {
    let texts = (0..<Int32(shapes.tree.count)).filter { index in
      let node = shapes.tree[index]
      return !node.flags.contains(.merged) && node.strings > 1 && node.strings == node.scalars
        && node.values.count > 1 && !node.flags.contains(.longTexts)
    }.prefix(Self.mostPlaces)
    // Columns without names are measures more often than keys: a candle opens where the one before closed.
    for record in records where !record.hasScalars && !shapes.rowPlaces.contains(shapes.find(record.node)) {
      let name = record.names.first ?? ""
      for child in shapes.children(of: record.node) {
        let node = shapes[child]
        guard node.strings == shapes[record.node].objects, node.values.areUnique, node.emptyTexts == 0 else {
          continue
        }
        let isNamed = texts.contains { other in
          let other = shapes.find(other)
          guard other != shapes.find(child), !Self.repeats(other, child, of: record.node, shapes) else {
            return false
          }
          return Self.names(other, child, name, shapes)
        }
        if isNamed { places.insert(shapes.find(child)) }
      }
    }
    findNumbers(shapes, records)
  }

  private mutating func findNumbers(_ shapes: Shapes, _ records: [RecordPlace]) {
    let keys = (0..<Int32(shapes.tree.count)).compactMap { index -> (index: Int32, name: LinkName)? in
      let node = shapes.tree[index]
      guard !node.flags.contains(.merged), node.key >= 0, node.integers > 1, node.integers == node.scalars
      else { return nil }
      let name = LinkName(shapes.key(of: index))
      return name.hasEnding && name.stem.count > 1 ? (index, name) : nil
    }.prefix(Self.mostPlaces)
    for record in records where !record.hasScalars && !keys.isEmpty {
      for child in shapes.children(of: record.node) {
        let (node, name) = (shapes[child], LinkName(shapes.key(of: child)))
        guard name.hasEnding, node.integers == shapes[record.node].objects, node.values.areUnique else {
          continue
        }
        let isNamed = keys.contains { other in
          guard other.name.stem.count > name.stem.count,
            other.name.stem.suffix(name.stem.count) == name.stem[...]
          else { return false }
          let (found, compared) = shapes[other.index].values.overlap(with: node.values)
          return compared >= 2 && found * 10 >= compared * 9
        }
        if isNamed { numbers.insert(shapes.find(child)) }
      }
    }
  }

  /// Whether each object says a value of its own once more further inside: `{"name": "Bonn", "names": {"name": "Bonn"}}`.
  private static func repeats(_ other: Int32, _ child: Int32, of index: Int32, _ shapes: Shapes) -> Bool {
    let (node, own) = (shapes[other], shapes[child])
    guard node.total == own.total, node.values.count == own.values.count,
      case let (found, compared) = node.values.overlap(with: own.values), found == compared
    else { return false }
    var place = other
    for _ in 0..<ShapeMatcher.deepest where place >= 0 && shapes.tree[place].key >= 0 {
      place = shapes.tree[place].parent
      if place >= 0, shapes.find(place) == shapes.find(index) { return true }
    }
    return false
  }

  private static func names(_ other: Int32, _ child: Int32, _ entity: String, _ shapes: Shapes) -> Bool {
    let (found, compared) = shapes[other].values.overlap(with: shapes[child].values)
    guard compared >= 2, found * 10 >= compared * 9 else { return false }
    let key = shapes.tree.ownerName(of: other)
    if LinkName(key).score(for: Words.entityName(entity), isSelf: true) >= 2 { return true }
    return compared >= 5 && Words.folded(key) != Words.folded(shapes.key(of: child))
  }
}
