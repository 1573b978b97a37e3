import Foundation
import ObjectModel
import Testing

/// The problems of a Core Data file with these elements, as lines.
private func problems(_ elements: String) throws -> [String] {
  try model(elements).problems().map(\.description)
}

/// The problems of an entity with these elements, beside `E` whose relationship `back` leads to it.
private func problems(ofEntity elements: String) throws -> [String] {
  try problems("<entity name='E'>\(elements)</entity>")
}

@Suite("Problems of a model")
struct ProblemTests {
  @Test("a model without problems has none")
  func none() throws {
    let elements = """
      <entity name="Live" parentEntity="Album"/>
      <entity name="Album">
        <attribute name="id" attributeType="Integer 64" defaultValueString="NO"/>
        <attribute name="title" attributeType="String" defaultValueString="" maxValueString="80"/>
        <attribute name="rating" attributeType="Double" minValueString="0" maxValueString="5.5"/>
        <attribute name="sold" attributeType="Boolean" defaultValueString="0.0"/>
        <attribute name="shown" transient="YES"/>
        <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
        <relationship name="band" maxCount="1" destinationEntity="Band" inverseName="albums" inverseEntity="Band"/>
        <fetchIndex name="i"><fetchIndexElement property="band"/><fetchIndexElement property="home.street"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="Band">
        <attribute name="name" attributeType="String">
          <userInfo><entry key="sync.isPrimaryKey" value="YES"/></userInfo>
        </attribute>
        <relationship name="albums" toMany="YES" destinationEntity="Album" inverseName="band" inverseEntity="Album"/>
        <relationship name="rival" destinationEntity="Band" inverseName="rival" inverseEntity="Band"/>
        <relationship name="show" destinationEntity="Live" inverseName="hosts" inverseEntity="Album"/>
      </entity>
      <composite name="Address"><attribute name="street" attributeType="String"/></composite>
      """
    let withInverse = elements.replacing(
      "<fetchIndex ",
      with:
        "<relationship name='hosts' toMany='YES' destinationEntity='Band' inverseName='show'/><fetchIndex ")
    #expect(try problems(withInverse) == [])
  }

  @Test(
    "names",
    arguments: [
      (
        "<entity name='E'/><entity name='E'/>",
        "error: E: there are two entities with this name; rename one of them"
      ),
      (
        "<entity name='Todo'/><entity name='ToDo'/>",
        "error: ToDo: differs from entity “Todo” only by case, which SQLite ignores; rename one of them"
      ),
      (
        "<composite name='C'/><composite name='C'/>",
        "error: C: there are two composites with this name; rename one of them"
      ),
      (
        "<entity name='sqlite_x'/>",
        "error: sqlite_x: SQLite keeps names that begin with “sqlite_” for itself; rename the entity"
      ),
      (
        "<entity name='E'><attribute name='a' attributeType='String'/><attribute name='a' attributeType='String'/></entity>",
        "error: E.a: there are two properties with this name; rename one of them"
      ),
      (
        "<entity name='E'><attribute name='a' attributeType='String'/><attribute name='A' attributeType='String'/></entity>",
        "error: E.A: differs from “a” only by case, which SQLite ignores; rename one of them"
      ),
      (
        "<entity name='E' parentEntity='P'><attribute name='a' attributeType='String'/></entity><entity name='P'><attribute name='a' attributeType='String'/></entity>",
        "error: E.a: “P”, from which it inherits, has a property with this name; remove or rename one of them"
      ),
      (
        "<entity name='E' parentEntity='P'><attribute name='a' attributeType='String'/></entity><entity name='P'/><entity name='F' parentEntity='P'><attribute name='a' attributeType='Date'/></entity>",
        "warning: F.a: “E”, which has the same root, has a different property “a”; rename one of them, or give both the same name and type"
      ),
      ("<entity name='a&#9;b'/>", "error: a\u{FFFD}b: the name contains a control character; rename it"),
      (
        "<entity name='E'/><configuration name='C'><memberEntity name='F'/></configuration>",
        "warning: configuration “C” names “F”, which is no entity"
      ),
    ])
  func names(elements: String, problem: String) throws {
    #expect(try problems(elements) == [problem])
  }

  @Test("inheritance")
  func inheritance() throws {
    #expect(
      try problems("<entity name='Album' parentEntity='Itm'/><entity name='Item'/>")
        == ["error: Album: its parent “Itm” is no entity of this model; did you mean “Item”?"])
    #expect(
      try problems("<entity name='A' parentEntity='A'/>")
        == ["error: A: it inherits from itself: “A” → “A”; give one of them no parent"])
    #expect(
      try problems(
        "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='C'/><entity name='C' parentEntity='B'/>"
      )
        == [
          "error: B: it inherits from itself: “B” → “C” → “B”; give one of them no parent",
          "error: C: it inherits from itself: “C” → “B” → “C”; give one of them no parent",
        ])
  }

  @Test(
    "relationships",
    arguments: [
      ("destinationEntity='F'", "error: E.r: there is no entity “F”"),
      ("destinationEntity='E'", "warning: E.r: it has no inverse; give “E” a relationship that leads back"),
      (
        "destinationEntity='E' inverseName='rr'",
        "error: E.r: “E” has no relationship “rr”, its inverse; did you mean “r”?"
      ),
      ("destinationEntity='E' inverseName='a'", "error: E.r: its inverse “a” is an attribute of “E”"),
      (
        "destinationEntity='E' inverseName='r' inverseEntity='G'",
        "error: E.r: its inverse is said to be in “G”, but it leads to “E”"
      ),
      (
        "destinationEntity='G' inverseName='s' inverseEntity='G'",
        "warning: E.r: its inverse is “s”, but the inverse of that is “q”; make each the inverse of the other"
      ),
      (
        "destinationEntity='G' inverseName='g' inverseEntity='G'",
        "error: E.r: its inverse “g” leads to “G”, not back to “E”"
      ),
      (
        "destinationEntity='E' inverseName='r' ordered='YES'",
        "warning: E.r: it is ordered but to-one; remove “ordered”"
      ),
      (
        "destinationEntity='E' inverseName='r' toMany='YES' minCount='3' maxCount='2'",
        "error: E.r: its minimum count 3 is above its maximum 2"
      ),
    ])
  func relationships(attributes: String, problem: String) throws {
    let problems = try problems(
      """
      <entity name="E"><attribute name="a" attributeType="String"/><relationship name="r" \(attributes)/>
        <relationship name="q" destinationEntity="G" inverseName="s"/></entity>
      <entity name="G"><relationship name="s" destinationEntity="E" inverseName="q"/>
        <relationship name="g" destinationEntity="G" inverseName="g"/></entity>
      """)
    #expect(problems == [problem])
  }

  @Test(
    "values",
    arguments: [
      (
        "attributeType='Integer 16' defaultValueString='70000'",
        "error: E.a: its default “70000” is not an integer from -32768 to 32767"
      ),
      (
        "attributeType='Integer 64' defaultValueString='1.5'",
        "error: E.a: its default “1.5” is not a 64-bit integer"
      ),
      (
        "attributeType='Integer 64' defaultValueString='9223372036854775808'",
        "error: E.a: its default “9223372036854775808” is not a 64-bit integer"
      ),
      (
        "attributeType='Boolean' defaultValueString='maybe'",
        "error: E.a: its default “maybe” is not a boolean"
      ),
      ("attributeType='Double' defaultValueString='1,5'", "error: E.a: its default “1,5” is not a number"),
      ("attributeType='UUID' defaultValueString='1'", "error: E.a: its default “1” is not a UUID"),
      (
        "attributeType='Date' defaultValueString='today'",
        "warning: E.a: its default “today” is not used; set the default date instead"
      ),
      ("attributeType='Integer 32' minValueString='x'", "error: E.a: its minimum “x” is not a number"),
      ("attributeType='String' minValueString='-1'", "error: E.a: its minimum “-1” is not a length"),
      (
        "attributeType='Decimal' minValueString='9.5' maxValueString='9.25'",
        "error: E.a: its minimum 9.5 is above its maximum 9.25"
      ),
      (
        "attributeType='Integer 16' minValueString='1' defaultValueString='0'",
        "warning: E.a: its default “0” is outside its own bounds; objects inserted without a value are invalid"
      ),
      ("attributeType='Boolean' maxValueString='1'", "warning: E.a: its maximum has no effect on a boolean"),
      (
        "attributeType='String' regularExpressionString='['",
        "error: E.a: its regular expression “[” is invalid"
      ),
      (
        "attributeType='Date' regularExpressionString='.'",
        "warning: E.a: its regular expression has no effect on a date"
      ),
      ("", "warning: E.a: it has no type; give it one, or make it transient"),
      ("attributeType='String' derived='YES'", "warning: E.a: it is derived from nothing"),
      ("attributeType='Composite' composite='C'", "error: E.a: there is no composite “C”"),
    ])
  func values(attributes: String, problem: String) throws {
    #expect(try problems(ofEntity: "<attribute name='a' \(attributes)/>") == [problem])
  }

  @Test(
    "odd defaults are fine",
    arguments: [
      ("Boolean", "0"), ("Boolean", "0.0"), ("Integer 32", "NO"), ("Integer 64", "0.0"), ("Integer 64", "NO"),
      ("String", ""), ("Decimal", ""), ("Float", "1e3"), ("URI", "https://example.com"), ("Date", ""),
    ])
  func oddDefaults(type: String, text: String) throws {
    let element = "<attribute name='a' attributeType='\(type)' defaultValueString='\(text)'/>"
    #expect(try problems(ofEntity: element) == [])
  }

  @Test(
    "identity",
    arguments: [
      (
        "<entity name='E'><attribute name='key' attributeType='String'/><userInfo><entry key='identityAttributes' value='kei, key'/></userInfo></entity>",
        "error: E: its identity names “kei”, which is no attribute; did you mean “key”?"
      ),
      (
        "<entity name='E'><attribute name='k' transient='YES'><userInfo><entry key='broker.identity' value='1'/></userInfo></attribute></entity>",
        "error: E.k: it can't be the identity: it is transient; choose a stored attribute"
      ),
      (
        "<entity name='E'><attribute name='k' attributeType='Transformable'><userInfo><entry key='broker.identity' value='1'/></userInfo></attribute></entity>",
        "error: E.k: it can't be the identity: its values can't be compared; choose a stored attribute"
      ),
      (
        "<entity name='E'><relationship name='r' toMany='YES' destinationEntity='E' inverseName='r'><userInfo><entry key='broker.identity' value='true'/></userInfo></relationship></entity>",
        "error: E.r: it can't be the identity: it is to-many; choose attributes"
      ),
      (
        "<entity name='P'/><entity name='E' parentEntity='P'><attribute name='k' attributeType='String'><userInfo><entry key='broker.identity' value='1'/></userInfo></attribute></entity>",
        "error: E: it has an identity, but its root “P” has none; move the identity to “P”"
      ),
      (
        "<entity name='P'><attribute name='id' attributeType='UUID'/></entity><entity name='E' parentEntity='P'><attribute name='k' attributeType='String'><userInfo><entry key='broker.identity' value='1'/></userInfo></attribute></entity>",
        "warning: E: its identity is not used: it shares that of its root “P”, “id”; remove it"
      ),
      (
        "<entity name='E'><attribute name='id' attributeType='UUID'/><relationship name='r' destinationEntity='E' inverseName='r'><userInfo><entry key='relatedByAttribute' value='ib'/></userInfo></relationship></entity>",
        "error: E.r: it refers by “ib”, which is no attribute of “E”; did you mean “id”?"
      ),
    ])
  func identity(elements: String, problem: String) throws {
    #expect(try problems(elements) == [problem])
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

  @Test("composites that contain each other")
  func composites() throws {
    let problems = try problems(
      """
      <composite name="A"><attribute name="b" attributeType="Composite" composite="B"/></composite>
      <composite name="B"><attribute name="a" attributeType="Composite" composite="A"/></composite>
      <composite name="C"><attribute name="b" attributeType="Composite" composite="B"/></composite>
      <composite name="D"><attribute name="d" attributeType="Composite" composite="D"/></composite>
      """)
    #expect(
      problems == [
        "error: A: it contains itself: “A” → “B” → “A”; remove the attribute that leads back",
        "error: B: it contains itself: “B” → “A” → “B”; remove the attribute that leads back",
        "error: D: it contains itself: “D” → “D”; remove the attribute that leads back",
      ])
  }

  @Test("all of them are found at once, and as JSON each has its parts")
  func allAtOnce() throws {
    let problems = try model(
      "<entity name='E'><attribute name='a'/><relationship name='r' destinationEntity='Item'/></entity><entity name='Items'/>"
    ).problems()
    #expect(problems.map(\.severity) == [.warning, .error])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(problems[1]), as: UTF8.self)
    #expect(
      json
        == #"{"advice":"did you mean “Items”?","entity":"E","message":"there is no entity “Item”","property":"r","severity":"error"}"#
    )
  }
}
