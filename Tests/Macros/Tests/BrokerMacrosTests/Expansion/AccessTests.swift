import Testing

/// The members of the extension are as visible as the struct demands.
@Suite struct AccessTests {
  @Test(arguments: [
    ("public ", "public "), ("package ", "package "), ("", ""), ("internal ", ""), ("fileprivate ", ""),
    ("private ", ""),
  ])
  func modifiers(written: String, copied: String) {
    let (text, problems) = expand("@Entity \(written)struct Band {\n  @Identity var name: String\n}")
    #expect(problems.isEmpty)
    #expect(text.contains("\n  \(copied)static let properties"))
    #expect(text.contains("\n  \(copied)init(row:"))
    #expect(text.contains("\n  \(copied)var id: String"))
  }

  @Test func publicExtensions() {
    let (text, _) = expand("public extension Model {\n  @Entity struct Band {\n    var id: String\n  }\n}")
    #expect(
      text.contains("nonisolated extension Model.Band: _BrokerStorable {\n  public static let properties"))
  }

  @Test func privateStructsInPublicExtensions() {
    let (text, _) = expand(
      "public extension Model {\n  @Entity internal struct Band {\n    var id: String\n  }\n}")
    #expect(text.contains("nonisolated extension Model.Band: _BrokerStorable {\n  static let properties"))
  }

  @Test func structsInPrivateTypes() {
    let (text, _) = expand(
      "private enum Model {\n  enum Parts {\n    @Entity struct Band {\n    var id: String\n  }\n  }\n}")
    #expect(text.contains("  fileprivate static let properties"))
  }
}
