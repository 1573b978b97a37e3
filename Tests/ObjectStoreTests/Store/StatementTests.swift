import ObjectStore
import Testing

/// The statements that a connection keeps.
@Suite(.onSQLite("about SQLite's statements")) struct StatementTests {
  private let bands =
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"}]}]}"#

  @Test func aStatementIsKeptForTheNextTransaction() throws {
    let store = try store(bands)
    let first = try store.transaction { (ObjectIdentifier(try $0.cached("SELECT 1")), .rollback) }
    let second = try store.read { ObjectIdentifier(try $0.cached("SELECT 1")) }
    let other = try store.read { ObjectIdentifier(try $0.cached("SELECT 2")) }
    #expect(first == second)
    #expect(first != other)
  }

  @Test func aStatementInUseIsNotGivenTwice() throws {
    let store = try store(bands)
    try store.transaction { transaction in
      try transaction.execute("INSERT INTO Band VALUES (1), (2), (3)")
      let sql = "SELECT id FROM Band WHERE id >= ?1 ORDER BY id"
      var pairs: [String] = []
      let outer = try transaction.cached(sql)
      outer.bind(Int64(2), at: 1)
      while try outer.step() {
        let inner = try transaction.cached(sql)
        #expect(inner !== outer)
        inner.bind(outer.integer(0), at: 1)
        while try inner.step() { pairs.append("\(outer.integer(0))\(inner.integer(0))") }
      }
      #expect(pairs == ["22", "23", "33"])
      return ((), .rollback)
    }
  }

  @Test func argumentsAreForgotten() throws {
    let store = try store(bands)
    try store.read { transaction in
      func value() throws -> Bool {
        let statement = try transaction.cached("SELECT ?1")
        defer { statement.bind(Int64(7), at: 1) }
        return try statement.step() && statement.isNull(0)
      }
      try #expect(value())
      try #expect(value())
    }
    #expect(try store.number("SELECT ?1 IS NULL") == 1)
  }

  @Test func anUnfinishedStatementKeepsNoSnapshot() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    try store.write("INSERT INTO Band VALUES (1), (2)")
    func count() throws -> Int64 {
      try store.read { transaction in
        // Both are left after a row.
        #expect(try transaction.cached("SELECT id FROM Band").step())
        let counting = try transaction.cached("SELECT count(*) FROM Band")
        #expect(try counting.step())
        return counting.integer(0)
      }
    }
    #expect(try count() == 2)
    try store.write("INSERT INTO Band VALUES (3)")
    #expect(try count() == 3)
  }

  @Test func statementsFollowTheTables() throws {
    let store = try store(bands)
    let sql = "SELECT count(*) FROM sqlite_temp_schema"
    try store.transaction { transaction in
      #expect(try transaction.number(sql) == 0)
      try transaction.execute("CREATE TEMP TABLE extra (a)")
      #expect(try transaction.number(sql) == 1)
      return ((), .commit)
    }
    #expect(try store.number(sql) == 1)
  }

  @Test func manyStatementsAreNotKeptForEver() throws {
    let store = try store(bands)
    let first = try store.read { ObjectIdentifier(try $0.cached("SELECT 0")) }
    try store.read { transaction in
      let held = try transaction.cached("SELECT 'held'")
      for number in 0..<2_000 { #expect(try transaction.number("SELECT \(number)") == Int64(number)) }
      #expect(try held.step() && held.string(0) == "held")
    }
    _ = first
  }

  @Test func whatALayerKeepsGoesWithTheStore() throws {
    final class Kept {
      let statement: PreparedStatement
      let onEnd: () -> Void
      init(_ statement: PreparedStatement, _ onEnd: @escaping () -> Void) {
        self.statement = statement
        self.onEnd = onEnd
      }
      deinit { onEnd() }
    }
    for isClosed in [true, false] {
      var ended = 0
      var kept: Store? = try store(bands)
      try kept?.read { transaction in
        transaction.keptObjects[ObjectIdentifier(Kept.self)] = Kept(try transaction.prepare("SELECT 1")) {
          ended += 1
        }
      }
      try kept?.read { transaction in
        let found = try #require(transaction.keptObjects[ObjectIdentifier(Kept.self)] as? Kept)
        #expect(try found.statement.step())
      }
      #expect(ended == 0)
      if isClosed { try kept?.close() }
      kept = nil
      #expect(ended == 1)
    }
  }
}
