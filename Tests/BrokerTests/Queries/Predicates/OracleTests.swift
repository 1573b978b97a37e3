import Broker
import Foundation
import Testing

/// A predicate with a description.
struct PredicateCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let predicate: Predicate<Track>
  /// Whether it holds for some tracks of the store and not for others. One that does not tests little.
  var distinguishes = true

  init(_ description: String, distinguishes: Bool = true, _ predicate: Predicate<Track>) {
    testDescription = description
    self.predicate = predicate
    self.distinguishes = distinguishes
  }
}

/// The store and Swift agree on every object.
@Suite("Predicates of Swift against Swift itself") struct OracleTests {
  @Test(arguments: PredicateCase.all)
  func agrees(_ example: PredicateCase) async throws {
    let store = try await TrackStore.shared.value
    let tracks = try await store.fetch(TrackStore.everything)
    let expected = try tracks.filter { try example.predicate.evaluate($0) }
    let found = try await store.fetch(Track.filter(example.predicate))
    #expect(Set(found.map(\.title)) == Set(expected.map(\.title)))
    #expect(!example.distinguishes || (!expected.isEmpty && expected.count < tracks.count))
  }
}
