import Broker
import Testing

/// Local changes that imports could undo by another end.
@Suite struct HostileJournalTests {
  private func summary(_ store: Store) async throws -> [String] {
    try await store.localChanges().map { "\($0.kind) \($0.entity) \($0.identity) \($0.properties)" }
  }

  @Test func linksFromOneToOneThatWereChangedStay() async throws {
    let store = try await Store(at: .memory, for: Knot.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a"}, {"name": "b"}, {"name": "c"}]"#, as: Knot.self)
    try await store.update(Knot.self, "a") { $0.partner = ToOne(id: "b") }
    #expect(
      try await summary(store) == ["updated Knot a [\"partner\"]", "updated Knot b [\"partner\"]"])
    // Neither the other end nor a third can end it.
    for json in [#"[{"name": "b", "partner": null}]"#, #"[{"name": "c", "partner": "b"}]"#] {
      try await store.import(json, as: Knot.self)
      #expect(try await store.find(Knot.self, "a").partner?.id == "b")
      #expect(try await store.find(Knot.self, "c").partner == nil)
    }
    try await store.confirm(try await store.localChanges())
    try await store.import(#"[{"name": "c", "partner": "b"}]"#, as: Knot.self)
    #expect(try await store.find(Knot.self, "a").partner == nil)
  }

  @Test func newObjectsKeepTheirOwners() async throws {
    let store = try await Store(at: .memory, for: Knot.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a"}, {"name": "b"}]"#, as: Knot.self)
    var c = Knot("c")
    c.parent = ToOne(id: "a")
    c.marks = ToMany(ids: [1])
    try await store.insert(c)
    try await store.save(Badge(id: 1, title: nil, knots: ToMany()))
    var options = ImportOptions()
    options.prunes = true
    try await store.import(
      #"[{"name": "a", "children": []}, {"name": "b"}]"#, as: Knot.self, options: options)
    try await store.import(#"[]"#, as: Badge.self, options: options)
    let saved = try await store.find(Knot.self, "c")
    #expect(saved.parent?.id == "a")
    #expect(try await store.fetch(saved.marks).map(\.id) == [1])
  }

  @Test func whatIsDeletedStaysAwayHoweverItComes() async throws {
    let store = try await Store(at: .memory, for: Knot.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a", "children": ["b"]}, {"name": "b"}]"#, as: Knot.self)
    try await store.delete(Knot.self, "b")
    var options = ImportOptions()
    options.references = .stub
    try await store.import(
      #"[{"name": "a", "children": [{"name": "b", "number": 1}], "partner": "b", "friends": ["b"]}]"#,
      as: Knot.self)
    #expect(try await store.fetch(Knot.all).map(\.name) == ["a"])
    try await store.import(#"[{"name": "a", "children": ["b"]}]"#, as: Knot.self, options: options)
    #expect(try await store.fetch(Knot.all).map(\.name) == ["a"])
    let (objects, _) = try await store.importObjects(#"[{"name": "b"}, {"name": "a"}]"#, as: Knot.self)
    #expect(objects.map(\.name) == ["a"])
  }

  @Test func deletedAndMadeAgain() async throws {
    let store = try await Store(at: .memory, for: Knot.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a", "number": 1}]"#, as: Knot.self)
    try await store.delete(Knot.self, "a")
    try await store.insert(Knot("a"))
    let change = try #require(try await store.localChanges().first)
    #expect(change.kind == .updated)
    #expect(change.properties.contains("number") && !change.properties.contains("name"))
    try await store.import(#"[{"name": "a", "number": 1}]"#, as: Knot.self)
    #expect(try await store.find(Knot.self, "a").number == nil)
  }

  @Test func listsOfManyToManyStayAtBothEnds() async throws {
    let store = try await Store(at: .memory, for: Knot.self, tracksLocalChanges: true)
    try await store.import(#"[{"id": 1}, {"id": 2, "knots": ["a"]}, {"id": 3}]"#, as: Badge.self)
    try await store.import(#"[{"name": "a", "friends": ["b"]}, {"name": "b"}, {"name": "c"}]"#, as: Knot.self)
    try await store.update(Knot.self, "a") {
      $0.marks.insert(id: 1)
      $0.friends.insert(id: "c")
    }
    // The list of `a` is the program's, the links that the server made before included.
    try await store.import(#"[{"id": 1, "knots": []}, {"id": 2, "knots": []}]"#, as: Badge.self)
    try await store.import(#"[{"name": "b", "friends": []}, {"name": "c", "friends": []}]"#, as: Knot.self)
    let a = try await store.find(Knot.self, "a")
    #expect(Set(try await store.fetch(a.marks).map(\.id)) == [1, 2])
    #expect(try await store.fetch(a.friends).map(\.name) == ["b", "c"])
  }

  @Test func keysOfAnyKindAreTold() async throws {
    let store = try await Store(at: .memory, for: Everything.self, tracksLocalChanges: true)
    let json = #"[{"text": "a,\\b", "number": -1, "letter": "a", "flag": true}]"#
    try await store.import(json, as: Everything.self)
    let id = Everything.ID(text: "a,\\b", number: -1, letter: .a)
    try await store.update(Everything.self, id) { $0.flag = false }
    let report = try await store.import(json, as: Everything.self)
    #expect(report.keptLocal == ["Everything": 1])
    #expect(try await store.find(Everything.self, id).flag == false)
    try await store.delete(Everything.self, id)
    try await store.import(json, as: Everything.self)
    #expect(try await !store.exists(Everything.self, id))
    let deletion = try await store.localChanges()
    #expect(deletion.map(\.kind) == [.deleted])
    try await store.confirm(deletion)
    try await store.import(json, as: Everything.self)
    #expect(try await store.find(Everything.self, id).flag == true)
  }
}
