import GRDB

/// Whether SQLite can keep full-text indexes. That is for whoever built the library to say.
enum FullTextSearch {
  static let isMissing =
    "The model has searched attributes, and the SQLite library of this program lacks its extension FTS5, which keeps"
    + " the index: use a library that has it, or take “search” away from the attributes."

  /// - Throws: ``StoreError`` if it cannot.
  static func check(_ database: Database) throws {
    let sql = "SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5')"
    guard try Bool.fetchOne(database, sql: sql) ?? false else { throw StoreError.invalid(isMissing) }
  }

  /// Whether that is what an error of SQLite's says.
  static func isCause(of message: String) -> Bool { message.contains("no such module: fts5") }
}
