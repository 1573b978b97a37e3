import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What changes in the rules of a model, and what becomes required.
@Suite("Versions: rules") struct RuleVersionTests {
  private let bands = """
    Band | unique=name
      name: string
      label: Label
    Label | unique=name
      name: string
    """

  private let json =
    #"{"Label": [{"name": "EMI"}], "Band": [{"name": "Can", "label": "EMI"}, {"name": "Japan"}, {"name": "Yes"}]}"#

  @Test(
    "a relationship that becomes required: its objects without a target are counted, given one, or removed")
  func requiredRelationships() throws {
    let required = bands.replacing("label: Label", with: "label: Label!")
    let versions = try Versions(bands, json)
    let refusal = try versions.refusal(of: required)
    #expect(refusal.contains("Band.label is required (2 objects): 2 objects would have no target"))
    #expect(refusal.contains("for example Japan; Yes"))
    #expect(
      try versions.refusal(of: required, .automatic.setting("Mute", for: "Band.label")).contains(
        "there is no Label “Mute”"))
    try versions.migrate(to: required, .automatic.setting("EMI", for: "Band.label"))
    let all =
      #"{"Band":[{"name":"Can","label":"EMI"},{"name":"Japan","label":"EMI"},{"name":"Yes","label":"EMI"}],"Label":[{"name":"EMI"}]}"#
    #expect(try versions.json() == all)
    // What was exported can be imported.
    let copy = try Versions(required)
    #expect(try copy.fixture().load(all).problems == [])
    let others = try Versions(bands, json)
    try others.migrate(to: required, .automatic.allowing(.removals).dropping("Band.label"))
    #expect(try others.json() == #"{"Band":[{"name":"Can","label":"EMI"}],"Label":[{"name":"EMI"}]}"#)
  }

  @Test("a new relationship that is required") func newRequiredRelationships() throws {
    let versions = try Versions(bands, json)
    #expect(
      try versions.refusal(of: bands.replacing("label: Label", with: "label: Label\n  home: Label!"))
        .contains(
          "Band.home is new, and required (3 objects): 3 objects would have no target"))
    #expect(
      try versions.refusal(
        of: bands.replacing("label: Label", with: "label: Label!"),
        .automatic.setting("EMI", for: "Band.lable")
      ).contains("did you mean Band.label?"))
  }

  private func model(_ change: (inout Model) -> Void) throws -> Model {
    var changed = try MappingTests.model(
      "Thing | unique=name\n  name: string\n  n: integer16\n  parts: [Part] <- thing\nPart\n  thing: Thing <- parts"
    )
    change(&changed)
    return changed
  }

  @Test("bounds, patterns, defaults, delete rules and annotations are told, and no table changes")
  func rules() throws {
    let versions = try Versions(
      "Thing | unique=name\n  name: string\n  n: integer16\n  parts: [Part] <- thing\nPart\n  thing: Thing <- parts",
      #"{"Thing": [{"name": "a", "n": 1}, {"name": "bb", "n": 20}]}"#)
    let new = try model { model in
      model.entities[0].attributes[0].pattern = "[a-z]"
      model.entities[0].attributes[1].maximum = "10"
      model.entities[0].attributes[1].defaultValue = "3"
      model.entities[0].attributes[1].userInfo["broker.key"] = "number"
      model.entities[0].relationships[0].deleteRule = .cascade
    }
    let store = try Store(path: versions.path, access: .readOnly)
    let plan = try store.plan(for: new)
    try store.close()
    #expect(
      plan.steps.map(\.description) == [
        "Thing.name matches [a-z] (2 objects); 1 value that is there would be refused; for example bb",
        "Thing.n is at most 10, was of any size (2 objects); 1 value that is there would be refused; for example bb",
        "Thing.n has the default 3, had none (2 objects)", "Thing.n has broker.key = number (2 objects)",
        "Thing.parts has the delete rule cascade, had nullify (2 objects)",
      ])
    #expect(plan.canRun && plan.changesRulesOnly)
    let before = try versions.contents()
    try Store(path: versions.path, model: new).close()
    let after = try versions.contents()
    #expect(
      before.filter { !$0.hasPrefix("# broker_store") && !$0.contains("entities") }
        == after.filter { !$0.hasPrefix("# broker_store") && !$0.contains("entities") })
  }

  @Test("bounds and patterns are told apart") func boundsAndPatterns() throws {
    let versions = try Versions(
      "Thing | unique=name\n  name: string",
      #"{"Thing": [{"name": "a"}, {"name": "B1"}, {"name": "long"}, {"name": "longer"}, {"name": "l'ong"}]}"#)
    let store = try Store(path: versions.path, access: .readOnly)
    var new = try MappingTests.model("Thing | unique=name\n  name: string")
    new.entities[0].attributes[0].pattern = "[a-z]*"
    new.entities[0].attributes[0].maximum = "3"
    #expect(
      try store.plan(for: new).steps.map(\.description) == [
        "Thing.name is at most 3 characters long, was of any size (5 objects); 3 values that are there would be refused; for example l'ong; long; longer",
        "Thing.name matches [a-z]* (5 objects); 2 values that are there would be refused; for example B1; l'ong",
      ])
  }

  @Test("the numbers that lists may have", arguments: [false, true]) func lists(_ isJoined: Bool) throws {
    let inverse = isJoined ? "things: [Thing]" : "thing: Thing"
    let notation =
      "Thing | unique=name\n  name: string\n  parts: [Part] <- \(isJoined ? "things" : "thing")"
      + "\nPart | unique=name\n  name: string\n  \(inverse) <- parts"
    let versions = try Versions(
      notation,
      #"{"Thing": [{"name": "a", "parts": []}, {"name": "b", "parts": ["x"]}, {"name": "c", "parts": ["u", "v"]}, {"name": "d", "parts": ["o", "p", "q", "r"]}], "Part": [{"name": "x"}, {"name": "u"}, {"name": "v"}, {"name": "o"}, {"name": "p"}, {"name": "q"}, {"name": "r"}]}"#
    )
    let store = try Store(path: versions.path, access: .readOnly)
    func steps(_ change: (inout Relationship) -> Void) throws -> [String] {
      var new = try MappingTests.model(notation)
      change(&new.entities[0].relationships[0])
      return try store.plan(for: new).steps.map(\.description)
    }
    #expect(
      try steps { ($0.minimumCount, $0.maximumCount) = (2, 3) } == [
        "Thing.parts leads to from 2 to 3 objects, led to any number of objects (4 objects); 2 lists that are there would be refused; for example b; d"
      ])
    #expect(
      try steps { ($0.isOptional, $0.minimumCount) = (false, 2) }.last
        == "Thing.parts leads to at least 2 objects, led to any number of objects (4 objects); 2 lists that are there would be refused; for example a; b"
    )
    #expect(
      try steps { $0.maximumCount = 1 } == [
        "Thing.parts leads to at most 1 object, led to any number of objects (4 objects); 2 lists that are there would be refused; for example c; d"
      ])
    #expect(
      try steps { $0.maximumCount = 4 } == [
        "Thing.parts leads to at most 4 objects, led to any number of objects (4 objects)"
      ])
  }

  @Test("names that were swapped go back with their values") func swappedBack() throws {
    let plain = "Band | unique=name\n  name: string\n  a: integer16\n  b: integer16"
    let swapped = "Band | unique=name\n  name: string\n  a: integer16 | was=b\n  b: integer16 | was=a"
    let versions = try Versions(plain, #"{"Band": [{"name": "Japan", "a": 1, "b": 2}]}"#)
    try versions.migrate(to: swapped)
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","a":2,"b":1}]}"#)
    // The same version again changes nothing.
    try versions.migrate(to: swapped + "\n  c: integer16")
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","a":2,"b":1}]}"#)
    try versions.migrate(to: plain + "\n  c: integer16")
    #expect(try versions.json() == #"{"Band":[{"name":"Japan","a":1,"b":2}]}"#)
  }

  @Test(
    "values that another type cannot hold as they are",
    arguments: [
      ("integer64", "double", "-9223372036854775808", false), ("integer64", "double", "5", true),
      ("integer64", "float", "1152921504606846977", false), ("integer64", "float", "16777217", false),
      ("integer64", "float", "16777216", true), ("string", "binary", "\"abcd\"", false),
      ("uuid", "binary", "\"00000000-0000-0000-0000-000000000001\"", false),
      ("boolean", "double", "true", true), ("boolean", "float", "false", true),
      ("boolean", "decimal", "true", true),
    ])
  func values(_ old: String, _ new: String, _ value: String, _ isKept: Bool) throws {
    let versions = try Versions(
      "Thing | unique=name\n  name: string\n  v: \(old)", #"{"Thing": [{"name": "a", "v": \#(value)}]}"#)
    let other = "Thing | unique=name\n  name: string\n  v: \(new)"
    if isKept {
      try versions.migrate(to: other)
    } else {
      #expect(
        try versions.refusal(of: other).contains(
          "Thing.v is \(new), was \(old); 1 without a place; for example a"))
    }
  }

  @Test("a guessed identity that objects contradict gives way") func guesses() throws {
    // Its tables are not those of a new store.
    func migrate(_ versions: Versions, to notation: String) throws -> [String] {
      for _ in 0..<2 { try Store(path: versions.path, model: MappingTests.model(notation)).close() }
      return try versions.rows(
        "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name IN ('Partner', 'App')"
      ).map { $0.replacing("\n", with: "") }
    }
    let versions = try Versions("Partner\n  name: string", #"{"Partner": [{"name": "a"}, {"name": "b"}]}"#)
    let new = "Partner\n  name: string\n  partnerID: string"
    #expect(try migrate(versions, to: new).allSatisfy { $0.contains("\"_id\" INTEGER PRIMARY KEY") })
    #expect(try migrate(versions, to: new + "\n  more: string").count == 1)
    #expect(try versions.rows("SELECT name FROM Partner ORDER BY 1") == ["a", "b"])
    let app = try Versions(
      "App | unique=bundle\n  bundle: string", #"{"App": [{"bundle": "a"}, {"bundle": "b"}]}"#)
    #expect(try migrate(app, to: "App | unique=bundle,team\n  bundle: string\n  team: string").count == 1)
    #expect(try app.rows("SELECT bundle FROM App ORDER BY 1") == ["a", "b"])
    // Nothing contradicts it where there is nothing.
    let empty = try Versions("Partner\n  name: string")
    try empty.migrate(to: new)
    #expect(try empty.fixture().store.layout.schema.entity("Partner")?.hasIdentity == true)
  }
}
