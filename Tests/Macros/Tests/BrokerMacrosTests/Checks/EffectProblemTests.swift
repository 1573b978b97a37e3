import Testing

/// Marks that nobody reads.
@Suite struct EffectProblemTests {
  @Test func marksOutsideEntities() {
    expectProblems(
      in: """
        struct Band {
          @Identity var name: String
          @Key("a") var title: String
        }
        @Transient var global = 1
        """,
      """
      2:3 warning: @Identity has no effect outside an @Entity struct [markWithoutEffect]
        fix: take @Identity away
          - @Identity var name: String
          + var name: String
      3:3 warning: @Key has no effect outside an @Entity struct [markWithoutEffect]
        fix: take @Key away
          - @Key("a") var title: String
          + var title: String
      5:1 warning: @Transient has no effect outside an @Entity struct [markWithoutEffect]
        fix: take @Transient away
          - @Transient var global = 1
          + var global = 1
      """)
  }

  @Test func marksOnWhatIsNotStored() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Key("short") var short: String { id }
          @Transient static var shared = 1
          @Key("f") func find() {}
        }
        """,
      """
      3:3 warning: @Key has no effect here: it is for stored properties [markWithoutEffect]
        fix: take @Key away
          - @Key("short") var short: String { id }
          + var short: String { id }
      4:3 warning: @Transient has no effect here: it is for stored properties [markWithoutEffect]
        fix: take @Transient away
          - @Transient static var shared = 1
          + static var shared = 1
      5:3 warning: @Key has no effect here: it is for stored properties [markWithoutEffect]
        fix: take @Key away
          - @Key("f") func find() {}
          + func find() {}
      """)
  }

  @Test func marksThatAreRead() {
    expectProblems(
      in: """
        @Entity struct Band {
          @Identity var name: String { didSet { update() } }
        }
        """,
      "")
  }
}
