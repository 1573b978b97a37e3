import Testing

/// Types that are meant as relationships.
@Suite struct RelationshipTypeProblemTests {
  @Test func optionalLists() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var albums: ToMany<Album>?
          @Relationship(inverse: nil) var members: Optional<Broker.ToMany<Person>>
        }
        """,
      """
      3:15 error: albums cannot be optional: a list without objects says that there are none \
      [optionalToMany]
        fix: make it ToMany<Album>
          - var albums: ToMany<Album>?
          + var albums: ToMany<Album>
      4:44 error: members cannot be optional: a list without objects says that there are none \
      [optionalToMany]
        fix: make it Broker.ToMany<Person>
          - @Relationship(inverse: nil) var members: Optional<Broker.ToMany<Person>>
          + @Relationship(inverse: nil) var members: Broker.ToMany<Person>
      """)
  }

  @Test func collectionsOfRelationships() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var albums: [ToOne<Album>]
          @Relationship var labels: Array<ToMany<Label>>
          var people: Set<ToOne<Person>>
          var byName: [String: ToOne<Person>]
        }
        """,
      """
      3:15 error: albums cannot be a list of relationships; ToMany<Album> is one relationship to many \
      [relationshipInCollection]
        fix: make it ToMany<Album>
          - var albums: [ToOne<Album>]
          + var albums: ToMany<Album>
      4:29 error: labels cannot be a list of relationships; ToMany<Label> is one relationship to many \
      [relationshipInCollection]
        fix: make it ToMany<Label>
          - @Relationship var labels: Array<ToMany<Label>>
          + @Relationship var labels: ToMany<Label>
      5:15 error: people cannot be a list of relationships; ToMany<Person> is one relationship to many \
      [relationshipInCollection]
        fix: make it ToMany<Person>
          - var people: Set<ToOne<Person>>
          + var people: ToMany<Person>
      6:24 error: ToOne<Person> cannot be stored: a relationship stands by itself, not in another type \
      [unstorable]
        fix: mark it @Transient
          - var byName: [String: ToOne<Person>]
          + @Transient var byName: [String: ToOne<Person>]
      """)
  }

  @Test func attributeMarksOnRelationships() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Attribute(name: "records") var albums: ToMany<Album>
          @Attribute(indexed: true) @Version var label: ToOne<Label>?
          @Identity var members: ToMany<Person>
        }
        """,
      """
      3:3 error: albums is a relationship; use @Relationship [markOnRelationship]
        fix: use @Relationship
          - @Attribute(name: "records") var albums: ToMany<Album>
          + @Relationship(name: "records") var albums: ToMany<Album>
      4:3 error: label is a relationship; use @Relationship [markOnRelationship]
      4:29 error: label is a relationship, so it cannot have @Version; only attributes can \
      [markOnRelationship]
        fix: take @Version away
          - @Attribute(indexed: true) @Version var label: ToOne<Label>?
          + @Attribute(indexed: true) var label: ToOne<Label>?
      5:3 error: members leads to many objects, so it cannot have @Identity [markOnRelationship]
        fix: take @Identity away
          - @Identity var members: ToMany<Person>
          + var members: ToMany<Person>
      """)
  }

  @Test func relationshipMarksOnAttributes() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Relationship var albums: [Album]
          @Relationship(inverse: nil) var label: Label?
          @Relationship var leader: Person
          @Relationship var names: [String: String]
          @Relationship var title: String?
        }
        """,
      """
      3:3 error: albums is no relationship: its type has to be ToOne or ToMany [relationshipExpected]
        fix: make it ToMany<Album>
          - @Relationship var albums: [Album]
          + @Relationship var albums: ToMany<Album>
        fix: take @Relationship away
          - @Relationship var albums: [Album]
          + var albums: [Album]
      4:3 error: label is no relationship: its type has to be ToOne or ToMany [relationshipExpected]
        fix: make it ToOne<Label>?
          - @Relationship(inverse: nil) var label: Label?
          + @Relationship(inverse: nil) var label: ToOne<Label>?
        fix: take @Relationship away
          - @Relationship(inverse: nil) var label: Label?
          + var label: Label?
      5:3 error: leader is no relationship: its type has to be ToOne or ToMany [relationshipExpected]
        fix: make it ToOne<Person>
          - @Relationship var leader: Person
          + @Relationship var leader: ToOne<Person>
        fix: take @Relationship away
          - @Relationship var leader: Person
          + var leader: Person
      6:3 error: names is no relationship: its type has to be ToOne or ToMany [relationshipExpected]
        fix: take @Relationship away
          - @Relationship var names: [String: String]
          + var names: [String: String]
      7:3 error: title is no relationship: its type has to be ToOne or ToMany [relationshipExpected]
        fix: take @Relationship away
          - @Relationship var title: String?
          + var title: String?
      """)
  }

  @Test func countsOfOne() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Relationship(deleteRule: .cascade, ordered: true, minimum: 1, maximum: 2) var label: \
        ToOne<Label>?
        }
        """,
      """
      3:39 error: label leads to one object; ordered: is for ToMany [toOneCount]
      3:54 error: label leads to one object; minimum: is for ToMany [toOneCount]
      3:66 error: label leads to one object; maximum: is for ToMany [toOneCount]
      """)
  }
}
