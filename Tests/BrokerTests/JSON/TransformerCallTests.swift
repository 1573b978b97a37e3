import Broker
import Testing

@Entity struct StarFilm {
  @Attribute(transformers: [.regex(#"/films/(\d+)/"#, write: "https://api/films/$1/")]) @Key("url") @Identity
  var number: Int
  @Attribute(transformers: ["trimmed", .table(["A": "active", "I": "inactive"], otherwise: .keep)])
  var status: String?
  @Relationship(inverse: \StarPerson.films, transformers: [.prefix("Person/")]) var characters:
    ToMany<StarPerson>
}

@Entity struct StarPerson {
  var id: Int
  var name: String?
  var films: ToMany<StarFilm>
}

/// Transformers with arguments, said by types and by key paths.
@Suite struct TransformerCallTests {
  private static let json = """
    {"url": "https://api/films/4/", "status": " A", "characters": ["Person/1", {"id": 2, "name": "Leia"}]}
    """

  @Test func typesNameThem() async throws {
    let store = try await Store(at: .scratch, for: StarFilm.self, StarPerson.self)
    try await store.import(#"{"id": 1, "name": "Luke"}"#, as: StarPerson.self)
    let report = try await store.import(Self.json, as: StarFilm.self)
    #expect(report.issues.isEmpty)
    let film = try #require(try await store.fetch(StarFilm.all.prefetching(\.characters)).first)
    #expect(film.number == 4)
    #expect(film.status == "active")
    #expect(film.characters.map(\.id).sorted() == [1, 2])
  }

  @Test func aMappingNamesThemByKeyPaths() async throws {
    var mapping = JSONMapping()
    try mapping.map(StarFilm.self) { film in
      film.transformers(\.status, .suffix("!"), "uppercase")
      film.transformers(\.characters, .regex(#"^/people/(\d+)$"#))
    }
    let store = try await Store(at: .scratch, for: StarFilm.self, StarPerson.self, mapping: mapping)
    let report = try await store.import(
      #"{"url": "/films/4/", "status": "new!", "characters": ["/people/1", {"id": 2, "name": "Leia"}]}"#,
      as: StarFilm.self)
    #expect(report.issues.isEmpty)
    let film = try #require(try await store.fetch(StarFilm.all.prefetching(\.characters)).first)
    #expect(film.status == "NEW")
    #expect(film.characters.map(\.id) == [2])
    #expect(report.pendingCount == 1)
  }
}
