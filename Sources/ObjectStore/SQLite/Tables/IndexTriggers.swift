/// The triggers that keep an index of the store's own up to date, whoever writes to its table.
struct IndexTriggers {
  /// The name of the index, which theirs begin with.
  let index: String
  let table: String

  /// What happens to a row.
  enum Event: String, CaseIterable {
    case insert, update, delete
  }

  /// A trigger that runs statements after an event, for rows that a condition holds for.
  ///
  /// - Parameter columns: Of an update, the columns that have to be among those it sets.
  func trigger(
    _ event: Event, of columns: [String] = [], when condition: String, _ statements: [String]
  ) -> String {
    let body = statements.map { "  \($0);\n" }.joined()
    let changed = columns.isEmpty ? "" : " OF \(SQL.list(columns))"
    return
      "CREATE TRIGGER \(name(event)) AFTER \(event.rawValue.uppercased())\(changed) ON \(SQL.quoted(table))"
      + " WHEN \(condition) BEGIN\n\(body)END"
  }

  /// What takes the triggers away.
  var removals: [String] { Event.allCases.map { "DROP TRIGGER IF EXISTS \(name($0))" } }

  /// What the triggers' names end with.
  static let suffixes = Event.allCases.map { "_" + $0.rawValue }

  private func name(_ event: Event) -> String { SQL.quoted("\(index)_\(event.rawValue)") }
}
