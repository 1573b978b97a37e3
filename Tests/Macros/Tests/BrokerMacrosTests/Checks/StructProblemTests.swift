import Testing

/// What a struct must be to be an entity.
@Suite struct StructProblemTests {
  @Test func classes() {
    expectProblems(
      in: """
        @Entity final class Band {
          var name: String
        }
        """,
      """
      1:15 error: @Entity is for structs; Band is a class [notAStruct]
        fix: make it a struct
          - @Entity final class Band {
          + @Entity struct Band {
      """)
  }

  @Test func publicClasses() {
    expectProblems(
      in: """
        @Entity
        public class Band {}
        """,
      """
      2:8 error: @Entity is for structs; Band is a class [notAStruct]
        fix: make it a struct
          - public class Band {}
          + public struct Band {}
      """)
  }

  @Test func actors() {
    expectProblems(
      in: """
        @Entity actor Band {}
        """,
      """
      1:9 error: @Entity is for structs; Band is an actor [notAStruct]
      """)
  }

  @Test func enums() {
    expectProblems(
      in: """
        @Entity enum Band {}
        """,
      """
      1:9 error: @Entity is for structs; Band is an enum [notAStruct]
      """)
  }

  @Test func protocols() {
    expectProblems(
      in: """
        @Entity protocol Band {}
        """,
      """
      1:9 error: @Entity is for structs; Band is a protocol [notAStruct]
      """)
  }

  @Test func genericStructs() {
    expectProblems(
      in: """
        @Entity struct Box<Value> {
          var id: String
        }
        """,
      """
      1:19 error: Box is generic, and an entity has one table for all of its objects [generic]
      """)
  }

  @Test func structsInGenericTypes() {
    expectProblems(
      in: """
        struct Outer<Value> {
          @Entity struct Band {
            var id: String
          }
        }
        """,
      """
      2:18 error: Band is part of a generic type, and an entity has one table for all of its objects \
      [generic]
      """)
  }

  @Test func conditionalProperties() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          #if DEBUG
          var note: String?
          #endif
        }
        """,
      """
      3:3 error: properties inside #if cannot be read; declare them outside, or compute what differs \
      [conditional]
      """)
  }

  @Test func conditionalPropertiesInConditions() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          #if DEBUG
          func check() {}
          #else
          #if os(Linux)
          @Key("note") let note: String
          #endif
          #endif
        }
        """,
      """
      3:3 error: properties inside #if cannot be read; declare them outside, or compute what differs \
      [conditional]
      """)
  }

  @Test func conditionalMethodsDoNoHarm() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          #if DEBUG
          func check() {}
          var isChecked: Bool { true }
          static let shared = 1
          #endif
        }
        """,
      "")
  }

  @Test func conditionalMarks() {
    expectProblems(
      in: """
        @Entity struct Band {
          var id: String
          #if DEBUG
          @Key("note")
          #endif
          var note: String?
        }
        """,
      """
      3:3 error: attributes inside #if cannot be read; write them outside [conditional]
      """)
  }
}
