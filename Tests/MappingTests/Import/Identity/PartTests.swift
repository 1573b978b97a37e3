import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Entities without identity: parts of the object that holds them.
@Suite struct PartTests {
  private let orders = """
    Order
      id: integer64
      address: Address <- order
      items: [Item] <- order | ordered
      notes: [Note]
    Address
      street: string
      city: string
      order: Order <- address
    Item
      name: string
      count: integer16 | default=1
      order: Order <- items
      extras: [Extra] <- item
    Extra
      name: string
      item: Item <- extras
    Note
      text: string
    """

  private let full = """
    {"id": 1, "address": {"street": "A 1", "city": "Bonn"},
     "items": [{"name": "cup", "extras": [{"name": "lid"}, {"name": "bag"}]}, {"name": "pot", "count": 2}],
     "notes": [{"text": "x"}, {"text": "y"}]}
    """

  private func everything(_ fixture: Fixture) throws -> [String] {
    try fixture.rows("SELECT 'address', street, city FROM Address")
      + fixture.rows("SELECT 'item', name, count, \"order\" FROM Item ORDER BY order_order")
      + fixture.rows(
        "SELECT 'extra', e.name, i.name FROM Extra e JOIN Item i ON i._id = e.item ORDER BY e._id")
      + fixture.rows("SELECT 'note', text FROM Note ORDER BY _id")
  }

  private let all = [
    "address A 1 Bonn", "item cup 1 1", "item pot 2 1", "extra lid cup", "extra bag cup", "note x", "note y",
  ]

  @Test func importingTwiceGivesNoDuplicates() throws {
    let fixture = try Fixture(orders, entity: "Order")
    #expect(try fixture.load(full).counts == "Address +1, Extra +2, Item +2, Note +2, Order +1")
    #expect(try everything(fixture) == all)
    let before = try fixture.writes()
    #expect(try fixture.load(full).counts == "Address =1, Extra =2, Item =2, Note =2, Order =1")
    #expect(try fixture.writes() == before)
    #expect(try everything(fixture) == all)
  }

  @Test func aToOnePartIsUpdatedInPlace() throws {
    let fixture = try Fixture(orders, entity: "Order")
    try fixture.load(full)
    let report = try fixture.load(#"{"id": 1, "address": {"city": "Köln"}}"#)
    #expect(report.counts == "Address ~1, Order =1")
    #expect(try fixture.rows("SELECT street, city FROM Address") == ["A 1 Köln"])
  }

  @Test func aShorterListDeletesTheRestWithItsParts() throws {
    let fixture = try Fixture(orders, entity: "Order")
    try fixture.load(full)
    let report = try fixture.load(#"{"id": 1, "items": [{"name": "pan"}], "notes": []}"#)
    #expect(report.counts.contains("Item ~1 -1"))
    #expect(report.counts.contains("Note -2"))
    #expect(
      try everything(fixture).filter { !$0.hasPrefix("extra") } == ["address A 1 Bonn", "item pan 1 1"])
    try fixture.load(#"{"id": 1, "items": []}"#)
    #expect(try everything(fixture) == ["address A 1 Bonn"])
    #expect(try fixture.rows("SELECT count(*) FROM Extra") == ["0"])
  }

  @Test func topLevelObjectsWithoutIdentityAreInsertedEachTime() throws {
    let fixture = try Fixture(orders, entity: "Note")
    #expect(try fixture.load(#"[{"text": "a"}, {"text": "a"}]"#).counts == "Note +2")
    #expect(try fixture.load(#"[{"text": "a"}]"#).counts == "Note +1")
  }

  @Test func aKeyCannotReferToAPart() throws {
    let fixture = try Fixture(orders, entity: "Order")
    let report = try fixture.load(#"{"id": 1, "address": 5, "items": [7, {"name": "cup"}]}"#)
    #expect(report.places == ["$.address", "$.items[0]"])
    #expect(try everything(fixture) == ["item cup 1 1"])
  }

  @Test func mergingAddsParts() throws {
    let fixture = try Fixture(orders, entity: "Order")
    try fixture.load(full)
    try fixture.load(#"{"id": 1, "items": [{"name": "pan"}]}"#) { $0.toMany = .merge }
    #expect(try fixture.rows("SELECT count(*) FROM Item") == ["3"])
  }
}

/// What could not be read deletes no parts.
@Suite struct UnreadablePartTests {
  @Test(arguments: [
    "[Note]", "[Note] <- band",
  ])
  func whatCannotBeReadDeletesNoParts(_ notes: String) throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        notes: \(notes)
      Note
        text: string!
        \(notes.contains("<-") ? "band: Band <- notes" : "")
      """, entity: "Band")
    for list in ["[{}]", "[[]]", #"[{"text": null}, {"text": "b"}]"#, #"[{"text": "a"}, 7]"#, #""hello""#] {
      try fixture.load(#"[{"id": 1, "notes": [{"text": "a"}, {"text": "b"}]}]"#)
      let report = try fixture.load(#"[{"id": 1, "notes": \#(list)}]"#)
      #expect(report.issueCount > 0)
      #expect(report.deleted == [:], "\(list)")
      #expect(try fixture.rows("SELECT count(*) FROM Note") == ["2"], "\(list)")
    }
    #expect(try fixture.load(#"[{"id": 1, "notes": [{"text": "c"}]}]"#).deleted == ["Note": 1])
  }
}
