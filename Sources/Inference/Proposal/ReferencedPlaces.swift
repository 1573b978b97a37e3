import Mapping

/// Places whose values other places name: what an object without `id` may be identified by.
struct ReferencedPlaces {
  private(set) var places: Set<Int32> = []

  /// So many places are compared with each other.
  private static let mostPlaces = 400

  init(_ shapes: Shapes, _ records: [RecordPlace]) {
    let texts = (0..<Int32(shapes.tree.count)).filter { index in
      let node = shapes.tree[index]
      return !node.flags.contains(.merged) && node.strings > 1 && node.strings == node.scalars
        && node.values.count > 1 && !node.flags.contains(.longTexts)
    }.prefix(Self.mostPlaces)
    for record in records where !record.hasScalars {
      let name = record.names.first ?? ""
      for child in shapes.children(of: record.node) {
        let node = shapes[child]
        guard node.strings == shapes[record.node].objects, node.values.areUnique, node.emptyTexts == 0 else {
          continue
        }
        let isNamed = texts.contains { other in
          let other = shapes.find(other)
          guard other != shapes.find(child) else { return false }
          return Self.names(other, child, name, shapes)
        }
        if isNamed { places.insert(shapes.find(child)) }
      }
    }
  }

  private static func names(_ other: Int32, _ child: Int32, _ entity: String, _ shapes: Shapes) -> Bool {
    let (found, compared) = shapes[other].values.overlap(with: shapes[child].values)
    guard compared >= 2, found * 10 >= compared * 9 else { return false }
    let key = shapes.tree.ownerName(of: other)
    if LinkName(key).score(for: Words.entityName(entity), isSelf: true) >= 2 { return true }
    return compared >= 5 && Words.folded(key) != Words.folded(shapes.key(of: child))
  }
}
