import Broker
import Foundation
import Testing

/// Conditions that are put together at run time.
@Suite("Conditions put together") struct FilterCombinationTests {
  private func names(_ query: Query<Album>) async throws -> [String] {
    try await bandStore().fetch(query.sorted(by: \.name)).map(\.name)
  }

  @Test func oneOfThemIsEnough() async throws {
    #expect(
      try await names(
        Album.filter(any: [#Predicate { $0.name == "Tin Drum" }, #Predicate { $0.band.name == "Talk Talk" }]))
        == ["Spirit of Eden", "Tin Drum"])
    #expect(try await names(Album.filter(any: [#Predicate { $0.name == "Tin Drum" }])) == ["Tin Drum"])
    #expect(try await names(Album.filter(any: [])).isEmpty)
  }

  @Test func noneOfThemHolds() async throws {
    #expect(
      try await names(Album.filter(not: #Predicate { $0.name == "Tin Drum" })) == [
        "Quiet Life", "Spirit of Eden",
      ])
    #expect(try await names(Album.filter(not: #Predicate { !($0.name == "Tin Drum") })) == ["Tin Drum"])
  }

  @Test func theyHoldWithEarlierOnes() async throws {
    let query = Album.filter(#Predicate { $0.band.name == "Japan" })
      .filter(any: [#Predicate { $0.name == "Tin Drum" }, #Predicate { $0.name == "Spirit of Eden" }])
    #expect(try await names(query) == ["Tin Drum"])
    #expect(try await names(query.filter(not: #Predicate { $0.name == "Tin Drum" })).isEmpty)
  }

  @Test func anyNumberOfThemIsTranslated() async throws {
    let predicates = (0..<200).map { number in
      let name = number == 150 ? "Quiet Life" : "none \(number)"
      return #Predicate<Album> { $0.name == name }
    }
    #expect(try await names(Album.filter(any: predicates)) == ["Quiet Life"])
  }
}
