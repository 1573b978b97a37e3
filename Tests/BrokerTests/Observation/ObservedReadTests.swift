import Broker
import Foundation
import Testing

/// Values of a program's own that follow the store.
@Suite("Observed reads") struct ObservedReadTests {
  @Test func aValueComesAtOnceAndWhenItIsAnother() async throws {
    let store = try await bandStore()
    let values = store.observe { transaction in
      [try transaction.count(Band.all), try transaction.count(Album.all)]
    }
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == [2, 3])
    // What changes nothing of the value gives none: the next one is that of the second commit.
    try await store.import(#"[{"name": "Japan", "formed": 1975}]"#, as: Band.self)
    try await store.import(#"[{"name": "Can", "formed": 1968}]"#, as: Band.self)
    #expect(try await iterator.next() == [3, 3])
  }

  @Test func aValueMayBeNil() async throws {
    let store = try await bandStore()
    var iterator = store.observe { try $0.fetch(Band.self, id: "Can")?.formed }.makeAsyncIterator()
    #expect(try await iterator.next() == .some(nil))
    try await store.import(#"[{"name": "Can", "formed": 1968}]"#, as: Band.self)
    #expect(try await iterator.next() == 1968)
  }

  @Test func whatTheReadThrowsEndsIt() async throws {
    struct Refusal: Error {}
    let store = try await bandStore()
    var iterator = store.observe { _ -> Int in throw Refusal() }.makeAsyncIterator()
    await #expect(throws: Refusal.self) { try await iterator.next() }
  }
}
