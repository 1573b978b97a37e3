import ObjectModel

extension QueryBuilder {
  /// Only the objects that an export of a whole store lists under the entity: those that are of no sub-entity, and of
  /// entities without identity those that are no part of another object.
  mutating func addListedConditions() {
    if let kind = table.kindColumn {
      conditions.append("t0.\(SQL.quoted(kind)) = \(SQL.literal(entity.name))")
    }
    guard !entity.hasIdentity else { return }
    for relationship in layout.schema.relationships
    where entity.ancestry.contains(relationship.destination) && layout.leadsToParts(relationship) {
      conditions.append("NOT EXISTS (\(Self.owners(by: relationship, layout)))")
    }
  }

  /// The owners of `t0` by a relationship. An owner that has not arrived is none: it does not nest its parts.
  private static func owners(by relationship: SchemaRelationship, _ layout: Layout) -> String {
    let owner = layout.table(of: relationship.owner)
    let part = layout.table(of: relationship.destination)
    let ownerKey = owner.key.map { owner.columns[$0].name }
    let partKey = part.key.map { part.columns[$0].name }
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let names = columns.map { owner.columns[$0].name }
      return "SELECT 1 FROM \(SQL.quoted(owner.name)) o WHERE \(pairs("o", names, "t0", partKey))"
    case .inverse(let columns, _):
      let names = columns.map { part.columns[$0].name }
      return "SELECT 1 FROM \(SQL.quoted(owner.name)) o WHERE \(pairs("o", ownerKey, "t0", names))"
    case .join(let index, let isForward):
      let join = JoinSQL(join: layout.joins[index], isForward: isForward)
      return "SELECT 1 FROM \(SQL.quoted(layout.joins[index].name)) j"
        + " JOIN \(SQL.quoted(owner.name)) o ON \(pairs("o", ownerKey, "j", join.owner))"
        + " WHERE \(pairs("j", join.target, "t0", partKey))"
    }
  }

  private static func pairs(_ left: String, _ names: [String], _ right: String, _ others: [String]) -> String
  {
    zip(names, others).map { "\(left).\(SQL.quoted($0)) = \(right).\(SQL.quoted($1))" }
      .joined(separator: " AND ")
  }
}
