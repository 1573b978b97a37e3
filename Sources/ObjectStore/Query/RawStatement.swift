import Foundation
import GRDBSQLite
import ObjectModel

/// Statements that people write.
extension StoreTransaction {
  /// What a statement may do.
  package enum RawAccess: Sendable {
    case reading
    case writing

    /// The words that a statement may begin with.
    fileprivate var words: [String] {
      switch self {
      case .reading: ["SELECT", "WITH", "VALUES", "EXPLAIN"]
      case .writing: ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"]
      }
    }
  }

  /// Prepares a statement that somebody wrote, with its arguments.
  ///
  /// - Throws: ``StoreError`` if it is several, does what it may not, or has other parameters than these.
  package func prepareRaw(
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
    let names = try namesByRootPage()
    let program = try prepare("EXPLAIN " + sql)
    var (writesTable, writesIndex) = (false, false)
    while try program.step() {
      // What a trigger of a table writes to an index is among it.
      if program.string(1) == "VUpdate" { writesIndex = true }
      guard ["OpenWrite", "Clear", "Destroy"].contains(program.string(1)) else { continue }
      // OpenWrite has the page in p2 and the database in p3, Clear and Destroy in p1 and p2.
      let isOpening = program.string(1) == "OpenWrite"
      guard program.integer(isOpening ? 4 : 3) == 0, let name = names[program.integer(isOpening ? 3 : 2)]
      else {
        continue
      }
      if layout.tables.contains(where: { $0.elementIndexes.contains { $0.name == name } }) {
        writesIndex = true
        continue
      }
      let isKnown = layout.tables.contains { $0.name == name } || layout.joins.contains { $0.name == name }
      guard isKnown else {
        throw StoreError.invalid("\(name) is the store's own, and cannot be written by SQL.")
      }
      writesTable = true
    }
    if writesIndex, !writesTable {
      throw StoreError.invalid("An index of the store is its own, and cannot be written by SQL.")
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

extension PreparedStatement {
  /// The names of the columns of its rows.
  package var columnNames: [String] { (0..<columnCount).map(columnName) }
}

extension QueryBuilder {
  /// The names of the columns that hold the key of the objects.
  package var keyNames: [String] {
    let table = layout.table(of: entity.index)
    return table.key.map { table.columns[$0].name }
  }
}

extension Layout {
  /// The name of the table of an entity; nil if there is no such entity.
  package func tableName(of entity: String) -> String? {
    schema.entity(entity).map { table(of: $0.index).name }
  }
}

extension SQL {
  /// What a statement uses that only the connections of a store have.
  package static func functions(in sql: String) -> [String] {
    let functions = [
      StoreFunctions.fold, StoreFunctions.ends, StoreFunctions.like, StoreFunctions.matches,
      StoreFunctions.finds,
      StoreFunctions.characterCount, StoreFunctions.single, StoreFunctions.keyPart, DecimalSum.sum,
      DecimalSum.average,
    ]
    let used = functions.filter { sql.contains("\($0)(") }
    return used + (sql.contains("COLLATE \(DecimalOrder.collation)") ? [DecimalOrder.collation] : [])
  }
}
