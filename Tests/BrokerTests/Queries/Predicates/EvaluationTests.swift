import Broker
import Foundation
import ObjectStore
import Testing

@testable import BrokerCore

/// Expressions in predicates. Foundation has no words for them here, other than on Apple's platforms, so the
/// translator is asked itself.
@Suite("Expressions in predicates") struct EvaluationTests {
  @Test func readAsIfTheyStoodThere() async throws {
    let longer = #Expression<Track, Int, Bool> { track, length in track.title.count > length }
    let track = PredicateExpressions.Variable<Track>()
    var translator = PredicateTranslator()
    let node = try translator.binding(track.key, to: .object(PredicatePath(), Track.self)) {
      try $0.condition(
        PredicateExpressions.build_evaluate(
          PredicateExpressions.build_Arg(longer), track, PredicateExpressions.build_Arg(16)))
    }
    let predicate = ObjectPredicate(node)
    #expect(predicate.description == "title.count > 16")
    let store = try await TrackStore.shared.value
    let found = try await store.fetch(Track.filter(matching: predicate)).map(\.title)
    #expect(found == ["Wuthering Heights", "Wuthering Heights (New Vocal)"])
  }

  @Test("what a predicate has become can be read", arguments: PredicateCase.all)
  func descriptions(_ example: PredicateCase) throws {
    let text = try PredicateTranslator.translate(example.predicate).description
    #expect(!text.isEmpty)
  }
}
