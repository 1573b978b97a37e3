import ObjectModel
import ObjectStore
import TestSettings

#if PostgreSQL
  import PostgreSQLClient
#endif

extension Store {
  /// The rows that a query gives, their columns separated by spaces; null is `-`.
  func rows(_ sql: String) throws -> [String] {
    #if PostgreSQL
      if Engine.isServer { return try serverRows(sql) }
    #endif
    return try read { transaction in
      let statement = try transaction.prepare(sql)
      var rows: [String] = []
      while try statement.step() {
        let columns = (0..<statement.columnCount).map { statement.isNull($0) ? "-" : statement.string($0) }
        rows.append(columns.joined(separator: " "))
      }
      return rows
    }
  }

  #if PostgreSQL
    /// As ``rows(_:)``, of what is committed. Names with letters of both cases get quotes.
    private func serverRows(_ sql: String) throws -> [String] {
      let connection = try PostgreSQLConnection.open(Place.database.get())
      let schema = backend.path.split(separator: ", schema ").last ?? ""
      try connection.execute("SET search_path = \"\(schema)\"")
      let quoted = sql.replacing("rowid", with: "broker_row").replacing(/'[^']*'|\w+/) { match in
        let word = match.output
        let isName = word.contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
        return isName && !word.hasPrefix("'") ? "\"\(word)\"" : String(word)
      }
      let values = "SELECT coalesce(value, '-') FROM json_each_text(to_json(found))"
      let rows = try connection.query("SELECT array_to_string(ARRAY(\(values)), ' ') FROM (\(quoted)) found")
      return try (0..<rows.count).map { try rows.field($0, 0).string() }
    }
  #endif
}
