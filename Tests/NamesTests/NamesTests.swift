import Broker
import Foundation
import Observation
import Testing

// An app's own types, that are called as Broker's are, or as what the macros of Broker write.
struct Broker {}
struct Report { var title: String }
struct ImportIssue { var number: Int }
struct Query { var text: String }
struct Model {}
struct Attribute {}
struct Entity {}
struct Relationship {}
struct Property {}
struct Properties {}
struct Object {}
struct ObjectRow {}
struct RowID {}
struct IdentityValue {}
struct IdentityEncoder {}
struct IdentityDecoder {}
struct Storable {}
struct Schema {}
struct Transformer {}
struct PropertyList {}
struct Discriminator {}

@Entity struct Team {
  @Identity var country: String
  @Identity var number: Int
  @Key("title") @Attribute(indexed: true, minimum: 1) var name: String?
  @Relationship(inverse: \Player.team, deleteRule: .cascade) var players: ToMany<Player>
  var notes: ToMany<Note>
}

@Entity struct Player {
  var id: Int
  var team: ToOne<Team>?
}

@Entity(identified: false) struct Note {
  var text: String
}

/// What `@Observable` writes begins with the name of a module, which no type may hide.
@Observable final class Screen {
  var teams: [Team] = []
}

/// A program may have types of the names that Broker has.
@Suite struct NamesTests {
  @Test func entitiesWorkAmongThem() async throws {
    let store = try await Store(at: .memory, for: Team.self)
    try await store.import(
      #"[{"country": "UK", "number": 1, "title": "Reds", "players": [{"id": 7}], "notes": [{"text": "a"}]}]"#,
      as: Team.self)
    let screen = Screen()
    screen.teams = try await store.fetch(Team.filter(#Predicate { $0.name == "Reds" }).prefetching(\.notes))
    #expect(screen.teams.first?.notes.map(\.text) == ["a"])
    #expect(screen.teams.first?.id == Team.ID(country: "UK", number: 1))
  }

  @Test("the program's own types are meant by their names")
  func ownTypes() {
    #expect([ImportIssue(number: 1)].map(\.number) == [1])
    #expect(Report(title: "a").title + Query(text: "b").text == "ab")
  }

  @Test("issues of tests are those of Swift Testing")
  func issuesOfTests() {
    withKnownIssue { Issue.record("on purpose") }
  }
}
