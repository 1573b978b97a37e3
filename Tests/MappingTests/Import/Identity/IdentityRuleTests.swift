import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Which attributes say which object a JSON object is.
@Suite struct IdentityRuleTests {
  /// The key of the entity's table.
  private func key(_ notation: String) throws -> String {
    let fixture = try Fixture(notation)
    let names = try fixture.rows(
      "SELECT name FROM pragma_table_info('Card') WHERE pk > 0 ORDER BY pk")
    return names.joined(separator: ",")
  }

  @Test(arguments: [
    "broker.identity=true", "JC.isIdentifier=YES", "sync.isPrimaryKey=1", "hyper.isPrimaryKey=yes",
    "broker.identity=TRUE", "sync.isPrimaryKey=Yes",
  ])
  func anAttributeIsAnnotated(_ annotation: String) throws {
    #expect(try key("Card | unique=b\n  id: integer64\n  a: string | \(annotation)\n  b: string") == "a")
  }

  @Test(arguments: ["broker.identity=false", "sync.isPrimaryKey=NO", "JC.isIdentifier=0"])
  func anAnnotationMaySayNo(_ annotation: String) throws {
    #expect(try key("Card\n  id: integer64\n  a: string | \(annotation)") == "id")
  }

  @Test(arguments: [
    "broker.identity=suit, value", "identityAttributes=suit,value", "identityAttribute=suit , value",
    "relatedByAttribute=suit,value,", "primaryKey=suit,value",
  ])
  func anEntityIsAnnotated(_ annotation: String) throws {
    #expect(
      try key("Card | \(annotation)\n  id: integer64\n  suit: string\n  value: integer16") == "suit,value")
  }

  @Test(arguments: [
    ("Card | unique=code\n  id: integer64\n  code: string", "code"),
    ("Card | unique=a,b\n  id: integer64\n  a: string\n  b: string", "a,b"),
    // Two constraints leave it open which of them counts.
    ("Card | unique=a | unique=b\n  id: integer64\n  a: string\n  b: string", "id"),
    ("Card\n  id: integer64\n  remoteID: integer64\n  cardID: integer64", "id"),
    ("Card\n  remoteId: integer64\n  cardID: integer64", "remoteId"),
    ("Card\n  name: string\n  cardID: integer64", "cardID"), ("Card\n  cardId: string", "cardId"),
    ("Card\n  CARDID: string", "CARDID"), ("Card\n  name: string\n  userID: string", "_id"),
  ])
  func constraintsAndConventions(_ notation: String, _ expected: String) throws {
    #expect(try key(notation) == expected)
  }

  @Test func subEntitiesShareTheIdentitiesOfTheirRoot() throws {
    let fixture = try Fixture(
      """
      Person
        id: integer64
        name: string
      Author : Person
        authorID: integer64
        penName: string
      Editor : Person
        desk: string
      """)
    var report = try fixture.load(
      """
      {"persons": [{"id": 1, "name": "Ann"}], "authors": [{"id": 2, "penName": "Bo"}],
       "editors": [{"id": 3, "desk": "News"}]}
      """)
    #expect(report.counts == "Author +1, Editor +1, Person +1")
    // The same identity is the same object; a more special kind is taken over.
    report = try fixture.load(
      #"{"authors": [{"id": 1, "penName": "A."}], "people": [{"id": 2, "name": "Bob"}]}"#)
    #expect(
      try fixture.rows("SELECT _entity, id, name, penName FROM Person") == [
        "Author 1 Ann A.", "Author 2 Bob Bo", "Editor 3 - -",
      ])
    #expect(report.counts == "Author ~1, Person ~1")
  }

  @Test func anIdentityThatCannotBeComparedIsNone() throws {
    // Named by convention only, so the model still loads.
    #expect(try key("Card\n  id: transformable\n  name: string") == "_id")
    try #expect(key("Card\n  id: binary\n  name: string") == "_id")
  }
}
