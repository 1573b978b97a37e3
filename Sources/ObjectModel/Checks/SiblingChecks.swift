/// Properties of entities that inherit from one root and share its table, where those of equal name share a
/// column.
struct SharedColumns {
  struct Column {
    var name: String
    var owner: String
    /// `nil` for a relationship.
    var type: AttributeType?
  }

  private var columns: [String: [String: Column]] = [:]

  /// Enters a column; the one of another entity that was there first, if it differs.
  mutating func conflict(entering column: Column, folded name: String, root: String) -> Column? {
    guard let other = columns[root]?[name] else {
      columns[root, default: [:]][name] = column
      return nil
    }
    return other.type != column.type || other.name != column.name ? other : nil
  }
}

extension ModelChecker {
  /// Properties that clash with those of an entity beside this one, under the same root.
  mutating func checkSiblings(of entity: Entity) {
    let line = hierarchy.ancestors(of: entity).map(\.name)
    let root = line.last ?? entity.name
    for property in Self.namedProperties(of: entity) {
      let column = SharedColumns.Column(name: property.name, owner: entity.name, type: property.type)
      let other = sharedColumns.conflict(entering: column, folded: Self.folded(property.name), root: root)
      // What it inherits, or has twice, has been reported.
      guard let other, other.owner != entity.name, !line.contains(other.owner) else { continue }
      warning(
        "\(Self.quoted(other.owner)), which has the same root, has a different property "
          + Self.quoted(other.name), entity: entity.name, property: property.name,
        advice: "rename one of them, or give both the same name and type")
    }
  }
}
