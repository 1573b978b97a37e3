import ObjectModel
import Testing

@Suite("Problems of relationships")
struct RelationshipProblemTests {
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
}
