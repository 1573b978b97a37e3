package import ObjectModel

/// How to get from an object to those that a relationship of it leads to.
package struct RelationshipSQL {
  let layout: Layout
  let relationship: SchemaRelationship
  let dialect: any SQLDialect

  package init(layout: Layout, relationship: SchemaRelationship, _ dialect: any SQLDialect) {
    self.layout = layout
    self.relationship = relationship
    self.dialect = dialect
  }

  /// Whether the first parameter is a list of owners. The row of its owner is then the last column of each target, and
  /// those of one owner come together.
  package var hasManyOwners = false

  private var ownerRow: String { "o.\(dialect.rowColumn(of: layout.table(of: relationship.owner)))" }

  /// The condition that the owner, `o`, is in the row that the first parameter says.
  private var isOwner: String {
    hasManyOwners ? "\(ownerRow) = ANY(\(dialect.parameter(1)))" : "\(ownerRow) = \(dialect.parameter(1))"
  }

  /// The columns of the owner that are selected.
  private var ofOwner: String { hasManyOwners ? ", \(ownerRow)" : "" }

  /// ` ORDER BY …`, by the owners first if there are many.
  private func byOwner(_ ordering: String) -> String {
    guard hasManyOwners else { return ordering }
    let rest = ordering.dropFirst(" ORDER BY ".count)
    return " ORDER BY \(ownerRow)\(rest.isEmpty ? "" : ", ")\(rest)"
  }

  /// A statement, with the tables that have to be read ahead.
  private func statement(_ make: (inout CommonTables) -> String) -> String {
    var tables = CommonTables(dialect)
    let sql = make(&tables)
    return tables.statement(sql)
  }

  /// `FROM …`, with the owners as `o`.
  private func fromOwner(_ tables: inout CommonTables) -> String {
    let owner = TableColumns(layout.table(of: relationship.owner), dialect)
    return "FROM \(tables.source(owner, as: "o", where: isOwner))"
  }

  /// The row ids of the targets of the owner with row id `?1`.
  package func targetRows(from owner: Table, to target: Table) -> String {
    statement { tables in
      "SELECT t.\(dialect.rowColumn(of: target)) \(fromOwner(&tables))"
        + " \(joins(owner: "o", target: "t", reading: &tables)) WHERE \(isOwner)\(ordering(owner: "o", target: "t"))"
    }
  }

  /// The keys of the targets of the owner with row id `?1`, of those that have not arrived too where the link
  /// itself tells.
  package var keys: String {
    let owner = layout.table(of: relationship.owner)
    let target = layout.table(of: relationship.destination)
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let names = columns.map { "o.\(SQL.quoted(owner.columns[$0].name))" }
      return
        "SELECT \(names.joined(separator: ", "))\(ofOwner) FROM \(owner.sqlName) o WHERE \(isOwner)"
        + " AND \(names[0]) IS NOT NULL\(byOwner(""))"
    case .inverse:
      let names = target.key.map { "t.\(SQL.quoted(target.columns[$0].name))" }
      return statement { tables in
        "SELECT \(names.joined(separator: ", "))\(ofOwner) \(fromOwner(&tables))"
          + " \(joins(owner: "o", target: "t", reading: &tables)) WHERE \(isOwner)"
          + byOwner(ordering(owner: "o", target: "t"))
      }
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      let names = sql.target.map { "j.\(SQL.quoted($0))" }
      let key = owner.key.map { owner.columns[$0].name }
      let order =
        (sql.order.map { [SQL.place("j.\(SQL.quoted($0))")] } ?? [])
        + zip(names, sql.targetColumns).map { dialect.keyTerm($0, $1) }
      let link = Step(TableColumns(layout.joins[index]), "j", sql.owner, to: "o", key)
      return statement { tables in
        "SELECT \(names.joined(separator: ", "))\(ofOwner) \(fromOwner(&tables)) \(link.joined("JOIN", reading: &tables))"
          + " WHERE \(isOwner)\(byOwner(" ORDER BY \(order.joined(separator: ", "))"))"
      }
    }
  }

  /// The targets of the owner with row id `?1`, as expressions of `t`, with what the link itself knows of each
  /// behind them: of a join table, the target's key, also of targets that have not arrived, for which all before
  /// is null; of an ordered list that the targets keep, the place.
  package func targets(selecting expressions: [String]) -> String {
    let names = expressions.joined(separator: ", ")
    guard case .join(let index, let isForward) = layout.relationships[relationship.index] else {
      let place = place(target: "t").map { ", \($0)" } ?? ""
      return statement { tables in
        "SELECT \(names)\(place)\(ofOwner) \(fromOwner(&tables)) \(joins(owner: "o", target: "t", reading: &tables))"
          + " WHERE \(isOwner)\(byOwner(ordering(owner: "o", target: "t")))"
      }
    }
    let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
    let key = sql.target.map { "t_link.\(SQL.quoted($0))" }
    let order =
      (sql.order.map { [SQL.place("t_link.\(SQL.quoted($0))")] } ?? [])
      + zip(key, sql.targetColumns).map { dialect.keyTerm($0, $1) }
    return statement { tables in
      "SELECT \(names), \(key.joined(separator: ", "))\(ofOwner) \(fromOwner(&tables))"
        + " \(joins(owner: "o", target: "t", kind: "LEFT JOIN", reading: &tables)) WHERE \(isOwner)"
        + " AND \(key[0]) IS NOT NULL\(byOwner(" ORDER BY \(order.joined(separator: ", "))"))"
    }
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

  /// The targets of owners whose keys are known, with the owner's key in the last columns of each and those of one owner
  /// together. The parameters are lists, one for each part of the key. The owners are read only where the link is in them, so
  /// that fewer tables are.
  ///
  /// - Parameter expressions: Expressions of `t`, for targets as ``targets(selecting:)`` has them; nil for keys as
  ///   ``keysAndPlaces`` has them.
  package func targetsOfKnownOwners(selecting expressions: [String]?) -> String {
    let (owner, target) = (layout.table(of: relationship.owner), layout.table(of: relationship.destination))
    func names(_ columns: [Column], _ alias: String) -> [String] {
      columns.map { "\(alias).\(SQL.quoted($0.name))" }
    }
    let targetKey = names(target.key.map { target.columns[$0] }, "t")
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let key = names(owner.key.map { owner.columns[$0] }, "o")
      let link = names(columns.map { owner.columns[$0] }, "o")
      let condition = "\(areKnown(key)) AND \(link[0]) IS NOT NULL"
      return statement { tables in
        guard let expressions else {
          return
            "SELECT \(list(link + key)) FROM \(owner.sqlName) o WHERE \(condition) ORDER BY \(list(key))"
        }
        let source = tables.source(TableColumns(owner, dialect), as: "o", where: condition)
        return "SELECT \(list(expressions + key)) FROM \(source)"
          + " \(joins(owner: "o", target: "t", reading: &tables)) WHERE \(areKnown(key)) ORDER BY \(list(key))"
      }
    case .inverse(let columns, _):
      let link = names(columns.map { target.columns[$0] }, "t")
      let kind = layout.kindCondition(of: relationship.destination, alias: "t").map { " AND \($0)" } ?? ""
      let place = place(target: "t").map { [$0] } ?? []
      return "SELECT \(list((expressions ?? targetKey) + place + link)) FROM \(target.sqlName) t"
        + " WHERE \(areKnown(link))\(kind) ORDER BY \(list(link)), \(ordering(owner: "o", target: "t").dropFirst(10))"
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      let (link, key) = (names(sql.ownerColumns, "t_link"), names(sql.targetColumns, "t_link"))
      let order =
        link + (sql.order.map { [SQL.place("t_link.\(SQL.quoted($0))")] } ?? [])
        + zip(key, sql.targetColumns).map { dialect.keyTerm($0, $1) }
      let join = layout.joins[index]
      return statement { tables in
        guard let expressions else {
          return "SELECT \(list(key + link)) FROM \(join.sqlName) t_link WHERE \(areKnown(link))"
            + " ORDER BY \(list(order))"
        }
        let source = tables.source(TableColumns(join), as: "t_link", where: areKnown(link))
        let last = steps(owner: "o", target: "t").last?.joined("LEFT JOIN", reading: &tables) ?? ""
        return "SELECT \(list(expressions + key + link)) FROM \(source) \(last) WHERE \(areKnown(link))"
          + " ORDER BY \(list(order))"
      }
    }
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  /// The condition that the parts of a key are among those that the parameters list.
  private func areKnown(_ names: [String]) -> String {
    guard names.count > 1 else { return "\(names[0]) = ANY(\(dialect.parameter(1)))" }
    let lists = names.indices.map { dialect.parameter($0 + 1) }
    return "(\(list(names))) IN (SELECT * FROM unnest(\(list(lists))))"
  }

  /// The column with the place in the list, where the targets keep it.
  private func place(target: String) -> String? {
    guard case .inverse(_, let order?) = layout.relationships[relationship.index] else { return nil }
    return "\(target).\(SQL.quoted(layout.table(of: relationship.destination).columns[order].name))"
  }

  /// A table on the way, under its alias: the columns of the table before it, those of its own that equal them,
  /// and what else is true of its rows.
  struct Step {
    let table: TableColumns
    let alias: String
    /// The alias of the table before it.
    private let aliasBefore: String
    let before: [String]
    let columns: [String]
    var filter: String?

    init(
      _ table: TableColumns, _ alias: String, _ columns: [String], to before: String, _ others: [String]
    ) {
      (self.table, self.alias, aliasBefore) = (table, alias, before)
      self.before = others.map { "\(before).\(SQL.quoted($0))" }
      self.columns = columns.map { "\(alias).\(SQL.quoted($0))" }
    }

    var condition: String {
      (zip(columns, before).map { "\($0) = \($1)" } + [filter].compactMap { $0 }).joined(separator: " AND ")
    }

    /// The table itself, under its alias.
    var named: String { "\(table.sqlName) \(alias)" }

    /// `JOIN … ON …`, by one kind of join or another.
    func joined(_ kind: String, reading tables: inout CommonTables) -> String {
      let known = tables.sources[aliasBefore]
      let needed = known.map {
        "\(SQL.row(columns)) IN (SELECT \(before.joined(separator: ", ")) FROM \($0))"
      }
      return "\(kind) \(tables.source(table, as: alias, where: needed)) ON \(condition)"
    }
  }

  /// The way from the owner's alias to the target's: over a join table, or at once.
  func steps(owner: String, target: String) -> [Step] {
    let ownerTable = layout.table(of: relationship.owner)
    let targetTable = layout.table(of: relationship.destination)
    let targets = TableColumns(targetTable, dialect)
    let targetKey = targetTable.key.map { targetTable.columns[$0].name }
    let ownerKey = ownerTable.key.map { ownerTable.columns[$0].name }
    var steps: [Step]
    switch layout.relationships[relationship.index] {
    case .foreignKey(let columns):
      let names = columns.map { ownerTable.columns[$0].name }
      steps = [Step(targets, target, targetKey, to: owner, names)]
    case .inverse(let columns, _):
      let names = columns.map { targetTable.columns[$0].name }
      steps = [Step(targets, target, names, to: owner, ownerKey)]
    case .join(let index, let isForward):
      let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
      let link = "\(target)_link"
      steps = [
        Step(TableColumns(layout.joins[index]), link, sql.owner, to: owner, ownerKey),
        Step(targets, target, targetKey, to: link, sql.target),
      ]
    }
    steps[steps.count - 1].filter = layout.kindCondition(of: relationship.destination, alias: target)
    return steps
  }

  /// How many tables it joins.
  var tableCount: Int {
    if case .join = layout.relationships[relationship.index] { 2 } else { 1 }
  }

  /// The joins that lead from the owner's alias to the target's.
  package func joins(owner: String, target: String, kind: String = "JOIN") -> String {
    steps(owner: owner, target: target).map { "\(kind) \($0.named) ON \($0.condition)" }
      .joined(separator: " ")
  }

  /// The same, with the tables read ahead where the database needs that.
  func joins(
    owner: String, target: String, kind: String = "JOIN", reading tables: inout CommonTables
  ) -> String {
    steps(owner: owner, target: target).map { $0.joined(kind, reading: &tables) }.joined(separator: " ")
  }

  /// The targets, as a query of their own within a query of the owner.
  struct Source {
    /// The first table on the way, with those that are joined with it.
    var tables: String
    /// The columns of the owner.
    let owner: [String]
    /// The columns of the tables that equal those of the owner where they lead to its targets.
    let columns: [String]
    /// Further conditions on the targets.
    let filter: String?

    /// The condition that makes them targets of the owner around the query.
    var condition: String {
      (zip(columns, owner).map { "\($0) = \($1)" } + [filter].compactMap { $0 }).joined(separator: " AND ")
    }
  }

  func source(owner: String, target: String) -> Source {
    let steps = steps(owner: owner, target: target)
    return Source(
      tables: steps[0].named, owner: steps[0].before, columns: steps[0].columns, filter: steps[0].filter)
  }

  /// ` ORDER BY …`, in the relationship's own order or else by key, so that it is stable.
  package func ordering(owner: String, target: String) -> String {
    let table = layout.table(of: relationship.destination)
    var terms: [String] = []
    if let place = place(target: target) { terms.append(SQL.place(place)) }
    switch layout.relationships[relationship.index] {
    case .join(let index, let isForward):
      if let order = JoinSQL(join: layout.joins[index], isForward: isForward).order {
        terms.append(SQL.place("\(target)_link.\(SQL.quoted(order))"))
      }
    default: break
    }
    terms += table.key.map {
      dialect.keyTerm("\(target).\(SQL.quoted(table.columns[$0].name))", table.columns[$0])
    }
    return " ORDER BY \(terms.joined(separator: ", "))"
  }
}

/// The columns of a join table, seen from one of its ends.
struct JoinSQL {
  let join: JoinTable
  let isForward: Bool

  var ownerColumns: [Column] { isForward ? join.ownerColumns : join.targetColumns }
  var targetColumns: [Column] { isForward ? join.targetColumns : join.ownerColumns }
  var owner: [String] { ownerColumns.map(\.name) }
  var target: [String] { targetColumns.map(\.name) }
  /// The column with the places in the owner's list.
  var order: String? { isForward ? join.targetOrder : join.ownerOrder }
}

extension Layout {
  /// The condition that a row of an entity's table is of the entity or one of its sub-entities; nil where all
  /// rows are.
  package func kindCondition(of entity: Int, alias: String? = nil) -> String? {
    let table = table(of: entity)
    guard let kind = table.kindColumn, table.root != entity else { return nil }
    let names = schema.family(of: entity).map { SQL.literal(schema.entities[$0].name) }
    return (alias.map { $0 + "." } ?? "") + "\(SQL.quoted(kind)) IN (\(names.joined(separator: ", ")))"
  }

  /// Whether a statement reads an index of elements.
  func readsElementIndex(_ sql: String) -> Bool {
    tables.contains { $0.elementIndexes.contains { sql.contains(SQL.quoted($0.name)) } }
  }

  /// Whether triggers of the file write more than a statement says.
  var hasTriggers: Bool { hasSearch || tables.contains { !$0.elementIndexes.isEmpty } }
}

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
