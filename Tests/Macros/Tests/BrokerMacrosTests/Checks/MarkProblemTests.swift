import Testing

/// Marks that do not go together, or not with their property.
@Suite struct MarkProblemTests {
  @Test func repeatedMarks() {
    expectProblems(
      in: """
        @Entity struct Band {
          @Identity @Identity var name: String
          @Key("a")
          @Key("b")
          var title: String
        }
        """,
      """
      2:13 error: @Identity is written twice; name takes one [markTwice]
        note 2:3: the first is here
        fix: take the second away
          - @Identity @Identity var name: String
          + @Identity var name: String
      4:3 error: @Key is written twice; title takes one [markTwice]
        note 3:3: the first is here
        fix: take the second away
          - @Key("b")
      """)
  }

  @Test func searchWithoutWords() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Attribute(search: true) var formed: Int?
          @Attribute(search: false) var split: Int?
          @Attribute(search: true) var site: URL?
          @Attribute(search: true) var names: [String]
        }
        """,
      """
      3:14 error: formed has the type Int, in which there are no words to search for; only texts have them [searchWithoutWords]
        fix: write search: false
          - @Attribute(search: true) var formed: Int?
          + @Attribute(search: false) var formed: Int?
      """)
  }

  @Test func twoVersions() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Version var changed: Date
          @Version var number: Int
        }
        """,
      """
      4:3 error: Band has two attributes marked @Version; one says how old it is [twoVersions]
        note 3:3: the first is here
        fix: take the second away
          - @Version var number: Int
          + var number: Int
      """)
  }
}
