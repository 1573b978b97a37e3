package import ObjectModel

/// How to get from an object to those that a relationship of it leads to.
package struct RelationshipSQL {
  let layout: Layout
  let relationship: SchemaRelationship

  package init(layout: Layout, relationship: SchemaRelationship) {
    self.layout = layout
    self.relationship = relationship
  }

  /// The row ids of the targets of the owner with row id `?1`.
  func targetRows(from owner: Table, to target: Table) -> String {
    let from = "\(SQL.quoted(owner.name)) o"
    return "SELECT t.rowid FROM \(from) \(joins(owner: "o", target: "t"))"
      + " WHERE o.rowid = ?1\(ordering(owner: "o", target: "t"))"
  }

  /// The keys of the targets of the owner with row id `?1`, of those that have not arrived too where the link
  /// itself tells.
  package var keys: String {
    let owner = layout.table(of: relationship.owner)
    let target = layout.table(of: relationship.destination)
    let from = "FROM \(SQL.quoted(owner.name)) o"
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let names = columns.map { "o.\(SQL.quoted(owner.columns[$0].name))" }
      return "SELECT \(names.joined(separator: ", ")) \(from) WHERE o.rowid = ?1 AND \(names[0]) IS NOT NULL"
    case .inverse:
      let names = target.key.map { "t.\(SQL.quoted(target.columns[$0].name))" }
      return "SELECT \(names.joined(separator: ", ")) \(from) \(joins(owner: "o", target: "t"))"
        + " WHERE o.rowid = ?1\(ordering(owner: "o", target: "t"))"
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      let names = sql.target.map { "j.\(SQL.quoted($0))" }
      let key = owner.key.map { owner.columns[$0].name }
      let order = (sql.order.map { ["j.\(SQL.quoted($0))"] } ?? []) + names
      return "SELECT \(names.joined(separator: ", ")) \(from) JOIN \(SQL.quoted(layout.joins[index].name)) j"
        + " ON \(pairs("j", sql.owner, "o", key)) WHERE o.rowid = ?1 ORDER BY \(order.joined(separator: ", "))"
    }
  }

  /// The targets of the owner with row id `?1`, as expressions of `t`, with what the link itself knows of each
  /// behind them: of a join table, the target's key, also of targets that have not arrived, for which all before
  /// is null; of an ordered list that the targets keep, the place.
  package func targets(selecting expressions: [String]) -> String {
    let from = "FROM \(SQL.quoted(layout.table(of: relationship.owner).name)) o"
    let names = expressions.joined(separator: ", ")
    guard case .join(let index, let isForward) = layout.relationships[relationship.index] else {
      let place = place(target: "t").map { ", \($0)" } ?? ""
      return "SELECT \(names)\(place) \(from) \(joins(owner: "o", target: "t")) WHERE o.rowid = ?1"
        + ordering(owner: "o", target: "t")
    }
    let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    let key = sql.target.map { "t_link.\(SQL.quoted($0))" }
    let order = (sql.order.map { ["t_link.\(SQL.quoted($0))"] } ?? []) + key
    return "SELECT \(names), \(key.joined(separator: ", ")) \(from)"
      + " \(joins(owner: "o", target: "t", kind: "LEFT JOIN")) WHERE o.rowid = ?1 AND \(key[0]) IS NOT NULL"
      + " ORDER BY \(order.joined(separator: ", "))"
  }

  /// The keys of the targets of the owner with row id `?1`, as ``keys`` has them, with the place of each behind
  /// them where the targets keep it.
  package var keysAndPlaces: String {
    guard case .inverse = layout.relationships[relationship.index], place(target: "t") != nil else {
      return keys
    }
    let target = layout.table(of: relationship.destination)
    return targets(selecting: target.key.map { "t.\(SQL.quoted(target.columns[$0].name))" })
  }

  /// The column with the place in the list, where the targets keep it.
  private func place(target: String) -> String? {
    guard case .inverse(_, let order?) = layout.relationships[relationship.index] else { return nil }
    return "\(target).\(SQL.quoted(layout.table(of: relationship.destination).columns[order].name))"
  }

  /// A table on the way, under its alias, and what leads to its rows.
  private typealias Step = (table: String, condition: String)

  /// The way from the owner's alias to the target's: over a join table, or at once.
  private func steps(owner: String, target: String) -> [Step] {
    let ownerTable = layout.table(of: relationship.owner)
    let targetTable = layout.table(of: relationship.destination)
    let targetName = "\(SQL.quoted(targetTable.name)) \(target)"
    let targetKey = targetTable.key.map { targetTable.columns[$0].name }
    let ownerKey = ownerTable.key.map { ownerTable.columns[$0].name }
    let ofKind = layout.kindCondition(of: relationship.destination, alias: target).map { " AND \($0)" } ?? ""
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let names = columns.map { ownerTable.columns[$0].name }
      return [(targetName, pairs(target, targetKey, owner, names) + ofKind)]
    case .inverse(let columns, _):
      let names = columns.map { targetTable.columns[$0].name }
      return [(targetName, pairs(target, names, owner, ownerKey) + ofKind)]
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      let link = "\(target)_link"
      return [
        ("\(SQL.quoted(layout.joins[index].name)) \(link)", pairs(link, sql.owner, owner, ownerKey)),
        (targetName, pairs(target, targetKey, link, sql.target) + ofKind),
      ]
    }
  }

  /// The joins that lead from the owner's alias to the target's.
  package func joins(owner: String, target: String, kind: String = "JOIN") -> String {
    steps(owner: owner, target: target).map { "\(kind) \($0.table) ON \($0.condition)" }
      .joined(separator: " ")
  }

  /// The tables to look at from within a query of the owner, and the condition that makes them the targets.
  func source(owner: String, target: String) -> (tables: String, condition: String) {
    let steps = steps(owner: owner, target: target)
    let rest = steps.dropFirst().map { " JOIN \($0.table) ON \($0.condition)" }.joined()
    return (steps[0].table + rest, steps[0].condition)
  }

  /// ` ORDER BY …`, in the relationship's own order or else by key, so that it is stable.
  package func ordering(owner: String, target: String) -> String {
    let table = layout.table(of: relationship.destination)
    var terms: [String] = []
    if let place = place(target: target) { terms.append(place) }
    switch layout.relationships[relationship.index] {
    case .join(let index, let isForward):
      if let order = JoinSQL(join: layout.joins[index], isForward: isForward).order {
        terms.append("\(target)_link.\(SQL.quoted(order))")
      }
    default: break
    }
    terms += table.key.map { "\(target).\(SQL.quoted(table.columns[$0].name))" }
    return " ORDER BY \(terms.joined(separator: ", "))"
  }

  private func pairs(_ left: String, _ names: [String], _ right: String, _ others: [String]) -> String {
    zip(names, others).map { "\(left).\(SQL.quoted($0)) = \(right).\(SQL.quoted($1))" }
      .joined(separator: " AND ")
  }
}
