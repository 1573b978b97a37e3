/// Words of SQL.
package enum SQL {
  /// A name in quotes, so that `Order`, `group` and anything else a model calls something is a name.
  package static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as a literal.
  package static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// `"a" = ?1 AND "b" = ?2`, counted from `first`.
  static func equal(_ names: [String], from first: Int = 1) -> String {
    names.enumerated().map { "\(quoted($1)) = ?\(first + $0)" }.joined(separator: " AND ")
  }

  /// A term of an order by places. A link that was told by its other end only has no place, and comes last.
  static func place(_ column: String) -> String { "\(column) NULLS LAST" }

  /// Whether a statement searches a full-text index.
  package static func searches(_ sql: String) -> Bool { sql.contains(" MATCH ") }

  static func list(_ names: [String], separator: String = ", ") -> String {
    names.map(quoted).joined(separator: separator)
  }

  /// `?1, ?2, ?3`, counted from `first`.
  static func parameters(_ count: Int, from first: Int = 1) -> String {
    (0..<count).map { "?\(first + $0)" }.joined(separator: ", ")
  }
}
