import Broker
import Foundation
import Testing

@Entity private struct Repository {
  var id: Int
  var topics: [String]
  var numbers: [Int]?
  var states: [State]?
  var name: String

  enum State: String, Codable, Sendable { case open, closed }
}

/// `contains` of attributes that are lists.
@Suite struct ElementQueryTests {
  @Test func elementsAreFound() async throws {
    let store = try await Store(at: .scratch, for: Repository.self)
    try await store.import(
      #"""
      [{"id": 1, "topics": ["swift", "sql"], "numbers": [1, 2], "states": ["open"], "name": "a"},
       {"id": 2, "topics": ["swiftui"], "numbers": [], "name": "swift"},
       {"id": 3, "topics": [], "numbers": [3], "states": ["closed", "open"], "name": "c"}]
      """#, as: Repository.self)
    func ids(_ predicate: Predicate<Repository>) async throws -> [Int] {
      try await store.fetch(Repository.filter(predicate)).map(\.id)
    }
    let wanted = "sql"
    #expect(try await ids(#Predicate { $0.topics.contains("swift") }) == [1])
    #expect(
      try await ids(#Predicate { $0.topics.contains(wanted) || $0.topics.contains("swiftui") }) == [1, 2])
    #expect(try await ids(#Predicate { !$0.topics.contains("swift") }) == [2, 3])
    #expect(try await ids(#Predicate { $0.topics.contains($0.name) }) == [])
    #expect(try await ids(#Predicate { $0.numbers?.contains(3) == true }) == [3])
    #expect(try await ids(#Predicate { $0.name.contains("wif") }) == [2])
  }
}
