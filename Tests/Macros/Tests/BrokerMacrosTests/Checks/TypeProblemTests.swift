import Testing

/// Types that cannot be stored, as far as their spelling tells.
@Suite struct TypeProblemTests {
  @Test func functions() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var action: () -> Void
          var actions: [String: [@Sendable (Int) -> Int]]
        }
        """,
      """
      3:15 error: () -> Void cannot be stored: it is a function [unstorable]
        fix: mark it @Transient
          - var action: () -> Void
          + @Transient var action: () -> Void
      4:36 error: (Int) -> Int cannot be stored: it is a function [unstorable]
        fix: mark it @Transient
          - var actions: [String: [@Sendable (Int) -> Int]]
          + @Transient var actions: [String: [@Sendable (Int) -> Int]]
      """)
  }

  @Test func tuples() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var size: (Int, Int)
          var plain: (Int)
        }
        """,
      """
      3:13 error: (Int, Int) cannot be stored: it is a tuple; a Codable struct can be [unstorable]
        fix: mark it @Transient
          - var size: (Int, Int)
          + @Transient var size: (Int, Int)
      """)
  }

  @Test func typesThatHideTheValue() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var anything: Any
          var genre: any Genre
          var genres: [some Genre]
          var hashable: AnyHashable?
          var object: Set<AnyObject>
          var both: Genre & Codable
        }
        """,
      """
      3:17 error: Any cannot be stored: the store has to know which type it is [unstorable]
        fix: mark it @Transient
          - var anything: Any
          + @Transient var anything: Any
      4:14 error: any Genre cannot be stored: the store has to know which type it is, and any hides that \
      [unstorable]
        fix: mark it @Transient
          - var genre: any Genre
          + @Transient var genre: any Genre
      5:16 error: some Genre cannot be stored: the store has to know which type it is, and some hides \
      that [unstorable]
        fix: mark it @Transient
          - var genres: [some Genre]
          + @Transient var genres: [some Genre]
      6:17 error: AnyHashable cannot be stored: the store has to know which type it is [unstorable]
        fix: mark it @Transient
          - var hashable: AnyHashable?
          + @Transient var hashable: AnyHashable?
      7:19 error: AnyObject cannot be stored: the store has to know which type it is [unstorable]
        fix: mark it @Transient
          - var object: Set<AnyObject>
          + @Transient var object: Set<AnyObject>
      8:13 error: Genre & Codable cannot be stored: the store has to know which type it is [unstorable]
        fix: mark it @Transient
          - var both: Genre & Codable
          + @Transient var both: Genre & Codable
      """)
  }

  @Test func metatypes() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var kind: Genre.Type
        }
        """,
      """
      3:13 error: Genre.Type cannot be stored: it is a type, not a value [unstorable]
        fix: mark it @Transient
          - var kind: Genre.Type
          + @Transient var kind: Genre.Type
      """)
  }

  @Test func nothing() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var nothing: Void
          var unit: ()?
        }
        """,
      """
      3:16 error: Void cannot be stored: it has no value [unstorable]
        fix: mark it @Transient
          - var nothing: Void
          + @Transient var nothing: Void
      4:13 error: () cannot be stored: it has no value [unstorable]
        fix: mark it @Transient
          - var unit: ()?
          + @Transient var unit: ()?
      """)
  }

  @Test func implicitlyUnwrappedOptionals() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var title: String!
        }
        """,
      """
      3:14 error: String! cannot be stored: it may be nil without saying so [unstorable]
        fix: make it String?
          - var title: String!
          + var title: String?
        fix: mark it @Transient
          - var title: String!
          + @Transient var title: String!
      """)
  }

  @Test func unsignedIntegers() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var plays: UInt
          var likes: UInt64?
          var views: Optional<Swift.UInt>
          var bytes: [UInt64]
          var small: UInt32
        }
        """,
      """
      3:14 error: UInt does not fit SQLite's 64-bit integers; use Int64 or String [unsigned]
        fix: use Int64
          - var plays: UInt
          + var plays: Int64
        fix: use String
          - var plays: UInt
          + var plays: String
      4:14 error: UInt64 does not fit SQLite's 64-bit integers; use Int64 or String [unsigned]
        fix: use Int64
          - var likes: UInt64?
          + var likes: Int64?
        fix: use String
          - var likes: UInt64?
          + var likes: String?
      5:14 error: UInt does not fit SQLite's 64-bit integers; use Int64 or String [unsigned]
        fix: use Int64
          - var views: Optional<Swift.UInt>
          + var views: Optional<Swift.Int64>
        fix: use String
          - var views: Optional<Swift.UInt>
          + var views: Optional<Swift.String>
      """)
  }

  @Test func codableTypesAreFine() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          var genre: Genre?
          var tags: Set<String>
          var sizes: [String: [Double]]
          var place: Map.Place
          var either: Result<Int, Failure>
        }
        """,
      "")
  }
}
