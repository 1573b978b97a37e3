import Foundation
import ObjectModel
import ObjectStore
import Testing

/// The first transactions of a store that is new to several at once. Two stores on one file are to each other what two
/// processes are.
@Suite struct CreationTests {
  private let bands = Self.model("integer64")
  private let count = "SELECT count(*) FROM Band"

  private static func model(_ type: String, _ more: String = "") -> String {
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "\#(type)"}\#(more)]}]}"#
  }

  private func open(_ path: String, _ json: String? = nil, _ options: Store.Options = .init()) throws -> Store
  {
    try Store(path: path, model: Model(json: Data((json ?? bands).utf8)), options: options)
  }

  private struct Failure: Error {}

  @Test func whoFailsTakesNothingFromTheOthers() throws {
    for _ in 0..<15 {
      let directory = try TemporaryDirectory()
      let written = Shared<Int64>(0)
      let errors = inParallel(8) { [self] index in
        let store = try open(directory.path)
        defer { try? store.close() }
        do {
          try store.transaction { transaction in
            try transaction.execute("INSERT INTO Band VALUES (\(index))")
            if index % 3 == 0 { throw Failure() }
            return ((), index % 4 == 1 ? .rollback : .commit)
          }
          if index % 4 != 1 { written.change { $0 += 1 } }
        } catch is Failure {}
      }
      #expect(errors == [])
      #expect(try open(directory.path).number(count) == written.now)
    }
  }

  @Test func whereAllFailNothingIsLeftByTheLast() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory.path)
    #expect(throws: Failure.self) {
      try store.transaction { _ -> (Void, TransactionEnding) in throw Failure() }
    }
    try store.transaction { _ in ((), .rollback) }
    try store.close()
    #expect(directory.files == [])
  }

  @Test func anEmptyFileOfSomebodyElseStays() throws {
    let directory = try TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: directory.path))
    let store = try open(directory.path)
    try store.transaction { _ in ((), .rollback) }
    try store.close()
    #expect(directory.files == ["store.sqlite"])
  }

  @Test func aFileThatOthersHaveOpenStays() throws {
    let directory = try TemporaryDirectory()
    let (first, second) = (try open(directory.path), try open(directory.path))
    let isWriting = Signal()
    let errors = inParallel(2) { [self] index in
      if index == 0 {
        try? first.transaction { _ -> (Void, TransactionEnding) in
          isWriting.give()
          usleep(50_000)
          throw Failure()
        }
        try first.close()
      } else {
        isWriting.wait()
        try second.write("INSERT INTO Band VALUES (1)")
        #expect(try second.number(count) == 1)
      }
    }
    #expect(errors == [])
    #expect(try open(directory.path).number(count) == 1)
  }

  @Test(arguments: [("string", ""), ("integer64", #", {"name": "name", "type": "string"}"#)])
  func anotherModelIsFoundInsideTheTransaction(type: String, more: String) throws {
    let directory = try TemporaryDirectory()
    let (first, second) = (try open(directory.path), try open(directory.path, Self.model(type, more)))
    let isWriting = Signal()
    let errors = inParallel(2) { index in
      if index == 0 {
        try first.transaction { _ in
          isWriting.give()
          usleep(50_000)
          return ((), .commit)
        }
      } else {
        isWriting.wait()
        try second.write("INSERT INTO Band VALUES (1)")
      }
    }
    #expect(errors.count == 1)
    #expect(errors.first?.contains("The model differs from the one in the store") == true, "\(errors)")
    #expect(try first.number(count) == 0)
    #expect(throws: StoreError.self) { try second.write() }
  }

  @Test func aModelOfTheSameTablesTakesItsPlace() throws {
    let directory = try TemporaryDirectory()
    let (first, second) = (try open(directory.path), try open(directory.path))
    try first.write("INSERT INTO Band VALUES (1)")
    try second.write("INSERT INTO Band VALUES (2)")
    try first.write("INSERT INTO Band VALUES (3)")
    #expect(try second.number(count) == 3)
  }

  // MARK: - Reading meanwhile

  @Test func aStoreThatIsFilledReadsAsEmpty() async throws {
    let directory = try TemporaryDirectory()
    var options = Store.Options()
    options.pageCacheSize = 1 << 14
    let writer = try open(directory.path, bands, options)
    try writer.transaction { transaction in
      // More than the cache takes, so that the file is locked for all others.
      try transaction.execute(
        """
        INSERT INTO Band WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        SELECT i FROM n
        """)
      #expect(FileManager.default.fileExists(atPath: directory.path + "-journal"))
      #expect(try writer.number(count) == 0)
      let reader = try open(directory.path)
      #expect(try reader.number(count) == 0)
      let error = #expect(throws: StoreError.self) { try Store(path: directory.path, access: .readOnly) }
      #expect(error?.description == "There is no store at \(directory.path).")
      return ((), .commit)
    }
    #expect(directory.files.contains("store.sqlite-journal") == false)
    let late = try Store(path: directory.path, access: .readOnly)
    #expect(try late.number(count) == 20_000)
    #expect(try await late.asyncRead { try $0.cached("PRAGMA journal_mode").text() } == ["wal"])
  }

  @Test func aStoreIsInWALModeOnceOthersFindTables() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory.path)
    let other = try open(directory.path)
    try store.write("INSERT INTO Band VALUES (1)")
    // A read that goes on, and a transaction beside it.
    try other.read { transaction in
      #expect(try transaction.number(count) == 1)
      try store.write("INSERT INTO Band VALUES (2)")
      #expect(try transaction.number(count) == 1)
    }
    #expect(try other.number(count) == 2)
  }

  @Test func whoHasNoModelWaitsForTheOneThatComes() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory.path)
    let isWriting = Signal()
    let errors = inParallel(2) { [count] index in
      if index == 0 {
        try store.transaction { _ in
          isWriting.give()
          usleep(50_000)
          return ((), .commit)
        }
      } else {
        isWriting.wait()
        let other = try Store(path: directory.path)
        try other.write("INSERT INTO Band VALUES (1)")
        #expect(try other.number(count) == 1)
      }
    }
    #expect(errors == [])
  }

  // MARK: - Paths

  @Test func aPathIsNoAddress() throws {
    let directory = try TemporaryDirectory()
    let folder = URL(fileURLWithPath: directory.path).deletingLastPathComponent()
    for name in ["file:x.sqlite", "a%20b?mode=memory", "~"] {
      let path = folder.appendingPathComponent(name).path
      let store = try open(path)
      try store.write("INSERT INTO Band VALUES (1)")
      try store.close()
      #expect(directory.files == [name])
      #expect(try Store(path: path, access: .readOnly).number(count) == 1)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func aLinkIsFollowed() throws {
    let directory = try TemporaryDirectory()
    let link = directory.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "store.sqlite")
    let store = try open(link)
    try store.write("INSERT INTO Band VALUES (1)")
    try store.close()
    #expect(directory.files == ["store.sqlite", "store.sqlite.link"])
    #expect(try open(directory.path).number(count) == 1)
  }

  @Test func aFolderIsNoStore() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let error = #expect(throws: StoreError.self) { try open(folder) }
    #expect(error?.description == "\(folder) is not a Broker store: it is a folder.")
  }

  @Test func aTableOfTheSameNameIsLeftAlone() throws {
    let directory = try TemporaryDirectory()
    try sqlite(directory.path, "CREATE TABLE broker_store (id INTEGER)")
    let before = try Data(contentsOf: URL(fileURLWithPath: directory.path))
    #expect(throws: StoreError.self) { try open(directory.path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path)) == before)
    #expect(directory.files == ["store.sqlite"])
  }
}

extension PreparedStatement {
  /// The first column of all rows.
  fileprivate func text() throws -> [String] {
    var rows: [String] = []
    while try step() { rows.append(string(0)) }
    return rows
  }
}
