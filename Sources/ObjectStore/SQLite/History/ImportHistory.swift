import Foundation

/// The last imports, in a table of the store. It is made by the first import that finds none.
struct ImportHistory {
  private let transaction: StoreTransaction
  private static let table = SQL.quoted(StoreTable.imports)

  init(_ transaction: StoreTransaction) { self.transaction = transaction }

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

  private static let columns = """
    "date", "seconds", "sources", "source_count", "inserted", "updated", "deleted", "skipped", "issues", "whole"
    """

  private var isThere: Bool {
    get throws {
      let existence = try transaction.cached("SELECT 1 FROM sqlite_schema WHERE name = ?1")
      existence.bind(StoreTable.imports, at: 1)
      defer { existence.reset() }
      return try existence.step()
    }
  }

  // MARK: - Reading

  func records() throws -> [ImportRecord] {
    guard try isThere else { return [] }
    let statement = try transaction.cached(
      "SELECT \(Self.columns) FROM \(Self.table) ORDER BY \"number\" DESC LIMIT \(ImportRecord.most)")
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
      if try isThere { throw error }
      try transaction.cached(Self.definition).run()
      return try insert(record, number: number)
    }
  }

  private static let insertion =
    "INSERT OR REPLACE INTO \(table) (\"number\", \(columns)) VALUES (\(SQL.parameters(11)))"

  private func insert(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    let statement = try transaction.cached(Self.insertion)
    if let number { statement.bind(number, at: 1) } else { statement.bindNull(at: 1) }
    let date = DateText(secondsSince2001: record.date.timeIntervalSinceReferenceDate)
    statement.bind(date?.text ?? "", at: 2)
    statement.bind(record.seconds, at: 3)
    statement.bind(PlainJSON.list(record.sources), at: 4)
    statement.bind(Int64(record.sourceCount), at: 5)
    for (index, counts) in [record.inserted, record.updated, record.deleted, record.skipped].enumerated() {
      statement.bind(PlainJSON.object(counts), at: 6 + index)
    }
    statement.bind(Int64(record.issueCount), at: 10)
    statement.bind(Int64(record.isWhole ? 1 : 0), at: 11)
    try statement.run()
    let written = number ?? statement.lastInsertedRowID
    try prune(upTo: written)
    return written
  }

  /// Removes records that are too old, some at a time: each removal writes a page of the file besides that of the new
  /// record.
  private func prune(upTo number: Int64) throws {
    guard number % 20 == 0 else { return }
    let statement = try transaction.cached("DELETE FROM \(Self.table) WHERE \"number\" <= ?1")
    statement.bind(number - Int64(ImportRecord.most), at: 1)
    try statement.run()
  }
}

extension StoreTransaction {
  package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    try ImportHistory(self).put(record, number: number)
  }

  package func importHistory() throws -> [ImportRecord] { try ImportHistory(self).records() }
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

  private static func quoted(_ text: String) -> String {
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
