import Testing

/// Names in the model and keys in JSON, each of which belongs to one property.
@Suite struct NameProblemTests {
  @Test func storedNames() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Attribute(name: "title") var name: String
          var title: String
        }
        """,
      """
      4:7 error: two properties of Band are called “title” in the model; give one another name [nameTwice]
        note 3:20: the other is here
      """)
  }

  @Test func storedNamesThatDifferByCase() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var url: String
          @Relationship(name: "URL") var link: ToOne<Link>
          var über: String
          var Über: String
        }
        """,
      """
      4:23 error: “URL” and “url” differ only by case, which SQLite ignores; rename one of them \
      [nameTwice]
        note 3:7: the other is here
      """)
  }

  @Test func keys() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Key("a", "b") var one: String
          @Key("c", "b") var two: ToOne<Album>
          @Key("d", "d") var three: String
        }
        """,
      """
      4:13 error: the key “b” is used twice in Band; one key fills one property [keyTwice]
        note 3:13: the other is here
      5:13 error: the key “d” is used twice in Band; one key fills one property [keyTwice]
        note 5:8: the other is here
      """)
  }

  @Test func emptyKeys() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Key("") var one: String
          @Key("a..b", ".") var two: String
          @Key("a.") var three: String
        }
        """,
      """
      3:8 error: the key is empty [emptyKey]
      4:8 error: a part of the key path “a..b” is empty [emptyKey]
        fix: make it “a.b”
          - @Key("a..b", ".") var two: String
          + @Key("a.b", ".") var two: String
      4:16 error: a part of the key path “.” is empty [emptyKey]
      5:8 error: a part of the key path “a.” is empty [emptyKey]
        fix: make it “a”
          - @Key("a.") var three: String
          + @Key("a") var three: String
      """)
  }

  @Test func keysThatAreNoLiterals() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Key(Keys.one) var one: String
        }
        """,
      """
      3:8 error: write the key as a string literal: @Entity has to read it [notALiteral]
      """)
  }
}
