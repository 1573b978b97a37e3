import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Names and values that contain SQL, and other unusual input.
@Suite struct UnusualInputTests {
  private let texts = [
    "'", "\"", "''; DROP TABLE Thing; --", "\"; DELETE FROM Thing; --", "?1", ":id", "%s", "\\", "\u{0}",
    "a\u{0}b",
    "NULL", "\u{202E}", "😀", "e\u{301}", "\u{FFFF}", String(repeating: "x", count: 100_000),
  ]

  private func quoted(_ text: String) -> String {
    let data = (try? JSONEncoder().encode([text])) ?? Data()
    return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
  }

  @Test func valuesAreKeptByteByByte() throws {
    let fixture = try Fixture(
      "Thing\n  id: string\n  text: string\n  other: Thing\n  more: [Thing]", entity: "Thing")
    let rows = texts.map { text in
      let value = quoted(text)
      return "{\"id\": \(value), \"text\": \(value), \"other\": \(value), \"more\": [\(value)]}"
    }
    let json = "[\(rows.joined(separator: ","))]"
    let report = try fixture.load(json)
    #expect(report.counts == "Thing +\(texts.count)")
    #expect(report.waiting == [])
    let hex = try fixture.rows("SELECT hex(CAST(text AS BLOB)) FROM Thing ORDER BY rowid")
    let expected = texts.map { text in text.utf8.map { String(format: "%02X", $0) }.joined() }
    #expect(hex == expected)
    #expect(
      try fixture.rows(
        "SELECT count(*) FROM Thing t JOIN Thing_more m ON m.Thing = t.id AND m.more = t.other")
        == ["\(texts.count)"])
    let writes = try fixture.writes()
    #expect(try fixture.load(json).counts == "Thing =\(texts.count)")
    #expect(try fixture.writes() == writes)
  }

  @Test func keysDoNoHarm() throws {
    let fixture = try Fixture("Thing\n  id: integer64\n  text: string", entity: "Thing")
    for (index, text) in texts.enumerated() {
      let report = try fixture.load("{\"id\": \(index), \(quoted(text)): 1}")
      #expect(report.unmatchedKeys["Thing"]?.values.reduce(0, +) == 1)
    }
    let key = String(repeating: "k", count: 1 << 20)
    let report = try fixture.load("{\"id\": 99, \"\(key)\": [1], \"text\": \"x\"}")
    #expect((report.unmatchedKeys["Thing"]?.keys.map(\.utf8.count).max() ?? 0) < 1000)
    #expect(try fixture.rows("SELECT text FROM Thing WHERE id = 99") == ["x"])
  }

  @Test func namesOfTheModelAreOnlyNames() throws {
    let names = [
      "Order", "group\"", "x'; DROP TABLE Thing; --", "a b", "[c]", "`d`", "ä", "?", "select", "e\nf",
    ]
    for name in names {
      var entity = Entity(name: "Thing" + name)
      entity.attributes = [
        Attribute(name: "id", type: .integer64), Attribute(name: name, type: .string),
        Attribute(name: "default " + name, type: .string),
      ]
      entity.attributes[1].isOptional = true
      entity.attributes[2].isOptional = true
      entity.attributes[2].defaultValue = "'); DROP TABLE x; --"
      var link = Relationship(name: "many " + name, destination: entity.name)
      link.isToMany = true
      entity.relationships = [link]
      let fixture = try Fixture(model: Model(entities: [entity]), entity: entity.name)
      let json = "{\"id\": 1, \(quoted(name)): \"x\", \(quoted("many " + name)): [1, 2]}"
      let report = try fixture.load(json)
      #expect(report.unmatchedKeys == [:], "\(name)")
      #expect(report.waiting.count == 1)
      #expect(report.counts == "Thing\(name) +1")
      let column = "\"" + name.replacing("\"", with: "\"\"") + "\""
      let table = "\"Thing" + name.replacing("\"", with: "\"\"") + "\""
      #expect(try fixture.rows("SELECT \(column) FROM \(table)") == ["x"])
      #expect(try fixture.load(json).counts == "Thing\(name) =1")
    }
  }

  @Test func namesThatDifferByCaseOnly() throws {
    let fixture = try Fixture(
      "User\n  uid: string | broker.identity=YES\n  UID: string\nUSER\n  id: integer64\n  user: User",
      entity: "User")
    try fixture.load(#"{"uid": "a", "UID": "b"}"#)
    try fixture.load(#"{"id": 1, "user": "a"}"#, as: "USER")
    #expect(try fixture.rows("SELECT * FROM \"User\"") == ["a b"])
    #expect(try fixture.rows("SELECT * FROM \"USER_\"") == ["1 a"])
  }

  @Test func compositesAreReadFromTheirObject() throws {
    let json = #"""
      {"entities": [{"name": "Shop", "attributes": [{"name": "id", "type": "integer64"},
         {"name": "home", "type": "composite", "composite": "Address", "optional": true}]}],
       "composites": [{"name": "Address", "attributes": [{"name": "city", "type": "string", "optional": true},
         {"name": "zip", "type": "string", "optional": true, "userInfo": {"broker.key": "postcode"}}]}]}
      """#
    let fixture = try Fixture(model: Model(json: Data(json.utf8)), entity: "Shop")
    let report = try fixture.load(
      #"[{"id": 1, "home": {"city": "Bonn", "postcode": 53111}}, {"id": 2, "home": null}]"#)
    #expect(try fixture.rows("SELECT id, home_city, home_zip FROM Shop") == ["1 Bonn 53111", "2 - -"])
    #expect(report.problems == [])
    try fixture.load(#"[{"id": 1, "home": null}]"#)
    #expect(try fixture.rows("SELECT home_city, home_zip FROM Shop WHERE id = 1") == ["- -"])
  }
}
