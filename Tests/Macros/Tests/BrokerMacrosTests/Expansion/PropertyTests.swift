import Testing

/// What properties and their marks become in the list of properties.
@Suite struct PropertyTests {
  @Test func optionsOfAttributes() {
    expectProperties(
      of: ##"""
        var id: String
        @Attribute(name: "heading") var title: String
        @Attribute(indexed: true, unique: true) var slug: String
        @Attribute(indexed: false, unique: false, exported: true) var plain: String
        @Attribute(pattern: #"\d+"#, exported: false) var number: String
        @Attribute(dateFormat: "yyyy/MM/dd") var changed: Date
        @Attribute(transformers: ["trim", .prefix("a")]) var text: String
        @Attribute(minimum: -1.5, maximum: limit) var rating: Double
        @Attribute(minimum: nil, pattern: nil) var other: Double
        @Attribute(search: true) var bio: String
        @Attribute(indexed: true, search: false) var motto: String
        """##,
      #".attribute("id", \.id, .identity)"#,
      #".attribute("heading", \.title)"#,
      #".attribute("slug", \.slug, .indexed, .unique)"#,
      #".attribute("plain", \.plain)"#,
      ##".attribute("number", \.number, .pattern(#"\d+"#), .notExported)"##,
      #".attribute("changed", \.changed, .dateFormat("yyyy/MM/dd"))"#,
      #".attribute("text", \.text, .transformers(["trim", .prefix("a")]))"#,
      #".attribute("rating", \.rating, .minimum(-1.5), .maximum(limit))"#,
      #".attribute("other", \.other)"#,
      #".attribute("bio", \.bio, .searched)"#,
      #".attribute("motto", \.motto, .indexed)"#)
  }

  @Test func optionsOfRelationships() {
    expectProperties(
      of: #"""
        var id: String
        @Relationship(name: "records", ordered: true, minimum: 1, maximum: 5) var albums: ToMany<Album>
        @Relationship(inverse: nil, deleteRule: .deny) var label: ToOne<Label>
        @Relationship(inverse: "friends", ordered: false) var friends: Broker.ToMany<Band>
        @Relationship(inverse: \Model.Person.band) var leader: Optional<ToOne<Model.Person>>
        @Relationship @Key("x.y", "z") var guest: Broker.ToOne<Person>?
        var next: ToOne<Band>? = nil
        """#,
      #".attribute("id", \.id, .identity)"#,
      #".toMany("records", \.albums, .ordered, .minimum(1), .maximum(5))"#,
      #".toOne("label", \.label, .noInverse, .deleteRule(.deny))"#,
      #".toMany("friends", \.friends, .inverse(_BrokerInverseName<Band, Band>().friends))"#,
      #".toOne("leader", \.leader, .inverse(_BrokerInversePathName<Model.Person, Band>().band))"#,
      #".toOne("guest", \.guest, .key("x.y", "z"))"#,
      #".toOne("next", \.next)"#)
  }

  @Test func marksTogether() {
    expectProperties(
      of: #"""
        @Identity @Key("a.b", "other") @Attribute(indexed: true) var id = "none"
        @Version
        // How old it is.
        var `var`: Int // in seconds
        """#,
      #".attribute("id", \.id, .identity, .key("a.b", "other"), .indexed, .default("none"))"#,
      #".attribute("var", \.`var`, .version)"#)
  }

  @Test func severalInOneDeclaration() {
    expectProperties(
      of: """
        var id, title: String
        var low = 1, high = 2.5, a, b: Int?
        """,
      #".attribute("id", \.id, .identity)"#, #".attribute("title", \.title)"#,
      #".attribute("low", \.low, .default(1))"#, #".attribute("high", \.high, .default(2.5))"#,
      #".attribute("a", \.a)"#, #".attribute("b", \.b)"#)
  }

  @Test func kinds() {
    let (text, problems) = expand(
      """
      @Entity @Kinds("type", unknown: .entity(Other.self)) @Kind("a", "b") struct Event {
        var id: Int
        @Attribute(unknown: Genre.other) var genre: Genre
      }
      """)
    #expect(problems.isEmpty)
    #expect(text.contains("list.kinds(\"type\", unknown: .entity(Other.self))"))
    #expect(text.contains("list.kind(\"a\", \"b\")"))
    #expect(text.contains("_BrokerProperty<Event>.attribute(\"genre\", \\.genre, .unknown(Genre.other))"))
  }

  @Test func kindsOutsideOfEntities() {
    expectProblems(
      in: "@Kind(\"a\") struct Event {}",
      """
      1:1 warning: @Kind has no effect outside an @Entity struct [markWithoutEffect]
        fix: take @Kind away
          - @Kind("a") struct Event {}
          + struct Event {}
      """)
  }
}
