import Broker
import Testing

@Entity private struct Account {
  var id: Int
  @Attribute(unique: true) var mail: String
  @Attribute(unique: true) var alias: String?
  var age: Int?
}

/// Values that must be unique hold at the end of a transaction.
@Suite struct UniqueSaveTests {
  private func store() async throws -> Store {
    let store = try await Store(at: .scratch, for: Account.self)
    try await store.write { transaction in
      try transaction.save(Account(id: 1, mail: "a", alias: "x"))
      try transaction.save(Account(id: 2, mail: "b", alias: nil))
    }
    return store
  }

  @Test func valuesCanBeSwapped() async throws {
    let store = try await store()
    try await store.write { transaction in
      try transaction.save(Account(id: 1, mail: "b", alias: "x"))
      let first = try transaction.find(Account.self, 1)
      #expect(first.mail == "b")
      try transaction.save(Account(id: 2, mail: "a", alias: nil))
    }
    #expect(try await store.fetch(Account.all).map(\.mail) == ["b", "a"])
    // The values are checked as before.
    await #expect(throws: SaveError.self) { try await store.save(Account(id: 3, mail: "a", alias: nil)) }
    let report = try await store.import(#"[{"id": 4, "mail": "b"}]"#, as: Account.self)
    #expect(report.issues.count == 1)
    #expect(try await store.count(Account.all) == 2)
  }

  @Test func aNewObjectMayTakeTheValueOfOneThatGoes() async throws {
    let store = try await store()
    try await store.write { transaction in
      try transaction.save(Account(id: 3, mail: "a", alias: "x"))
      try transaction.delete(Account.self, 1)
    }
    #expect(try await store.fetch(Account.all).map(\.mail) == ["b", "a"])
  }

  @Test func theSameValueTwiceAtTheEndIsAnError() async throws {
    let store = try await store()
    let error = await #expect(throws: SaveError.self) {
      try await store.write { transaction in
        try transaction.save(Account(id: 3, mail: "b", alias: nil))
        try transaction.save(Account(id: 4, mail: "c", alias: "y"))
      }
    }
    #expect(error?.problems.map(\.object.identity) == ["3"])
    #expect(error?.problems.first?.expected == "values that no other object has")
    #expect(try await store.fetch(Account.all).map(\.mail) == ["a", "b"])
    // Nothing of it is left: the values are unique as before.
    await #expect(throws: SaveError.self) { try await store.save(Account(id: 5, mail: "a", alias: nil)) }
  }
}
