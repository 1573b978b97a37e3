import ObjectModel

/// Objects that are named one by one.
extension QueryBuilder {
  /// - Throws: ``StoreError`` if there are more identities than SQLite takes of values that are no texts or whole numbers.
  mutating func add(_ choice: Query.Choice) throws {
    switch choice {
    case .identities(let identities): try add(identities: identities)
    case .keys(let keys): try add(keys: keys)
    case .rows(let rows): add(rows: rows)
    case .givenKey: addKeyParameters()
    case .givenRow: addRowParameter()
    }
  }

  /// SQLite takes no more arguments than 32,766, those of other conditions among them.
  private static let argumentLimit = 30_000

  /// Only the objects with one of these identities, of which there may be any number.
  ///
  /// - Throws: ``StoreError`` if there are more than SQLite takes of values that are no texts or whole numbers.
  private mutating func add(identities: [[SQLValue]]) throws {
    let layout = layout
    let entity = entity
    guard entity.isIdentifiedBelowRoot else { return try add(keys: identities) }
    try add(keys: identities.map { layout.key(ofIdentity: $0, of: entity) })
  }

  /// Only the objects with one of these keys, as the store has them.
  ///
  /// - Throws: ``StoreError`` as ``add(identities:)`` does.
  private mutating func add(keys identities: [[SQLValue]]) throws {
    let key = table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }
    let forms = table.key.map { SQLForm(table.columns[$0]) }
    if let condition = dialect.isOne(key, of: identities, forms, &arguments) {
      return conditions.append(condition)
    }
    let names = key.joined(separator: ", ")
    guard arguments.count + identities.count * table.key.count <= Self.argumentLimit else {
      throw StoreError.invalid("\(identities.count) identities that are numbers with fractions are too many.")
    }
    let rows = identities.map { parts in
      let parameters = zip(parts, forms).map { part, form in
        arguments.append(part, form)
        return dialect.parameter(arguments.count)
      }
      return "(\(parameters.joined(separator: ", ")))"
    }
    conditions.append(
      rows.isEmpty ? "FALSE" : "(\(names)) IN (VALUES \(rows.joined(separator: ", ")))")
  }

  /// Only the object whose key is bound to the first parameters.
  private mutating func addKeyParameters() {
    for (index, column) in table.key.enumerated() {
      arguments.append(.null, SQLForm(table.columns[column]))
      conditions.append("t0.\(SQL.quoted(table.columns[column].name)) = \(dialect.parameter(index + 1))")
    }
  }

  /// Only the object in the row that is bound to the first parameter.
  private mutating func addRowParameter() {
    arguments.append(.null, .integer)
    conditions.append("\(row) = \(dialect.parameter(1))")
  }

  /// Only the objects in some rows.
  private mutating func add(rows: [Int64]) {
    guard let only = rows.first, rows.count == 1 else {
      let values = rows.map { [SQLValue.integer($0)] }
      if let condition = dialect.isOne([row], of: values, [.integer], &arguments) {
        conditions.append(condition)
      }
      return
    }
    arguments.append(.integer(only), .integer)
    conditions.append("\(row) = \(dialect.parameter(arguments.count))")
  }

  mutating func add(identity: String) throws {
    guard entity.hasIdentity else {
      throw StoreError.invalid("\(entity.name) has no identity, so its objects cannot be named.")
    }
    guard let values = ComparedType.identity(identity, of: entity) else {
      let names = entity.identity.map(\.name).joined(separator: ",")
      throw StoreError.invalid(
        "The identity of \(entity.name) has \(entity.identity.count) parts, \(names): give them joined by"
          + " commas.")
    }
    for (column, value) in zip(table.key, layout.key(ofIdentity: values, of: entity)) {
      let form = SQLForm(table.columns[column])
      guard dialect.holds(value, as: form) else { return conditions.append(dialect.truth(false)) }
      arguments.append(value, form)
      conditions.append(
        "t0.\(SQL.quoted(table.columns[column].name)) = \(dialect.parameter(arguments.count))")
    }
  }
}
