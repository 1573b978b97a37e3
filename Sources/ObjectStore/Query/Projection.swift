package import ObjectModel

/// A value of a query's result.
package enum QueryValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A text, and the type that says what it means.
  case text(String, AttributeType)
  case blob([UInt8])
  /// What a to-many relationship gives.
  case list([QueryValue])
}

/// Runs a query that selects key paths, and gives its rows one by one.
package final class Projection {
  /// The key paths, which are the names of the values.
  package let names: [String]
  private let statement: PreparedStatement
  private let sources: [Source]
  private var isDone = false

  /// Where a value comes from.
  private enum Source {
    /// Columns of the statement; several are the parts of a key.
    case columns(Range<Int>, [AttributeType])
    /// A statement that gives the elements of the object whose row id is in the first column.
    case list(PreparedStatement, [AttributeType])
    /// Where words were found in the object whose row id is in the first column.
    case snippet(SnippetReader)
  }

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - keyPaths: What to select; nil for all attributes and the keys that to-one relationships hold.
  ///   - snippets: How to show where words were found, in a column more; nil not to.
  /// - Throws: ``StoreError`` for names that are not in the model.
  package init(
    _ query: Query, selecting keyPaths: [String]?, snippets: SnippetStyle? = nil,
    _ transaction: StoreTransaction
  ) throws {
    let layout = transaction.layout
    var builder = try QueryBuilder(query.entity, layout)
    try builder.add(query)
    let entity = builder.entity
    guard keyPaths?.count ?? 0 <= StoreLimits.columns else {
      throw StoreError.invalid(
        "\(keyPaths?.count ?? 0) values cannot be selected of \(entity.name): \(StoreLimits.columns) are the most."
      )
    }
    let paths = try (keyPaths ?? Self.allKeyPaths(of: entity, layout)).map {
      try ResolvedPath($0, from: entity, layout)
    }
    var columns = ["t0.rowid"]
    var sources: [Source] = []
    for path in paths {
      let types = path.types(layout, from: entity)
      if path.isToMany {
        sources.append(.list(try Self.elements(of: path, entity, transaction), types))
      } else {
        let expressions = try builder.columns(of: path)
        sources.append(.columns(columns.count..<columns.count + expressions.count, types))
        columns += expressions
      }
    }
    var names = paths.map(\.text)
    if let snippets {
      sources.append(.snippet(try SnippetReader(builder, snippets, transaction)))
      names.append(Self.snippetName(beside: names))
    }
    self.names = names
    guard max(columns.count, sources.count) <= StoreLimits.columns else {
      throw StoreError.invalid(
        "\(max(columns.count, sources.count)) values cannot be selected of \(entity.name):"
          + " \(StoreLimits.columns) are the most.")
    }
    self.sources = sources
    statement = try transaction.prepare(builder.statement(selecting: columns))
  }

  /// What the place is called where words were found.
  private static func snippetName(beside names: [String]) -> String {
    var name = "snippet"
    while names.contains(name) { name += "_" }
    return name
  }

  /// All attributes and to-one relationships of an entity, the identity first.
  private static func allKeyPaths(of entity: SchemaEntity, _ layout: Layout) -> [String] {
    let identity = entity.identity.map { entity.attributes[$0].name }
    let rest = entity.attributes.map(\.name).filter { !identity.contains($0) }
    let toOnes = entity.relationships.map { layout.schema.relationships[$0] }.filter { !$0.isToMany }
    return identity + rest + toOnes.map(\.name)
  }

  /// The statement for what a path that passes a to-many relationship gives of one object.
  private static func elements(
    of path: ResolvedPath, _ entity: SchemaEntity, _ transaction: StoreTransaction
  ) throws -> PreparedStatement {
    let layout = transaction.layout
    var sql = "FROM \(SQL.quoted(layout.table(of: entity.index).name)) t0"
    var ordering: [String] = []
    var alias = "t0"
    for (index, relationship) in path.relationships.enumerated() {
      let step = RelationshipSQL(layout: layout, relationship: layout.schema.relationships[relationship])
      let next = "t\(index + 1)"
      sql += " " + step.joins(owner: alias, target: next)
      if layout.schema.relationships[relationship].isToMany {
        ordering.append(String(step.ordering(owner: alias, target: next).dropFirst(" ORDER BY ".count)))
      }
      alias = next
    }
    let columns = path.identity(path.columns(layout).map { "\(alias).\(SQL.quoted($0.name))" }, layout)
    sql = "SELECT \(columns.joined(separator: ", ")) \(sql) WHERE t0.rowid = ?1"
    if !ordering.isEmpty { sql += " ORDER BY \(ordering.joined(separator: ", "))" }
    return try transaction.prepare(sql)
  }

  /// The next row; nil at the end.
  package func next() throws -> [QueryValue]? {
    guard try !isDone && statement.step() else {
      // A statement that is done would begin anew.
      isDone = true
      return nil
    }
    var row: [QueryValue] = []
    row.reserveCapacity(sources.count)
    for source in sources {
      switch source {
      case .columns(let columns, let types):
        row.append(Self.value(columns, types, statement))
      case .list(let elements, let types):
        elements.bind(statement.integer(0), at: 1)
        var values: [QueryValue] = []
        while try elements.step() { values.append(Self.value(0..<types.count, types, elements)) }
        row.append(.list(values))
      case .snippet(let reader):
        row.append(.text(try reader.snippet(ofRow: statement.integer(0)), .string))
      }
    }
    return row
  }

  private static func value(
    _ columns: Range<Int>, _ types: [AttributeType], _ statement: PreparedStatement
  ) -> QueryValue {
    guard let only = types.first, types.count == 1 else {
      if columns.contains(where: { statement.isNull($0) }) { return .null }
      return .text(KeyText.ofColumns(columns, statement), .string)
    }
    let column = columns.lowerBound
    switch statement.storage(column) {
    case nil: return .null
    case .integer:
      return only == .boolean ? .boolean(statement.integer(column) != 0) : .integer(statement.integer(column))
    case .real: return .real(statement.double(column))
    case .text: return .text(statement.string(column), only)
    case .blob: return .blob(Array(statement.blob(column)))
    }
  }
}
