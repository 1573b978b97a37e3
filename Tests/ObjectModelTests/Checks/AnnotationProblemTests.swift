import ObjectModel
import Testing

@Suite("Annotations of imports")
struct AnnotationProblemTests {
  @Test(
    "what annotations say wrongly",
    arguments: [
      (
        entity("E", property("id") + loop("r", "toMany='YES'", userInfo: ("broker.toMany", "prnue"))),
        "error: E.r: “broker.toMany” is “prnue”, which is none of replace, merge, prune; did you mean “prune”?"
      ),
      (
        entity("E", property("id") + loop("r", userInfo: ("broker.toMany", "merge"))),
        "warning: E.r: “broker.toMany” has no effect on a to-one relationship; remove it"
      ),
      (
        entity("E", property("id") + loop("r", userInfo: ("broker.references", "stubs"))),
        "error: E.r: “broker.references” is “stubs”, which is none of pending, stub, error; did you mean “stub”?"
      ),
      (
        entity("E", property("id") + property("updated") + info(("broker.version", "updatd"))),
        "error: E: its version is “updatd”, which is no attribute; did you mean “updated”?"
      ),
      (
        entity("E", property("id") + property("b", "attributeType='Binary'") + info(("broker.version", "b"))),
        "error: E: its version is “b”, whose values have no order"
      ),
      (
        entity("E", property("id") + info(("broker.discriminator", "type"))),
        "warning: E: it says what tells its sub-entities, and has none; remove its “broker.discriminator”"
      ),
      (
        entity("E", property("id") + info(("broker.kind", "e"))),
        "warning: E: its “broker.kind” has no effect: it inherits from nothing"
      ),
    ])
  func annotations(elements: String, problem: String) throws {
    #expect(try problems(elements) == [problem])
  }

  @Test("what they say rightly")
  func none() throws {
    let parent = entity(
      "E",
      property("id") + property("updated") + loop("r", "toMany='YES'", userInfo: ("broker.toMany", "prune"))
        + info(("broker.version", "updated")))
    let child = entity("C", parent: "E", info(("broker.kind", "c, d")))
    let found = try problems(parent + child)
    #expect(found == [])
  }
}
