import Broker
import Foundation
import Testing

@Entity private struct Measure {
  var id: Int
  var ratio: Float?
  var date: Date?
  var amount: Decimal?
  var link: URL?
  var place: Place?
  var tags: [String]?
  var mark: UUID?
  var note: String?

  struct Place: Codable, Hashable, Sendable {
    var x: Double
    var y: Double
    var name: String?
  }
}

/// What is read and saved as it is changes nothing, though the type has fewer digits than the store.
@Suite struct UnchangedValueTests {
  private let json = """
    [{"id": 1, "ratio": 0.1, "date": "2026-11-22T08:30:00.123456789Z",
      "amount": 123456789012345678901234567890.123456789012345, "link": "https://ä.example/ü?q=a",
      "place": {"y": 2, "x": 1.10, "name": null}, "tags": ["b", "a"],
      "mark": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "note": "n"}]
    """

  private func store() async throws -> Store {
    let store = try await Store(at: .memory, for: Measure.self, tracksLocalChanges: true)
    let report = try await store.import(json, as: Measure.self)
    #expect(report.issues == [])
    return store
  }

  private func exported(_ store: Store) async throws -> String {
    String(decoding: try await store.export(ObjectQuery("Measure")), as: UTF8.self)
  }

  @Test func aSaveOfWhatWasReadWritesNothing() async throws {
    let store = try await store()
    let before = try await exported(store)
    #expect(before.contains("123456789012345678901234567890.123456789012345"))
    #expect(before.contains("08:30:00.123456789"))
    try await store.save(try await store.find(Measure.self, 1))
    try await store.save(try await store.find("Measure", "1"))
    #expect(try await store.localChanges() == [])
    #expect(try await exported(store) == before)
    // Only what was changed is.
    try await store.update(Measure.self, 1) { $0.note = "m" }
    #expect(try await store.localChanges().map(\.properties) == [["note"]])
    #expect(try await exported(store) == before.replacing(#""n""#, with: #""m""#))
  }

  @Test func whatDiffersIsWritten() async throws {
    let store = try await store()
    try await store.update(Measure.self, 1) {
      $0.ratio = 0.2
      $0.date = $0.date?.addingTimeInterval(1)
      $0.amount = 1
      $0.link = URL(string: "https://example.org")
      $0.place?.x = 3
      $0.tags = ["a", "b"]
    }
    #expect(
      try await store.localChanges().map(\.properties) == [
        ["amount", "date", "link", "place", "ratio", "tags"]
      ])
    let object = try await store.find(Measure.self, 1)
    #expect(object.ratio == 0.2 && object.amount == 1 && object.tags == ["a", "b"] && object.place?.x == 3)
  }

  @Test(.onSQLite) func everyMomentComesBack() async throws {
    let store = try await Store(at: .scratch, for: Measure.self)
    var dates = [Date(), Date(timeIntervalSinceReferenceDate: 0), .init(timeIntervalSince1970: -1.5)]
    var seconds = 801_000_000.123_456_7
    for _ in 0..<500 {
      seconds = seconds.nextUp * 1.000_1
      dates += [
        Date(timeIntervalSinceReferenceDate: seconds), Date(timeIntervalSinceReferenceDate: -seconds),
      ]
    }
    try await store.write { [dates] transaction in
      for (id, date) in dates.enumerated() {
        var object = Measure(id: id)
        object.date = date
        try transaction.save(object)
      }
    }
    #expect(try await store.fetch(Measure.all).map(\.date) == dates)
  }
}
