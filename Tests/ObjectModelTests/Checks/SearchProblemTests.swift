import Testing

/// What `broker.search` may stand at.
@Suite struct SearchProblemTests {
  @Test(arguments: ["String", "URI", "Transformable", "Undefined"])
  func textsCanBeSearched(_ type: String) throws {
    let problems = try problems(
      ofEntity: property("id")
        + property("a", "attributeType='\(type)'", userInfo: ("broker.search", "YES")))
    #expect(problems.allSatisfy { !$0.contains("search") })
  }

  @Test(
    arguments: [
      ("Double", "Double"), ("Integer 64", "Integer 64"), ("Boolean", "Boolean"), ("Date", "Date"),
      ("UUID", "UUID"), ("Binary", "Binary"),
    ])
  func othersCannot(_ type: String, _ name: String) throws {
    let problems = try problems(
      ofEntity: property("id")
        + property("a", "attributeType='\(type)'", userInfo: ("broker.search", "true")))
    #expect(
      problems.contains {
        $0.hasPrefix("error: E.a: it is to be searched, but a ") && $0.hasSuffix("remove “broker.search”")
      })
  }

  @Test func compositesAreSearchedByTheirParts() throws {
    let part = property("street", userInfo: ("broker.search", "true"))
    let composite = "<composite name='Address'>\(part)</composite>"
    let type = "attributeType='Composite' composite='Address'"
    func whole(_ info: (String, String)?) throws -> [String] {
      try problems(
        composite + entity("E", property("id") + property("home", type, userInfo: info)))
    }
    #expect(try whole(nil) == [])
    #expect(
      try whole(("broker.search", "true")).contains { $0.contains("write “broker.search” at its parts") })
  }

  @Test func whatIsNotStoredIsNotSearched() throws {
    let transient = property(
      "a", "attributeType='String' transient='YES'", userInfo: ("broker.search", "true"))
    #expect(
      try problems(ofEntity: property("id") + transient) == [
        "error: E.a: it is to be searched, but is transient, so the store does not have it; remove “broker.search”"
      ])
  }

  @Test(arguments: ["false", "NO", "0"])
  func falseIsFalse(_ word: String) throws {
    let number = property("a", "attributeType='Double'", userInfo: ("broker.search", word))
    #expect(try problems(ofEntity: property("id") + number) == [])
  }

  @Test func anythingElseIsAnError() throws {
    #expect(
      try problems(ofEntity: property("id") + property("a", userInfo: ("broker.search", "ture"))) == [
        "error: E.a: “broker.search” is “ture”, which is neither true nor false"
      ])
  }
}
