import Foundation
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Which observers receive changes, and when.
@Suite struct ObserverTests {
  private let triggers = "SELECT count(*) FROM sqlite_temp_schema WHERE type = 'trigger'"

  private func insert(_ labels: String..., into store: Store) throws {
    for label in labels { try store.write { $0.add("Tag", ["label": .text(label)]) } }
  }

  @Test(.onSQLite("about SQLite's triggers")) func thereAreTriggersOnlyWhileSomebodyObserves() throws {
    let store = try store(Zoo.model)
    func count() throws -> Int64 { try store.transaction { (try $0.number(triggers), .rollback) } }
    let (first, second) = (ReceivedChanges(), ReceivedChanges())
    #expect(try count() == 0)
    let token = store.observe { first.add($0) }
    var other: ObservationToken? = store.observe { second.add($0) }
    let all = try count()
    #expect(all > 0)
    try insert("a", into: store)
    token.cancel()
    token.cancel()
    try insert("b", into: store)
    #expect(try count() == all)
    #expect(other != nil)
    other = nil
    try insert("c", into: store)
    #expect(try count() == 0)
    #expect(first.lines(store) == ["+Tag a"])
    #expect(second.lines(store) == ["+Tag a", "+Tag b"])
    let again = store.observe { first.add($0) }
    try insert("d", into: store)
    #expect(first.lines(store) == ["+Tag d"])
    #expect(try count() == all)
    again.cancel()
  }

  @Test func aNewStoreTellsAllThatItGets() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open(model: Model(json: Data(Zoo.model.utf8)))
    let received = ReceivedChanges()
    let token = store.observe { received.add($0) }
    try store.write { rows in
      rows.list(rows.add("Animal", ["id": 1]), "tags", [.key("none")])
      rows.add("Dog", ["id": 2])
      rows.add("Seat", ["row": "A", "number": 1, "price": 2])
    }
    #expect(received.lines(store) == ["+Animal 1 +Dog 2 +Seat A,1"])
    try insert("a", into: store)
    #expect(received.lines(store) == ["+Tag a"])
    token.cancel()
  }

  @Test func whoIsInterestedInOneObjectHearsOfNoOther() throws {
    let store = try store(Zoo.model)
    let tag = try #require(store.layout.tables.firstIndex { $0.name == "Tag" })
    let animal = try #require(store.layout.tables.firstIndex { $0.name == "Animal" })
    let (red, blue) = (ReceivedChanges(), ReceivedChanges())
    let (tags, animals) = (ReceivedChanges(), ReceivedChanges())
    let tokens = [
      store.observe(table: tag, key: .text("red")) { red.add($0) },
      store.observe(table: tag, key: .text("blue")) { blue.add($0) },
      store.observe(tables: [tag]) { tags.add($0) }, store.observe(tables: [animal]) { animals.add($0) },
    ]
    try insert("red", "blue", into: store)
    try store.write { $0.add("Tag", ["label": "red", "color": "x"]) }
    try store.write { $0.add("Dog", ["id": 1]) }
    try store.write { $0.list($0.add("Dog", ["id": 1]), "tags", [.key("red")]) }
    var allTags = PruneRequest()
    allTags.scopes = [Query("Tag")]
    try store.write(allTags) { _ in }
    #expect(red.lines(store) == ["+Tag red", "~Tag red", "~Dog 1 ~Tag red", "-Tag blue -Tag red ~Dog 1"])
    #expect(blue.lines(store) == ["+Tag blue", "-Tag blue -Tag red ~Dog 1"])
    #expect(tags.take().count == 5)
    #expect(animals.lines(store) == ["+Dog 1", "~Dog 1 ~Tag red", "-Tag blue -Tag red ~Dog 1"])
    for token in tokens { token.cancel() }
  }

  @Test func whoComesDuringATransactionIsToldThatAnythingMayHaveChanged() throws {
    let store = try store(Zoo.model)
    let received = ReceivedChanges()
    let token = try store.transaction { transaction in
      try transaction.write { $0.add("Tag", ["label": "a"]) }
      return (store.observe(table: 0, key: .integer(7)) { received.add($0) }, .commit)
    }
    // A server knows what a transaction has written, whoever observes.
    #expect(received.lines(store) == (Engine.isServer ? [] : ["?"]))
    try insert("b", into: store)
    #expect(received.lines(store) == [])
    token.cancel()
  }

  @Test func aHandlerMayReadAndWrite() throws {
    let directory = try TemporaryDirectory()
    for store in [try store(Zoo.model), try directory.store(Zoo.model)] {
      let log = Shared<[String]>([])
      let received = ReceivedChanges()
      let first = store.observe { changes in
        let count = (try? store.read { try $0.count(Query("Tag")) }) ?? -1
        log.change { $0.append("\(count)") }
        if count < 3 { try? insert("\(count)", into: store) }
        log.change { $0.append("end \(count)") }
      }
      let second = store.observe { received.add($0) }
      try insert("a", into: store)
      #expect(log.now == ["1", "end 1", "2", "end 2", "3", "end 3"])
      #expect(received.lines(store) == ["+Tag a", "+Tag 1", "+Tag 2"])
      first.cancel()
      second.cancel()
    }
  }

  @Test func aHandlerSeesTheCommitWhateverTheThreadReads() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(Zoo.model)
    let seen = Shared<[Int]>([])
    let token = store.observe { _ in
      let count = try? store.read { try $0.count(Query("Tag")) }
      seen.change { $0.append(count ?? -1) }
    }
    try store.read { transaction in
      #expect(try transaction.count(Query("Tag")) == 0)
      try insert("a", into: store)
      #expect(try transaction.count(Query("Tag")) == 0)
    }
    #expect(seen.now == [1])
    token.cancel()
  }

  @Test func aHandlerMayEndObservations() throws {
    let store = try store(Zoo.model)
    let received = ReceivedChanges()
    let tokens = Shared<[ObservationToken]>([])
    let first = store.observe { _ in for token in tokens.now { token.cancel() } }
    let second = store.observe { received.add($0) }
    tokens.change { $0 = [second] }
    try insert("a", into: store)
    #expect(received.take().isEmpty)
    first.cancel()
  }

  @Test func commitsOfManyAreToldInTheirOrderAndBeforeTheyReturn() async throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(Zoo.model)
    try store.write { $0.add("Dog", ["id": 0]) }
    let order = Shared<[Int64]>([])
    let token = store.observe { changes in
      for object in changes.tables.values.flatMap(\.inserted) {
        if case .integer(let key) = object.key { order.change { $0.append(key) } }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        group.addTask {
          let body = { @Sendable (transaction: any StoreTransaction) throws -> (Int64, TransactionEnding) in
            try transaction.keepOthersFromWriting()
            let next = Int64(try transaction.count(Query("Animal")))
            try transaction.write { $0.add("Dog", ["id": .integer(next)]) }
            return (next, .commit)
          }
          let key =
            number.isMultiple(of: 3) ? try store.transaction(body) : try await store.asyncTransaction(body)
          #expect(order.now.contains(key))
        }
      }
      try await group.waitForAll()
    }
    #expect(order.now == Array(1...300))
    token.cancel()
  }

  @Test func manyComeAndGoWhileOthersWrite() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.store(Zoo.model)
    let errors = inParallel(8) { [self] index in
      for round in 0..<40 {
        if index.isMultiple(of: 2) {
          try insert("\(index) \(round)", into: store)
        } else {
          let received = ReceivedChanges()
          let token = store.observe { received.add($0) }
          let label = "own \(index) \(round)"
          try insert(label, into: store)
          let lines = received.lines(store)
          #expect(lines.contains("+Tag \(label)") || lines.contains("?"))
          token.cancel()
        }
      }
    }
    #expect(errors == [])
    #expect(try store.read { try $0.count(Query("Tag")) } == 320)
  }

  @Test func theStoreMayGoBeforeItsObservers() throws {
    var store: Store? = try ObjectStoreTests.store(Zoo.model)
    let token = store?.observe { _ in }
    try store.map { try insert("a", into: $0) }
    try store?.close()
    store = nil
    token?.cancel()
  }
}
