import Testing

/// The name `id`, which belongs to the identity.
@Suite struct IdentifierProblemTests {
  @Test func identifiersThatAreNotTheIdentity() {
    expectProblems(
      in: """
        @Entity struct Band {
          @Identity var name: String
          var id: Int
        }
        """,
      """
      3:7 error: id has to be the whole identity of Band, and is not; give it another name \
      [identifierTaken]
        note 2:17: the id of a Storable is its identity
      """)
  }

  @Test func identifiersThatArePartOfTheIdentity() {
    expectProblems(
      in: """
        @Entity struct Band {
          @Identity var id: Int
          @Identity var name: String
        }
        """,
      """
      2:17 error: id has to be the whole identity of Band, and is not; give it another name \
      [identifierTaken]
        note 3:17: the id of a Storable is its identity
      """)
  }

  @Test func identifiersThatAreRelationships() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: ToOne<Person>
        }
        """,
      """
      1:16 error: Band has no identity: mark the property that identifies it with @Identity \
      [identityMissing]
        fix: say that it has no identity: others own it
          - @Entity struct Band {
          + @Entity(identified: false) struct Band {
      2:7 error: id has to be the whole identity of Band, and is not; give it another name \
      [identifierTaken]
        note 1:16: the id of a Storable is its identity
      """)
  }

  @Test func identifiersThatAreComputed() {
    expectProblems(
      in: """
        @Entity struct Band {
          @Identity var name: String

          /// Mine.
          var id: String { name }
          static let id = 1
        }
        """,
      """
      5:3 error: @Entity writes id itself, as the identity of Band; take this one away [identifierTaken]
        fix: take it away
          - var id: String { name }
      """)
  }

  @Test func identifiersOfTheUnidentified() {
    expectProblems(
      in: """
        @Entity(identified: false) struct Track {
          var id: Int
        }
        """,
      """
      2:7 error: id has to be the whole identity of Track, and is not; give it another name \
      [identifierTaken]
        note 1:35: the id of a Storable is its identity
      """)
  }

  @Test func identifiersOfHeirs() {
    expectProblems(
      in: """
        @Entity struct Employee {
          @Inherited var person: Person
          var id: Int
        }
        """,
      """
      3:7 error: id has to be the whole identity of Employee, and is not; give it another name \
      [identifierTaken]
        note 2:18: the id of a Storable is its identity
      """)
  }
}
