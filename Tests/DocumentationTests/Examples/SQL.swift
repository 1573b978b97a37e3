import Broker
import Foundation
import GRDB

// SQL.md

func bandsBySQL(_ store: Store) async throws -> [Band] {
  let pattern = "T%"
  let bands = try await store.fetch(Band.self, "SELECT * FROM \(Band.self) WHERE name LIKE \(pattern)")
  return bands
}

struct Share: Decodable {
  var label: String?
  var bands: Int
}

func shares(_ store: Store) async throws -> [Share] {
  let sql: SQLStatement = "SELECT label, count(*) AS bands FROM \(Band.self) GROUP BY label"
  for row in try await store.sql(sql) { print(try row.value("bands", as: Int.self)) }
  let count = try await store.sql("SELECT count(*) FROM \(Album.self)", as: Int.self)
  print(count)
  return try await store.sql(sql, as: Share.self)
}

func writingSQL(_ store: Store) async throws {
  try await store.write { transaction in
    let japan = try transaction.find(Band.self, "Japan")
    try transaction.execute("UPDATE \(Album.self) SET year = year + 1 WHERE band = \(japan.id)")
  }
}

func lendingTheConnection(_ store: Store) async throws -> String? {
  let version = try await store.read { transaction in
    try transaction.withDatabase { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }
  return version
}

func sqlInATransaction(_ transaction: ReadTransaction, _ pattern: String) throws -> Int {
  let statement: SQLStatement = "SELECT * FROM \(Band.self) WHERE name LIKE \(pattern)"
  let rows = try transaction.sql("SELECT label, count(*) AS bands FROM \(Band.self) GROUP BY label")
  let bands = try transaction.fetch(Band.self, "SELECT * FROM \(Band.self) WHERE name LIKE \(pattern)")
  let version = try transaction.withDatabase { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  return try rows.count + bands.count + transaction.sql(statement).count + (version == nil ? 0 : 1)
}
