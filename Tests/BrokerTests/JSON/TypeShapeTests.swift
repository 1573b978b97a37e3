import Broker
import Testing

@Entity struct Nation {
  @Identity var code: String
  @Key("latlng[0]") var latitude: Double?
  @Key("capital[]") var capitals: [String]?
  var words: ToMany<NationWord>
  var tags: ToMany<NationTag>
}

@Entity(identified: false) struct NationWord {
  var language: String
  var official: String?
  @Relationship(inverse: \Nation.words) var nation: ToOne<Nation>?
}

@Entity struct NationTag {
  @Identity var name: String
  @Relationship(inverse: \Nation.tags) var nation: ToOne<Nation>?
}

@Entity struct Reply {
  var id: Int
  var text: String?
  var image: ToOne<ReplyImage>?
  var party: ToOne<ReplyParty>?
}

@Entity struct ReplyImage {
  var id: Int
  var url: String?
}

@Entity struct ReplyParty {
  var id: Int
  var title: String?
}

/// The shapes of JSON that mappings name by key paths of types.
@Suite struct TypeShapeTests {
  @Test func dictionariesAndPlaces() async throws {
    var mapping = JSONMapping()
    try mapping.map(NationTag.self) { tag in
      tag.noIdentity()
      tag.values(\.name)
    }
    try mapping.map(Nation.self) { $0.dictionary(\.words, keys: \.language) }
    let store = try await Store(
      at: .scratch, for: Nation.self, NationWord.self, NationTag.self, mapping: mapping)
    let report = try await store.import(
      #"""
      [{"code": "CH", "latlng": [47, 8], "capital": ["Bern"], "tags": ["alps", "neutral"],
        "words": {"deu": {"official": "Schweiz"}, "fra": {"official": "Suisse"}}}]
      """#, as: Nation.self)
    #expect(report.issues.isEmpty)
    let query = Nation.all.prefetching(\.words).prefetching(\.tags)
    let nation = try #require(try await store.fetch(query).first)
    #expect(nation.latitude == 47)
    #expect(nation.capitals == ["Bern"])
    #expect(nation.words.map(\.language).sorted() == ["deu", "fra"])
    #expect(nation.tags.map(\.name).sorted() == ["alps", "neutral"])
    let json = String(decoding: try await store.export(Nation.all), as: UTF8.self)
    #expect(json.contains(#""words":{"deu":{"official":"Schweiz"}"#))
    #expect(json.contains(#""tags":["alps","neutral"]"#))
  }

  @Test func severalTypes() async throws {
    var mapping = JSONMapping()
    try mapping.map(Reply.self) { reply in
      reply.polymorphic("subject", \.image, \.party, values: ["photo": \.image])
      reply.only(\.image, .insert)
      reply.exportedKey(\.text, "body")
    }
    let store = try await Store(
      at: .scratch, for: Reply.self, ReplyImage.self, ReplyParty.self, mapping: mapping)
    let report = try await store.import(
      #"""
      [{"id": 1, "text": "a", "subject": {"type": "photo", "id": 5, "url": "first"}},
       {"id": 2, "body": "b", "subject_type": "reply_party", "subject_id": 6}]
      """#, as: Reply.self)
    #expect(report.issues.isEmpty)
    let again = try await store.import(
      #"[{"id": 3, "subject": {"type": "photo", "id": 5, "url": "second"}}]"#, as: Reply.self)
    #expect(again.excluded == ["ReplyImage": 1])
    #expect(try await store.fetch(ReplyImage.self, id: 5)?.url == "first")
    let json = String(decoding: try await store.export(Reply.all), as: UTF8.self)
    #expect(json.contains(#"{"id":1,"body":"a","subject":{"type":"photo","id":5}}"#))
    #expect(json.contains(#"{"id":2,"body":"b","subject":{"type":"ReplyParty","id":6}}"#))
  }

  @Test func valuesAndInside() async throws {
    var mapping = JSONMapping()
    try mapping.map(Reply.self) { reply in
      reply.inside(attributes: "data", relationships: "links", targets: "data")
    }
    let store = try await Store(
      at: .scratch, for: Reply.self, ReplyImage.self, ReplyParty.self, mapping: mapping)
    try await store.import(
      #"[{"id": 1, "data": {"text": "a"}, "links": {"image": {"data": {"id": 5, "url": "u"}}}}]"#,
      as: Reply.self)
    let reply = try #require(try await store.fetch(Reply.all.prefetching(\.image)).first)
    #expect(reply.text == "a")
    #expect(reply.image?.url == "u")
  }

  @Test func pathsToOtherPropertiesAreRefused() {
    var mapping = JSONMapping()
    #expect(throws: TypeError.self) { try mapping.map(Reply.self) { $0.only(\.text?.count, .insert) } }
    #expect(throws: TypeError.self) {
      try mapping.map(Reply.self) { $0.polymorphic("x", \.image, \.id.description) }
    }
  }
}
