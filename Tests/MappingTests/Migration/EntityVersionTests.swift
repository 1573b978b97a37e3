import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

@Suite("Versions: entities and identities") struct EntityVersionTests {
  private let music = """
    Band | unique=name
      name: string
      albums: [Album] <- band | ordered
    Album | unique=title
      title: string
      band: Band <- albums
      tags: [Tag]
    Tag | unique=id
      id: integer64
    """
  private let json = #"""
    {"Band": [{"name": "Japan", "albums": ["Tin Drum", "Quiet Life", "Exorcising Ghosts"]}],
     "Album": [{"title": "Quiet Life", "tags": [2, 1]}, {"title": "Tin Drum", "tags": [1, 7]}], "Tag": [{"id": 1}, {"id": 2}]}
    """#

  @Test("an entity is added, and another removed with consent") func addedAndRemoved() throws {
    let versions = try Versions(
      "A | unique=name\n  name: string\nB | unique=name\n  name: string",
      #"{"A": [{"name": "x"}], "B": [{"name": "y"}]}"#)
    let new = "A | unique=name\n  name: string\nC | unique=name\n  name: string"
    #expect(try versions.refusal(of: new).contains("B is removed; 1 without a place"))
    try versions.migrate(to: new, .automatic.allowing(.removals))
    #expect(try versions.json() == #"{"A":[{"name":"x"}],"C":[]}"#)
  }

  @Test("renamed, with links, order, join tables and what is pending") func renamed() throws {
    let versions = try Versions(music, json)
    try versions.migrate(
      to: """
        Group | unique=name | was=Band
          name: string
          records: [Record] <- group | ordered | was=albums
        Record | unique=title | was=Album
          title: string
          group: Group <- records | was=band
          labels: [Label] | was=tags
        Label | unique=id | was=Tag
          id: integer64
        """)
    let fixture = try versions.fixture()
    try fixture.load(#"{"Record": [{"title": "Exorcising Ghosts"}], "Label": [{"id": 7}]}"#)
    #expect(
      try fixture.exported("Group") == [
        #"{"name":"Japan","records":["Tin Drum","Quiet Life","Exorcising Ghosts"]}"#
      ])
    #expect(
      try fixture.rows("SELECT \"Record\", labels FROM Record_labels ORDER BY 1, 2") == [
        "Quiet Life 1", "Quiet Life 2", "Tin Drum 1", "Tin Drum 7",
      ])
    #expect(try fixture.rows("SELECT count(*) FROM broker_pending") == ["0"])
  }

  @Test("many links that wait get other names and keys") func manyWaitingLinks() throws {
    let albums = (0..<1_100).map { "\($0)" }.joined(separator: ",")
    let old =
      "Band | unique=name\n  name: string\n  albums: [Album] <- band\nAlbum | unique=id\n  id: integer64\n  band: Band <- albums"
    let versions = try Versions(
      old, #"{"Band": [{"name": "a,b", "albums": [\#(albums)]}], "Album": [{"id": 3}]}"#)
    let new = old.replacing(
      "albums: [Album] <- band", with: "records: [Album] <- band | was=albums | ordered"
    )
    .replacing("<- albums", with: "<- records").replacing("id: integer64", with: "id: string")
    try versions.migrate(to: new)
    #expect(
      try versions.rows(
        "SELECT count(*), relationship, owner FROM broker_pending GROUP BY 2, 3")
        == ["1099 Band.records a,b"])
    try versions.fixture().load(#"{"Album": [{"id": "1099"}, {"id": "7"}]}"#)
    #expect(try versions.rows("SELECT count(*) FROM broker_pending") == ["1097"])
  }

  @Test("another identity: links follow, what is pending under the old one goes with consent") func identity()
    throws
  {
    let albums = "\nAlbum | unique=title\n  title: string\n  band: Band <- albums\n  fans: [Band]"
    let old = "Band | unique=name\n  name: string\n  number: integer64\n  albums: [Album] <- band" + albums
    let new = "Band | unique=number\n  name: string\n  number: integer64\n  albums: [Album] <- band" + albums
    let json =
      #"{"Band": [{"name": "Japan", "number": 5}, {"name": "Can", "number": 3}], "Album": [{"title": "Tin Drum", "band": "Japan", "fans": ["Can", "Japan"]}]}"#
    let versions = try Versions(old, json)
    try versions.migrate(to: new)
    #expect(
      try versions.rows("SELECT band FROM Album UNION ALL SELECT fans FROM Album_fans ORDER BY 1") == [
        "3", "5", "5",
      ])
    let pending = try Versions(old, json, #"{"Album": [{"title": "Neu! 75", "band": "Neu!"}]}"#)
    #expect(try pending.refusal(of: new).contains("is identified by number, was name; 1 without a place"))
    try pending.migrate(to: new, .automatic.allowing(.removals))
    #expect(try pending.rows("SELECT title FROM Album WHERE band IS NULL") == ["Neu! 75"])
  }

  @Test("identities that collide, or are missing, are named and refused") func collidingIdentity() throws {
    let versions = try Versions(
      "Band | unique=name\n  name: string\n  number: integer64",
      #"{"Band": [{"name": "a", "number": 5}, {"name": "b", "number": 5}, {"name": "c", "number": 1}]}"#)
    let new = "Band | unique=number\n  name: string\n  number: integer64"
    #expect(
      try versions.refusal(of: new).contains(
        "several objects have the same number: 5; remove or change these first"))
    let missing = try Versions(
      "Band | unique=name\n  name: string\n  number: integer64", #"{"Band": [{"name": "a"}]}"#)
    #expect(try missing.refusal(of: new).contains("1 object would have no number, which is the identity now"))
  }

  @Test("an identity of other types: the keys of links and of what is pending are converted")
  func identityType() throws {
    let old =
      "Band | unique=id\n  id: integer64\n  albums: [Album] <- band\n  friends: [Band]\nAlbum | unique=title\n  title: string\n  band: Band <- albums"
    let versions = try Versions(
      old,
      #"{"Band": [{"id": 1, "albums": ["x", "y"], "friends": [2, 3]}, {"id": 2}], "Album": [{"title": "x"}, {"title": "z", "band": 9}]}"#
    )
    try versions.migrate(to: old.replacing("id: integer64", with: "id: string"))
    let fixture = try versions.fixture()
    try fixture.load(#"{"Band": [{"id": "9"}, {"id": "3"}], "Album": [{"title": "y"}]}"#)
    #expect(
      try fixture.exported("Band") == [
        #"{"id":"1","albums":["x","y"],"friends":["2","3"]}"#, #"{"id":"2","albums":[],"friends":[]}"#,
        #"{"id":"3","albums":[],"friends":[]}"#, #"{"id":"9","albums":["z"],"friends":[]}"#,
      ])
  }

  @Test("a composite identity from a simple one, and back") func compositeIdentity() throws {
    let rest =
      "\n  suit: string\n  value: integer64\nHand | unique=id\n  id: integer64\n  best: Card\n  cards: [Card]"
    let versions = try Versions(
      "Card | unique=name\n  name: string" + rest,
      #"{"Card": [{"name": "x", "suit": "a,b", "value": 1}, {"name": "y", "suit": "c", "value": 2}], "Hand": [{"id": 1, "best": "y", "cards": ["x", "y"]}]}"#
    )
    try versions.migrate(to: "Card | unique=suit,value\n  name: string" + rest)
    #expect(try versions.rows("SELECT best_suit, best_value FROM Hand") == ["c 2"])
    #expect(
      try versions.rows("SELECT cards_suit, cards_value FROM Hand_cards ORDER BY 2") == ["a,b 1", "c 2"])
    try versions.migrate(to: "Card | unique=name\n  name: string" + rest)
    #expect(try versions.rows("SELECT best FROM Hand") == ["y"])
    #expect(try versions.rows("SELECT cards FROM Hand_cards ORDER BY 1") == ["x", "y"])
  }

  @Test("an identity is dropped with consent, and comes back") func droppedIdentity() throws {
    let albums = "\nAlbum | unique=title\n  title: string\n  band: Band"
    let versions = try Versions(
      "Band | unique=name\n  name: string" + albums,
      #"{"Band": [{"name": "Can"}, {"name": "Japan"}], "Album": [{"title": "Tin Drum", "band": "Japan"}]}"#)
    #expect(
      try versions.refusal(of: "Band\n  name: string" + albums).contains(
        "Band has no identity any more, had name"))
    try versions.migrate(to: "Band\n  name: string" + albums, .automatic.allowing(.removals))
    #expect(try versions.rows("SELECT b.name FROM Album a JOIN Band b ON b._id = a.band") == ["Japan"])
    try versions.migrate(to: "Band | unique=name\n  name: string" + albums)
    #expect(try versions.rows("SELECT band FROM Album") == ["Japan"])
  }

  @Test("unique constraints: violations are counted and named") func uniqueness() throws {
    let versions = try Versions(
      "Band | unique=name\n  name: string\n  code: string",
      #"{"Band": [{"name": "a", "code": "x"}, {"name": "b", "code": "x"}, {"name": "c"}, {"name": "d"}]}"#)
    let new = "Band | unique=name | unique=code | broker.identity=name\n  name: string\n  code: string"
    #expect(
      try versions.refusal(of: new).contains(
        "Band has unique code: several objects have the same code: x; remove or"))
    try versions.fixture().load(#"{"Band": [{"name": "b", "code": "y"}]}"#)
    try versions.migrate(to: new)
  }

  @Test("into a hierarchy and out of it, with links") func hierarchy() throws {
    let old =
      "Photo | unique=id\n  id: integer64\n  url: string\n  width: integer16\nVideo | unique=id\n  id: integer64\n  url: string\n  length: integer16\nAlbum | unique=id\n  id: integer64\n  cover: Photo\n  clip: Video"
    let new = """
      Medium | unique=id
        id: integer64
        url: string
      Photo : Medium
        width: integer16
      Video : Medium
        length: integer16
      Album | unique=id
        id: integer64
        cover: Medium
        clip: Video
      """
    let versions = try Versions(
      old,
      #"{"Photo": [{"id": 1, "url": "a", "width": 9}], "Video": [{"id": 2, "url": "b", "length": 8}], "Album": [{"id": 1, "cover": 1, "clip": 2}]}"#
    )
    try versions.migrate(to: new)
    #expect(
      try versions.rows("SELECT id, _entity, url, width, length FROM Medium ORDER BY id") == [
        "1 Photo a 9 -", "2 Video b - 8",
      ])
    try versions.migrate(
      to: old.replacing("cover: Photo", with: "cover: Photo"), .automatic.allowing(.removals))
    #expect(try versions.rows("SELECT id, url, width FROM Photo") == ["1 a 9"])
    #expect(try versions.rows("SELECT cover, clip FROM Album") == ["1 2"])
  }

  @Test("identities that collide in a common table are refused") func hierarchyCollision() throws {
    let versions = try Versions(
      "Photo | unique=id\n  id: integer64\nVideo | unique=id\n  id: integer64",
      #"{"Photo": [{"id": 1}], "Video": [{"id": 1}]}"#)
    let message = try versions.refusal(
      of: "Medium | unique=id\n  id: integer64\nPhoto : Medium\nVideo : Medium")
    #expect(message.contains("several objects have the same id: 1"))
  }

  @Test("what has no identity keeps its place, also where two tables become one") func withoutIdentity()
    throws
  {
    let old =
      "Part\n  name: string\nOther\n  name: string\nWhole | unique=id\n  id: integer64\n  parts: [Part]\n  others: [Other]"
    let versions = try Versions(
      old, #"{"Whole": [{"id": 1, "parts": [{"name": "a"}, {"name": "b"}], "others": [{"name": "c"}]}]}"#)
    try versions.migrate(
      to:
        "Base\n  name: string\nPart : Base\nOther : Base\nWhole | unique=id\n  id: integer64\n  parts: [Part]\n  others: [Other]\n  all: [Base]"
    )
    let fixture = try versions.fixture()
    #expect(try fixture.rows("SELECT name FROM Whole_others o JOIN Base b ON b._id = o.others") == ["c"])
    #expect(
      try fixture.rows("SELECT name FROM Whole_parts o JOIN Base b ON b._id = o.parts ORDER BY 1") == [
        "a", "b",
      ])
  }

  @Test("a removed sub-entity takes its objects, and the links to them") func removedKind() throws {
    let old =
      "Medium | unique=id | broker.discriminator=type\n  id: integer64\nPhoto : Medium\nVideo : Medium\nAlbum | unique=id\n  id: integer64\n  cover: Medium\n  all: [Medium]"
    let versions = try Versions(
      old,
      #"{"Medium": [{"id": 1, "type": "photo"}, {"id": 2, "type": "video"}], "Album": [{"id": 1, "cover": 2, "all": [1, 2]}, {"id": 2, "cover": 1}]}"#
    )
    let new = old.replacing("\nVideo : Medium", with: "")
    #expect(try versions.refusal(of: new).contains("Video is removed; 1 without a place"))
    try versions.migrate(to: new, .automatic.allowing(.removals))
    #expect(try versions.rows("SELECT id, cover FROM Album ORDER BY id") == ["1 -", "2 1"])
    #expect(try versions.rows("SELECT \"all\" FROM Album_all") == ["1"])
  }

  @Test("a sub-entity is added, and one renamed") func kinds() throws {
    let versions = try Versions("Medium | unique=id\n  id: integer64", #"{"Medium": [{"id": 1}]}"#)
    try versions.migrate(to: "Medium | unique=id\n  id: integer64\nPhoto : Medium\n  width: integer16")
    try versions.fixture().load(#"{"Photo": [{"id": 2, "width": 3}]}"#)
    try versions.migrate(
      to: "Medium | unique=id\n  id: integer64\nPicture : Medium | was=Photo\n  width: integer16")
    #expect(
      try versions.rows("SELECT id, _entity, width FROM Medium ORDER BY id") == ["1 Medium -", "2 Picture 3"])
  }

  @Test("identities below a root without one") func identityBelowRoot() throws {
    let old =
      "Medium\n  note: string\nPhoto : Medium | broker.identity=id\n  id: integer64\nVideo : Medium\nAlbum | unique=id\n  id: integer64\n  cover: Medium\n  media: [Medium]"
    let versions = try Versions(
      old, #"{"Photo": [{"id": 5}], "Album": [{"id": 1, "cover": {"Photo": {"id": 5}}}]}"#)
    _ = versions
  }

  @Test("the remembered mapping and how JSON came go along under new names") func mapping() throws {
    var mapping = JSONMapping()
    mapping["Band"].keys["formed"] = ["founded_in"]
    let versions = try Versions(
      "Band | unique=name\n  name: string\n  formed: integer16\n  firstShow: date",
      #"{"Band": [{"name": "Japan", "founded_in": 1974, "first_show": "1974-06-01"}]}"#, mapping: mapping)
    try versions.migrate(
      to:
        "Group | unique=name | was=Band\n  name: string\n  since: integer16 | was=formed\n  firstGig: date | was=firstShow"
    )
    #expect(
      try versions.json() == #"{"Group":[{"name":"Japan","founded_in":1974,"first_gig":"1974-06-01"}]}"#)
  }
}

@Suite("Versions: stores in use") struct UsedVersionTests {
  @Test("several programs that open a store with a new version at once migrate it once") func atOnce() throws
  {
    let versions = try Versions("Band | unique=name\n  name: string", #"{"Band": [{"name": "Can"}]}"#)
    let new = try model("Band | unique=name\n  name: string\n  formed: integer16! | default=7")
    let failures = Failures()
    let path = versions.path
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do { try Store(path: path, model: new).close() } catch { failures.add("\(error)") }
    }
    #expect(failures.all == [])
    #expect(try versions.json() == #"{"Band":[{"name":"Can","formed":7}]}"#)
  }

  @Test("views, indexes and triggers that somebody has added stay, where their columns do") func additions()
    throws
  {
    let versions = try Versions(
      "Band | unique=name\n  name: string\n  formed: integer16\nAlbum | unique=title\n  title: string\n  band: Band",
      #"{"Band": [{"name": "Can", "formed": 1968}], "Album": [{"title": "Future Days", "band": "Can"}]}"#)
    let own = try Store(path: versions.path)
    try own.transaction { transaction in
      try transaction.execute("CREATE VIEW bands AS SELECT name, formed FROM Band JOIN Album ON band = name")
      try transaction.execute("CREATE INDEX own_index ON Band (formed)")
      try transaction.execute("CREATE TRIGGER own_trigger AFTER DELETE ON Band BEGIN SELECT 1; END")
      return ((), .commit)
    }
    try own.close()
    var options = Store.Options()
    options.allowsOtherTriggers = true
    _ = try Store(
      path: versions.path,
      model: model(
        "Band | unique=name\n  name: string\n  formed: string\nRecord | unique=title | was=Album\n  title: string\n  band: Band"
      ), options: options)
    #expect(try versions.rows("SELECT * FROM bands") == ["Can 1968"])
    #expect(
      try versions.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'own%' ORDER BY 1") == [
        "own_index", "own_trigger",
      ])
  }

  @Test("numbers at the ends of 64 bits are rows like others") func extremeNumbers() throws {
    let versions = try Versions(
      "A | unique=id\n  id: integer64\n  n: integer16",
      #"{"A": [{"id": -9223372036854775808, "n": 1}, {"id": 9223372036854775807, "n": 2}, {"id": 0, "n": 3}]}"#
    )
    try versions.migrate(to: "A | unique=id\n  id: integer64\n  n: string")
    #expect(try versions.rows("SELECT n FROM A ORDER BY id") == ["1", "3", "2"])
  }

  @Test("attributes within composites are renamed, with the composite or alone") func composites() throws {
    func model(_ attribute: String, _ part: String, _ was: String) throws -> Model {
      try Model(
        json: Data(
          """
          {"composites": [{"name": "Address", "attributes": [{"name": "\(part)", "type": "string", "optional": true\(was)}]}],
           "entities": [{"name": "Shop", "attributes": [{"name": "id", "type": "integer64"},
            {"name": "\(attribute)", "type": "composite", "composite": "Address", "optional": true, "renamingIdentifier": "address"}]}]}
          """.utf8))
    }
    let directory = try TemporaryDirectory()
    let path = directory.path("store.sqlite")
    let shops = try Fixture(model: model("address", "street", ""), entity: "Shop", path: path)
    try shops.load(#"{"id": 1, "address": {"street": "Berwick St"}}"#)
    try shops.store.close()
    let new = try model("place", "road", #", "renamingIdentifier": "street""#)
    let store = try Store(path: path, model: new)
    #expect(try Fixture(store: store).rows("SELECT id, place_road FROM Shop") == ["1 Berwick St"])
  }
}

private final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
