import Foundation
import ObjectModel
import Testing

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
