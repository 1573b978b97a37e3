import Broker
import Foundation
import Testing

/// Going through a query while its objects change.
@Suite struct ForEachTests {
  private static let count = 10_000

  private func store() async throws -> Store {
    let store = try await Store(at: .scratch, for: Musician.self)
    let rows = (1...Self.count).map { "{\"id\": \($0), \"name\": \"\(Self.name($0))\"}" }
    try await store.import("[" + rows.joined(separator: ",") + "]", as: Musician.self)
    return store
  }

  private static func name(_ number: Int) -> String { "\(100_000 + number)" }

  /// By name there is no index, by identity the rows are gone through where they are written.
  @Test(arguments: [true, false]) func savedSoThatTheySortLater(_ isByName: Bool) async throws {
    let store = try await Store(at: .scratch, for: Musician.self, Band.self)
    let count = 2_000
    try await store.write { transaction in
      for number in 1...count {
        try transaction.insert(Musician(id: number, name: Self.name(number), bands: ToMany()))
      }
      var visited: [Int] = []
      let query = isByName ? Musician.sorted(by: \.name) : Musician.all
      try transaction.forEach(query) { musician in
        visited.append(musician.id)
        guard visited.count <= 2 * count else { throw CancellationError() }
        if isByName {
          try transaction.update(Musician.self, musician.id) { $0.name = "9\($0.name)" }
        } else {
          try transaction.rename(Musician.self, musician.id, to: musician.id + 1_000_000)
        }
      }
      #expect(visited == Array(1...count))
    }
    let first = try await store.first(Musician.sorted(by: \.id))
    #expect(first?.id == (isByName ? 1 : 1_000_001))
    #expect(first?.name == (isByName ? "9" : "") + Self.name(1))
  }

  @Test func insertedOnesAreNotVisited() async throws {
    let store = try await store()
    try await store.write { transaction in
      var visited = 0
      try transaction.forEach(Musician.sorted(by: \.name)) { musician in
        visited += 1
        guard visited <= Self.count else { throw CancellationError() }
        guard visited % 10 == 0 else { return }
        let number = Self.count + visited
        try transaction.insert(Musician(id: number, name: Self.name(number), bands: ToMany()))
      }
      #expect(visited == Self.count)
      #expect(try transaction.count(Musician.all) == Self.count + Self.count / 10)
    }
  }

  @Test func deletedOnesAreVisitedAsTheyWere() async throws {
    let store = try await store()
    try await store.write { transaction in
      var visited: [String] = []
      try transaction.forEach(Musician.filter(#Predicate { $0.id <= 100 })) { musician in
        if visited.isEmpty { try transaction.delete(Musician.filter(#Predicate { $0.id > 50 })) }
        visited.append(musician.name)
      }
      let names = (1...100).map { Self.name($0) }
      #expect(visited == names)
      #expect(try transaction.count(Musician.all) == 50)
    }
  }

  @Test func rangesAndOneWithinAnother() async throws {
    let store = try await store()
    try await store.write { transaction in
      var visited: [Int] = []
      try transaction.forEach(Musician.sorted(by: \.id, .reverse).limit(3).offset(2)) { outer in
        try transaction.forEach(Musician.filter(ids: [1, 2])) { inner in
          try transaction.update(Musician.self, inner.id) { $0.name += "." }
          visited.append(outer.id * 10 + inner.id)
        }
      }
      #expect(visited == [99_981, 99_982, 99_971, 99_972, 99_961, 99_962])
      #expect(try transaction.find(Musician.self, 1).name == Self.name(1) + "...")
    }
  }

  @Test func whatIsUndoneWithinDoesNotEndIt() async throws {
    let store = try await store()
    try await store.write { transaction in
      var visited: [Int] = []
      try transaction.forEach(Musician.filter(#Predicate { $0.id <= 50 })) { musician in
        visited.append(musician.id)
        // It is there already.
        #expect(throws: SaveError.self) { try transaction.insert(musician) }
      }
      #expect(visited == Array(1...50))
    }
  }
}
