import Broker
import Foundation
import Testing

@Entity private struct Codebase {
  var id: Int
  var license: License?
  var labels: [Label] = []
  var topics: [String] = []
  var owner: ToOne<Maintainer>?

  struct License: Codable, Equatable, Sendable {
    var key: String
    var name: String?
    var stars: Int?
    var isFree: Bool
    var since: Date?
    var code: UUID?
    var grade: Grade?
    var terms: Terms?

    enum CodingKeys: String, CodingKey {
      case key = "spdx_id"
      case name, stars, isFree, since, code, grade, terms
    }
  }

  struct Terms: Codable, Equatable, Sendable {
    var words: [String]
    var parent: [Terms]?
  }

  struct Label: Codable, Sendable {
    var name: String
    var weight: Double
  }

  enum Grade: String, CaseIterable, Codable, Sendable { case good, bad }
}

@Entity private struct Maintainer {
  var id: Int
  var address: Address?
  @Relationship(inverse: \Codebase.owner) var codebases: ToMany<Codebase>

  struct Address: Codable, Sendable { var city: String }
}

/// What decodes its member from a nested container: which key its members have cannot be known.
private struct Flattened: Codable, Sendable {
  var city: String

  enum Outer: String, CodingKey { case place }
  enum Inner: String, CodingKey { case city }

  init(from decoder: any Decoder) throws {
    let outer = try decoder.container(keyedBy: Outer.self)
    city = try outer.nestedContainer(keyedBy: Inner.self, forKey: .place).decode(String.self, forKey: .city)
  }

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: Outer.self)
    var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .place)
    try inner.encode(city, forKey: .city)
  }
}

@Entity private struct Wharfage {
  var id: Int
  var berths: [String: Int]?
  var place: Flattened?
}

/// Conditions on members of nested `Codable` values and on elements of lists.
@Suite struct MemberQueryTests {
  private func store() async throws -> Store {
    let store = try await Store(at: .scratch, for: Codebase.self, Maintainer.self)
    try await store.import(
      #"""
      {"codebases": [
        {"id": 1, "license": {"spdx_id": "mit", "name": "MIT", "stars": 3, "isFree": true,
          "since": "1988-01-01T00:00:00Z", "code": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "grade": "good",
          "terms": {"words": ["as", "is"]}},
         "labels": [{"name": "bug", "weight": 2}, {"name": "ui", "weight": 0.5}], "topics": ["sql"],
         "owner": {"id": 7, "address": {"city": "Oslo"}}},
        {"id": 2, "license": {"spdx_id": "gpl", "stars": 12, "isFree": false, "grade": "bad"},
         "labels": [{"name": "ui", "weight": 3}], "topics": [], "owner": {"id": 8, "address": {"city": "Rome"}}},
        {"id": 3, "labels": [], "topics": ["swift", "sql"]}]}
      """#)
    return store
  }

  @Test func membersAreCompared() async throws {
    let store = try await store()
    func ids(_ predicate: Predicate<Codebase>) async throws -> [Int] {
      try await store.fetch(Codebase.filter(predicate)).map(\.id)
    }
    let mit = "mit"
    #expect(try await ids(#Predicate { $0.license?.key == "mit" }) == [1])
    #expect(try await ids(#Predicate { $0.license?.key == mit }) == [1])
    #expect(try await ids(#Predicate { $0.license?.key != "mit" }) == [2, 3])
    #expect(try await ids(#Predicate { $0.license?.name == nil }) == [2, 3])
    #expect(try await ids(#Predicate { $0.license == nil }) == [3])
    #expect(try await ids(#Predicate { ($0.license?.stars ?? 0) > 5 }) == [2])
    #expect(try await ids(#Predicate { $0.license?.isFree == true }) == [1])
    #expect(try await ids(#Predicate { $0.license?.isFree == false }) == [2])
    #expect(try await ids(#Predicate { $0.license?.key.starts(with: "g") == true }) == [2])
    let (year, code) = (
      Date(timeIntervalSince1970: 567_993_600), UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
    )
    let grade = Codebase.Grade.bad
    #expect(try await ids(#Predicate { $0.license?.since == year }) == [1])
    #expect(try await ids(#Predicate { ($0.license?.since ?? year) < year }) == [])
    #expect(try await ids(#Predicate { $0.license?.code == code }) == [1])
    #expect(try await ids(#Predicate { $0.license?.grade == grade }) == [2])
    #expect(try await ids(#Predicate { $0.license?.terms?.words.contains("as") == true }) == [1])
    #expect(try await ids(#Predicate { $0.owner?.object?.address?.city == "Oslo" }) == [1])
  }

  @Test func elementsAreObjects() async throws {
    let store = try await store()
    func ids(_ predicate: Predicate<Codebase>) async throws -> [Int] {
      try await store.fetch(Codebase.filter(predicate)).map(\.id)
    }
    #expect(try await ids(#Predicate { $0.labels.contains { $0.name == "ui" } }) == [1, 2])
    #expect(try await ids(#Predicate { $0.labels.contains { $0.name == "ui" && $0.weight > 1 } }) == [2])
    #expect(try await ids(#Predicate { $0.labels.allSatisfy { $0.weight > 1 } }) == [2, 3])
    #expect(try await ids(#Predicate { $0.labels.contains { $0.name == "bug" } == false }) == [2, 3])
    #expect(try await ids(#Predicate { $0.topics.contains { $0.starts(with: "sw") } }) == [3])
    #expect(try await ids(#Predicate { $0.topics.allSatisfy { $0 == "sql" } }) == [1, 2])
    #expect(try await ids(#Predicate { $0.topics.isEmpty }) == [2])
    #expect(try await ids(#Predicate { $0.topics.count > 1 }) == [3])
    #expect(
      try await ids(#Predicate { $0.owner?.object?.codebases.contains { $0.topics.isEmpty } == true }) == [2])
  }

  @Test func formatsReachMembersToo() async throws {
    let store = try await store()
    func ids(_ format: String) async throws -> [Int] {
      try await store.fetch(Codebase.filter(format: format)).map(\.id)
    }
    #expect(try await ids("license.spdx_id == 'mit'") == [1])
    #expect(try await ids("license.spdx_id IN {'mit', 'gpl'}") == [1, 2])
    #expect(try await ids("license.stars BETWEEN {4, 20}") == [2])
    #expect(try await ids("license.stars == 'x'") == [])
    #expect(try await ids("license.stars >= 2.5") == [1, 2])
    #expect(try await ids("license.spdx_id CONTAINS[c] 'MI'") == [1])
    #expect(try await ids("license.terms.words CONTAINS 'is'") == [1])
    #expect(try await ids("ANY license.terms.words BEGINSWITH 'a'") == [1])
    #expect(try await ids("license.unknown == nil") == [1, 2, 3])
    #expect(try await ids("owner.address.city == 'Oslo'") == [1])
    #expect(try await ids("labels.@count == 0") == [3])
    #expect(try await ids("labels.@count > 1") == [1])
    #expect(try await ids("SUBQUERY(labels, $l, $l.name == 'ui' AND $l.weight > 1).@count > 0") == [2])
    await #expect(throws: StoreError.self) {
      _ = try await store.fetch(Codebase.all.sorted(byName: "license.spdx_id"))
    }
  }

  @Test(.onSQLite) func brokenJSONIsNoMember() async throws {
    let store = try await store()
    try await store.write { transaction in
      try transaction.execute("UPDATE Codebase SET license = 'mit', labels = '[' WHERE id = 1")
    }
    #expect(try await store.count(Codebase.filter(format: "license.spdx_id == 'mit'")) == 0)
    #expect(
      try await store.count(Codebase.filter(format: "ANY labels.name == 'ui' OR labels.@count > 1")) == 0)
  }

  @Test func dictionariesAreNoLists() async throws {
    let store = try await Store(at: .scratch, for: Wharfage.self)
    for predicate in [
      #Predicate<Wharfage> { ($0.berths?.count ?? 0) == 1 },
      #Predicate<Wharfage> { $0.berths?.isEmpty == true },
    ] {
      await #expect(throws: QueryError.self) { _ = try await store.fetch(Wharfage.filter(predicate)) }
    }
  }

  @Test func aMemberWhoseKeyIsNotKnownIsRefused() async throws {
    let store = try await Store(at: .scratch, for: Wharfage.self)
    await #expect(throws: QueryError.self) {
      _ = try await store.fetch(Wharfage.filter(#Predicate { $0.place?.city == "Oslo" }))
    }
  }
}
