import ObjectModel

/// The tables behind a path, and what makes their rows those it leads to.
struct PathSelection {
  var source: RelationshipSQL.Source
  /// The number of what the first step leads to.
  let firstNumber: Int
  /// What the last step leads to.
  let last: ObjectSource
  /// The tables on the way that are not joined with the first, each with the kind of the join.
  var further: [(step: RelationshipSQL.Step, kind: String)] = []

  func exists(_ condition: String?) -> String { "EXISTS " + select("1", and: condition) }

  func select(_ expression: String, and condition: String? = nil) -> String {
    let more = condition.map { " AND " + $0 } ?? ""
    return "(SELECT \(expression) FROM \(source.tables) WHERE \(source.condition)\(more))"
  }

  /// A value of the only object.
  func selectOnly(_ expression: String, _ dialect: any SQLDialect) -> String {
    "(SELECT \(expression) FROM \(source.tables) WHERE \(source.condition)\(dialect.onlyRow))"
  }

  /// The same as ``exists(_:)`` for a condition that the objects around it have no part in: what is looked for is
  /// looked for once, whatever the number of objects around. Null where the reference is.
  func contains(_ condition: String) -> String {
    "\(SQL.row(source.owner)) IN (SELECT \(source.columns.joined(separator: ", ")) \(rows(condition)))"
  }

  /// `FROM … WHERE …`, for the objects that fulfil a condition, whatever they belong to. Tables that are not joined are
  /// looked into by sub-selects.
  func rows(_ condition: String) -> String {
    var condition = condition
    for (step, _) in further.reversed() {
      let filter = step.filter.map { $0 + " AND " } ?? ""
      condition =
        "\(SQL.row(step.before)) IN (SELECT \(step.columns.joined(separator: ", ")) FROM \(step.named)"
        + " WHERE \(filter)\(condition))"
    }
    let filter = source.filter.map { $0 + " AND " } ?? ""
    return "FROM \(source.tables) WHERE \(filter)\(condition)"
  }
}

extension PredicateSQL {
  func route(_ path: PredicatePath, _ scope: Scope) throws(ObjectPredicateError) -> PredicateRoute {
    let route =
      switch path.variable.flatMap({ scope.variables[$0] }) {
      case .element(let place): PredicateRoute(path, from: place, around: scope.object)
      case .object(let object): try PredicateRoute(path, from: object, layout, in: format)
      case nil: try PredicateRoute(path, from: scope.object, layout, in: format)
      }
    if let name = route.keys.first(where: { $0.text.contains("\"") }) {
      // SQLite has no way to say it in the path of a member.
      throw error(
        "The key \(Excerpt.of(name.text)) has a quotation mark, which cannot be asked for.", at: name.place)
    }
    return route
  }

  /// The tables that relationships pass from an object.
  mutating func selection(
    of first: SchemaRelationship, _ rest: ArraySlice<SchemaRelationship>, from start: ObjectSource
  ) -> PathSelection {
    mention(start)
    var last = newSource(of: first)
    let firstNumber = last.number
    let way = RelationshipSQL(layout: layout, relationship: first, dialect)
    var further = way.steps(owner: start.alias, target: last.alias).dropFirst().map { ($0, "JOIN") }
    let source = way.source(owner: start.alias, target: last.alias)
    for step in rest {
      let next = newSource(of: step)
      // An object without the target has a null there, which counts as a value.
      let kind = step.isToMany ? "JOIN" : "LEFT JOIN"
      further += RelationshipSQL(layout: layout, relationship: step, dialect)
        .steps(owner: last.alias, target: next.alias).map { ($0, kind) }
      last = next
    }
    let selection = PathSelection(source: source, firstNumber: firstNumber, last: last, further: further)
    return dialect.readsTablesAlone ? selection : joined(selection)
  }

  /// The same with all its tables joined.
  mutating func joined(_ selection: PathSelection) -> PathSelection {
    var joined = selection
    joined.further = []
    for (step, kind) in selection.further {
      joined.source.tables += " " + step.joined(kind, reading: &commonTables)
    }
    return joined
  }

  /// The tables that a path passes; nil if it passes none.
  mutating func selection(of route: PredicateRoute) -> PathSelection? {
    guard let first = route.steps.first else { return nil }
    return selection(of: first, route.steps.dropFirst(), from: route.start)
  }

  /// The targets of a relationship, under an alias that nothing else has.
  private mutating func newSource(of step: SchemaRelationship) -> ObjectSource {
    let number = newAlias()
    return ObjectSource(
      alias: "p\(number)", entity: layout.schema.entities[step.destination], number: number)
  }

  /// The value at the end of a path to one.
  mutating func single(_ route: PredicateRoute, _ place: Place) throws(ObjectPredicateError) -> Operand {
    guard !route.isToMany else {
      throw error(
        "\(route.manyName) leads to many objects: put ANY, ALL or NONE before the path, or use an @count.",
        at: route.path.place)
    }
    var values: [SQLPart]
    if let selection = selection(of: route) {
      values = parts(of: route, selection.last).map { part in
        if let json = part.json { return SQLPart(json: json.selected { selection.select($0) }) }
        var selected = SQLPart(sql: only(part, selection, route), type: part.type)
        (selected.greatest, selected.holdsMixedKeys) = (part.greatest, part.holdsMixedKeys)
        selected.home = part.home
        return selected
      }
    } else {
      values = parts(of: route, route.start)
    }
    return Operand(kind: .parts(values), place: place, text: route.path.text)
  }

  /// The value, or the parts of the key, of an object at the end of a path.
  mutating func parts(of route: PredicateRoute, _ last: ObjectSource) -> [SQLPart] {
    mention(last)
    switch route.end {
    case .attribute(let column):
      var part = part(column, last.alias)
      part.elements = elementIndex(of: column, last)
      if last.number > 0 { part.home = (layout.table(of: last.entity.index), column) }
      return [part]
    case .member(let column, let keys):
      _ = exactly(dialect.readsJSON ? column.name : nil)
      return [SQLPart(json: JSONPlace(column: part(column, last.alias).sql).member(keys))]
    case .element(let place):
      _ = exactly(dialect.readsJSON ? place.value : nil)
      return [SQLPart(json: place)]
    case .objects(let entity):
      let table = layout.table(of: entity.index)
      return identityParts(entity, table.key.map { part(table.columns[$0], last.alias) })
    case .reference(let relationship):
      guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { return [] }
      let owner = layout.table(of: relationship.owner)
      let stored = columns.map { part(owner.columns[$0], last.alias) }
      let keys = identityParts(layout.schema.entities[relationship.destination], stored)
      if route.path.countsPending { return keys }
      // A reference to an object that has not arrived reads as null.
      let target = RelationshipSQL(layout: layout, relationship: relationship, dialect)
        .source(owner: last.alias, target: "p\(newAlias())")
      let selection = PathSelection(source: target, firstNumber: 0, last: last)
      let arrived = hasAny(selection)
      return keys.map { key in
        var part = key
        part.sql = "CASE WHEN \(arrived) THEN \(key.sql) END"
        (part.column, part.arrived) = (key.sql, arrived)
        return part
      }
    }
  }

  /// The index of the elements of a list, and the alias of its table; nil if there is none.
  private func elementIndex(
    of column: Column, _ source: ObjectSource
  ) -> (index: ElementIndexSQL, alias: String)? {
    let table = layout.table(of: source.entity.index)
    guard let index = table.elementIndexes.first(where: { table.columns[$0.column].name == column.name })
    else {
      return nil
    }
    return (ElementIndexSQL(table: table, index: index), source.alias)
  }

  /// The values of an identity, where the store's key is made of it.
  private mutating func identityParts(_ entity: SchemaEntity, _ key: [SQLPart]) -> [SQLPart] {
    guard entity.isIdentifiedBelowRoot else { return key }
    let values = layout.identity(fromColumns: key.map(\.sql), of: entity, dialect)
    return zip(values, entity.identity).map { sql, value in
      let type = ComparedType(value.type)
      // Parts of a key are texts, and in the store's form.
      let isText = [.integer, .real, .text, .json].contains(type)
      return SQLPart(sql: exactly(isText || dialect.readsJSON ? sql : nil), type: type, column: sql)
    }
  }

  private func part(_ column: Column, _ alias: String) -> SQLPart {
    let name = "\(alias).\(SQL.quoted(column.name))"
    var part = SQLPart(sql: name, type: ComparedType(column.type), column: name)
    part.holdsMixedKeys = column.holdsMixedKeys
    switch column.type {
    case .integer16: part.greatest = 32_768
    case .integer32: part.greatest = 2_147_483_648
    default: break
    }
    return part
  }
}
