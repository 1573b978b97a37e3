import Foundation
import GRDBSQLite
import ObjectModel
import ObjectStore
import Synchronization

/// A store in memory for a model in the JSON form, with its tables made.
func store(_ json: String) throws -> Store {
  let store = try Store(path: ":memory:", model: Model(json: Data(json.utf8)))
  try store.transaction { _ in ((), .commit) }
  return store
}

/// The SQL of the tables and indexes that a model in the JSON form gets, by name.
func tables(_ json: String) throws -> [String: String] {
  let store = try store(json)
  let names = try store.rows("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
  let statements = try store.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
  return Dictionary(zip(names, statements), uniquingKeysWith: { first, _ in first })
}

extension Store {
  /// The rows that a query gives, their columns separated by spaces; null is `-`.
  func rows(_ sql: String) throws -> [String] {
    try read { transaction in
      let statement = try transaction.prepare(sql)
      var rows: [String] = []
      while try statement.step() {
        let columns = (0..<statement.columnCount).map { statement.isNull($0) ? "-" : statement.string($0) }
        rows.append(columns.joined(separator: " "))
      }
      return rows
    }
  }
}

/// A directory that lasts as long as a test.
final class TemporaryDirectory: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "store-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var path: String { url.appendingPathComponent("store.sqlite").path }

  /// The files in it.
  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  /// A store in a file, with the tables of a model in the JSON form made.
  func store(_ json: String) throws -> Store {
    let store = try Store(path: path, model: Model(json: Data(json.utf8)))
    try store.transaction { _ in ((), .commit) }
    return store
  }
}

extension StoreTransaction {
  /// The first column of the first row that a query gives.
  func number(_ sql: String) throws -> Int64 {
    let statement = try cached(sql)
    guard try statement.step() else { return -1 }
    return statement.integer(0)
  }
}

extension Store {
  /// The first column of the first row that a query gives.
  func number(_ sql: String) throws -> Int64 { try read { try $0.number(sql) } }

  func asyncNumber(_ sql: String) async throws -> Int64 { try await asyncRead { try $0.number(sql) } }

  /// Runs statements in a transaction.
  func write(_ statements: String...) throws {
    try transaction { transaction in
      for statement in statements { try transaction.execute(statement) }
      return ((), .commit)
    }
  }

  /// Runs a statement in a transaction of a task.
  func asyncWrite(_ statement: String) async throws {
    try await asyncTransaction { (try $0.execute(statement), .commit) }
  }
}

/// Something that happens once, for others to wait for.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let flag = Atomic<Bool>(false)

  func give() {
    flag.store(true, ordering: .releasing)
    semaphore.signal()
  }

  /// Waits for it. False if it does not come in a time that is long for anything a test does.
  @discardableResult func wait() -> Bool {
    let came = semaphore.wait(timeout: .now() + 60) == .success
    if came { semaphore.signal() }
    return came
  }

  /// Waits for it as a task does, which must not hold its thread.
  func come() async throws {
    while !flag.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// Runs `body` on as many threads and returns what they threw.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
  let errors = Shared<[String]>([])
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread {
      do { try body(index) } catch { errors.change { $0.append("\(index): \(error)") } }
      group.leave()
    }.start()
  }
  group.wait()
  return errors.now
}

/// A value that several threads change.
final class Shared<Value: Sendable>: Sendable {
  private let value: Guarded<Value>

  init(_ value: Value) { self.value = Guarded(value) }

  func change(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }

  var now: Value { value.withLock { $0 } }
}

/// Random numbers that are the same each time.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Runs a statement as any other program does, and `body` before the connection is closed.
func sqlite(_ path: String, _ sql: String, _ body: () throws -> Void = {}) throws {
  var connection: OpaquePointer?
  defer { sqlite3_close(connection) }
  guard sqlite3_open(path, &connection) == SQLITE_OK,
    sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
  else { throw StoreError.invalid("SQLite refuses \(sql)") }
  try body()
}
