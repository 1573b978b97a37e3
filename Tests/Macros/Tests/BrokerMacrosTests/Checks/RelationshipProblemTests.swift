import Testing

/// Relationships and their inverses.
@Suite struct RelationshipProblemTests {
  @Test func inversesOfOtherTypes() {
    expectProblems(
      in: #"""
        @Entity struct Band {
          var id: String
          @Relationship(inverse: \Track.band) var albums: ToMany<Album>
          @Relationship(inverse: \Band.label) var label: ToOne<Model.Label>?
        }
        """#,
      #"""
      3:26 error: the inverse of albums has to be a property of Album [inverseRoot]
        note 3:51: albums leads to Album
        fix: write \Album.band
          - @Relationship(inverse: \Track.band) var albums: ToMany<Album>
          + @Relationship(inverse: \Album.band) var albums: ToMany<Album>
      4:26 error: the inverse of label has to be a property of Model.Label [inverseRoot]
        note 4:50: label leads to Model.Label
        fix: write \Model.Label.label
          - @Relationship(inverse: \Band.label) var label: ToOne<Model.Label>?
          + @Relationship(inverse: \Model.Label.label) var label: ToOne<Model.Label>?
      """#)
  }

  @Test func inversesWithoutRoot() {
    expectProblems(
      in: #"""
        @Entity struct Band {
          var id: String
          @Relationship(inverse: \.band) var albums: ToMany<Album>
        }
        """#,
      #"""
      3:26 error: say whose property the inverse is: \Album.band [inverseRoot]
        fix: write \Album.band
          - @Relationship(inverse: \.band) var albums: ToMany<Album>
          + @Relationship(inverse: \Album.band) var albums: ToMany<Album>
      """#)
  }

  @Test func inversesThatAreNoProperty() {
    expectProblems(
      in: #"""
        @Entity struct Band {
          var id: String
          @Relationship(inverse: \Album.label.band) var albums: ToMany<Album>
          @Relationship(inverse: \Album.band?.name) var others: ToMany<Album>
          @Relationship(inverse: path) var more: ToMany<Album>
          @Relationship(inverse: \Album.[0]) var first: ToMany<Album>
          @Relationship(inverse: "a.b") var second: ToMany<Album>
          @Relationship(inverse: "") var third: ToMany<Album>
        }
        """#,
      #"""
      3:26 error: the inverse has to be one property of Album, as \Album.band, or nil [inverseForm]
      4:26 error: the inverse has to be one property of Album, as \Album.band, or nil [inverseForm]
      5:26 error: the inverse has to be one property of Album, as \Album.band, or nil [inverseForm]
      6:26 error: the inverse has to be one property of Album, as \Album.band, or nil [inverseForm]
      7:26 error: the inverse has to be one property of Album, as \Album.band, or nil [inverseForm]
      8:26 error: the inverse has to be one property of Album, as \Album.band, or nil [inverseForm]
      """#)
  }

  @Test func inversesThatAreShared() {
    expectProblems(
      in: #"""
        @Entity struct Band {
          var id: String
          @Relationship(inverse: \Album.band) var albums: ToMany<Album>
          @Relationship(inverse: "band") var singles: ToMany<Album>
          @Relationship(inverse: "band") var songs: ToMany<Song>
        }
        """#,
      """
      4:26 error: singles and albums have the same inverse, band of Album; a relationship is the inverse \
      of one other [inverseTwice]
        note 3:43: the other is here
      """)
  }

  @Test func inversesThatLeadToEachOther() {
    expectProblems(
      in: #"""
        @Entity struct Person {
          var id: String
          @Relationship(inverse: \Person.parents) var children: ToMany<Person>
          @Relationship(inverse: \Self.children) var parents: ToMany<Person>
          @Relationship(inverse: \Person.friends) var friends: ToMany<Person>
        }
        """#,
      #"""
      3:26 error: Swift cannot resolve key paths that lead to each other; write "parents" [inverseCircle]
        fix: write "parents"
          - @Relationship(inverse: \Person.parents) var children: ToMany<Person>
          + @Relationship(inverse: "parents") var children: ToMany<Person>
      4:26 error: Swift cannot resolve key paths that lead to each other; write "children" [inverseCircle]
        fix: write "children"
          - @Relationship(inverse: \Self.children) var parents: ToMany<Person>
          + @Relationship(inverse: "children") var parents: ToMany<Person>
      5:26 error: Swift cannot resolve key paths that lead to each other; write "friends" [inverseCircle]
        fix: write "friends"
          - @Relationship(inverse: \Person.friends) var friends: ToMany<Person>
          + @Relationship(inverse: "friends") var friends: ToMany<Person>
      """#)
  }

  @Test func inversesInOuterTypes() {
    expectProblems(
      in: #"""
        enum Model {
          @Entity struct Band {
            var id: String
            @Relationship(inverse: \Album.band) var albums: ToMany<Model.Album>
            @Relationship(inverse: \Model.Single.band) var singles: ToMany<Single>
            @Relationship(inverse: \Self.parent) var parts: ToMany<Band>
          }
        }
        """#,
      "")
  }
}
