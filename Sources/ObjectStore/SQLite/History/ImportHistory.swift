import Foundation

/// The last imports, which the store remembers in SQLite's own table `sqlite_sequence`, and shows in a view.
///
/// Two stores with the same objects are to have the same tables, whenever they were imported: `.sha3sum`, `sqldiff` and
/// everybody who compares stores leave SQLite's own tables out. SQLite allows programs to write this one; it only looks
/// there for the names of tables whose key is an `AUTOINCREMENT`. The empty table has such a key, because `VACUUM` and
/// `.dump` keep `sqlite_sequence` only where one is. Source: https://www.sqlite.org/autoinc.html
struct ImportHistory {
  private let transaction: SQLiteTransaction
  private static let view = SQL.quoted(StoreTable.imports)

  init(_ transaction: SQLiteTransaction) { self.transaction = transaction }

  /// What the name of each record begins with, so that it is no table's name.
  private static let prefix = StoreTable.imports + " "
  private static let isRecord = "\"name\" GLOB \(SQL.literal(prefix + "*"))"

  private static let table = """
    CREATE TABLE IF NOT EXISTS \(SQL.quoted(StoreTable.importNumbers)) ("number" INTEGER PRIMARY KEY AUTOINCREMENT)
    """

  private static let columns = [
    "date", "seconds", "sources", "source_count", "inserted", "updated", "deleted", "skipped", "issues",
    "whole",
  ]

  private static let definition = """
    CREATE VIEW IF NOT EXISTS \(view) AS
    SELECT "seq" AS "number", \(columns.map { "json_extract(\(json), '$.\($0)') AS \"\($0)\"" }.joined(separator: ", "))
    FROM "sqlite_sequence" WHERE \(isRecord)
    """

  private static let json = "substr(\"name\", \(prefix.utf8.count + 1))"

  private var isThere: Bool {
    get throws {
      let existence = try transaction.cached("SELECT 1 FROM sqlite_schema WHERE name = ?1 AND type = 'view'")
      existence.bind(StoreTable.imports, at: 1)
      defer { existence.reset() }
      return try existence.step()
    }
  }

  // MARK: - Reading

  func records() throws -> [ImportRecord] {
    guard try isThere else { return [] }
    let statement = try transaction.cached(
      "SELECT \(SQL.list(Self.columns)) FROM \(Self.view) ORDER BY \"number\" DESC LIMIT \(ImportRecord.most)"
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
      // The store is older than the history. To look first would cost every import a search of SQLite's own tables.
      if try isThere { throw error }
      try transaction.cached(Self.table).run()
      try transaction.cached(Self.definition).run()
      return try insert(record, number: number)
    }
  }

  private func insert(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    let last = try lastNumber()
    let written = number ?? last + 1
    if number != nil { try delete("=", written) }
    let statement = try transaction.cached(
      "INSERT INTO \"sqlite_sequence\" (\"name\", \"seq\") VALUES (?1, ?2)")
    statement.bind(Self.prefix + Self.text(record), at: 1)
    statement.bind(written, at: 2)
    try statement.run()
    // Some at a time: each removal writes a page of the file besides that of the new record.
    if written % 20 == 0 { try delete("<=", written - Int64(ImportRecord.most)) }
    return written
  }

  private func lastNumber() throws -> Int64 {
    let statement = try transaction.cached("SELECT max(\"number\") FROM \(Self.view)")
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  private func delete(_ comparison: String, _ number: Int64) throws {
    let statement = try transaction.cached(
      "DELETE FROM \"sqlite_sequence\" WHERE \(Self.isRecord) AND \"seq\" \(comparison) ?1")
    statement.bind(number, at: 1)
    try statement.run()
  }

  func removeAll() throws {
    if try isThere { try delete("<=", .max) }
  }

  private static func text(_ record: ImportRecord) -> String {
    let date = DateText(secondsSince2001: record.date.timeIntervalSinceReferenceDate)?.text ?? ""
    var text = "{\"date\":\(PlainJSON.quoted(date)),\"seconds\":\(record.seconds)"
    text += ",\"sources\":\(PlainJSON.list(record.sources)),\"source_count\":\(record.sourceCount)"
    text +=
      ",\"inserted\":\(PlainJSON.object(record.inserted)),\"updated\":\(PlainJSON.object(record.updated))"
    text += ",\"deleted\":\(PlainJSON.object(record.deleted)),\"skipped\":\(PlainJSON.object(record.skipped))"
    return text + ",\"issues\":\(record.issueCount),\"whole\":\(record.isWhole ? 1 : 0)}"
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
private enum PlainJSON {
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
