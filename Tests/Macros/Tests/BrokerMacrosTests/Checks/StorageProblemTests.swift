import Testing

/// Properties that cannot be read from the store, or not kept in it.
@Suite struct StorageProblemTests {
  @Test func propertyWrappers() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          @Clamped(0...10) var rating: Double
          @Key("x")
          @Lib.Trimmed
          var title: String
        }
        """,
      """
      3:3 error: rating is kept by a property wrapper, @Clamped; mark it @Transient or take the wrapper \
      off [propertyWrapper]
        fix: mark it @Transient
          - @Clamped(0...10) var rating: Double
          + @Transient @Clamped(0...10) var rating: Double
        fix: take the wrapper off
          - @Clamped(0...10) var rating: Double
          + var rating: Double
      5:3 error: title is kept by a property wrapper, @Lib.Trimmed; mark it @Transient or take the \
      wrapper off [propertyWrapper]
        fix: mark it @Transient
          - @Key("x")
          + @Transient @Key("x")
        fix: take the wrapper off
          - @Lib.Trimmed
      """)
  }

  @Test func attributesOfSwiftItself() {
    expectProblems(
      in: """
        @Entity struct Band {
          @available(iOS 18, *) var id: String
          @usableFromInline @_spi(Test) @MainActor nonisolated var title: String
        }
        """,
      "")
  }

  @Test func lazyProperties() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          lazy var letters = id.count
        }
        """,
      """
      3:3 error: letters is lazy: it is computed when first used, and cannot be read from the store; mark \
      it @Transient [lazy]
        fix: mark it @Transient
          - lazy var letters = id.count
          + @Transient lazy var letters = id.count
      """)
  }

  @Test func constantsWithValues() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          let formed = 1970
        }
        """,
      """
      3:3 error: formed is a constant with a value, which no object can change; declare it with var \
      [constant]
        fix: declare it with var
          - let formed = 1970
          + var formed = 1970
      """)
  }

  @Test func tuplePatterns() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var (low, high): (Int, Int)
        }
        """,
      """
      3:7 error: the properties of a tuple pattern cannot be read; declare each by itself [tuplePattern]
      """)
  }

  @Test func missingTypes() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var since = Date()
          var tags = ["rock"]
          var lengths = [:]
        }
        """,
      """
      3:7 error: write the type of since: @Entity cannot see which one its initial value has [typeMissing]
        fix: write its type
          - var since = Date()
          + var since: <#Type#> = Date()
      4:7 error: write the type of tags: @Entity cannot see which one its initial value has [typeMissing]
        fix: write its type
          - var tags = ["rock"]
          + var tags: <#Type#> = ["rock"]
      5:7 error: write the type of lengths: @Entity cannot see which one its initial value has \
      [typeMissing]
        fix: write its type
          - var lengths = [:]
          + var lengths: <#Type#> = [:]
      """)
  }
}
