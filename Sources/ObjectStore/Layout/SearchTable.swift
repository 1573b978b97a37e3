package import ObjectModel

/// The full-text index of a table: a table of SQLite's extension FTS5, which keeps the words and reads the texts from
/// the table itself, through a view.
package struct SearchTable: Sendable {
  package let name: String
  /// The view that gives the texts.
  let content: String
  /// The column of the view that has the row ids.
  let rowID: String
  /// The columns of the table that are searched, and their names in the index.
  let columns: [(column: Int, name: String)]

  /// What SQLite calls the tables that FTS5 keeps the words in, and what else is called after the index.
  private static let suffixes =
    [
      "_data", "_idx", "_content", "_docsize", "_config", text,
    ] + IndexTriggers.suffixes
  private static let text = "_text"

  /// Nil if no column is searched.
  init?(of table: Table, _ names: inout Names) {
    let searched = table.columns.indices.filter { table.columns[$0].isSearched }
    guard !searched.isEmpty else { return nil }
    name = names.take("\(table.name)_search", with: Self.suffixes)
    content = name + Self.text
    // FTS5 has columns of its own, one of which is called as the table is.
    var columnNames = Names(reserved: ["rowid", "oid", "_rowid_", "rank", name], .sqlite)
    columns = searched.map { ($0, columnNames.take(table.columns[$0].name)) }
    rowID = columnNames.take("_row")
  }

  /// The name in the index of a column of the table; nil if it is not searched.
  func name(of column: String, in table: Table) -> String? {
    columns.first { table.columns[$0.column].name == column }?.name
  }
}

extension Layout {
  /// The full-text index of the objects of an entity; nil if it and its sub-entities have no searched attributes.
  package func search(of entity: SchemaEntity) -> SearchTable? {
    let isSearched = schema.family(of: entity.index).contains { member in
      schema.entities[member].attributes.contains { $0.attribute.isSearched }
    }
    return isSearched ? table(of: entity.index).search : nil
  }

  /// Whether any attribute is searched.
  var hasSearch: Bool { tables.contains { $0.search != nil } }
}
