extension SQLValue {
  /// The value in the SQL of SQLite.
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
