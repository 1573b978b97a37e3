package import ObjectModel

/// A value of a query's result, as it is shown to people.
///
/// An ``SQLValue`` does not say whether `1` is a number or true, or whether a text is a date, and is no list: this says it.
package enum QueryValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A text, and the type that says what it means.
  case text(String, AttributeType)
  case blob([UInt8])
  /// The targets of a to-many relationship.
  case list([QueryValue])
}

/// Runs a query that selects key paths, and gives its rows one by one.
package final class Projection {
  /// The key paths, which are the names of the values.
  package let names: [String]
  private let rows: any Cursor
  private let sources: [Source]
  private var isDone = false

  /// Where a value comes from.
  private enum Source {
    /// Columns of the cursor; several are the parts of a key.
    case columns(Range<Int>, [AttributeType])
    /// The cursor over the elements of the object whose row is in the first column.
    case list(any Cursor, [AttributeType])
    /// Where words were found in the object whose row is in the first column.
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
    _ transaction: any StoreTransaction
  ) throws {
    let layout = transaction.layout
    let entity = try layout.entity(named: query.entity)
    let paths = try Self.paths(keyPaths, of: entity, layout)
    var columns = [SelectedColumn.row]
    var width = 1
    var sources: [Source] = []
    for path in paths {
      let types = path.types(layout, from: entity)
      if path.isToMany {
        sources.append(.list(try transaction.elements(of: path, entity), types))
      } else {
        sources.append(.columns(width..<width + types.count, types))
        width += types.count
        columns.append(.value(path))
      }
    }
    var names = paths.map(\.text)
    if let snippets {
      sources.append(.snippet(try transaction.snippets(of: query, snippets)))
      names.append(Self.snippetName(beside: names))
    }
    self.names = names
    guard max(width, sources.count) <= StoreLimits.columns else {
      throw StoreError.invalid(
        "\(max(width, sources.count)) values cannot be selected of \(entity.name):"
          + " \(StoreLimits.columns) are the most.")
    }
    self.sources = sources
    rows = try transaction.cursor(query, columns)
  }

  private static func paths(
    _ keyPaths: [String]?, of entity: SchemaEntity, _ layout: Layout
  ) throws -> [ResolvedPath] {
    guard keyPaths?.count ?? 0 <= StoreLimits.columns else {
      throw StoreError.invalid(
        "\(keyPaths?.count ?? 0) values cannot be selected of \(entity.name): \(StoreLimits.columns) are the most."
      )
    }
    return try (keyPaths ?? allKeyPaths(of: entity, layout)).map {
      try ResolvedPath($0, from: entity, layout)
    }
  }

  /// How the rows of a query that selects key paths are found.
  ///
  /// - Parameter keyPaths: What to select; nil for all attributes and the keys that to-one relationships hold.
  /// - Throws: ``StoreError`` for names that are not in the model.
  package static func explanation(
    _ query: Query, selecting keyPaths: [String]?, _ transaction: any StoreTransaction
  ) throws -> QueryExplanation {
    let layout = transaction.layout
    let paths = try paths(keyPaths, of: layout.entity(named: query.entity), layout)
    let columns = [SelectedColumn.row] + paths.filter { !$0.isToMany }.map { .value($0) }
    var explanation = try transaction.explanation(of: query, .columns(columns))
    explanation.readForEachObject = paths.filter(\.isToMany).map(\.text)
    return explanation
  }

  /// The name of the place where words were found.
  private static func snippetName(beside names: [String]) -> String {
    var name = "snippet"
    while names.contains(name) { name += "_" }
    return name
  }

  /// All attributes and to-one relationships of an entity, the identity first.
  private static func allKeyPaths(of entity: SchemaEntity, _ layout: Layout) -> [String] {
    let identity = layout.schema.identityNames(of: entity)
    let toOnes = entity.relationships.map { layout.schema.relationships[$0] }.filter { !$0.isToMany }
    let rest = entity.attributes.map(\.name) + toOnes.map(\.name)
    return identity + rest.filter { !identity.contains($0) }
  }

  /// The next row; nil at the end.
  package func next() throws -> [QueryValue]? {
    guard try !isDone && rows.step() else {
      // A cursor that is done would begin anew.
      isDone = true
      return nil
    }
    var row: [QueryValue] = []
    row.reserveCapacity(sources.count)
    for source in sources {
      switch source {
      case .columns(let columns, let types):
        row.append(Self.value(columns, types, rows))
      case .list(let elements, let types):
        elements.bind(rows.integer(0), at: 1)
        var values: [QueryValue] = []
        while try elements.step() { values.append(Self.value(0..<types.count, types, elements)) }
        row.append(.list(values))
      case .snippet(let reader):
        row.append(.text(try reader.snippet(ofRow: rows.integer(0)), .string))
      }
    }
    return row
  }

  private static func value(
    _ columns: Range<Int>, _ types: [AttributeType], _ rows: any Cursor
  ) -> QueryValue {
    guard let only = types.first, types.count == 1 else {
      if columns.contains(where: { rows.isNull($0) }) { return .null }
      return .text(KeyText.ofColumns(columns, rows), .string)
    }
    let column = columns.lowerBound
    switch rows.storage(column) {
    case nil: return .null
    case .integer:
      return only == .boolean ? .boolean(rows.integer(column) != 0) : .integer(rows.integer(column))
    case .real: return .real(rows.double(column))
    case .text: return .text(rows.string(column), only)
    case .blob: return .blob(Array(rows.blob(column)))
    }
  }
}
