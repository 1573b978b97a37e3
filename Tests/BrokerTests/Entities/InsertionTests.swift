import Broker
import Foundation
import Testing

@Suite("Inserting into a list") struct InsertionTests {
  @Test func manyTakeTimeThatGrowsWithThem() {
    var list = ToMany<Album>()
    let start = ContinuousClock.now
    for number in 0..<30_000 { list.insert(id: "\(number % 20_000)") }
    #expect(ContinuousClock.now - start < .seconds(50))
    var loaded: ToMany<Album> = []
    for number in 0..<20_000 {
      loaded.insert(Album(name: "\(number)", released: nil, band: ToOne(id: "Japan"), year: number))
    }
    #expect(loaded.count == 20_000)
    #expect(ContinuousClock.now - start < .seconds(100))
  }

  @Test func insertedAndRemovedInTurn() async throws {
    let store = try await bandStore()
    try await store.import(
      (5...7).map { #"{"id": \#($0), "name": "\#($0)"}"# }.joined(separator: "\n"), as: Musician.self)
    try await store.write { transaction in
      var japan = try transaction.find(Band.self, "Japan")
      japan.members.insert(id: 5)
      japan.members.insert(id: 6)
      japan.members.remove(id: 5)
      for id in [7, 5, 6] { japan.members.insert(id: id) }
      try transaction.save(japan)
    }
    func members() async throws -> [Int] {
      try await store.fetch(store.find(Band.self, "Japan").members).map(\.id)
    }
    #expect(try await members() == [2, 1, 6, 7, 5])
    try await store.write { transaction in
      var japan = try transaction.find(Band.self, "Japan")
      japan.members = []
      for id in [7, 5, 7, 1] { japan.members.insert(id: id) }
      try transaction.save(japan)
    }
    #expect(try await members() == [7, 5, 1])
  }
}
