import Mapping
import Testing

/// Which key fills a property, by the rules in their order.
@Suite struct KeyRuleTests {
  /// Imports one object and returns its `value`.
  private func value(_ property: String, _ key: String, style: KeyStyle = .auto) throws -> String? {
    let fixture = try Fixture("User\n  id: integer64\n  \(property)", entity: "User")
    let report = try fixture.load(#"{"id": 1, "\#(key)": "x"}"#) { $0.keys = style }
    let column = property.split(separator: ":")[0]
    let value = try fixture.rows("SELECT \"\(column)\" FROM \"User\"").joined()
    #expect(report.unmatchedKeys == (value == "x" ? [:] : ["User": [key: 1]]))
    return value == "x" ? "x" : nil
  }

  @Test(arguments: [
    ("firstName: string", "firstName"), ("firstName: string", "first_name"),
    ("firstName: string", "FirstName"),
    ("firstName: string", "first-name"), ("firstName: string", "FIRST_NAME"),
    ("firstName: string", "first name"),
    ("imageURL: string", "image_url"), ("imageURL: string", "imageUrl"), ("image_url: string", "imageURL"),
    ("listImageURL: string", "list_image_url"), ("urlString: string", "URLString"),
    ("userIDs: string", "user_ids"), ("iPhone5s: string", "i_phone_5s"),
    ("naïveÄpfel: string", "naïve_äpfel"),
    ("userDescription: string", "description"), ("userType: string", "type"), ("userHash: string", "hash"),
    ("userClass: string", "Class"), ("userDefault: string", "default"),
    ("userIsDeleted: string", "is_deleted"),
    ("a: string | broker.key=b", "b"), ("a: string | sync.remoteKey=b c", "b c"),
    ("a: string | hyper.remoteKey=b", "b"), ("a: string | JSONKeyPath=b", "b"),
    ("a: string | mappedKeyName=b", "b"), ("a: string | jsonKeyName=b", "b"),
    ("a: string | mappedKeyName=b | mappedKeyName.1=c", "c"), ("a: string | broker.key=b", "a"),
    ("Order: string", "order"), ("group: string", "Group"), ("select: string", "SELECT"),
  ])
  func aPropertyTakesTheKey(_ property: String, _ key: String) throws {
    #expect(try value(property, key) == "x")
  }

  @Test(arguments: [
    ("name: string", "names"), ("name: string", "nam"), ("name: string", "name2"), ("name: string", ""),
    ("userName: string", "name"), ("name: string", "broker.key"),
    ("a: string | broker.key=Bee", "bee"), ("firstName: string", "first.name"),
  ])
  func aPropertyDoesNotTakeTheKey(_ property: String, _ key: String) throws {
    #expect(try value(property, key) == nil)
  }

  @Test(arguments: [
    (KeyStyle.snake, "list_image_url", true), (.snake, "listImageURL", true), (.snake, "listImageUrl", false),
    (.snake, "LIST_IMAGE_URL", false), (.camel, "listImageUrl", true), (.camel, "listImageURL", true),
    (.camel, "list_image_url", false), (.exact, "listImageURL", true), (.exact, "listImageUrl", false),
    (.exact, "list_image_url", false),
  ])
  func aStyleLimitsWhatIsTaken(_ style: KeyStyle, _ key: String, _ isTaken: Bool) throws {
    #expect(try value("listImageURL: string", key, style: style) == (isTaken ? "x" : nil))
  }

  @Test(arguments: KeyStyle.allCases)
  func annotationsHoldInEveryStyle(_ style: KeyStyle) throws {
    #expect(try value("a: string | broker.key=B_c", "B_c", style: style) == "x")
  }

  /// Keys of one object, the best match first: each beats all behind it, wherever it stands.
  @Test func theBetterMatchWins() throws {
    let keys = ["note", "userDescription", "user_description", "description"]
    for (place, best) in keys.enumerated() {
      for worse in keys[(place + 1)...] {
        for order in [[best, worse], [worse, best]] {
          let fixture = try Fixture(
            "User\n  id: integer64\n  userDescription: string | broker.key=note", entity: "User")
          let members = order.map { "\"\($0)\": \"\($0 == best ? "good" : "bad")\"" }.joined(separator: ", ")
          let report = try fixture.load("[{\"id\": 1, \(members)}, {\"id\": 2, \(members)}]")
          #expect(try fixture.rows("SELECT userDescription FROM User") == ["good", "good"], "\(order)")
          // Where the model gives the better key, nobody need be told.
          let told =
            "$[0].\(order[1]): expected one key for userDescription, found two;"
            + " the key that fits better was used, here and elsewhere"
          #expect(report.problems == (best == "note" ? [] : [told]))
        }
      }
    }
  }

  @Test func theExactNameComesBeforeAnotherOfAnotherStyle() throws {
    let fixture = try Fixture(
      "User\n  id: integer64\n  firstName: string\n  first_name: string", entity: "User")
    try fixture.load(#"{"id": 1, "first_name": "a", "firstName": "b", "FirstName": "c"}"#)
    #expect(try fixture.rows("SELECT first_name FROM User") == ["a"])
  }

  @Test func idIsTheIdentityWhateverItsName() throws {
    for key in ["id", "ID", "Id", "employeeID", "employee_id"] {
      let fixture = try Fixture("Employee\n  employeeId: integer64\n  name: string", entity: "Employee")
      try fixture.load(#"{"\#(key)": 6, "name": "x"}"#)
      #expect(try fixture.rows("SELECT * FROM Employee") == ["6 x"])
    }
  }

  @Test func reservedWordsAreQualifiedWithAncestorsToo() throws {
    let fixture = try Fixture(
      """
      Record
        id: integer64
        recordType: string
      Album : Record
        albumDescription: string
      """, entity: "Album")
    try fixture.load(#"{"id": 1, "type": "LP", "description": "blue"}"#)
    #expect(try fixture.rows("SELECT recordType, albumDescription FROM Record") == ["LP blue"])
  }

  @Test func twoPropertiesThatClaimOneKeyAreAnError() throws {
    let fixture = try Fixture(
      "User\n  id: integer64\n  a: string | broker.key=x\n  b: string | mappedKeyName=x", entity: "User")
    let error = #expect(throws: PlanError.self) { try fixture.load("[]") }
    #expect(error?.description.contains("User.a") == true)
    #expect(error?.description.contains("User.b") == true)
  }

  @Test func keysThatMatchNothingAreCounted() throws {
    let fixture = try Fixture(
      "User\n  id: integer64\n  city: string | broker.key=address.city", entity: "User")
    let report = try fixture.load(
      """
      [{"id": 1, "foo": 1, "bar": {"deep": [1]}, "address": {"city": "Bonn", "zip": "53"}},
       {"id": 2, "foo": null, "": 0}]
      """)
    #expect(report.unmatchedKeys == ["User": ["foo": 2, "bar": 1, "": 1, "address.zip": 1]])
    #expect(report.isComplete)
  }

  /// What the owner of an object takes of it by a key path is read, and so is what the object takes itself.
  @Test func keysOfTargetsThatOwnersTakeAreRead() throws {
    let fixture = try Fixture(
      """
      Match
        id: integer64
        goals: integer16 | broker.key=home.goals
        home: Team <- matches
      Team
        id: integer64
        name: string
        matches: [Match] <- home
      """, entity: "Match")
    let report = try fixture.load(
      #"[{"id": 1, "home": {"id": 7, "name": "Red", "goals": 2, "coach": "Ann"}}, {"id": 2, "home": {"id": 7, "goals": 0}}]"#
    )
    #expect(report.unmatchedKeys == ["Team": ["coach": 1]])
    #expect(try fixture.rows("SELECT id, home, goals FROM \"Match\" ORDER BY id") == ["1 7 2", "2 7 0"])
  }

  @Test func thousandsOfUnknownKeysShareOneCount() throws {
    let fixture = try Fixture("User\n  id: integer64", entity: "User")
    let members = (0..<10_000).map { ", \"k\($0)\": 0" }.joined()
    let report = try fixture.load("{\"id\": 1\(members)}")
    #expect(report.unmatchedKeys["User"]?.values.reduce(0, +) == 10_000)
    #expect((report.unmatchedKeys["User"]?.count ?? 0) < 5000)
  }

  @Test func twoKeysThatFitEquallyWellAreReported() throws {
    let fixture = try Fixture("User\n  id: integer64\n  firstName: string", entity: "User")
    let report = try fixture.load(#"{"id": 1, "first_name": "a", "FirstName": "b"}"#)
    #expect(report.issueCount == 1)
  }
}
