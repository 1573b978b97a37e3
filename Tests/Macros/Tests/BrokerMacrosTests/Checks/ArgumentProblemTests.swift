import Testing

/// Arguments that the macro has to read.
@Suite struct ArgumentProblemTests {
  @Test func namesThatAreNoLiterals() {
    expectProblems(
      in: #"""
        @Entity(bandName) struct Band {
          var id: String
          @Attribute(name: "a\(1)") var title: String
        }
        """#,
      """
      1:9 error: write the name as a string literal: @Entity has to read it [notALiteral]
      3:20 error: write the name as a string literal: @Entity has to read it [notALiteral]
      """)
  }

  @Test func emptyNames() {
    expectProblems(
      in: """
        @Entity("") struct Band {
          var id: String
          @Attribute(name: "") var title: String
          @Relationship(name: "") var albums: ToMany<Album>
        }
        """,
      """
      1:9 error: the name is empty [emptyName]
      3:20 error: the name is empty [emptyName]
      4:23 error: the name is empty [emptyName]
      """)
  }

  @Test func booleansThatAreNoLiterals() {
    expectProblems(
      in: """
        @Entity(identified: isIdentified) struct Band {
          var id: String
          @Attribute(indexed: isIndexed, unique: !false, exported: yes) var title: String
          @Relationship(ordered: isOrdered) var albums: ToMany<Album>
        }
        """,
      """
      1:21 error: write true or false: @Entity has to read it [notALiteral]
      3:23 error: write true or false: @Entity has to read it [notALiteral]
      3:42 error: write true or false: @Entity has to read it [notALiteral]
      3:60 error: write true or false: @Entity has to read it [notALiteral]
      4:26 error: write true or false: @Entity has to read it [notALiteral]
      """)
  }

  @Test func ranges() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Attribute(minimum: 10, maximum: -1.5) var rating: Double
          @Relationship(minimum: 1_0, maximum: 0x5) var albums: ToMany<Album>
          @Attribute(minimum: 1, maximum: 1) var one: Int
          @Attribute(minimum: low, maximum: 1) var unknown: Int
        }
        """,
      """
      3:23 error: the minimum of rating, 10, is more than its maximum, -1.5 [contraryRange]
        fix: exchange them
          - @Attribute(minimum: 10, maximum: -1.5) var rating: Double
          + @Attribute(minimum: -1.5, maximum: 10) var rating: Double
      4:26 error: the minimum of albums, 1_0, is more than its maximum, 0x5 [contraryRange]
        fix: exchange them
          - @Relationship(minimum: 1_0, maximum: 0x5) var albums: ToMany<Album>
          + @Relationship(minimum: 0x5, maximum: 1_0) var albums: ToMany<Album>
      """)
  }
}
