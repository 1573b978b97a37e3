import Foundation
import ObjectModel
import Testing

@Suite("Writing models")
struct RoundTripTests {
  /// Something of everything that a file can say.
  static let everything = coreData(
    """
    <entity name="Party" isAbstract="YES" elementID="Side" versionHashModifier="2" syncable="YES">
      <attribute name="key" attributeType="Integer 64" defaultValueString="0.0" minValueString="-1" \
        maxValueString="9007199254740993" usesScalarValueType="YES" indexed="YES"/>
      <attribute name="since" optional="YES" attributeType="Date" defaultDateTimeInterval="12.25"/>
      <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="0.10"/>
      <attribute name="on" attributeType="Boolean" defaultValueString="YES"/>
      <attribute name="off" attributeType="Boolean" defaultValueString="NO"/>
      <attribute name="odd" attributeType="Boolean" defaultValueString="0.0"/>
      <attribute name="ratio" attributeType="Double" defaultValueString="1e-07" maxValueString="0.5"/>
      <attribute name="text" optional="YES" attributeType="String" defaultValueString="" \
        regularExpressionString="&lt;[&quot;&amp;']&#10;&#9;&gt;"/>
      <attribute name="shown" optional="YES" transient="YES"/>
      <attribute name="blob" optional="YES" attributeType="Transformable" valueTransformerName="T" \
        customClassName="[String]"/>
      <attribute name="search" attributeType="String" derived="YES" derivationExpression="canonical:(text)"/>
      <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
      <fetchedProperty name="recent" optional="YES">
        <fetchRequest name="r" entity="Party" predicateString="key &gt; 1"/>
        <userInfo><entry key="k" value="v"/></userInfo>
      </fetchedProperty>
      <compoundIndexes><compoundIndex><index value="key"/><index value="text"/></compoundIndex></compoundIndexes>
      <fetchIndex name="byText">
        <fetchIndexElement property="text" type="Binary" order="descending"/>
        <fetchIndexElement expression="length:(text)" expressionType="String" type="RTree" order="ascending"/>
      </fetchIndex>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="key"/><constraint value="text"/></uniquenessConstraint>
      </uniquenessConstraints>
      <userInfo><entry key="identityAttributes" value="key, text"/><entry key="a" value=""/></userInfo>
    </entity>
    <entity name="Band" representedClassName=".Band" parentEntity="Party" codeGenerationType="class">
      <relationship name="albums" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="5" \
        deletionRule="Deny" destinationEntity="Order" inverseName="band" inverseEntity="Order"/>
      <relationship name="next" optional="YES" transient="YES" maxCount="1" deletionRule="No Action" \
        destinationEntity="Band" inverseName="next" inverseEntity="Party" elementID="was" syncable="YES">
        <userInfo><entry key="JSONKeyPath" value="a.b"/></userInfo>
      </relationship>
    </entity>
    <entity name="Order">
      <relationship name="band" maxCount="1" deletionRule="Cascade" destinationEntity="Band" inverseName="albums"/>
    </entity>
    <composite name="Address"><attribute name="street" optional="YES" attributeType="String"/></composite>
    <composite name="Empty"/>
    <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Band"/></configuration>
    <fetchRequest name="All" entity="Band" predicateString="TRUEPREDICATE" fetchBatchSize="20"/>
    """
  ).replacing("documentVersion", with: #"lastSavedToolsVersion="1" usedWithCloudKit="false" documentVersion"#)

  private func everything() throws -> Model {
    try Model(coreDataXML: Data(Self.everything.utf8))
  }

  @Test(
    "what was read, written and read again is the same", arguments: ["xcdatamodeld", "xcdatamodel", "json"])
  func roundTrip(form: String) throws {
    let model = try everything()
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("M.\(form)")
    try model.write(to: url)
    #expect(try Model(contentsOf: url) == model)
  }

  @Test("the same model gives the same text")
  func determinism() throws {
    let model = try everything()
    #expect(model.coreDataXML() == (try everything()).coreDataXML())
    #expect(model.json() == (try everything()).json())
  }

  @Test("a Core Data file has what Xcode expects")
  func xml() {
    let model = Model(entities: [
      Entity(
        name: "Album", className: "Album",
        attributes: [Attribute(name: "title", type: .string, isOptional: true)],
        relationships: [
          Relationship(name: "band", destination: "Band", inverse: "albums", inverseEntity: "Band")
        ]),
      Entity(
        name: "Band",
        relationships: [
          Relationship(
            name: "albums", destination: "Album", inverse: "band", inverseEntity: "Album", isToMany: true,
            deleteRule: .cascade)
        ]),
    ])
    let expected = """
          <entity name="Album" representedClassName="Album">
              <attribute name="title" optional="YES" attributeType="String"/>
              <relationship name="band" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Band" \
      inverseName="albums" inverseEntity="Band"/>
          </entity>
          <entity name="Band">
              <relationship name="albums" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Album" \
      inverseName="band" inverseEntity="Album"/>
          </entity>
      </model>

      """
    #expect(model.coreDataXML().hasSuffix(expected))
  }

  @Test("writing to a bundle that exists replaces its current version and leaves the others")
  func existingBundle() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("M.xcdatamodeld")
    let old = Model(entities: [Entity(name: "Old")])
    try old.write(to: url)
    try old.write(to: url.appendingPathComponent("M 0.xcdatamodel"))
    try Model(entities: [Entity(name: "New")]).write(to: url)
    #expect(try Model(contentsOf: url).entities.map(\.name) == ["New"])
    #expect(try Model(contentsOf: url.appendingPathComponent("M 0.xcdatamodel")) == old)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).count == 3)
  }

  @Test("an extension that names no form, and a place that can't be written")
  func unwritable() throws {
    let directory = try TemporaryDirectory()
    let model = Model()
    #expect(
      failure { try model.write(to: directory.url.appendingPathComponent("m.txt")) }
        .contains("can't tell which form to write from “m.txt”"))
    try directory.write("", to: "file")
    #expect(
      failure { try model.write(to: directory.url.appendingPathComponent("file/m.json")) }
        .contains("it can't be written"))
  }

  @Test("what XML can't say does not break the file")
  func controlCharacters() throws {
    let model = Model(entities: [Entity(name: "a\u{1}b", other: ["x y": "1", "ok": "2", "name": "twice"])])
    let read = try Model(coreDataXML: Data(model.coreDataXML().utf8))
    #expect(read == Model(entities: [Entity(name: "a\u{FFFD}b", other: ["ok": "2"])]))
  }
}
