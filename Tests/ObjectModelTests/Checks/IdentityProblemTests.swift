import ObjectModel
import Testing

@Suite("Identity, constraints and keys")
struct IdentityProblemTests {
  /// Marks an attribute or relationship as the identity.
  private static let mark = ("broker.identity", "1")

  @Test(
    "identity",
    arguments: [
      (
        entity("E", property("key") + info(("identityAttributes", "kei, key"))),
        "error: E: its identity names “kei”, which is no attribute and no relationship; did you mean “key”?"
      ),
      (
        entity("E", property("k", "transient='YES'", userInfo: mark)),
        "error: E.k: it can't be the identity: it is transient; choose a stored attribute"
      ),
      (
        entity("E", property("k", "attributeType='Transformable'", userInfo: mark)),
        "error: E.k: it can't be the identity: its values can't be compared; choose a stored attribute"
      ),
      (
        entity("E", loop("r", "toMany='YES'", userInfo: mark)),
        "error: E.r: it can't be the identity: it is to-many; choose attributes and to-one relationships"
      ),
      (
        "<entity name='P'/><entity name='E' parentEntity='P'><attribute name='id' attributeType='String'/></entity>"
          + entity("F", parent: "E", property("k", userInfo: mark)),
        "warning: F: its identity is not used: it shares that of “E”, “id”; remove it"
      ),
      (
        entity("P", property("id")) + entity("E", parent: "P", property("k", userInfo: mark)),
        "warning: E: its identity is not used: it shares that of “P”, “id”; remove it"
      ),
      (
        entity("E", property("id") + loop("r", userInfo: ("relatedByAttribute", "ib"))),
        "warning: E.r: it refers by “ib”, which is no attribute of “E”; that is not used; did you mean “id”?"
      ),
      (
        "<entity name='E'>" + property("id") + info(("relatedByAttribute", "mapped")) + "</entity>",
        "warning: E: its “relatedByAttribute” is “mapped”, which is no attribute; that is not used"
      ),
    ])
  func identity(elements: String, problem: String) throws {
    #expect(try problems(elements) == [problem])
  }

  @Test(
    "what is the identity: annotations, then the only uniqueness constraint, then a name",
    arguments: [
      (property("id") + property("k", userInfo: ("sync.isPrimaryKey", "YES")) + unique("id"), ["k"]),
      (property("id") + property("a") + property("b") + info(("identityAttributes", "a, b")), ["a", "b"]),
      (property("id") + property("slug") + unique("slug"), ["slug"]),
      (property("id") + property("a") + property("b") + unique("a") + unique("b"), ["id"]),
      (property("bandId") + property("remoteID"), ["remoteID"]),
      (property("bandId"), ["bandId"]),
      (property("band_id"), ["band_id"]),
      (property("id", "transient='YES'"), nil),
      (property("name"), nil),
    ] as [(String, [String]?)])
  func declared(elements: String, identity: [String]?) throws {
    let entity = try #require(try model(entity("Band", elements)).entities.first)
    #expect(entity.declaredIdentity?.properties == identity)
  }

  private static func unique(_ name: String) -> String {
    let constraint = "<uniquenessConstraint><constraint value='\(name)'/></uniquenessConstraint>"
    return "<uniquenessConstraints>\(constraint)</uniquenessConstraints>"
  }

  @Test("constraints and indexes")
  func constraints() throws {
    let problems = try problems(
      """
      <entity name="E"><attribute name="name" attributeType="String"/><attribute name="t" transient="YES"/>
        <relationship name="many" toMany="YES" destinationEntity="E" inverseName="many"/>
        <compoundIndexes><compoundIndex><index value="nam"/><index value="many"/></compoundIndex></compoundIndexes>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="nme"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="many"/><constraint value="t"/></uniquenessConstraint>
          <uniquenessConstraint/>
        </uniquenessConstraints>
      </entity>
      """)
    #expect(
      problems == [
        "error: E: a uniqueness constraint names “nme”, which is no property of it; did you mean “name”?",
        "error: E.many: it can't be unique: it is to-many; remove it from the uniqueness constraint",
        "error: E.t: it can't be unique: it is transient; remove it from the uniqueness constraint",
        "warning: E: a uniqueness constraint names no property",
        "error: E: index “byNamMany” names “nam”, which is no property of it; did you mean “name”?",
      ])
  }

  @Test("two properties that claim one key, one of them inherited")
  func keys() throws {
    let problems = try problems(
      """
      <entity name="P"><attribute name="a" attributeType="String">
        <userInfo><entry key="JSONKeyPath" value="k"/></userInfo></attribute></entity>
      <entity name="E" parentEntity="P"><attribute name="b" attributeType="String">
        <userInfo><entry key="mappedKeyName.1" value="k"/></userInfo></attribute></entity>
      """)
    #expect(problems == ["error: E.b: “a” and “b” both claim the JSON key “k”; give each its own key"])
  }
}
