import Mapping
import Testing

/// The forms that links take in JSON, and the kinds of relationship they fill.
@Suite struct LinkFormTests {
  private let bands = """
    Band
      name: string | broker.identity=true
      formed: integer16
      albums: [Album] <- band
      tags: [Tag] <- bands
      leader: Person
      friends: [Person]
    Album
      id: integer64
      title: string
      band: Band <- albums
    Tag
      id: integer64
      label: string
      bands: [Band] <- tags
    Person
      id: integer64
      name: string
    """

  private func albums(_ json: String, _ rest: String...) throws -> [String] {
    let fixture = try Fixture(bands)
    try fixture.load(#"{"albums": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3}]}"#)
    for json in [json] + rest { try fixture.load(json, as: "Band") }
    return try fixture.rows("SELECT id, title, band FROM Album")
  }

  @Test(arguments: [
    // Keys, under the names that APIs give them.
    #"[{"name": "Japan", "albums": [1, 2]}]"#, #"[{"name": "Japan", "album_ids": [1, "2"]}]"#,
    #"[{"name": "Japan", "albumIDs": [1, 2, 1]}]"#, #"[{"name": "Japan", "albumsIds": [2, 1]}]"#,
    // Objects that hold an identity only, whole objects, and mixtures.
    #"[{"name": "Japan", "albums": [{"id": 1}, {"id": "2"}]}]"#,
    #"[{"name": "Japan", "albums": [{"id": 1, "title": "a"}, {"title": "b", "id": 2}]}]"#,
    #"[{"name": "Japan", "albums": [1, {"id": 2, "title": "b"}]}]"#,
    #"[{"name": "Japan", "albums": {"1": {"title": "a"}, "2": {"title": "b"}}}]"#,
    // From the other side's mouth.
    #"[{"name": "Japan", "albums": [{"id": 1, "band": "XTC"}, {"id": 2, "band": {"name": "XTC"}}]}]"#,
  ])
  func aListOfLinks(_ json: String) throws {
    #expect(try albums(json) == ["1 a Japan", "2 b Japan", "3 - -"])
  }

  @Test(arguments: [
    ("[]", ["1 a -", "2 b -", "3 - -"]), ("null", ["1 a -", "2 b -", "3 - -"]),
    ("3", ["1 a -", "2 b -", "3 - Japan"]),
    (#"{"id": 3, "title": "c"}"#, ["1 a -", "2 b -", "3 c Japan"]),
    (#""2""#, ["1 a -", "2 b Japan", "3 - -"]),
    ("[3, 2]", ["1 a -", "2 b Japan", "3 - Japan"]),
  ])
  func aListReplacesTheLinks(_ list: String, _ rows: [String]) throws {
    #expect(
      try albums(#"{"name": "Japan", "albums": [1, 2]}"#, #"{"name": "Japan", "albums": \#(list)}"#) == rows)
  }

  @Test(arguments: [
    ("[null]", ["$.albums[0]"]), ("[[1]]", ["$.albums[0]"]), ("[true]", []), (#"["x", 2]"#, ["$.albums[0]"]),
    ("[1.5]", ["$.albums[0]"]), (#"[{"title": "x"}]"#, ["$.albums[0].id"]), (#""x""#, ["$.albums"]),
  ])
  func whatCannotBeALinkIsAnIssue(_ list: String, _ places: [String]) throws {
    let fixture = try Fixture(bands, entity: "Band")
    #expect(try fixture.load(#"{"name": "Japan", "albums": \#(list)}"#).places == places)
    #expect(try fixture.rows("SELECT name FROM Band") == ["Japan"])
  }

  @Test(arguments: [
    (#""leader": 7"#, "7"), (#""leader": "7""#, "7"), (#""leader_id": 7"#, "7"), (#""leaderID": 7"#, "7"),
    (#""leader": {"id": 7}"#, "7"), (#""leader": {"id": 8, "name": "x"}"#, "8"), (#""leader": null"#, "-"),
    (#""formed": 1974"#, "6"), (#""leader": [7]"#, "6"), (#""leader": {}"#, "6"),
    (#""leader": {"name": "x"}"#, "6"),
    (#""leader": 1.5"#, "6"),
  ])
  func aLinkToOne(_ member: String, _ leader: String) throws {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(#"{"name": "Japan", "leader": 6}"#)
    let report = try fixture.load(#"{"name": "Japan", \#(member)}"#)
    #expect(try fixture.rows("SELECT leader FROM Band") == [leader])
    #expect(report.issueCount == (leader == "6" && !member.contains("formed") ? 1 : 0))
  }

  @Test func aListWithoutInverse() throws {
    let fixture = try Fixture(bands, entity: "Band")
    try fixture.load(
      #"[{"name": "A", "friends": [1, 2]}, {"name": "B", "friends": [{"id": 2, "name": "Bo"}]}]"#)
    #expect(try fixture.rows("SELECT * FROM Band_friends") == ["A 1", "A 2", "B 2"])
    let report = try fixture.load(#"[{"name": "A", "friends": [2, 3]}, {"name": "B"}]"#)
    #expect(try fixture.rows("SELECT * FROM Band_friends ORDER BY 1, 2") == ["A 2", "A 3", "B 2"])
    #expect(report.counts == "Band ~1 =1")
  }

  @Test func compositeKeysLinkByObject() throws {
    let fixture = try Fixture(
      """
      Hand
        id: integer64
        cards: [Card] <- hand
        top: Card
        seen: [Card]
      Card | identityAttributes=suit,value
        suit: string
        value: integer16
        note: string
        hand: Hand <- cards
      """, entity: "Hand")
    var report = try fixture.load(
      """
      {"id": 1, "cards": [{"suit": "a,b", "value": 1, "note": "x"}, {"suit": "c\\\\", "value": 2}],
       "top": {"suit": "c\\\\", "value": "2"}, "seen": [{"suit": "z", "value": 9, "note": "n"}]}
      """)
    #expect(
      try fixture.rows("SELECT suit, value, note, hand FROM Card ORDER BY suit") == ["a,b 1 x 1", "z 9 n -"])
    #expect(try fixture.rows("SELECT top_suit, top_value FROM Hand") == [#"c\ 2"#])
    #expect(try fixture.rows("SELECT seen_suit, seen_value FROM Hand_seen") == ["z 9"])
    #expect(Set(report.waiting) == [#"Hand 1 cards -> Card c\\,2"#, #"Hand 1 top -> Card c\\,2"#])
    report = try fixture.load(#"[{"suit": "c\\", "value": 2, "note": "y"}]"#, as: "Card")
    #expect(
      try fixture.rows("SELECT suit, value, note, hand FROM Card ORDER BY suit") == [
        "a,b 1 x 1", #"c\ 2 y 1"#, "z 9 n -",
      ])
    report = try fixture.load(#"{"id": 1, "cards": [5], "top": "c"}"#)
    #expect(report.places == ["$.cards[0]", "$.top"])
  }

  @Test func twoKeysForOneRelationship() throws {
    let fixture = try Fixture(bands, entity: "Band")
    for json in [#""leader_id": 5, "leader": {"id": 6}"#, #""leader": {"id": 6}, "leader_id": 5"#] {
      try fixture.load(#"{"name": "A", \#(json), "friend_ids": [1], "friends": [2]}"#)
      #expect(try fixture.rows("SELECT leader FROM Band") == ["6"])
      #expect(try fixture.rows("SELECT friends FROM Band_friends") == ["2"])
    }
  }
}
