import ObjectModel
import Testing

/// Identities that name to-one relationships.
@Suite("Identities that name relationships")
struct IdentityOfOwnersTests {
  private func related(
    _ name: String, to target: String, _ rest: String = "", _ info: (String, String)? = nil
  ) -> String {
    let userInfo = info.map { "<userInfo><entry key='\($0.0)' value='\($0.1)'/></userInfo>" } ?? ""
    return
      "<relationship name='\(name)' destinationEntity='\(target)' maxCount='1' optional='YES' \(rest)>\(userInfo)</relationship>"
  }

  private func whole(_ name: String, _ identity: String, _ elements: String) -> String {
    entity(name, elements + info(("broker.identity", identity)))
  }

  private func identity(_ elements: String, of name: String) throws -> [String] {
    let schema = try Schema(try model(elements))
    return schema.entity(name).map { schema.identityNames(of: $0) } ?? []
  }

  @Test("by the entity, or by the properties") func sources() throws {
    let owner = entity("O", property("id"))
    #expect(
      try identity(owner + whole("E", "o, n", property("n") + related("o", to: "O")), of: "E") == ["o", "n"])
    let marked =
      property("n", userInfo: ("broker.identity", "YES"))
      + related("o", to: "O", "", ("broker.identity", "YES"))
    #expect(try identity(owner + entity("E", marked), of: "E") == ["o", "n"])
    // A constraint keeps objects apart and does not identify.
    let unique = property("n") + related("o", to: "O")
    #expect(
      try identity(
        owner
          + entity(
            "E",
            unique
              + "<uniquenessConstraints><uniquenessConstraint><constraint value='o'/><constraint value='n'/></uniquenessConstraint></uniquenessConstraints>"
          ), of: "E") == [])
  }

  @Test("the relationship is required, whatever the model says") func required() throws {
    let schema = try Schema(
      try model(
        entity("O", property("id")) + whole("E", "o,n", property("n") + related("o", to: "O"))))
    #expect(schema.relationships.map(\.isOptional) == [false])
    #expect(schema.entity("E")?.identity.map(\.name) == ["o.id", "n"])
  }

  @Test(
    "what cannot be",
    arguments: [
      (
        "oo,n",
        "error: E: its identity names “oo”, which is no attribute and no relationship; did you mean “o”?"
      ),
      (
        "many,n",
        "error: E.many: it can't be the identity: it is to-many; choose attributes and to-one relationships"
      ),
      ("none,n", "error: E.none: it cannot be an identity: N has none"),
      ("circle,n", "error: E.circle: it cannot be an identity: the identity of C leads back to it"),
      ("own,n", "error: E.own: it cannot be an identity: the identity of E leads back to it"),
      (
        "one,n",
        "error: E.one: it cannot be a part of an identity: it is one-to-one, so it identifies objects by itself"
      ),
      (
        "below,n",
        "error: E.below: it cannot be an identity: the identity of S does not hold for all of R"
      ),
    ])
  func problems(identity: String, problem: String) throws {
    let elements =
      entity("O", property("id") + related("e", to: "E", "inverseName='one' inverseEntity='E'"))
      + entity("N", property("text"))
      + whole("C", "e", related("e", to: "E"))
      + entity("R", property("text") + related("r", to: "R"))
      + "<entity name='S' parentEntity='R'>" + property("key") + info(("broker.identity", "key"))
      + "</entity>"
      + whole(
        "E", identity,
        property("n") + related("o", to: "O") + related("none", to: "N") + related("circle", to: "C")
          + related("own", to: "E") + related("below", to: "S")
          + related("one", to: "O", "inverseName='e' inverseEntity='O'")
          + "<relationship name='many' destinationEntity='O' toMany='YES' optional='YES'/>")
    #expect(try ObjectModelTests.problems(elements).filter { $0.hasPrefix("error") } == [problem])
  }
}
