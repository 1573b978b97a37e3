import ObjectModel

extension QueryBuilder {
  /// Only the objects that an export of a whole store lists under the entity: those that are of no sub-entity, and of
  /// entities without identity those that no owner nests.
  ///
  /// - Parameter nesting: The relationships by which owners nest their parts. A part whose owner writes no list of it
  ///   would be lost otherwise.
  mutating func addListedConditions(nestedBy nesting: Set<Int>) {
    if let kind = table.kindColumn {
      conditions.append("t0.\(SQL.quoted(kind)) = \(SQL.literal(entity.name))")
    }
    guard !entity.hasIdentity else { return }
    for relationship in layout.schema.relationships
    where nesting.contains(relationship.index) && entity.ancestry.contains(relationship.destination) {
      conditions.append(hasNoOwner(by: relationship))
    }
  }

  /// The condition that no owner has `t0` by a relationship. An owner that has not arrived is none: it does not nest its
  /// parts.
  private mutating func hasNoOwner(by relationship: SchemaRelationship) -> String {
    let (owner, part) = (layout.table(of: relationship.owner), layout.table(of: relationship.destination))
    let ownerKey = Self.names("o", owner.key.map { owner.columns[$0].name })
    let partKey = Self.names("t0", part.key.map { part.columns[$0].name })
    let owners = "FROM \(owner.sqlName) o"
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      return hasNone(partKey, among: Self.names("o", columns.map { owner.columns[$0].name }), owners)
    case .inverse(let columns, _):
      return hasNone(Self.names("t0", columns.map { part.columns[$0].name }), among: ownerKey, owners)
    case .join(let index, let isForward):
      let join = JoinSQL(join: layout.joins[index], isForward: isForward)
      let (linked, targets) = (Self.names("j", join.owner), Self.names("j", join.target))
      let links = "FROM \(layout.joins[index].sqlName) j"
      if commonTables.areNeeded {
        let arrived = "\(SQL.row(linked)) IN (SELECT \(ownerKey.joined(separator: ", ")) \(owners))"
        return hasNone(partKey, among: targets, "\(links) WHERE \(arrived)")
      }
      let isOwner = zip(ownerKey, linked).map { "\($0) = \($1)" }.joined(separator: " AND ")
      return hasNone(partKey, among: targets, "\(links) JOIN \(owner.sqlName) o ON \(isOwner)")
    }
  }

  /// The condition that among the columns of rows there are no values equal to some of `t0`.
  private mutating func hasNone(_ own: [String], among columns: [String], _ rows: String) -> String {
    if commonTables.areNeeded { return commonTables.notAny(own, among: columns, rows) }
    let pairs = zip(columns, own).map { "\($0) = \($1)" }.joined(separator: " AND ")
    return "NOT EXISTS (SELECT 1 \(rows) WHERE \(pairs))"
  }

  private static func names(_ alias: String, _ names: [String]) -> [String] {
    names.map { "\(alias).\(SQL.quoted($0))" }
  }
}
