import ObjectModel

/// The tables behind a path, and the condition that makes their rows those it leads to.
struct PathSelection {
  let tables: String
  let condition: String
  /// What the last step leads to.
  let last: ObjectSource

  func exists(_ condition: String?) -> String { "EXISTS " + select("1", and: condition) }

  func select(_ expression: String, and condition: String? = nil) -> String {
    let more = condition.map { " AND " + $0 } ?? ""
    return "(SELECT \(expression) FROM \(tables) WHERE \(self.condition)\(more))"
  }
}

extension PredicateSQL {
  func route(_ path: PredicatePath, _ scope: Scope) throws(ObjectPredicateError) -> PredicateRoute {
    let start = path.variable.flatMap { scope.variables[$0] } ?? scope.object
    return try PredicateRoute(path, from: start, layout, in: format)
  }

  /// The tables that a path passes. It must pass some.
  mutating func selection(of route: PredicateRoute) -> PathSelection {
    var tables = ""
    var condition = "1"
    var last = route.start
    for (index, step) in route.steps.enumerated() {
      let sql = RelationshipSQL(layout: layout, relationship: step)
      let alias = newAlias()
      if index == 0 {
        (tables, condition) = sql.source(owner: last.alias, target: alias)
      } else {
        // An object without the target has a null there, which counts as a value.
        tables +=
          " " + sql.joins(owner: last.alias, target: alias, kind: step.isToMany ? "JOIN" : "LEFT JOIN")
      }
      last = ObjectSource(alias: alias, entity: layout.schema.entities[step.destination])
    }
    return PathSelection(tables: tables, condition: condition, last: last)
  }

  /// The value at the end of a path to many, within a sub-select of them.
  mutating func element(
    of route: PredicateRoute, _ selection: PathSelection, _ place: Place
  ) throws(ObjectPredicateError) -> Operand {
    Operand(kind: .parts(parts(of: route, selection.last)), place: place, text: route.path.text)
  }

  /// The value at the end of a path to one.
  mutating func single(_ route: PredicateRoute, _ place: Place) throws(ObjectPredicateError) -> Operand {
    guard !route.isToMany else {
      throw error(
        "\(route.manyName) leads to many objects: put ANY, ALL or NONE before the path, or use an @count.",
        at: route.path.place)
    }
    var values = parts(of: route, route.start)
    if !route.steps.isEmpty {
      let selection = selection(of: route)
      values = parts(of: route, selection.last).map { part in
        SQLPart(sql: selection.select(part.sql), type: part.type)
      }
    }
    return Operand(kind: .parts(values), place: place, text: route.path.text)
  }

  /// The value, or the parts of the key, of an object at the end of a path.
  private mutating func parts(of route: PredicateRoute, _ last: ObjectSource) -> [SQLPart] {
    switch route.end {
    case .attribute(let column): return [part(column, last.alias)]
    case .objects(let entity):
      let table = layout.table(of: entity.index)
      return table.key.map { part(table.columns[$0], last.alias) }
    case .reference(let relationship):
      guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { return [] }
      let owner = layout.table(of: relationship.owner)
      let keys = columns.map { part(owner.columns[$0], last.alias) }
      if route.path.countsPending { return keys }
      // A reference to an object that has not arrived reads as null.
      let target = RelationshipSQL(layout: layout, relationship: relationship)
        .source(owner: last.alias, target: newAlias())
      let arrived = "EXISTS (SELECT 1 FROM \(target.tables) WHERE \(target.condition))"
      return keys.map { key in
        SQLPart(
          sql: "CASE WHEN \(arrived) THEN \(key.sql) END", type: key.type, column: key.sql, arrived: arrived)
      }
    }
  }

  private func part(_ column: Column, _ alias: String) -> SQLPart {
    let name = "\(alias).\(SQL.quoted(column.name))"
    return SQLPart(sql: name, type: ComparedType(column.type), column: name)
  }
}
