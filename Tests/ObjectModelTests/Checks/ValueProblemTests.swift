import ObjectModel
import Testing

@Suite("Problems of attributes")
struct ValueProblemTests {
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
}
