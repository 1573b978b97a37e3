/// Where the value of a column of a new table comes from, in a row of an old one.
enum ColumnSource: Equatable {
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
struct TablePart {
  let oldTable: Int
  let newTable: Int
  /// The entities of the rows, as they were and as they become.
  let members: [(old: Int, new: Int)]
  /// For each column of the new table.
  var columns: [ColumnSource] = []
  /// The number of a row in the new table, where that is not the key.
  var rowID = ""
}

extension SQLValue {
  /// The value in SQL.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): value.isFinite ? "\(value)" : "NULL"
    case .text(let text): SQL.literal(text)
    case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}
