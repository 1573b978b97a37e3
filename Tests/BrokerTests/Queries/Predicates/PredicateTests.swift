import Broker
import Foundation
import Testing

/// The examples of docs/PREDICATES.md, with the names that an app has.
@Suite("Predicates in an app")
struct PredicateTests {
  @Test func arguments() throws {
    let predicate = try ObjectPredicate(
      format: "formed > %d AND name IN %@", [1970, ["Japan", "Talk Talk"]])
    #expect(predicate.description == "formed > 1970 AND name IN {'Japan', 'Talk Talk'}")
  }

  @Test func variables() throws {
    let since = Date(timeIntervalSinceReferenceDate: 0)
    let predicate = try ObjectPredicate(
      format: "founded >= %@ AND %K == $label", [.init(since), "name"], variables: ["label": "Japan"])
    #expect(predicate.description == "founded >= CAST(0.0, 'NSDate') AND name == 'Japan'")
  }

  @Test func error() throws {
    let error = #expect(throws: ObjectPredicateError.self) { try ObjectPredicate(format: "formed >") }
    #expect(error?.line == 1)
    #expect(error?.column == 9)
  }
}
