import Foundation
import ObjectModel
import Testing

@Suite("Reading Core Data models")
struct CoreDataReadingTests {
  @Test(
    "every attribute type",
    arguments: [
      ("String", AttributeType.string), ("Integer 16", .integer16), ("Integer 32", .integer32),
      ("Integer 64", .integer64), ("Boolean", .boolean), ("Date", .date), ("Double", .double),
      ("Float", .float), ("Decimal", .decimal), ("Binary", .binary), ("UUID", .uuid), ("URI", .uri),
      ("Transformable", .transformable),
    ])
  func types(name: String, type: AttributeType) throws {
    #expect(try attribute("<attribute name='a' attributeType='\(name)'/>")?.type == type)
  }

  @Test("an attribute without a type, and one of a composite")
  func unusualTypes() throws {
    #expect(try attribute("<attribute name='a' transient='YES'/>")?.type == .undefined)
    #expect(
      try attribute("<attribute name='a' attributeType='Composite' composite='Address'/>")?.type
        == .composite("Address"))
  }

  @Test("absent means NO, and true and false are read like YES and NO")
  func flags() throws {
    #expect(try attribute("<attribute name='a'/>")?.isOptional == false)
    for word in ["YES", "true"] {
      #expect(try attribute("<attribute name='a' optional='\(word)'/>")?.isOptional == true)
    }
    for word in ["NO", "false"] {
      #expect(try attribute("<attribute name='a' optional='\(word)'/>")?.isOptional == false)
    }
  }

  @Test(
    "defaults are kept as they are written",
    arguments: [
      ("Boolean", "0"), ("Boolean", "0.0"), ("Integer 32", "NO"), ("Integer 64", "0.0"), ("String", ""),
    ])
  func defaults(type: String, text: String) throws {
    let element = "<attribute name='a' attributeType='\(type)' defaultValueString='\(text)'/>"
    #expect(try attribute(element)?.defaultValue == text)
    #expect(try attribute(element.replacing("defaultValueString='\(text)'", with: ""))?.defaultValue == nil)
  }

  @Test("a date's default is seconds since 2001")
  func defaultDate() throws {
    let element = "<attribute name='a' attributeType='Date' defaultDateTimeInterval='-978307200'/>"
    #expect(try attribute(element)?.defaultDate == -978_307_200)
  }

  @Test("validation, derivation, userInfo and what Broker does not use")
  func attributeDetails() throws {
    let attribute = try #require(
      try attribute(
        """
        <attribute name="a" optional="YES" attributeType="String" minValueString="1" maxValueString="9" \
        regularExpressionString="[a-z]+" derived="YES" derivationExpression="canonical:(name)" \
        indexed="YES" elementID="old" usesScalarValueType="NO" spotlightIndexingEnabled="YES">
          <userInfo><entry key="sync.remoteKey" value="x &amp; &quot;y&quot; &lt;z&gt;"/></userInfo>
          <userInfo/>
        </attribute>
        """))
    #expect(attribute.minimum == "1")
    #expect(attribute.maximum == "9")
    #expect(attribute.pattern == "[a-z]+")
    #expect(attribute.derivation == "canonical:(name)")
    #expect(attribute.isIndexed)
    #expect(attribute.renamingIdentifier == "old")
    #expect(attribute.annotations.keys == [#"x & "y" <z>"#])
    #expect(attribute.other == ["usesScalarValueType": "NO", "spotlightIndexingEnabled": "YES"])
  }

  @Test("relationships")
  func relationships() throws {
    let model = try model(
      """
      <entity name="Album">
        <relationship name="band" minCount="1" maxCount="1" deletionRule="Nullify" \
          destinationEntity="Band" inverseName="albums" inverseEntity="Band" syncable="YES"/>
        <relationship name="next" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="Album"/>
      </entity>
      <entity name="Band" isAbstract="YES" parentEntity="Group" representedClassName=".Band">
        <relationship name="albums" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
          destinationEntity="Album" inverseName="band" inverseEntity="Album"/>
      </entity>
      <entity name="Group"/>
      """)
    #expect(
      model[entity: "Album"]?.relationships == [
        Relationship(
          name: "band", destination: "Band", inverse: "albums", inverseEntity: "Band", isOptional: false,
          minimumCount: 1, other: ["syncable": "YES"]),
        Relationship(name: "next", destination: "Album", deleteRule: .noAction),
      ])
    #expect(
      model[entity: "Band"]?[relationship: "albums"]
        == Relationship(
          name: "albums", destination: "Album", inverse: "band", inverseEntity: "Album", isToMany: true,
          isOrdered: true, deleteRule: .cascade))
    #expect(model[entity: "Band"]?.parent == "Group")
    #expect(model[entity: "Band"]?.isAbstract == true)
    #expect(model[entity: "Band"]?.className == ".Band")
  }

  @Test("constraints and indexes of both eras")
  func constraintsAndIndexes() throws {
    let entity = try #require(
      try model(
        """
        <entity name="Card">
          <attribute name="suit"/><attribute name="value"/>
          <compoundIndexes><compoundIndex><index value="suit"/><index value="value"/></compoundIndex></compoundIndexes>
          <fetchIndex name="byValue">
            <fetchIndexElement property="value" type="Binary" order="descending"/>
            <fetchIndexElement expression="lower(suit)" type="RTree" order="ascending"/>
          </fetchIndex>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="suit"/><constraint value="value"/></uniquenessConstraint>
            <uniquenessConstraint><constraint value="value"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        """
      ).entities.first)
    #expect(entity.uniquenessConstraints == [["suit", "value"], ["value"]])
    #expect(
      entity.indexes == [
        Index(
          name: "bySuitValue", elements: [.init(property: "suit"), .init(property: "value")],
          isCompound: true),
        Index(
          name: "byValue",
          elements: [
            .init(property: "value", isAscending: false),
            .init(property: "", other: ["expression": "lower(suit)", "type": "RTree"]),
          ]),
      ])
  }

  @Test("composites, configurations, fetch requests and fetched properties are kept")
  func keptParts() throws {
    let model = try model(
      """
      <entity name="E">
        <fetchedProperty name="recent" optional="YES">
          <fetchRequest name="r" entity="E" predicateString="a &gt; 1"/>
        </fetchedProperty>
      </entity>
      <composite name="Address">
        <attribute name="place" attributeType="Composite" composite="Place"/>
      </composite>
      <composite name="Place"/>
      <configuration name="Cloud" usedWithCloudKit="false"><memberEntity name="E"/></configuration>
      <fetchRequest name="All" entity="E" predicateString="TRUEPREDICATE" fetchBatchSize="20"/>
      <elements><element name="E" positionX="1" positionY="2" width="3" height="4"/></elements>
      """)
    #expect(model.entities.map(\.name) == ["E"])
    #expect(
      model.entities.first?.fetchedProperties == [
        FetchedProperty(
          name: "recent", fetchRequest: FetchRequest(name: "r", entity: "E", predicate: "a > 1"))
      ])
    #expect(model.composites.map(\.name) == ["Address", "Place"])
    #expect(model.composites.first?.attributes.first?.type == .composite("Place"))
    #expect(
      model.configurations == [
        Configuration(name: "Cloud", entities: ["E"], other: ["usedWithCloudKit": "false"])
      ])
    #expect(
      model.fetchRequests == [
        FetchRequest(name: "All", entity: "E", predicate: "TRUEPREDICATE", other: ["fetchBatchSize": "20"])
      ])
  }

  @Test("a model without entities, without a final newline, with a byte order mark")
  func smallFiles() throws {
    #expect(try model("").entities.isEmpty)
    #expect(try Model(coreDataXML: Data("\u{FEFF}<model/>".utf8)) == Model())
  }
}
