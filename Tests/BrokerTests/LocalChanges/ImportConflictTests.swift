import Broker
import Testing

/// Local changes that an import could undo through the other end of a relationship.
@Suite struct ImportConflictTests {
  private func summary(_ store: Store) async throws -> [String] {
    try await store.localChanges().map { "\($0.kind) \($0.entity) \($0.identity) \($0.properties)" }
  }

  @Test func linksFromOneToOneThatWereChangedStay() async throws {
    let store = try await Store(at: .memory, for: Resident.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a"}, {"name": "b"}, {"name": "c"}]"#, as: Resident.self)
    try await store.update(Resident.self, "a") { $0.partner = ToOne(id: "b") }
    #expect(
      try await summary(store) == ["updated Resident a [\"partner\"]", "updated Resident b [\"partner\"]"])
    // Neither the other end nor a third can end it.
    for json in [#"[{"name": "b", "partner": null}]"#, #"[{"name": "c", "partner": "b"}]"#] {
      try await store.import(json, as: Resident.self)
      #expect(try await store.find(Resident.self, "a").partner?.id == "b")
      #expect(try await store.find(Resident.self, "c").partner == nil)
    }
    try await store.confirm(try await store.localChanges())
    try await store.import(#"[{"name": "c", "partner": "b"}]"#, as: Resident.self)
    #expect(try await store.find(Resident.self, "a").partner == nil)
  }

  @Test func newObjectsKeepTheirOwners() async throws {
    let store = try await Store(at: .memory, for: Resident.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a"}, {"name": "b"}]"#, as: Resident.self)
    var c = Resident("c")
    c.parent = ToOne(id: "a")
    c.badges = ToMany(ids: [1])
    try await store.insert(c)
    try await store.save(Badge(id: 1, title: nil, residents: ToMany()))
    var options = ImportOptions()
    options.prunes = true
    try await store.import(
      #"[{"name": "a", "children": []}, {"name": "b"}]"#, as: Resident.self, options: options)
    try await store.import(#"[]"#, as: Badge.self, options: options)
    let saved = try await store.find(Resident.self, "c")
    #expect(saved.parent?.id == "a")
    #expect(try await store.fetch(saved.badges).map(\.id) == [1])
  }

  @Test func whatIsDeletedStaysAwayHoweverItComes() async throws {
    let store = try await Store(at: .memory, for: Resident.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a", "children": ["b"]}, {"name": "b"}]"#, as: Resident.self)
    try await store.delete(Resident.self, "b")
    var options = ImportOptions()
    options.references = .stub
    try await store.import(
      #"[{"name": "a", "children": [{"name": "b", "number": 1}], "partner": "b", "friends": ["b"]}]"#,
      as: Resident.self)
    #expect(try await store.fetch(Resident.all).map(\.name) == ["a"])
    try await store.import(#"[{"name": "a", "children": ["b"]}]"#, as: Resident.self, options: options)
    #expect(try await store.fetch(Resident.all).map(\.name) == ["a"])
    let (objects, _) = try await store.importObjects(#"[{"name": "b"}, {"name": "a"}]"#, as: Resident.self)
    #expect(objects.map(\.name) == ["a"])
  }

  @Test func deletedAndMadeAgain() async throws {
    let store = try await Store(at: .memory, for: Resident.self, tracksLocalChanges: true)
    try await store.import(#"[{"name": "a", "number": 1}]"#, as: Resident.self)
    try await store.delete(Resident.self, "a")
    try await store.insert(Resident("a"))
    let change = try #require(try await store.localChanges().first)
    #expect(change.kind == .updated)
    #expect(change.properties.contains("number") && !change.properties.contains("name"))
    try await store.import(#"[{"name": "a", "number": 1}]"#, as: Resident.self)
    #expect(try await store.find(Resident.self, "a").number == nil)
  }

  @Test func listsOfManyToManyStayAtBothEnds() async throws {
    let store = try await Store(at: .memory, for: Resident.self, tracksLocalChanges: true)
    try await store.import(#"[{"id": 1}, {"id": 2, "residents": ["a"]}, {"id": 3}]"#, as: Badge.self)
    try await store.import(
      #"[{"name": "a", "friends": ["b"]}, {"name": "b"}, {"name": "c"}]"#, as: Resident.self)
    try await store.update(Resident.self, "a") {
      $0.badges.insert(id: 1)
      $0.friends.insert(id: "c")
    }
    // The list of `a` is the program's, the links that the server made before included.
    try await store.import(#"[{"id": 1, "residents": []}, {"id": 2, "residents": []}]"#, as: Badge.self)
    try await store.import(
      #"[{"name": "b", "friends": []}, {"name": "c", "friends": []}]"#, as: Resident.self)
    let a = try await store.find(Resident.self, "a")
    #expect(Set(try await store.fetch(a.badges).map(\.id)) == [1, 2])
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
