import Mapping
import Testing

/// When two JSON objects are one object.
@Suite struct SameObjectTests {
  @Test(arguments: [
    ("integer64", "6", #""6""#), ("integer64", "6", "6.0"), ("integer64", "6", "0.6e1"),
    ("integer64", "6", #""006""#),
    ("string", #""6""#, "6"), ("string", #""true""#, "true"),
    ("uuid", #""6BA7B810-9DAD-11D1-80B4-00C04FD430C8""#, #""6ba7b8109dad11d180b400c04fd430c8""#),
    ("decimal", "1.50", #""1.5""#), ("decimal", "100", "1e2"), ("double", "2", #""2.0""#),
    ("date", #""2014-08-31T00:29:15Z""#, "1409444955"), ("boolean", "true", #""yes""#),
    ("uri", #""http://a.b/c""#, #""http:\/\/a.b\/c""#),
  ])
  func identitiesCompareByTheirType(_ type: String, _ first: String, _ second: String) throws {
    let fixture = try Fixture("Thing\n  id: \(type)\n  name: string\n  twin: Thing", entity: "Thing")
    try fixture.load(#"[{"id": \#(first), "name": "a", "twin": \#(second)}]"#)
    let report = try fixture.load(#"[{"id": \#(second), "name": "b"}]"#)
    #expect(report.counts == "Thing ~1")
    #expect(try fixture.rows("SELECT count(*), max(name), sum(id = twin) FROM Thing") == ["1 b 1"])
  }

  @Test(arguments: [
    ("integer64", "9007199254740992", "9007199254740993"),
    ("integer64", "9223372036854775807", "9223372036854775806"),
    ("integer64", "-9223372036854775808", "-9223372036854775807"),
    ("string", #""a""#, #""A""#), ("string", #""é""#, #""e\u0301""#), ("string", #""1""#, #""1 ""#),
    ("string", #""""#, #"" ""#), ("string", #""a\u0000b""#, #""a""#),
    ("decimal", "0.10000000000000000001", "0.1"), ("uri", #""http://a.b/""#, #""http://a.b""#),
  ])
  func identitiesThatDiffer(_ type: String, _ first: String, _ second: String) throws {
    let fixture = try Fixture("Thing\n  id: \(type)\n  name: string", entity: "Thing")
    let report = try fixture.load(#"[{"id": \#(first)}, {"id": \#(second)}]"#)
    #expect(report.counts == "Thing +2")
    #expect(try fixture.load(#"[{"id": \#(first)}, {"id": \#(second)}]"#).counts == "Thing =2")
  }

  @Test(arguments: [
    #"{"name": "a"}"#, #"{"id": null, "name": "a"}"#, #"{"id": "x"}"#, #"{"id": 1.5}"#, #"{"id": {}}"#,
    #"{"id": [1]}"#, #"{"id": ""}"#, #"{"id": 99999999999999999999}"#,
  ])
  func anObjectWithoutItsIdentityIsSkipped(_ json: String) throws {
    let fixture = try Fixture("Thing\n  id: integer64\n  name: string", entity: "Thing")
    let report = try fixture.load("[\(json), {\"id\": 2, \"name\": \"b\"}]")
    #expect(report.counts == "Thing +1 !1")
    #expect(report.issueCount == 1)
    #expect(report.places == ["$[0].id"])
    #expect(try fixture.rows("SELECT * FROM Thing") == ["2 b"])
  }

  @Test func aCompositeIdentityNeedsAllItsParts() throws {
    let fixture = try Fixture(
      "Card | identityAttributes=suit, value\n  suit: string\n  value: integer16\n  note: string",
      entity: "Card")
    var report = try fixture.load(
      """
      [{"suit": "♠", "value": 1, "note": "a"}, {"suit": "♠", "value": 2}, {"suit": "♥", "value": 1},
       {"suit": "♥"}, {"value": 3}, {"suit": null, "value": 1}, {"suit": "♠", "value": "1", "note": "b"}]
      """)
    #expect(report.counts == "Card +3 !3, 1x")
    report = try fixture.load(#"[{"value": 1, "suit": "♠"}, {"suit": "♥", "value": 1, "note": "c"}]"#)
    #expect(report.counts == "Card ~1 =1")
    #expect(try fixture.rows("SELECT * FROM Card") == ["♠ 1 b", "♠ 2 -", "♥ 1 c"])
  }

  @Test func laterValuesWinKeyByKey() throws {
    let fixture = try Fixture("Thing\n  id: integer64\n  a: string\n  b: string", entity: "Thing")
    let report = try fixture.load(
      #"[{"id": 1, "a": "1", "b": "1"}, {"id": 1, "b": "2"}, {"id": "1", "a": null}, {"id": 2}]"#)
    #expect(report.counts == "Thing +2, 2x")
    #expect(try fixture.rows("SELECT * FROM Thing") == ["1 - 2", "2 - -"])
  }

  @Test func laterValuesWinWhereverTheyStand() throws {
    let fixture = try Fixture(
      """
      Band
        id: integer64
        label: Label
      Label
        id: integer64
        name: string
      """)
    try fixture.load(
      """
      {"bands": [{"id": 1, "label": {"id": 5, "name": "a"}}], "labels": [{"id": 5, "name": "b"}],
       "band": [{"id": 2, "label": {"id": 5, "name": "a"}}]}
      """)
    try #expect(fixture.rows("SELECT name FROM Label") == ["a"])
  }
}
