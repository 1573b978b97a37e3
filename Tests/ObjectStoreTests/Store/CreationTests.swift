import Foundation
import ObjectModel
import ObjectStore
import Testing

/// The first transactions of a store that is new to several at once. Two stores on one file are to each other what two
/// processes are.
@Suite struct CreationTests {
  private let bands = Self.model("integer64")

  private static func model(_ type: String, _ more: String = "") -> String {
    #"{"entities": [{"name": "Band", "attributes": [{"name": "id", "type": "\#(type)"}\#(more)]}]}"#
  }

  private func open(_ directory: TemporaryDirectory, _ json: String? = nil) throws -> Store {
    try directory.open(model: Model(json: Data((json ?? bands).utf8)))
  }

  /// A store in a file.
  private func open(_ path: String, _ options: Store.Options = .init()) throws -> Store {
    try Store(path: path, model: Model(json: Data(bands.utf8)), options: options)
  }

  private struct Failure: Error {}

  @Test func whoFailsTakesNothingFromTheOthers() throws {
    for _ in 0..<15 {
      let directory = try TemporaryDirectory()
      let written = Shared(0)
      let errors = inParallel(8) { [self] index in
        let store = try open(directory)
        defer { try? store.close() }
        do {
          try store.transaction { transaction in
            try transaction.add(index)
            if index % 3 == 0 { throw Failure() }
            return ((), index % 4 == 1 ? .rollback : .commit)
          }
          if index % 4 != 1 { written.change { $0 += 1 } }
        } catch is Failure {}
      }
      #expect(errors == [])
      #expect(try open(directory).bands() == written.now)
    }
  }

  @Test(.onSQLite("about files")) func whereAllFailNothingIsLeftByTheLast() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory)
    #expect(throws: Failure.self) {
      try store.transaction { _ -> (Void, TransactionEnding) in throw Failure() }
    }
    try store.transaction { _ in ((), .rollback) }
    try store.close()
    #expect(directory.files == [])
  }

  @Test(.onSQLite("about files")) func anEmptyFileOfSomebodyElseStays() throws {
    let directory = try TemporaryDirectory()
    try Data().write(to: URL(fileURLWithPath: directory.path))
    let store = try open(directory)
    try store.transaction { _ in ((), .rollback) }
    try store.close()
    #expect(directory.files == ["store.sqlite"])
  }

  @Test func aFileThatOthersHaveOpenStays() throws {
    let directory = try TemporaryDirectory()
    let (first, second) = (try open(directory), try open(directory))
    let isWriting = Signal()
    let errors = inParallel(2) { index in
      if index == 0 {
        try? first.transaction { _ -> (Void, TransactionEnding) in
          isWriting.give()
          usleep(50_000)
          throw Failure()
        }
        try first.close()
      } else {
        isWriting.wait()
        try second.add(1)
        #expect(try second.bands() == 1)
      }
    }
    #expect(errors == [])
    #expect(try open(directory).bands() == 1)
  }

  @Test(arguments: [("string", ""), ("integer64", #", {"name": "name", "type": "string"}"#)])
  func anotherModelIsFoundInsideTheTransaction(type: String, more: String) throws {
    let directory = try TemporaryDirectory()
    let (first, second) = (try open(directory), try open(directory, Self.model(type, more)))
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
        try second.add(1)
      }
    }
    #expect(errors.count == 1)
    #expect(errors.first?.contains("The model differs from the one in the store") == true, "\(errors)")
    #expect(try first.bands() == 0)
    #expect(throws: StoreError.self) { try second.write() }
  }

  @Test func aModelOfTheSameTablesTakesItsPlace() throws {
    let directory = try TemporaryDirectory()
    let (first, second) = (try open(directory), try open(directory))
    try first.add(1)
    try second.add(2)
    try first.add(3)
    #expect(try second.bands() == 3)
  }

  // MARK: - Reading meanwhile

  @Test(.onSQLite("about the files of a store")) func aStoreThatIsFilledReadsAsEmpty() async throws {
    let directory = try TemporaryDirectory()
    var options = Store.Options()
    options.pageCacheSize = 1 << 14
    let writer = try open(directory.path, options)
    try writer.transaction { transaction in
      // More than the cache takes, so that the file is locked for all others.
      try transaction.execute(
        """
        INSERT INTO Band WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        SELECT i FROM n
        """)
      #expect(FileManager.default.fileExists(atPath: directory.path + "-journal"))
      #expect(try writer.bands() == 0)
      let reader = try open(directory.path)
      #expect(try reader.bands() == 0)
      let error = #expect(throws: StoreError.self) { try directory.open(access: .readOnly) }
      #expect(error?.description == "There is no store at \(directory.path).")
      return ((), .commit)
    }
    #expect(directory.files.contains("store.sqlite-journal") == false)
    let late = try directory.open(access: .readOnly)
    #expect(try late.bands() == 20_000)
    #expect(try await late.asyncRead { try $0.cached("PRAGMA journal_mode").text() } == ["wal"])
  }

  @Test func aStoreIsInWALModeOnceOthersFindTables() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory)
    let other = try open(directory)
    try store.add(1)
    // A read that goes on, and a transaction beside it.
    try other.read { transaction in
      #expect(try transaction.bands() == 1)
      try store.add(2)
      #expect(try transaction.bands() == 1)
    }
    #expect(try other.bands() == 2)
  }

  @Test func whoHasNoModelWaitsForTheOneThatComes() throws {
    let directory = try TemporaryDirectory()
    let store = try open(directory)
    let isWriting = Signal()
    let errors = inParallel(2) { index in
      if index == 0 {
        try store.transaction { _ in
          isWriting.give()
          usleep(50_000)
          return ((), .commit)
        }
      } else {
        isWriting.wait()
        let other = try directory.open()
        try other.add(1)
        #expect(try other.bands() == 1)
      }
    }
    #expect(errors == [])
  }

  // MARK: - Paths

  @Test(.onSQLite("about files")) func aPathIsNoAddress() throws {
    let directory = try TemporaryDirectory()
    let folder = URL(fileURLWithPath: directory.path).deletingLastPathComponent()
    for name in ["file:x.sqlite", "a%20b?mode=memory", "~"] {
      let path = folder.appendingPathComponent(name).path
      let store = try open(path)
      try store.add(1)
      try store.close()
      #expect(directory.files == [name])
      #expect(try Store(path: path, access: .readOnly).bands() == 1)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(.onSQLite("about files")) func aLinkIsFollowed() throws {
    let directory = try TemporaryDirectory()
    let link = directory.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "store.sqlite")
    let store = try open(link)
    try store.add(1)
    try store.close()
    #expect(directory.files == ["store.sqlite", "store.sqlite.link"])
    #expect(try open(directory.path).bands() == 1)
  }

  @Test(.onSQLite("about files")) func aFolderIsNoStore() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let error = #expect(throws: StoreError.self) { try open(folder) }
    #expect(error?.description == "\(folder) is not a Broker store: it is a folder.")
  }

  @Test(.onSQLite("about files")) func aTableOfTheSameNameIsLeftAlone() throws {
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
