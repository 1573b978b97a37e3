import Broker
import Foundation
import Synchronization
import Testing

/// `Store.Options.onStatement` and `readerCount`, on both engines where both have them.
@Suite struct ExecutedStatementTests {
  private final class Log: Sendable {
    private let statements = Mutex<[Store.ExecutedStatement]>([])

    var options: Store.Options {
      var options = Store.Options()
      options.onStatement = { statement in self.statements.withLock { $0.append(statement) } }
      return options
    }

    /// What came since it was asked last.
    func take() -> [Store.ExecutedStatement] {
      statements.withLock { all in
        defer { all = [] }
        return all
      }
    }
  }

  @Test func statementsOfEachKindAreTold() async throws {
    let log = Log()
    let store = try await Store(at: .scratch, for: Band.self, options: log.options)
    try await store.import(bandsJSON)
    let writing = log.take()
    #expect(writing.contains { $0.sql.contains("CREATE TABLE") })
    #expect(writing.contains { $0.sql.contains("Band") && !$0.sql.contains("CREATE") })
    #expect(try await store.fetch(Band.filter(#Predicate { $0.name == "Japan" })).count == 1)
    let reading = log.take().filter { $0.sql.contains("SELECT") && $0.sql.contains("Band") }
    #expect(!reading.isEmpty)
    #expect(reading.allSatisfy { $0.duration >= .zero })
    try await store.update(Band.self, "Japan") { $0.formed = 1975 }
    #expect(log.take().contains { $0.sql.contains("UPDATE") })
    try await store.delete(Band.self, "Talk Talk")
    #expect(log.take().contains { $0.sql.contains("DELETE") })
  }

  @Test func valuesAreNotShown() async throws {
    let log = Log()
    let store = try await Store(at: .scratch, for: Band.self, options: log.options)
    try await store.import(#"[{"name": "Hidden", "rating": 7.25, "label": "Secret"}]"#, as: Band.self)
    _ = try await store.fetch(Band.filter(#Predicate { $0.name == "Hidden" && $0.rating == 7.25 }))
    try await store.save(Label(name: "Secret", country: "Nowhere", bands: ToMany()))
    let statements = log.take()
    #expect(!statements.isEmpty)
    for value in ["Hidden", "Secret", "Nowhere", "7.25"] {
      #expect(!statements.contains { $0.sql.contains(value) }, "\(value)")
    }
  }

  @Test(.onSQLite) func aStatementThatFailsIsTold() async throws {
    let log = Log()
    let store = try await Store(at: .scratch, for: Band.self, options: log.options)
    try await store.import(bandsJSON)
    _ = log.take()
    await #expect(throws: StoreError.self) {
      try await store.sql("SELECT abs(CAST(-9223372036854775807 AS BIGINT) - 1) AS x")
    }
    let statements = log.take().map(\.sql)
    #expect(statements.contains { $0.contains("abs") }, "\(statements)")
    #expect(try await store.count(Band.all) == 2)
  }

  /// Where reads wait for each other until as many as there should be are in it.
  private final class Meeting: Sendable {
    private let count: Int
    private let present = Mutex((now: 0, most: 0))
    private let isComplete = DispatchSemaphore(value: 0)

    init(of count: Int) { self.count = count }

    var most: Int { present.withLock { $0.most } }

    func attend() {
      let now = present.withLock { present in
        present.now += 1
        present.most = max(present.most, present.now)
        return present.now
      }
      if now == count { for _ in 0..<count * 2 { isComplete.signal() } }
      _ = isComplete.wait(timeout: .now() + 10)
      present.withLock { $0.now -= 1 }
    }
  }

  /// As many reads of a file as it has readers go on at once, and never more.
  @Test(arguments: [1, 2, 6]) func readersAreAsManyAsWanted(_ count: Int) async throws {
    let file = try TemporaryFile()
    var options = Store.Options()
    options.readerCount = count
    let store = try await Store(at: .file(file.url), for: Band.self, options: options)
    try await store.import(bandsJSON)
    let meeting = Meeting(of: count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count * 2 {
        group.addTask {
          let bands = try await store.read { transaction in
            meeting.attend()
            return try transaction.count(Band.all)
          }
          #expect(bands == 2)
        }
      }
      try await group.waitForAll()
    }
    #expect(meeting.most == count)
  }
}
