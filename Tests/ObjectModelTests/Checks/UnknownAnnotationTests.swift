import Testing

@Suite("Annotations of Broker's that do not exist")
struct UnknownAnnotationTests {
  @Test(
    "of a property",
    arguments: [
      ("broker.keyy", "; did you mean “broker.key”?"),
      ("broker.transformr", "; did you mean “broker.transformer”?"),
      ("broker.kind.1", "; write all of them in one “broker.kind”, with commas between them"),
      ("broker.zzzzzz", ""),
    ])
  func ofAProperty(_ key: String, _ advice: String) throws {
    #expect(
      try problems(ofEntity: property("id") + property("a", userInfo: (key, "x"))) == [
        "warning: E.a: “\(key)” is no annotation of Broker's; imports leave the property out\(advice)"
      ])
  }

  @Test("of an entity")
  func ofAnEntity() throws {
    #expect(
      try problems(ofEntity: property("id") + info(("broker.identitty", "id"))) == [
        "warning: E: “broker.identitty” is no annotation of Broker's; it is not used; did you mean “broker.identity”?"
      ])
  }

  @Test("those that exist", arguments: ["broker.key.1", "broker.key.12", "broker.exported", "sync.remotKey"])
  func known(_ key: String) throws {
    #expect(try problems(ofEntity: property("id") + property("a", userInfo: (key, "x"))) == [])
  }
}
