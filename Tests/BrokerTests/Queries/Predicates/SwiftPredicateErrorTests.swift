import Broker
import Foundation
import Testing

extension Grade: Comparable {
  static func < (left: Grade, right: Grade) -> Bool { left.rawValue > right.rawValue }
}

/// What the store has no words for is an error, before anything is asked.
@Suite("Predicates of Swift that the store has no words for") struct SwiftPredicateErrorTests {
  private func check(
    _ predicate: Predicate<Track>, _ message: String, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let store = try await TrackStore.shared.value
    let error = await #expect(throws: QueryError.self, sourceLocation: location) {
      try await store.sql(of: Track.filter(predicate))
    }
    #expect(error?.description == "The query cannot be run: \(message).", sourceLocation: location)
  }

  private let elsewhere =
    "has no counterpart in the store; use a format string, or filter the objects after fetching them"

  @Test func lists() async throws {
    try await check(
      #Predicate { $0.words!.filter { $0 == "a" }.isEmpty },
      "filter(_:) of what is no relationship \(elsewhere)")
    try await check(#Predicate { $0.words!.max() == "a" }, "max() \(elsewhere)")
    try await check(#Predicate { $0.words!.min() == "a" }, "min() \(elsewhere)")
    try await check(#Predicate { $0.words![0] == "a" }, "a subscript [index] \(elsewhere)")
    try await check(#Predicate { $0.words![0..<1].isEmpty }, "a subscript [range] \(elsewhere)")
    let words: [String]? = ["a"]
    try await check(
      #Predicate { $0.words == words }, "comparing values of the type Optional<Array<String>> \(elsewhere)")
  }

  @Test func relationships() async throws {
    try await check(#Predicate { $0.fans[0].age == 20 }, "a subscript [index] \(elsewhere)")
    let fan = try await TrackStore.shared.value.find(Fan.self, 1).id
    try await check(
      #Predicate { $0.fans.first?.id == fan }, "first of a list \(elsewhere)")
  }

  @Test func types() async throws {
    // Built by hand, since the compiler warns of what it knows to be true or false.
    typealias Build = PredicateExpressions
    let typeCheck = Predicate<Track> { track in
      Build.TypeCheck<_, String>(Build.build_KeyPath(root: track, keyPath: \.subtitle))
    }
    try await check(typeCheck, "is, the check of a type, \(elsewhere)")
    let cast = Predicate<Track> { track in
      Build.build_Equal(
        lhs: Build.ConditionalCast<_, String>(Build.build_KeyPath(root: track, keyPath: \.subtitle)),
        rhs: Build.build_NilLiteral())
    }
    try await check(cast, "as?, a cast, \(elsewhere)")
    let force = Predicate<Track> { track in
      Build.build_Equal(
        lhs: Build.ForceCast<_, String>(Build.build_KeyPath(root: track, keyPath: \.subtitle)),
        rhs: Build.build_Arg("a"))
    }
    try await check(force, "as!, a cast, \(elsewhere)")
  }

  @Test func orders() async throws {
    let high = Grade.high
    try await check(
      #Predicate { $0.grade < high },
      "the order of Grade is not known to the store; compare raw values, list those that are meant for contains(_:),"
        + " or filter the objects after fetching them")
    try await check(
      #Predicate { (high...high).contains($0.grade) },
      "the order of Grade is not known to the store; compare raw values, list those that are meant for contains(_:),"
        + " or filter the objects after fetching them")
  }

  @Test func numbers() async throws {
    let one: Decimal = 1
    try await check(
      #Predicate { ($0.price ?? one) + one == one },
      "the store does not calculate with Decimal, which is exact; calculate outside of the predicate, or filter the"
        + " objects after fetching them")
    let nothing = Double.nan
    try await check(#Predicate { $0.length == nothing }, "nan is no value that an object of a store can have")
    let late = Date(timeIntervalSinceReferenceDate: 1e15)
    let error = await #expect(throws: QueryError.self) {
      try await TrackStore.shared.value.count(Track.filter(#Predicate { $0.released == late }))
    }
    #expect(error?.description.contains("is no value that an object of a store can have") == true)
  }

  @Test(.onSQLite) func tooManyValues() async throws {
    let numbers = (0..<501).map { $0 }
    try await check(
      #Predicate { track in numbers.contains { $0 < track.plays } },
      "a condition on each of 501 values is too long; where it is equality, contains(_:) takes any number")
    let fractions = (0..<40_000).map { Double($0) }
    try await check(
      #Predicate { fractions.contains($0.length) }, "A predicate can have 30000 values and no more")
  }

  @Test func properties() async throws {
    let store = try await TrackStore.shared.value
    for predicate in [
      #Predicate<Track> { $0.grade.rawValue == 1 }, #Predicate<Track> { $0.code?.uuidString == "" },
      #Predicate<Track> { $0.title.utf8.isEmpty },
      #Predicate<Track> { $0.released!.timeIntervalSince1970 > 0 },
      #Predicate<Track> { $0.loudness > 0 }, #Predicate<Track> { $0.artist.home?.area == 1 },
    ] {
      await #expect(throws: QueryError.self) { try await store.count(Track.filter(predicate)) }
    }
  }

  /// `\.id` of a certain type is another key path than that of any type, where it is computed.
  @Test func computedIdentity() async throws {
    let store = try await TrackStore.shared.value
    let error = await #expect(throws: QueryError.self) {
      try await store.count(Track.filter(#Predicate { $0.id == "Odd" }))
    }
    #expect(error?.description.contains("if its id is meant, that is title") == true)
  }

  @Test func variablesOfOthers() async throws {
    let other = #Predicate<Track> { $0.isLive }
    func copy(_ expression: some StandardPredicateExpression<Bool>) -> Predicate<Track> {
      Predicate<Track> { _ in PredicateExpressions.build_Negation(expression) }
    }
    try await check(copy(other.expression), "the predicate has a variable that is not its own")
  }
}

extension Track {
  fileprivate var loudness: Double { gain ?? 0 }
}

extension Place {
  fileprivate var area: Int { number }
}
