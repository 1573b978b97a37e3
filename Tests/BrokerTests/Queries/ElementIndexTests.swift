import Broker
import Foundation
import Testing

@Entity private struct Essay {
  @Identity var shelf: String
  @Identity var number: Int
  @Attribute(indexed: true) var subjects: [String] = []
  @Attribute(indexed: true) var pages: [Int]?
  var title: String?
}

/// The index of the elements of a list.
@Suite struct ElementIndexTests {
  private func found(_ store: Store, _ subject: String) async throws -> [Int] {
    try await store.fetch(Essay.filter(#Predicate { $0.subjects.contains(subject) })).map(\.number)
  }

  /// What the index holds, and what it would hold if it was made now.
  private func check(_ store: Store) async throws {
    let index = try await store.read {
      try $0.sql("SELECT shelf, number, element FROM Essay_subjects_elements ORDER BY 1, 2, 3")
    }
    let lists = try await store.read {
      try $0.sql(
        """
        SELECT DISTINCT shelf, number, value FROM Essay, json_each(subjects)
        WHERE type = 'text' ORDER BY 1, 2, 3
        """)
    }
    #expect(index.map(\.values) == lists.map(\.values))
  }

  @Test func theIndexFollowsWhatIsWritten() async throws {
    let store = try await Store(at: .memory, for: Essay.self)
    try await store.import(
      #"""
      [{"shelf": "a", "number": 1, "subjects": ["sea", "salt", "sea"], "pages": [1, 2]},
       {"shelf": "a", "number": 2, "subjects": ["salt"], "pages": [2]},
       {"shelf": "b", "number": 3, "subjects": []}, {"shelf": "b", "number": 4}]
      """#, as: Essay.self)
    #expect(try await found(store, "salt") == [1, 2])
    #expect(
      try await store.fetch(Essay.filter(#Predicate { $0.pages?.contains(2) == true })).map(\.number) == [
        1, 2,
      ])
    try await check(store)
    try await store.import(#"[{"shelf": "a", "number": 2, "subjects": ["sand"]}]"#, as: Essay.self)
    try await store.save(Essay(shelf: "c", number: 5, subjects: ["salt", "x'y"]))
    try await store.write { transaction in
      try transaction.delete(Essay.self, Essay.ID(shelf: "a", number: 1))
      try transaction.execute("UPDATE Essay SET number = 6 WHERE number = 5")
    }
    #expect(try await found(store, "salt") == [6])
    #expect(try await found(store, "x'y") == [6])
    #expect(try await found(store, "sand") == [2])
    #expect(try await found(store, "sea") == [])
    try await check(store)
    try await store.removeAll()
    #expect(try await found(store, "salt") == [])
    try await check(store)
  }

  @Test func itIsUsed() async throws {
    let store = try await Store(at: .memory, for: Essay.self)
    let subject = "salt"
    let sql = try await store.sql(of: Essay.filter(#Predicate { $0.subjects.contains(subject) }))
    #expect(sql.contains("Essay_subjects_elements"))
    let title = try await store.sql(of: try Essay.filter(format: "ANY subjects CONTAINS[c] 'salt'"))
    #expect(!title.contains("Essay_subjects_elements"))
  }

  @Test func itIsFullWithinTheTransactionThatMakesTheStore() async throws {
    let store = try await Store(at: .memory, for: Essay.self)
    let count = try await store.write { transaction in
      try transaction.import(#"[{"shelf": "a", "number": 1, "subjects": ["sea"]}]"#, as: Essay.self)
      let subject = "sea"
      return try transaction.count(Essay.filter(#Predicate { $0.subjects.contains(subject) }))
    }
    #expect(count == 1)
  }

  @Test func sqlDoesNotWriteIt() async throws {
    let store = try await Store(at: .memory, for: Essay.self)
    await #expect(throws: StoreError.self) {
      try await store.write { try $0.execute("DELETE FROM Essay_subjects_elements") }
    }
  }

  @Test func anObservedQueryFollowsIt() async throws {
    let store = try await Store(at: .memory, for: Essay.self)
    let subject = "sea"
    var counts = store.observeCount(of: Essay.filter(#Predicate { $0.subjects.contains(subject) }))
      .makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try await store.save(Essay(shelf: "a", number: 1, subjects: ["sea"]))
    #expect(try await counts.next() == 1)
    try await store.save(Essay(shelf: "a", number: 1, subjects: ["sky"]))
    #expect(try await counts.next() == 0)
  }

  @Test func aCommitWithAFailedStatementIsToldToBeIncomplete() async throws {
    let store = try await Store(at: .memory, for: Essay.self)
    try await store.save(Essay(shelf: "a", number: 1, subjects: ["sea"]))
    var changes = store.changes().makeAsyncIterator()
    try await store.write { transaction in
      try transaction.insert(Essay(shelf: "a", number: 2, subjects: ["sky"]))
      // The second row that this changes has the key of the first.
      #expect(throws: StoreError.self) {
        try transaction.execute("UPDATE Essay SET number = 3, subjects = '[\"salt\"]'")
      }
    }
    let told = await changes.next()
    #expect(told?.isComplete == false)
    #expect(try await found(store, "sky") == [2])
    #expect(try await found(store, "salt") == [])
    try await check(store)
  }
}
