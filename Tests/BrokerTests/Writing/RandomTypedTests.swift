import Broker
import Foundation
import TestSettings
import Testing

/// Random changes of typed objects: the store must hold the same as a naive state after the same changes.
@Suite struct RandomTypedTests {
  private struct Stop: Error {}

  @Test(arguments: Seeds.first(5, long: 300)) func storesHoldWhatWasSaved(_ seed: UInt64) async throws {
    let store = try await Store(at: .scratch, for: Resident.self)
    var random = RandomSteps(seed)
    var state = NaiveResidents()
    var log: [String] = []
    for number in 0..<40 {
      let isSingle = random.chance(2)
      let steps = (0..<(isSingle ? 1 : 1 + random.random.below(4))).map { _ in random.step(state) }
      let isUndone = !isSingle && random.chance(4)
      log.append("\(number): \(steps)\(isUndone ? " undone" : "")")
      var next = state
      let allowed = steps.map { $0.apply(to: &next) }
      let outcome = try await Self.run(steps, store, isUndone: isUndone, isWhole: next.isWhole)
      if outcome.isCommitted {
        state = next
        state.denying = []
      }
      let found = try await ResidentText.of(store, loose: state.loose)
      let expected = ResidentText.of(state)
      if outcome.errors.map({ $0 == nil }) == allowed, found == expected { continue }
      Testing.Issue.record(
        """
        seed \(seed), step \(number): \(outcome.errors) instead of \(allowed)
        expected: \(expected.filter { !found.contains($0) }.joined(separator: "\n"))
        found: \(found.filter { !expected.contains($0) }.joined(separator: "\n"))
        \(log.suffix(6).joined(separator: "\n"))
        """)
      return
    }
  }

  /// The outcome of a transaction: whether it was committed, and the error of each step, which is nil if it succeeded.
  private struct Outcome {
    var isCommitted = false
    var errors: [String?]
  }

  /// Runs steps in one transaction, each whether those before it failed or not.
  ///
  /// - Parameter isWhole: Whether the state may be committed in the end; otherwise the commit has to fail.
  private static func run(
    _ steps: [ResidentStep], _ store: Store, isUndone: Bool, isWhole: Bool
  ) async throws -> Outcome {
    let errors = Shared<[String?]>([])
    do {
      try await store.write { transaction in
        for step in steps {
          do {
            try step.run(transaction)
            errors.value.append(nil)
          } catch {
            errors.value.append("\(error)")
          }
        }
        if isUndone { throw Stop() }
      }
    } catch is Stop {
      return Outcome(errors: errors.value)
    } catch is SaveError where !isWhole {
      return Outcome(errors: errors.value)
    }
    if !isWhole { errors.value.append("committed with a pet or a loan that has lost its resident") }
    return Outcome(isCommitted: true, errors: errors.value)
  }
}
