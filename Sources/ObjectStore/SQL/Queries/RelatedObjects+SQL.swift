import ObjectModel

extension RelatedObjects {
  /// The alias of the owners.
  static let owner = "o"

  /// The tables, the targets as `t0`.
  ///
  /// - Parameters:
  ///   - condition: Which owners are meant.
  ///   - tables: Gets what has to be read ahead of the targets.
  func source(
    _ layout: Layout, _ dialect: any SQLDialect, where condition: String, _ tables: inout CommonTables
  ) -> String {
    let owner = TableColumns(layout.table(of: relationship.owner), dialect)
    var text = tables.source(owner, as: Self.owner, where: condition)
    let steps = RelationshipSQL(layout: layout, relationship: relationship, dialect)
      .steps(owner: Self.owner, target: "t0")
    for step in steps.dropLast() { text += " " + step.joined("JOIN", reading: &tables) }
    if let last = steps.last { text += " JOIN \(last.named) ON \(last.condition)" }
    return text
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
