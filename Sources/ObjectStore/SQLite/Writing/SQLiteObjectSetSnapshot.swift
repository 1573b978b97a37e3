import ObjectModel
import Synchronization

/// The objects that were there when an import in chunks began.
///
/// Others may make objects before it ends, of which it cannot know. Temporary tables of the connection hold row ids
/// and keys: a row id alone would not do, since that of a deleted object is used again.
final class SQLiteObjectSetSnapshot: Sendable {
  /// Imports of one connection may take turns, so each has tables of its own.
  private let number: Int
  private static let count = Atomic<Int>(0)
  private let leftovers: Locked<[Int]>

  init(_ transaction: SQLiteTransaction) throws {
    number = Self.count.add(1, ordering: .relaxed).newValue
    leftovers = transaction.cache.leftovers
    let old = leftovers.withLock { numbers in
      defer { numbers = [] }
      return numbers
    }
    for number in old { try Self.drop(number, transaction) }
    for table in transaction.layout.tables {
      let keys = table.key.indices.map { "k\($0)" }
      try transaction.execute("CREATE TEMP TABLE \(name(table)) (row INTEGER PRIMARY KEY, \(SQL.list(keys)))")
      try transaction.execute(
        """
        INSERT INTO temp.\(name(table)) SELECT rowid, \(SQL.list(table.key.map { table.columns[$0].name }))
        FROM main.\(SQL.quoted(table.name))
        """)
    }
  }

  deinit {
    // An import that failed had no transaction left. The next one of the connection removes its tables.
    leftovers.withLock { $0.append(number) }
  }

  private static func name(_ table: Table, _ number: Int) -> String {
    SQL.quoted("broker_before_\(number)_\(table.name)")
  }

  private func name(_ table: Table) -> String { Self.name(table, number) }

  /// The rows whose objects are those that were there.
  func known(_ rows: [Int64], of table: Table, _ transaction: SQLiteTransaction) throws -> [Int64] {
    let pairs = table.key.enumerated().map { "b.k\($0) IS t.\(SQL.quoted(table.columns[$1].name))" }
    let statement = try transaction.prepare(
      """
      SELECT 1 FROM temp.\(name(table)) b JOIN main.\(SQL.quoted(table.name)) t ON t.rowid = b.row
      WHERE \((["b.row = ?1"] + pairs).joined(separator: " AND "))
      """)
    return try rows.filter { row in
      statement.bind(row, at: 1)
      defer { statement.reset() }
      return try statement.step()
    }
  }

  func drop(_ transaction: SQLiteTransaction) throws { try Self.drop(number, transaction) }

  private static func drop(_ number: Int, _ transaction: SQLiteTransaction) throws {
    for table in transaction.layout.tables {
      try transaction.execute("DROP TABLE IF EXISTS temp.\(name(table, number))")
    }
  }
}
