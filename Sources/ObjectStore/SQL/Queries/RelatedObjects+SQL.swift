import ObjectModel

extension RelatedObjects {
  /// The alias of the owners.
  static let owner = "o"

  /// The tables, the targets as `t0`.
  func source(_ layout: Layout, _ dialect: any SQLDialect) -> String {
    let table = layout.table(of: relationship.owner)
    let sql = RelationshipSQL(layout: layout, relationship: relationship, dialect)
    return "\(SQL.quoted(table.name)) \(Self.owner) \(sql.joins(owner: Self.owner, target: "t0"))"
  }

  /// Which owners are meant.
  func condition(
    _ layout: Layout, _ dialect: any SQLDialect, _ arguments: inout SQLArguments
  ) -> String {
    let table = layout.table(of: relationship.owner)
    switch owners {
    case .rows(let rows):
      let row = "\(Self.owner).\(dialect.rowColumn(of: table))"
      let values = rows.map { [SQLValue.integer($0)] }
      return dialect.isOne([row], of: values, [.integer], &arguments) ?? dialect.truth(false)
    case .key(let parts):
      let pairs = zip(table.key, parts).map { column, part in
        let form = SQLForm(table.columns[column])
        guard dialect.holds(part, as: form) else { return dialect.truth(false) }
        arguments.append(part, form)
        let parameter = dialect.parameter(arguments.count)
        return "\(Self.owner).\(SQL.quoted(table.columns[column].name)) = \(parameter)"
      }
      return pairs.joined(separator: " AND ")
    }
  }

  /// The terms of the relationship's own order.
  func ordering(_ layout: Layout, _ dialect: any SQLDialect) -> String {
    let sql = RelationshipSQL(layout: layout, relationship: relationship, dialect)
    return String(sql.ordering(owner: Self.owner, target: "t0").dropFirst(" ORDER BY ".count))
  }
}
