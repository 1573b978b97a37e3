/// Where the value of a column of a new table comes from, in a row of an old one.
package enum ColumnSource: Equatable {
  /// A column of the old table, with a literal for rows where it is null.
  case column(Int, ifNull: String?)
  /// The same for every row, as SQL.
  case constant(String)
  /// SQL about a row.
  case expression(String)

  static let null = ColumnSource.constant("NULL")

  func sql(_ alias: String, _ table: Table) -> String {
    switch self {
    case .column(let index, nil): "\(alias).\(SQL.quoted(table.columns[index].name))"
    case .column(let index, let value?):
      "coalesce(\(alias).\(SQL.quoted(table.columns[index].name)), \(value))"
    case .constant(let sql), .expression(let sql): sql
    }
  }
}

/// The rows of an old table that become rows of a new one.
package struct TablePart {
  package let oldTable: Int
  package let newTable: Int
  /// The entities of the rows, as they were and as they become.
  let members: [(old: Int, new: Int)]
  /// For each column of the new table.
  var columns: [ColumnSource] = []
  /// The number of a row in the new table, where that is not the key.
  var rowID = ""
}
