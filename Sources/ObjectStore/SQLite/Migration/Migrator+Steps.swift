import Foundation
import GRDB
import ObjectModel

extension Migrator {
  // MARK: - What others have added

  /// The SQL of indexes and triggers that somebody else has given to tables that are made anew, with which they go.
  func objectsOfOthers() throws -> [String] {
    let definitions = TableDefinitions(layout: oldLayout)
    let own = Set(definitions.indexNames + definitions.triggerNames)
    let statement = try PreparedStatement(
      "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL",
      on: connection)
    let rebuilt = Set(rebuiltTables.map { $0.lowercased() })
    var result: [String] = []
    while try statement.step() {
      guard !own.contains(statement.string(0)), rebuilt.contains(statement.string(1).lowercased()) else {
        continue
      }
      result.append(statement.string(2))
    }
    return result
  }

  // MARK: - Stages

  /// Makes way for the indexes of the new tables, with others for the old ones, which code is about to read.
  func renameOldIndexes() throws {
    let definitions = TableDefinitions(layout: oldLayout)
    for index in definitions.indexNames { try execute("DROP INDEX IF EXISTS \(SQL.quoted(index))") }
    let prefixed = Layout(oldLayout.schema, tablePrefix: Self.oldPrefix)
    for statement in TableDefinitions(layout: prefixed).indexes { try execute(statement) }
  }

  // MARK: - Space

  /// - Throws: ``StoreError`` if there is no room for tables that are made anew, beside the old ones.
  func checkSpace(file: StoreFile?, _ database: Database) throws {
    guard let file, !keepsTables else { return }
    let needed =
      Int64(try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0)
      * Int64(try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    var status = statvfs()
    guard rebuildsAny, statvfs(file.folder, &status) == 0 else { return }
    let free = Int64(clamping: UInt64(status.f_bavail)) * Int64(clamping: UInt64(status.f_frsize))
    guard free < needed else { return }
    throw StoreError.invalid(
      "The migration needs up to \(needed >> 20) MB beside the store \(file.path), and there are \(free >> 20) MB. Nothing"
        + " was changed.")
  }
}
