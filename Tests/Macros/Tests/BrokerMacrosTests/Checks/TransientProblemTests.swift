import Testing

/// What is not stored has to have a value.
@Suite struct TransientProblemTests {
  @Test func transientsWithoutValues() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Transient var cache: [String]
          @Transient let note: String?
          @Transient var number: Int  // of hits
        }
        """,
      """
      3:18 error: cache is not stored, so it needs an initial value [transientWithoutValue]
        fix: give it an initial value
          - @Transient var cache: [String]
          + @Transient var cache: [String] = <#value#>
      4:18 error: note is not stored, so it needs an initial value [transientWithoutValue]
        fix: give it an initial value
          - @Transient let note: String?
          + @Transient let note: String? = <#value#>
      5:18 error: number is not stored, so it needs an initial value [transientWithoutValue]
        fix: give it an initial value
          - @Transient var number: Int  // of hits
          + @Transient var number: Int = <#value#>  // of hits
      """)
  }

  @Test func transientsThatNeedNoValue() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Transient var note: String?
          @Transient var other: String!
          @Transient let limit = 3
          @Transient lazy var letters = id.count
          @Transient @Clamped(0...10) var rating: Double
          @Transient var handler: (() -> Void)?
          @Transient var count = UInt(3)
        }
        """,
      "")
  }

  @Test func transientsTakeNoOtherMark() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Transient @Key("a") @Attribute(indexed: true) var cache = 1
          @Identity @Transient var other = 1
        }
        """,
      """
      3:14 error: cache is not stored, so it cannot have @Key [markOnTransient]
        fix: take @Key away
          - @Transient @Key("a") @Attribute(indexed: true) var cache = 1
          + @Transient @Attribute(indexed: true) var cache = 1
        fix: take @Transient away
          - @Transient @Key("a") @Attribute(indexed: true) var cache = 1
          + @Key("a") @Attribute(indexed: true) var cache = 1
      3:24 error: cache is not stored, so it cannot have @Attribute [markOnTransient]
        fix: take @Attribute away
          - @Transient @Key("a") @Attribute(indexed: true) var cache = 1
          + @Transient @Key("a") var cache = 1
        fix: take @Transient away
          - @Transient @Key("a") @Attribute(indexed: true) var cache = 1
          + @Key("a") @Attribute(indexed: true) var cache = 1
      4:3 error: other is not stored, so it cannot have @Identity [markOnTransient]
        fix: take @Identity away
          - @Identity @Transient var other = 1
          + @Transient var other = 1
        fix: take @Transient away
          - @Identity @Transient var other = 1
          + @Identity var other = 1
      """)
  }
}
