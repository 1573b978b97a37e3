import Broker
import Foundation
import TestSettings
import Testing

/// Conditions joined at random, which show how truth and what is unknown go through `!`, `&&`, `||` and `?:`.
@Suite("Random predicates of Swift") struct RandomOracleTests {
  @Test(arguments: Seeds.first(4, long: 24))
  func agrees(seed: UInt64) async throws {
    let store = try await TrackStore.shared.value
    let tracks = try await store.fetch(TrackStore.everything)
    var random = Seeded(state: seed)
    for _ in 0..<12 {
      let predicate = RandomPredicate.make(depth: 1 + random.below(5), &random)
      let expected = try tracks.filter { try predicate.evaluate($0) }
      let found = try await store.fetch(Track.filter(predicate))
      #expect(Set(found.map(\.title)) == Set(expected.map(\.title)), "\(predicate)")
    }
  }

  @Test("what is too deep for SQLite is an error of Broker's", arguments: 0..<14)
  func depth(leaf: Int) async throws {
    let store = try await TrackStore.shared.value
    var deepest = 0
    for depth in 1...40 {
      let query = Track.filter(RandomPredicate.ladder(depth, leaf)).sorted(by: \.artist.home?.height)
      do throws(QueryError) {
        try await Self.run(query, store)
        deepest = depth
      } catch {
        #expect(error.description.contains("too many expressions stand in each other"))
      }
    }
    #expect((8..<40).contains(deepest))
  }

  /// Errors of SQLite's go through, as issues.
  private static func run(_ query: Query<Track>, _ store: Store) async throws(QueryError) {
    do {
      _ = try await store.fetch(query.limit(1))
      _ = try await store.count(query)
    } catch let error as QueryError {
      throw error
    } catch {
      Testing.Issue.record(error)
    }
  }
}

enum RandomPredicate {
  typealias Condition = any StandardPredicateExpression<Bool>
  private typealias Build = PredicateExpressions
  typealias Object = PredicateExpressions.Variable<Track>

  static func make(depth: Int, _ random: inout Seeded) -> Predicate<Track> {
    // The closure cannot change what it captures: a copy goes in.
    let seed = random
    _ = random.below(2)
    return Predicate<Track> { object in
      var random = seed
      return condition(object, depth, &random)
    }
  }

  /// `&&`, `||` and `!` in each other, with a plain condition in the middle.
  static func ladder(_ depth: Int, _ leaf: Int) -> Predicate<Track> {
    Predicate<Track> { object in
      var result = plain(object, leaf)
      for step in 0..<depth {
        result = step.isMultiple(of: 2) ? rung(plain(object, step), result) : negation(result)
      }
      return result
    }
  }

  private static func condition(_ object: Object, _ depth: Int, _ random: inout Seeded) -> Condition {
    guard depth > 0 else { return plain(object, random.below(14)) }
    let kind = random.below(5)
    let first = condition(object, depth - 1, &random)
    if kind == 0 { return negation(first) }
    let second = condition(object, depth - 1, &random)
    switch kind {
    case 1: return conjunction(first, second)
    case 2: return disjunction(first, second)
    case 3: return equality(first, second)
    default: return choice(first, second, condition(object, depth - 1, &random))
    }
  }

  private static func rung(
    _ first: some StandardPredicateExpression<Bool>, _ second: some StandardPredicateExpression<Bool>
  ) -> Condition {
    Build.build_Disjunction(lhs: Build.build_Conjunction(lhs: first, rhs: second), rhs: first)
  }

  private static func negation(_ inner: some StandardPredicateExpression<Bool>) -> Condition {
    Build.build_Negation(inner)
  }

  private static func conjunction(
    _ first: some StandardPredicateExpression<Bool>, _ second: some StandardPredicateExpression<Bool>
  ) -> Condition {
    Build.build_Conjunction(lhs: first, rhs: second)
  }

  private static func disjunction(
    _ first: some StandardPredicateExpression<Bool>, _ second: some StandardPredicateExpression<Bool>
  ) -> Condition {
    Build.build_Disjunction(lhs: first, rhs: second)
  }

  private static func equality(
    _ first: some StandardPredicateExpression<Bool>, _ second: some StandardPredicateExpression<Bool>
  ) -> Condition {
    Build.build_Equal(lhs: first, rhs: second)
  }

  private static func choice(
    _ test: some StandardPredicateExpression<Bool>, _ first: some StandardPredicateExpression<Bool>,
    _ second: some StandardPredicateExpression<Bool>
  ) -> Condition {
    Build.build_Conditional(test, first, second)
  }
}

// MARK: - Plain conditions

extension RandomPredicate {
  private static func plain(_ object: Object, _ number: Int) -> Condition {
    switch number {
    case 0: return equal(object, \.position, 6)
    case 1: return equal(object, \.position, nil)
    case 2: return equal(object, \.subtitle, "a")
    case 3: return equal(object, \.isRemix, true)
    case 4: return equal(object, \.mood, .wild)
    case 5: return equal(object, \.original, ToOne(id: "Odd"))
    case 6: return equal(object, \.artist, ToOne(id: "?"))
    case 7: return less(object, \.plays, 7)
    case 8: return less(object, \.title, "Z")
    case 9: return Build.build_KeyPath(root: object, keyPath: \.isLive)
    case 10: return present(object, \.isRemix, false)
    case 11: return present(object, \.isRemix, true)
    case 12: return fans(object, 20)
    default: return isEmpty(object)
    }
  }

  private static func equal<Value: Equatable & Codable & Sendable>(
    _ object: Object, _ path: any KeyPath<Track, Value> & Sendable, _ value: Value
  ) -> Condition {
    Build.build_Equal(
      lhs: Build.build_KeyPath(root: object, keyPath: path), rhs: PredicateExpressions.Value(value))
  }

  private static func less<Value: Comparable & Codable & Sendable>(
    _ object: Object, _ path: any KeyPath<Track, Value> & Sendable, _ value: Value
  ) -> Condition {
    Build.build_Comparison(
      lhs: Build.build_KeyPath(root: object, keyPath: path), rhs: PredicateExpressions.Value(value),
      op: .lessThan)
  }

  private static func present(
    _ object: Object, _ path: any KeyPath<Track, Bool?> & Sendable, _ value: Bool
  ) -> Condition {
    Build.build_NilCoalesce(
      lhs: Build.build_KeyPath(root: object, keyPath: path), rhs: PredicateExpressions.Value(value))
  }

  private static func fans(_ object: Object, _ age: Int) -> Condition {
    Build.build_contains(
      Build.build_KeyPath(root: object, keyPath: \.fans),
      where: { fan in
        Build.build_Equal(
          lhs: Build.build_KeyPath(root: fan, keyPath: \.age), rhs: PredicateExpressions.Value(age))
      })
  }

  private static func isEmpty(_ object: Object) -> Condition {
    Build.build_KeyPath(root: Build.build_KeyPath(root: object, keyPath: \.fans), keyPath: \.isEmpty)
  }
}
