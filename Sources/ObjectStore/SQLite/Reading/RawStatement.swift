import Foundation
import GRDBSQLite
import ObjectModel

/// Statements that people write.
extension SQLiteTransaction {
  /// What a statement may do.
  private enum RawAccess {
    case reading
    case writing

    /// The words that a statement may begin with.
    var words: [String] {
      switch self {
      case .reading: ["SELECT", "WITH", "VALUES", "EXPLAIN"]
      case .writing: ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"]
      }
    }
  }

  /// The rows that a statement gives which somebody wrote, and the names of their columns.
  ///
  /// - Throws: ``StoreError`` if it is several, writes, or has other parameters than these.
  package func cursor(
    rawSQL sql: String, _ arguments: [SQLValue]
  ) throws -> (rows: any Cursor, columns: [String]) {
    let statement = try prepareRaw(sql, arguments, for: .reading)
    return (statement, (0..<statement.columnCount).map(statement.columnName))
  }

  /// Runs a statement that somebody wrote, and that writes. Returns how many rows it changed.
  ///
  /// - Throws: ``StoreError`` if it is several, writes nothing or what is the store's own, or has other parameters than
  ///   these.
  package func execute(rawSQL sql: String, _ arguments: [SQLValue]) throws -> Int {
    let statement = try prepareRaw(sql, arguments, for: .writing)
    try statement.run()
    return statement.changes
  }

  /// Prepares a statement that somebody wrote, with its arguments.
  ///
  /// - Throws: ``StoreError`` if it is several, does what it may not, or has other parameters than these.
  private func prepareRaw(
    _ sql: String, _ arguments: [SQLValue], for access: RawAccess
  ) throws -> PreparedStatement {
    try checkIsOngoing()
    let word = Self.firstWord(of: sql)
    guard access.words.contains(word) else {
      throw StoreError.invalid(
        "A statement has to begin with \(access.words.joined(separator: ", ")) here, not with"
          + " \(Excerpt.of(word.isEmpty ? sql : word)).")
    }
    try makeSearch()
    let statement = try prepare(sql)
    guard try isAlone(sql) else {
      throw StoreError.invalid("One statement can be run at a time, and no more.")
    }
    guard statement.parameterCount == arguments.count else {
      throw StoreError.invalid(
        "The statement has \(statement.parameterCount) parameters for \(arguments.count) values: put values into it"
          + " by interpolation.")
    }
    switch access {
    case .reading:
      guard statement.isReadOnly else {
        throw StoreError.invalid("A statement that writes is run by execute, in a write transaction.")
      }
    case .writing: try prepareToWrite(sql, statement)
    }
    statement.bind(all: arguments)
    return statement
  }

  /// - Throws: ``StoreError`` if the statement writes what is the store's own.
  private func prepareToWrite(_ sql: String, _ statement: PreparedStatement) throws {
    guard !statement.isReadOnly else { throw StoreError.invalid("The statement writes nothing.") }
    for name in try cache.authorizer.access(of: sql, on: connection).writes {
      let isKnown = layout.tables.contains { $0.name == name } || layout.joins.contains { $0.name == name }
      guard isKnown else {
        throw StoreError.invalid("\(name) is the store's own, and cannot be written by SQL.")
      }
    }
    try noteForeignWrites()
  }

  /// To be called before somebody else writes: what is kept up in the end of a new store is not awaited then.
  package func noteForeignWrites() throws {
    _ = takeFreshness()
    try makeIndexes()
    try makeSearch()
  }

  /// The first word, in capitals.
  private static func firstWord(of sql: String) -> String {
    var rest = Substring(sql)
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "(" }
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.range(of: "*/") else { return "" }
        rest = rest[end.upperBound...]
      } else {
        return rest.prefix { $0.isLetter }.uppercased()
      }
    }
  }

  /// Whether nothing but space and comments follows the first statement.
  private func isAlone(_ sql: String) throws -> Bool {
    sql.withCString { text in
      var statement: OpaquePointer?
      var rest: UnsafePointer<CChar>?
      guard sqlite3_prepare_v2(connection, text, -1, &statement, &rest) == SQLITE_OK else { return false }
      sqlite3_finalize(statement)
      // A zero in the text ends it for SQLite, but not for its writer.
      guard strlen(text) == sql.utf8.count, let rest else { return false }
      var next: OpaquePointer?
      let code = sqlite3_prepare_v2(connection, rest, -1, &next, nil)
      defer { sqlite3_finalize(next) }
      return code == SQLITE_OK && next == nil
    }
  }
}
