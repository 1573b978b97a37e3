import Broker
import Foundation
import Testing

/// What is done at random to a store, against what it should make of it.
@Suite struct RandomTypedTests {
  private struct Stop: Error {}

  @Test(arguments: 0..<30) func storesHoldWhatTheyWereTold(_ group: Int) async throws {
    for seed in (group * 10)..<(group * 10 + 10) {
      guard try await run(seed) else { return }
    }
  }

  private func run(_ seed: Int) async throws -> Bool {
    let store = try await Store(at: .memory, for: Knot.self)
    var random = RandomKnots(seed)
    var state = NaiveKnots()
    var log: [String] = []
    for number in 0..<40 {
      let isOne = random.chance(2)
      let steps = (0..<(isOne ? 1 : 1 + random.random.next(4))).map { _ in random.step(state) }
      let throwsAtEnd = !isOne && random.chance(4)
      var expected = state
      let allowed = steps.map { $0.apply(to: &expected) }
      log.append("\(number): \(steps)\(throwsAtEnd ? " undone" : "")")
      let outcome = Outcome()
      do {
        try await store.write { transaction in
          for step in steps {
            do {
              try step.run(transaction)
              outcome.note(nil)
            } catch {
              outcome.note("\(error)")
            }
          }
          if throwsAtEnd { throw Stop() }
        }
        if !expected.isWhole { outcome.note("a leaf without a knot") }
        state = expected
      } catch is Stop {
      } catch is SaveError where !expected.isWhole {}
      let refused = outcome.all
      let seen = try await KnotView.of(store, loose: state.loose)
      let told = KnotView.of(state)
      if refused.map({ $0 == nil }) != allowed || seen != told {
        let missing = told.filter { !seen.contains($0) }
        let odd = seen.filter { !told.contains($0) }
        Testing.Issue.record(
          """
          seed \(seed), step \(number): \(refused) instead of \(allowed)
          expected: \(missing.joined(separator: "\n"))
          found: \(odd.joined(separator: "\n"))
          \(log.suffix(6).joined(separator: "\n"))
          """)
        return false
      }
    }
    return true
  }
}
