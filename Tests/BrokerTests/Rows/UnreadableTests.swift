import Broker
@testable import BrokerCore
import Foundation
import ObjectStore
import Testing

@Entity private struct Gauge {
  var id: Int
  var state: State
  var owner: ToOne<Gauge>?

  enum State: String, CaseIterable { case on, off }
}

/// Rows that a type has no value for, since another program wrote them.
@Suite struct UnreadableTests {
  /// Without types, a store has the model that it remembers.
  @Test func aStoreCanBeOpenedWithoutTypes() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "gauges-\(UUID().uuidString).sqlite")
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
    }
    await #expect(throws: StoreError.self) { try await Store(at: .file(file.path)) }
    let first = try await Store(at: .file(file.path), for: Gauge.self)
    try await first.import(#"[{"id": 1, "state": "on"}]"#, as: Gauge.self)
    let second = try await Store(at: .file(file.path))
    #expect(try await second.find("Gauge", "1")["state"] == "on")
  }

  @Test(.onSQLite) func oneRowDoesNotMakeTheOthersUnreadable() async throws {
    let store = try await Store(at: .scratch, for: Gauge.self)
    try await store.import(
      #"[{"id": 1, "state": "on"}, {"id": 2, "state": "on", "owner": 1}, {"id": 3, "state": "off", "owner": 1}]"#,
      as: Gauge.self)
    try await store.write { transaction in
      try transaction.sqlite().prepare("UPDATE Gauge SET state = 'broken' WHERE id = 2").run()
    }
    let error = await #expect(throws: ReadError.self) { try await store.fetch(Gauge.all) }
    #expect(error?.description == #"Gauge 2.state cannot be read: expected State, found "broken"."#)
    let (objects, unreadable) = try await store.fetchReadable(Gauge.all.prefetching(\.owner))
    #expect(objects.map(\.id) == [1, 3])
    #expect(objects.last?.owner?.state == .on)
    #expect(unreadable.map(\.identity) == ["2"])
  }
}
