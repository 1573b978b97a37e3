import Broker
import Foundation
import Testing

@Entity struct Package {
  var id: String
  var title: String?
  @Relationship(deleteRule: .cascade, ordered: true) var releases: ToMany<Release> = ToMany()
}

@Entity struct Release {
  @Identity @Relationship(inverse: \Package.releases) var package: ToOne<Package>
  @Identity var number: String
  var size: Int?
  @Relationship(inverse: \Fetches.release, deleteRule: .cascade) var fetches: ToMany<Fetches> = ToMany()
}

@Entity struct Fetches {
  @Identity var release: ToOne<Release>
  @Identity var day: Int
  var count = 0
}

@Entity struct Visitor {
  var id: Int
  var favourite: ToOne<Release>?
  @Relationship(inverse: \Card.visitor) var card: ToOne<Card>?
}

@Entity struct Card {
  @Identity var visitor: ToOne<Visitor>
  var text: String?
}

/// Types whose identity names other objects.
@Suite struct OwnerTypeTests {
  private func store(tracking: Bool = false) async throws -> Store {
    try await Store(at: .memory, for: Fetches.self, Visitor.self, tracksLocalChanges: tracking)
  }

  private let json = """
    {"packages": [{"id": "a", "releases": [{"number": "2", "size": 1}, {"number": "1", "size": 5,
       "fetches": [{"day": 1, "count": 7}]}]}, {"id": "b"}],
     "visitors": [{"id": 1, "favourite": "a,1", "card": {"text": "x"}}]}
    """

  private func filled(tracking: Bool = false) async throws -> Store {
    let store = try await store(tracking: tracking)
    let report = try await store.import(json)
    #expect(report.issues.isEmpty, "\(report.issues)")
    return store
  }

  private let first = Release.ID(package: "a", number: "1")

  @Test("objects are found, saved and deleted by it")
  func savingAndFinding() async throws {
    let store = try await filled()
    var release = try await store.find(Release.self, first)
    #expect(release.size == 5)
    #expect(release.id == first)
    #expect(release.package.id == "a")
    release.size = 6
    try await store.save(release)
    #expect(try await store.find(Release.self, ids: [first]).map(\.size) == [6])
    let fetches = try await store.find(Fetches.self, Fetches.ID(release: first, day: 1))
    #expect(fetches.release.id == first)
    try await store.save(Release(package: ToOne(id: "b"), number: "9"))
    try await store.save(Fetches(release: ToOne(release), day: 2, count: 1))
    #expect(try await store.count(Fetches.all) == 2)
    try await store.delete(Package.self, "b")
    #expect(try await store.count(Release.all) == 2)
    #expect(try await store.find(Card.self, 1).text == "x")
    await #expect(throws: SaveError.self) { try await store.insert(release) }
  }

  @Test("conditions, orders and links go by it")
  func queries() async throws {
    let store = try await filled()
    func numbers(_ query: Query<Release>) async throws -> [String] {
      try await store.fetch(query.sorted(by: \.number)).map(\.number)
    }
    #expect(try await numbers(Release.filter(#Predicate { $0.package.id == "a" })) == ["1", "2"])
    let owner = ToOne<Package>(id: "a")
    #expect(try await numbers(Release.filter(#Predicate { $0.package == owner })) == ["1", "2"])
    #expect(try await numbers(Release.filter(ids: [first])) == ["1"])
    #expect(
      try await numbers(Release.filter(#Predicate { $0.package.title == nil && $0.size == 5 })) == ["1"])
    let link: ToOne<Release>? = ToOne(id: first)
    #expect(try await store.count(Visitor.filter(#Predicate { $0.favourite == link })) == 1)
    #expect(try await store.count(Visitor.filter(#Predicate { $0.favourite?.package?.id == "a" })) == 1)
    let visitors = try await store.fetch(Visitor.all.prefetching(\.favourite))
    #expect(visitors.first?.favourite?.size == 5)
    #expect(visitors.first?.card?.id == 1)
    let packages = try await store.fetch(Package.all.prefetching(\.releases))
    #expect(packages.first?.releases.objects?.map(\.number) == ["2", "1"])
  }

  @Test("a rename is followed by all that name it")
  func renames() async throws {
    let store = try await filled()
    try await store.rename(Package.self, "a", to: "c")
    let id = Release.ID(package: "c", number: "1")
    #expect(try await store.find(Release.self, id).size == 5)
    #expect(try await store.find(Visitor.self, 1).favourite?.id == id)
    try await store.rename(Release.self, id, to: Release.ID(package: "b", number: "1"))
    #expect(
      try await store.find(Fetches.self, Fetches.ID(release: .init(package: "b", number: "1"), day: 1)).count
        == 7)
    try await store.rename(Visitor.self, 1, to: 8)
    #expect(try await store.find(Card.self, 8).text == "x")
  }

  @Test("an owner's list takes new objects, and none of another owner")
  func lists() async throws {
    let store = try await filled()
    try await store.update(Package.self, "a") { package in
      package.releases.insert(Release(package: ToOne(id: "a"), number: "3"))
    }
    #expect(try await store.count(Release.all) == 3)
    await #expect(throws: SaveError.self) {
      try await store.update(Package.self, "b") {
        $0.releases.insert(id: Release.ID(package: "a", number: "1"))
      }
    }
    #expect(try await store.find(Release.self, first).package.id == "a")
  }

  @Test("changes are told under it, and follow it")
  func localChanges() async throws {
    let store = try await filled(tracking: true)
    try await store.update(Release.self, first) { $0.size = 9 }
    try await store.save(Package(id: "new"))
    try await store.save(Release(package: ToOne(id: "new"), number: "1", size: 2))
    func told() async throws -> [String] {
      try await store.localChanges().map {
        "\($0.kind) \($0.entity) \($0.identity) \($0.properties.sorted())"
      }
    }
    #expect(
      try await told() == [
        "updated Release a,1 [\"size\"]", "inserted Package new []", "inserted Release new,1 []",
      ])
    try await store.rename(Package.self, "a", to: "c")
    // What names the package is told after its rename.
    #expect(
      try await Array(told().prefix(2)) == ["renamed Package c [\"id\"]", "updated Release c,1 [\"size\"]"])
    let changes = try await store.localChanges()
    let text = try await store.exportLocalChanges(changes)
    #expect(
      String(decoding: text, as: UTF8.self).contains(#""object":{"size":9,"number":"1","package":"c"}"#)
        || String(decoding: text, as: UTF8.self).contains(#""object":{"number":"1","size":9,"package":"c"}"#))
    // The server has the new package already, with a release of that number.
    try await store.import(
      #"{"packages": [{"id": "late", "title": "T", "releases": [{"number": "1", "size": 1}, {"number": "7", "size": 1}]}]}"#
    )
    let inserted = try #require(changes.first { $0.entity == "Package" && $0.kind == .inserted })
    try await store.confirm(inserted, identity: "late")
    #expect(try await store.fetch(Release.filter(#Predicate { $0.package.id == "late" })).count == 2)
    #expect(try await told().contains { $0.hasPrefix("inserted Release late,1") })
    #expect(try await store.find(Package.self, "late").title == "T")
  }

  @Test("an import leaves alone what was changed under it")
  func conflicts() async throws {
    let store = try await filled(tracking: true)
    try await store.update(Release.self, first) { $0.size = 9 }
    let report = try await store.import(json)
    #expect(report.keptLocal == ["Release": 1])
    #expect(try await store.find(Release.self, first).size == 9)
    try await store.delete(Package.self, "a")
    let again = try await store.import(json)
    #expect(again.issues.isEmpty, "\(again.issues)")
    #expect(try await store.count(Release.all) == 0)
    #expect(try await store.count(Package.all) == 1)
    try await store.confirm(try await store.localChanges())
    try await store.import(json)
    #expect(try await store.find(Release.self, first).size == 5)
  }

  @Test("a new object in its owner's list is told as new")
  func newInAList() async throws {
    let store = try await filled(tracking: true)
    try await store.update(Package.self, "b") {
      $0.releases.insert(Release(package: ToOne(id: "b"), number: "1"))
    }
    let told = try await store.localChanges().map {
      "\($0.kind) \($0.entity) \($0.identity) \($0.properties)"
    }
    #expect(told.contains("inserted Release b,1 []"), "\(told)")
  }

  @Test("who observes sees it change")
  func observation() async throws {
    let store = try await filled()
    let moved = Follower(store.observe(Release.filter(#Predicate { $0.package.id == "c" })))
    let all = Follower(store.observe(Fetches.all))
    #expect(await eventually { moved.last?.isEmpty == true && all.last?.count == 1 })
    try await store.rename(Package.self, "a", to: "c")
    #expect(await eventually { moved.last?.count == 2 })
    #expect(await eventually { all.last?.first?.release.id.package == "c" })
    try await store.import(#"[{"package": "c", "number": "8", "size": 1}]"#, as: Release.self)
    #expect(await eventually { moved.last?.count == 3 })
  }

  @Test("links are coded by it")
  func coding() throws {
    let link = ToOne<Release>(id: first)
    let data = try JSONEncoder().encode([link])
    #expect(String(decoding: data, as: UTF8.self) == #"[["a","1"]]"#)
    #expect(try JSONDecoder().decode([ToOne<Release>].self, from: data) == [link])
  }

  @Test("objects by name have a link for it")
  func byName() async throws {
    let store = try await filled()
    let release = try await store.find("Release", "a,1")
    #expect(release["package"] == .link("a"))
    #expect(release.identity == "a,1")
    var change = Object("Release", ["package": .link("a"), "number": "1"])
    change["size"] = 8
    #expect(try await store.save(change)["size"] == 8)
    let saved = try await store.save(Object("Fetches", ["release": .link("a,1"), "day": 4]))
    #expect(saved.identity == "a,1,4")
    await #expect(throws: SaveError.self) { try await store.save(Object("Release", ["number": "1"])) }
    try await store.delete("Release", "a,2")
    #expect(try await store.count(ObjectQuery("Release")) == 1)
  }

  @Test("the model has what the types say")
  func model() throws {
    let model = try Model(describing: Fetches.self, Visitor.self)
    let release = try #require(model.entities.first { $0.name == "Release" })
    #expect(release.userInfo["broker.identity"] == "package,number")
    #expect(release.relationships.first { $0.name == "package" }?.isOptional == false)
  }
}
