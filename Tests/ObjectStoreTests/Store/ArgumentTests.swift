import Foundation
import GRDBSQLite
import ObjectStore
import Testing

/// Arguments that SQLite does not take.
@Suite(.onSQLite("about SQLite's statements")) struct ArgumentTests {
  private let bands =
    #"""
    {"entities": [{"name": "Band", "attributes": [
      {"name": "id", "type": "integer64"}, {"name": "name", "type": "string"}, {"name": "logo", "type": "binary"}
    ]}]}
    """#

  @Test func whatIsTooLongIsAnErrorAndNoNull() throws {
    let store = try store(bands)
    let long = [UInt8](repeating: 65, count: 5_000)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: long.count)
    defer { bytes.deallocate() }
    bytes.initialize(from: long, count: long.count)
    try store.transaction { transaction in
      let connection = try transaction.sqlite.connection
      let before = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 2_000)
      defer { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, before) }
      let insertion = try transaction.cached("INSERT INTO Band (id, name, logo) VALUES (?1, ?2, ?3)")
      let bindings: [(PreparedStatement) -> Void] = [
        { $0.bind(String(decoding: long, as: UTF8.self), at: 2) },
        { $0.bind(copyOf: long, at: 3) },
        { $0.bind(text: bytes, count: 5_000, at: 2) },
        { $0.bind(blob: bytes, count: 5_000, at: 3) },
        { $0.bind(Int64(1), at: 4) },
      ]
      for (number, bind) in bindings.enumerated() {
        insertion.bind(Int64(number), at: 1)
        bind(insertion)
        #expect(throws: StoreError.self) { try insertion.run() }
        #expect(try transaction.number("SELECT count(*) FROM Band") == Int64(number))
        // The failure is over with the run that it was for.
        insertion.bind(Int64(number), at: 1)
        insertion.bind("short", at: 2)
        try insertion.run()
      }
      return ((), .commit)
    }
    #expect(try store.number("SELECT count(*) FROM Band WHERE name = 'short' AND logo IS NULL") == 5)
  }
}
