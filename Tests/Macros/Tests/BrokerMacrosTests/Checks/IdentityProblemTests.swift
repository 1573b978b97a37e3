import Testing

/// What identifies the objects of an entity.
@Suite struct IdentityProblemTests {
  @Test func missingIdentity() {
    expectProblems(
      in: """
        @Entity struct Band {
          var name: String
          var rating: Double
          let number: Int
          @Transient var key = "a"
        }
        """,
      """
      1:16 error: Band has no identity: mark the property that identifies it with @Identity \
      [identityMissing]
        note 2:7: name could identify it
        note 4:7: number could identify it
        fix: mark name @Identity
          - var name: String
          + @Identity var name: String
        fix: mark number @Identity
          - let number: Int
          + @Identity let number: Int
        fix: say that it has no identity: others own it
          - @Entity struct Band {
          + @Entity(identified: false) struct Band {
      """)
  }

  @Test func missingIdentityWithoutCandidates() {
    expectProblems(
      in: """
        @Entity("Group") struct Band {
          var rating: Double
          var albums: ToMany<Album>
        }
        """,
      """
      1:25 error: Band has no identity: mark the property that identifies it with @Identity \
      [identityMissing]
        fix: say that it has no identity: others own it
          - @Entity("Group") struct Band {
          + @Entity("Group", identified: false) struct Band {
      """)
  }

  @Test func missingIdentityWithManyCandidates() {
    expectProblems(
      in: """
        @Entity
        public struct Band {
          public var a: String
          var b: UUID, c: Int32
          @Key("x")
          private var d: Foundation.UUID
          var e: UInt8
          var f: String
          var g: Int
          var h: Int
        }
        """,
      """
      2:15 error: Band has no identity: mark the property that identifies it with @Identity \
      [identityMissing]
        note 3:14: a could identify it
        note 6:15: d could identify it
        note 7:7: e could identify it
        note 8:7: f could identify it
        note 9:7: g could identify it
        fix: mark a @Identity
          - public var a: String
          + @Identity public var a: String
        fix: mark d @Identity
          - @Key("x")
          + @Identity @Key("x")
        fix: mark e @Identity
          - var e: UInt8
          + @Identity var e: UInt8
        fix: mark f @Identity
          - var f: String
          + @Identity var f: String
        fix: mark g @Identity
          - var g: Int
          + @Identity var g: Int
        fix: say that it has no identity: others own it
          - @Entity
          + @Entity(identified: false)
      """)
  }

  @Test func optionalIdentity() {
    expectProblems(
      in: """
        @Entity struct Band {
          @Identity var name: String?
        }
        """,
      """
      2:23 error: name identifies Band, so it cannot be optional [identityOptional]
        fix: make it String
          - @Identity var name: String?
          + @Identity var name: String
      """)
  }

  @Test func optionalIdentityByName() {
    expectProblems(
      in: """
        @Entity struct Band {
          var bandID: Optional<Int>
        }
        """,
      """
      2:15 error: bandID identifies Band, so it cannot be optional [identityOptional]
        fix: make it Int
          - var bandID: Optional<Int>
          + var bandID: Int
      """)
  }

  @Test func typesThatDoNotIdentify() {
    expectProblems(
      in: """
        @Entity struct Band {
          @Identity var names: [String]
          @Identity var sizes: [String: Int]
          @Identity var rating: Double
          @Identity var weight = 1.5
          @Identity var data: Foundation.Data
        }
        """,
      """
      2:24 error: names cannot identify Band: values of [String] are not exact keys [identityType]
      3:24 error: sizes cannot identify Band: values of [String: Int] are not exact keys [identityType]
      4:25 error: rating cannot identify Band: values of Double are not exact keys [identityType]
      5:17 error: weight cannot identify Band: values of Double are not exact keys [identityType]
      6:23 error: data cannot identify Band: values of Foundation.Data are not exact keys [identityType]
      """)
  }

  @Test func namesThatDoNotIdentifyByTheirType() {
    expectProblems(
      in: """
        @Entity struct Band {
          var bandID: Double
        }
        """,
      """
      1:16 error: Band has no identity: mark the property that identifies it with @Identity \
      [identityMissing]
        fix: say that it has no identity: others own it
          - @Entity struct Band {
          + @Entity(identified: false) struct Band {
      """)
  }

  @Test func identitiesOfTheUnidentified() {
    expectProblems(
      in: """
        @Entity("Song", identified: false) struct Track {
          @Identity var title: String
        }
        """,
      """
      2:3 error: @Entity(identified: false) says that Track has no identity, so it cannot have @Identity \
      [identityUnwanted]
        fix: take @Identity away
          - @Identity var title: String
          + var title: String
        fix: let it have an identity
          - @Entity("Song", identified: false) struct Track {
          + @Entity("Song") struct Track {
      """)
  }
}
