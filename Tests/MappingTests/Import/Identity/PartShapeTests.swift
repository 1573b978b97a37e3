import Mapping
import ObjectStore
import Testing

/// Parts whose links are kept in unusual places, and parts of parts.
@Suite struct PartShapeTests {
  private func address(_ fixture: Fixture) throws -> [String] {
    try fixture.rows("SELECT street, city, person FROM Address ORDER BY _id")
  }

  /// The foreign key of a one-to-one is kept by the end that comes first in the model, or is required.
  @Test(arguments: [
    "Address\n  street: string\n  city: string\n  person: Person <- address\nPerson\n  id: integer64"
      + "\n  address: Address <- person",
    "Person\n  id: integer64\n  address: Address <- person\nAddress\n  street: string\n  city: string"
      + "\n  person: Person! <- address",
  ])
  func aPartMayHoldTheLinkToItsOwner(_ notation: String) throws {
    let fixture = try Fixture(notation, entity: "Person")
    let full =
      #"[{"id": 1, "address": {"street": "A", "city": "Bonn"}}, {"id": 2, "address": {"street": "B"}}]"#
    #expect(try fixture.load(full).counts == "Address +2, Person +2")
    let writes = try fixture.writes()
    #expect(try fixture.load(full).counts == "Address =2, Person =2")
    #expect(try fixture.writes() == writes)
    #expect(
      try fixture.load(#"{"id": 1, "address": {"city": "Köln"}}"#, as: "Person").counts
        == "Address ~1, Person =1")
    #expect(try address(fixture) == ["A Köln 1", "B - 2"])
    #expect(try fixture.load(#"[{"id": 1}]"#).counts == "Person =1")
    #expect(try fixture.load(#"[{"id": 1, "address": null}]"#).deleted == ["Address": 1])
    #expect(try address(fixture) == ["B - 2"])
  }

  private let comments = """
    Post
      id: integer64
      comments: [Comment] <- post | ordered
    Comment
      text: string
      post: Post <- comments
      parent: Comment <- replies
      replies: [Comment] <- parent | ordered
    """

  private func texts(_ fixture: Fixture) throws -> [String] {
    try fixture.rows(
      """
      SELECT c.text, p.text FROM Comment c LEFT JOIN Comment p ON p._id = c.parent
      ORDER BY p.text, c.parent_order, c.post_order
      """)
  }

  private let thread = """
    {"id": 1, "comments": [
      {"text": "a", "replies": [{"text": "b", "replies": [{"text": "c"}, {"text": "d"}]}, {"text": "e"}]},
      {"text": "f"}]}
    """

  @Test func aTreeOfParts() throws {
    let fixture = try Fixture(comments, entity: "Post")
    #expect(try fixture.load(thread).counts == "Comment +6, Post +1")
    #expect(try texts(fixture) == ["a -", "f -", "b a", "e a", "c b", "d b"])
    let writes = try fixture.writes()
    #expect(try fixture.load(thread).counts == "Comment =6, Post =1")
    #expect(try fixture.writes() == writes)
    let report = try fixture.load(#"{"id": 1, "comments": [{"text": "f", "replies": []}]}"#)
    #expect(try texts(fixture) == ["f -"])
    #expect(report.counts == "Comment ~1 -5, Post =1")
  }

  @Test func aPartOfOneOwnerIsNotTakenByAnother() throws {
    let fixture = try Fixture(comments, entity: "Post")
    try fixture.load(thread)
    try fixture.load(#"[{"id": 2, "comments": [{"text": "x"}, {"text": "y"}, {"text": "z"}]}]"#)
    #expect(
      try fixture.rows("SELECT post, count(*) FROM Comment WHERE post IS NOT NULL GROUP BY 1") == [
        "1 2", "2 3",
      ])
  }

  @Test func anIssueInAPartHasItsPath() throws {
    let fixture = try Fixture(
      "Post\n  id: integer64\n  parts: [Part]\nPart\n  text: string!\n  size: integer16", entity: "Post")
    let report = try fixture.load(
      #"[{"id": 1, "parts": [{"text": "a"}, {"text": "b", "size": "big"}, {"size": 1}, {"text": null}, 5]}]"#)
    #expect(
      report.places.sorted()
        == ["$[0].parts[1].size", "$[0].parts[2].text", "$[0].parts[3].text", "$[0].parts[4]"])
    #expect(try fixture.rows("SELECT text, size FROM Part") == ["a -", "b -"])
    #expect(report.counts == "Part +2 !2, Post +1")
  }

  @Test func aDefaultIsTheSameAsTheValueItStandsFor() throws {
    let fixture = try Fixture(
      """
      Thing
        id: integer64
        price: decimal | default=1.50
        token: uuid | default=6BA7B8109DAD11D180B400C04FD430C8
        rate: double | default=2
        flag: boolean | default=YES
      """, entity: "Thing")
    try fixture.load(#"{"id": 1}"#)
    let report = try fixture.load(
      #"{"id": 1, "price": 1.5, "token": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "rate": 2, "flag": true}"#)
    #expect(report.counts == "Thing =1")
  }
}
