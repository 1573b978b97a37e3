import Foundation

/// The last imports, which the store remembers in a table.
///
/// Stores of earlier versions kept them as rows of SQLite's own table `sqlite_sequence`, behind a view under the table's
/// name. The view is read as it is, and the next import makes the table of it.
struct ImportHistory {
  private let transaction: SQLiteTransaction
  private static let table = SQL.quoted(StoreTable.imports)

  init(_ transaction: SQLiteTransaction) { self.transaction = transaction }

  private static let columns = [
    "date", "seconds", "sources", "source_count", "inserted", "updated", "deleted", "skipped", "issues",
    "whole",
  ]

  private static let definition = """
    CREATE TABLE IF NOT EXISTS \(table) (
      "number" INTEGER PRIMARY KEY,
      "date" TEXT NOT NULL,
      "seconds" REAL NOT NULL,
      "sources" TEXT NOT NULL,
      "source_count" INTEGER NOT NULL,
      "inserted" TEXT NOT NULL,
      "updated" TEXT NOT NULL,
      "deleted" TEXT NOT NULL,
      "skipped" TEXT NOT NULL,
      "issues" INTEGER NOT NULL,
      "whole" BOOLEAN NOT NULL
    )
    """

  /// The view of earlier versions.
  static let formerView = "CREATE VIEW \(table) AS\n\(formerQuery)"

  /// The query of the view. It is asked directly, since SQLite before 3.41 refuses functions for JSON in views of a file that
  /// is not trusted.
  private static let formerQuery = """
    SELECT "seq" AS "number", \(columns.map { "json_extract(\(formerJSON), '$.\($0)') AS \"\($0)\"" }.joined(separator: ", "))
    FROM "sqlite_sequence" WHERE "name" GLOB '\(StoreTable.imports) *'
    """

  private static let formerJSON = "substr(\"name\", \(StoreTable.imports.utf8.count + 2))"

  /// The object of the schema under the table's name: a table, a view, or nothing.
  private var kind: String? {
    get throws {
      let existence = try transaction.cached("SELECT type FROM sqlite_schema WHERE name = ?1")
      existence.bind(StoreTable.imports, at: 1)
      defer { existence.reset() }
      return try existence.step() ? existence.string(0) : nil
    }
  }

  // MARK: - Reading

  func records() throws -> [ImportRecord] {
    guard let kind = try kind else { return [] }
    let source = kind == "view" ? "(\(Self.formerQuery))" : Self.table
    let statement = try transaction.prepare(
      "SELECT \(SQL.list(Self.columns)) FROM \(source) ORDER BY \"number\" DESC LIMIT \(ImportRecord.most)"
    )
    var records: [ImportRecord] = []
    while try statement.step() { records.append(Self.record(statement)) }
    return records
  }

  private static func record(_ row: PreparedStatement) -> ImportRecord {
    var record = ImportRecord(
      date: date(row.string(0)), seconds: row.double(1), sources: value(row.string(2)) ?? [],
      sourceCount: Int(row.integer(3)))
    record.inserted = value(row.string(4)) ?? [:]
    record.updated = value(row.string(5)) ?? [:]
    record.deleted = value(row.string(6)) ?? [:]
    record.skipped = value(row.string(7)) ?? [:]
    record.issueCount = Int(row.integer(8))
    record.isWhole = row.integer(9) != 0
    return record
  }

  private static func value<Value: Decodable>(_ json: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  private static func date(_ text: String) -> Date {
    var text = text
    guard let time = text.withUTF8({ ISODate.read($0) }) else { return .distantPast }
    var scale: Int64 = 1
    for _ in 0..<time.fractionDigits { scale *= 10 }
    return Date(
      timeIntervalSinceReferenceDate: DateText.read(
        Int64(time.secondsSince1970 - 978_307_200), Int64(time.fraction), time.fractionDigits, scale))
  }

  // MARK: - Writing

  /// Writes a record. Observers are not told of it.
  func put(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    let before = transaction.cache.log.mark
    defer { transaction.cache.log.ignore(transaction.cache.log.mark - before) }
    do {
      return try insert(record, number: number)
    } catch let error as StoreError {
      // The store is older than the table. To look first would cost every import a search of SQLite's own tables.
      guard try kind != "table" else { throw error }
      try makeTable()
      return try insert(record, number: number)
    }
  }

  /// Makes the table, with what a view of an earlier version shows.
  ///
  /// Statements that others are in the middle of keep SQLite from dropping tables, so the empty table beside the view stays.
  private func makeTable() throws {
    guard try kind == "view" else { return try transaction.prepare(Self.definition).run() }
    let former = try transaction.prepare(Self.formerQuery)
    var rows: [[SQLValue]] = []
    while try former.step() { rows.append((0...Self.columns.count).map { former.value($0) }) }
    try transaction.prepare("DROP VIEW \(Self.table)").run()
    try transaction.prepare(Self.definition).run()
    let arguments = (1...Self.columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
    let insertion = try transaction.prepare("INSERT INTO \(Self.table) VALUES (\(arguments))")
    for row in rows {
      for (index, value) in row.enumerated() { insertion.bind(value, at: index + 1) }
      try insertion.run()
    }
    try transaction.prepare(
      "DELETE FROM \"sqlite_sequence\" WHERE \"name\" GLOB \(SQL.literal(StoreTable.imports + " *"))"
    ).run()
  }

  private func insert(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    let written = try number ?? lastNumber() + 1
    let arguments = (1...Self.columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
    let statement = try transaction.cached("INSERT OR REPLACE INTO \(Self.table) VALUES (\(arguments))")
    statement.bind(written, at: 1)
    statement.bind(DateText(secondsSince2001: record.date.timeIntervalSinceReferenceDate)?.text ?? "", at: 2)
    statement.bind(record.seconds, at: 3)
    statement.bind(HistoryJSON.list(record.sources), at: 4)
    statement.bind(Int64(record.sourceCount), at: 5)
    for (index, counts) in [record.inserted, record.updated, record.deleted, record.skipped].enumerated() {
      statement.bind(HistoryJSON.object(counts), at: 6 + index)
    }
    statement.bind(Int64(record.issueCount), at: 10)
    statement.bind(Int64(record.isWhole ? 1 : 0), at: 11)
    try statement.run()
    // Some at a time: each removal writes a page of the file besides that of the new record.
    if written % 20 == 0 { try delete(upTo: written - Int64(ImportRecord.most)) }
    return written
  }

  private func lastNumber() throws -> Int64 {
    let statement = try transaction.cached("SELECT max(\"number\") FROM \(Self.table)")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  private func delete(upTo number: Int64) throws {
    let statement = try transaction.cached("DELETE FROM \(Self.table) WHERE \"number\" <= ?1")
    statement.bind(number, at: 1)
    try statement.run()
  }

  func removeAll() throws {
    guard let kind = try kind else { return }
    if kind == "view" { try makeTable() }
    try delete(upTo: .max)
  }
}

extension SQLiteTransaction {
  package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    try ImportHistory(self).put(record, number: number)
  }

  package func importHistory() throws -> [ImportRecord] { try ImportHistory(self).records() }

  package func forgetImports() throws { try ImportHistory(self).removeAll() }
}

/// Names and counts as JSON. `JSONEncoder` would take longer than all else that is done for a record.
private enum HistoryJSON {
  static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "[]" : "[" + texts.map(quoted).joined(separator: ",") + "]"
  }

  static func object(_ counts: [String: Int]) -> String {
    if counts.isEmpty { return "{}" }
    let members = counts.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value)" }
    return "{" + members.joined(separator: ",") + "}"
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
