import Foundation
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Reads that go on while something is written.
@Suite struct ReaderTests {
  private let bands = """
    {"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "integer64"},
      {"name": "rating", "type": "decimal", "optional": true}]}]}
    """

  @Test func aReadDoesNotWaitForATransaction() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let (isWriting, hasRead) = (Signal(), Signal())
    let errors = inParallel(2) { index in
      if index == 0 {
        try store.transaction { transaction in
          try transaction.add(1)
          isWriting.give()
          #expect(hasRead.wait())
          return ((), .commit)
        }
      } else {
        isWriting.wait()
        #expect(try store.bands() == 0)
        hasRead.give()
      }
    }
    #expect(errors == [])
    #expect(try store.bands() == 1)
  }

  @Test func aReadSeesOneState() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    try store.read { transaction in
      #expect(try transaction.bands() == 0)
      try store.add(1)
      #expect(try transaction.bands() == 0)
      // A read within is the same read.
      #expect(try store.bands() == 0)
    }
    #expect(try store.bands() == 1)
  }

  @Test(.onSQLite("about SQL of a program's own")) func aReaderCannotWriteAndKnowsTheFunctions() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    #expect(throws: StoreError.self) { try store.read { try $0.execute("DELETE FROM Band") } }
    let sql = "SELECT broker_like('Japan', 'J*') FROM (SELECT 1 ORDER BY '1' COLLATE broker_decimal)"
    #expect(try store.number(sql) == 1)
  }

  @Test(.onSQLite("about connections of SQLite")) func readersAreUsedAgain() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let first = try store.read { try ObjectIdentifier($0.sqlite.cache) }
    let writer = try store.transaction { (try ObjectIdentifier($0.sqlite.cache), .rollback) }
    for _ in 0..<20 { #expect(try store.read { try ObjectIdentifier($0.sqlite.cache) } == first) }
    #expect(first != writer)
  }

  @Test func manyReadWhileOneWrites() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let errors = inParallel(12) { index in
      for round in 0..<50 {
        if index == 0 {
          try store.transaction { transaction in
            try transaction.add(round * 2, round * 2 + 1)
            return ((), .commit)
          }
        } else {
          let counts = try store.read { (try $0.bands(), try $0.bands()) }
          #expect(counts.0 == counts.1 && counts.0.isMultiple(of: 2))
        }
      }
    }
    #expect(errors == [])
    #expect(try store.bands() == 100)
  }

  @Test func aStoreWhoseTablesOthersMakeGetsReaders() throws {
    let directory = try TemporaryDirectory()
    let early = try directory.open(model: Model(json: Data(bands.utf8)))
    #expect(try early.bands() == 0)
    try directory.store(bands).close()
    #expect(try early.bands() == 0)
    let reopened = try directory.open()
    try reopened.transaction { transaction in
      try transaction.add(1)
      #expect(try early.bands() == 0)
      return ((), .commit)
    }
    try early.transaction { transaction in
      try #expect(transaction.bands() == 1)
      try #expect(early.bands() == 1)
      return ((), .commit)
    }
  }

  @Test func aReadOnlyStoreReads() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(bands)
    let other = try directory.open(access: .readOnly)
    try store.transaction { transaction in
      try transaction.add(1)
      #expect(try other.bands() == 0)
      return ((), .commit)
    }
    #expect(try other.bands() == 1)
    #expect(throws: StoreError.self) { try other.write() }
    try other.close()
    try store.close()
    if !Engine.isServer { #expect(directory.files == ["store.sqlite"]) }
  }

  @Test(.onSQLite("about paths")) func theFileIsFoundFromAnotherDirectory() throws {
    let directory = try TemporaryDirectory()
    try directory.store(bands).close()
    let relative = URL(filePath: directory.path).path.split(separator: "/").joined(separator: "/")
    let up = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in "../" }.joined()
    let store = try Store(path: up + relative)
    #expect(try store.bands() == 0)
  }
}
