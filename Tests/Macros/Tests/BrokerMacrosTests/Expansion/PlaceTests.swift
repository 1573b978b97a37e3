import Testing

/// Where the compiler takes an expansion to stand.
@Suite struct PlaceTests {
  @Test func propertiesStandInTheirOwnLines() {
    let (text, _) = expand(
      """
      @Entity struct Band {
        @Identity var name: String

        @Relationship(inverse: "band")
        var albums: ToMany<Album>
      }
      """)
    let lines = text.split(separator: "\n")
    let places = lines.indices.filter { lines[$0].contains("_BrokerProperty<") }.map { lines[$0 - 1] }
    #expect(
      places == [
        #"#sourceLocation(file: "App.swift", line: 2)"#, #"#sourceLocation(file: "App.swift", line: 5)"#,
      ])
    #expect(lines.contains("#sourceLocation()"))
  }

  @Test("what uses a wrong entity has no errors that follow")
  func placeholders() {
    let (text, problems) = expand(
      "@Entity public struct Band {\n  @Identity var name: String\n  @Key(\"a..b\") var year: Int\n}")
    #expect(problems.count == 1)
    #expect(text.contains("extension Band: _BrokerStorable {"))
    #expect(text.contains("public init(row: borrowing _BrokerRow) throws { throw row.placeholderError }"))
    #expect(text.contains("public var id: String { self.name }"))
  }

  @Test("nor has it any itself", arguments: ["var f: () -> Void", "@Wrapped var a: Int"])
  func noPlaceholders(member: String) {
    let (text, problems) = expand("@Entity struct Band {\n  @Identity var name: String\n  \(member)\n}")
    #expect(!problems.isEmpty && !text.contains("extension"))
  }
}
