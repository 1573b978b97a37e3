import Testing

/// What an entity may inherit.
@Suite struct InheritanceProblemTests {
  @Test func twoAncestors() {
    expectProblems(
      in: """
        @Entity struct Employee {
          @Inherited var person: Person
          @Inherited var user: User
        }
        """,
      """
      3:18 error: Employee inherits twice; an entity inherits from one other [inheritedTwice]
        note 2:18: the first is here
      """)
  }

  @Test func identitiesOfHeirs() {
    expectProblems(
      in: """
        @Entity struct Photo {
          @Inherited var note: Note
          @Identity var number: Int?
        }
        @Entity struct Poster {
          @Inherited var note: Note
          var id: Int
        }
        """,
      """
      3:25 error: number identifies Photo, so it cannot be optional [identityOptional]
        fix: make it Int
          - @Identity var number: Int?
          + @Identity var number: Int
      7:7 error: id has to be the whole identity of Poster, and is not; give it another name \
      [identifierTaken]
        note 6:18: the id of a Storable is its identity
      """)
  }

  @Test func typesOfAncestors() {
    expectProblems(
      in: """
        @Entity struct Employee {
          @Inherited var person: Person?
        }
        @Entity struct Manager {
          @Inherited var employee: ToOne<Employee>
        }
        @Entity struct Owner {
          @Inherited var person = Person()
        }
        @Entity struct Guest {
          @Inherited var person: [Person]
        }
        """,
      """
      2:26 error: the type of person has to be the name of an entity, from which Employee inherits \
      [inheritedType]
        fix: make it Person
          - @Inherited var person: Person?
          + @Inherited var person: Person
      5:28 error: the type of employee has to be the name of an entity, from which Manager inherits \
      [inheritedType]
      8:18 error: the type of person has to be the name of an entity, from which Owner inherits \
      [inheritedType]
      11:26 error: the type of person has to be the name of an entity, from which Guest inherits \
      [inheritedType]
      """)
  }

  @Test func unidentifiedHeirs() {
    expectProblems(
      in: """
        @Entity(identified: false) struct Employee {
          @Inherited var person: Person
        }
        """,
      """
      1:1 error: Employee inherits, so it has the identity of person, if that has one [inheritedUnidentified]
        fix: take identified: false away
          - @Entity(identified: false) struct Employee {
          + @Entity struct Employee {
      """)
  }

  @Test func inheritedTakesNoOtherMark() {
    expectProblems(
      in: """
        @Entity struct Employee {
          @Inherited @Key("person") var person: Person
        }
        """,
      """
      2:14 error: person stands for the properties of another entity, which say it themselves, so it \
      cannot have @Key [markOnInherited]
        fix: take @Key away
          - @Inherited @Key("person") var person: Person
          + @Inherited var person: Person
        fix: take @Inherited away
          - @Inherited @Key("person") var person: Person
          + @Key("person") var person: Person
      """)
  }
}
