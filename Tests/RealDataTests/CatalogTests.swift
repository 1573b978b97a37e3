import Foundation
import Mapping
import ObjectModel
import Testing

@Suite("A concert hall's catalogue", .enabled(if: RealFile.catalog.isThere))
struct CatalogTests {
  private let json: CatalogJSON
  private let store: TestStore
  private let report: Report

  /// The file is read and imported once. Tests that write use a store of their own.
  private static let decoded = Result { try RealFile.catalog.decoded(as: CatalogJSON.self) }
  private static let filled = Result { try TestStore.filled(with: .catalog) }

  init() throws {
    json = try Self.decoded.get()
    (store, report) = try Self.filled.get()
  }

  // MARK: - Objects

  @Test("a document of dictionaries and lists becomes ten tables")
  func counts() throws {
    let prices = json.performances.map(\.prices.count).reduce(0, +)
    let seatings = json.performances.map(\.seatCategories.count).reduce(0, +)
    var expected = ["Price": prices, "Seating": seatings]
    expected["Event"] = json.events.count
    expected["Performance"] = json.performances.count
    expected["SeatCategory"] = json.seatCategoryNames.count
    expected["AudienceSubCategory"] = json.audienceSubCategoryNames.count
    expected["Area"] = json.areaNames.count
    expected["Topic"] = json.topicNames.count
    expected["SubTopic"] = json.subTopicNames.count
    expected["Venue"] = json.venueNames.count
    #expect(expected["Event"] == 184)
    #expect(try store.counts(of: Array(expected.keys)) == expected)
    #expect(report.inserted == expected)
  }

  @Test(
    "a dictionary from identity to name",
    arguments: [
      ("Area", "areaID"), ("SeatCategory", "id"), ("AudienceSubCategory", "id"), ("Topic", "id"),
      ("SubTopic", "id"), ("Venue", "code"),
    ])
  func names(_ entity: String, _ identity: String) throws {
    let names = [
      "Area": json.areaNames, "SeatCategory": json.seatCategoryNames,
      "AudienceSubCategory": json.audienceSubCategoryNames, "Topic": json.topicNames,
      "SubTopic": json.subTopicNames, "Venue": json.venueNames,
    ][entity]
    let expected = try #require(names).map { "\($0.key)|\($0.value)" }
    #expect(try store.rows("SELECT \"\(identity)\", name FROM \"\(entity)\"").sorted() == expected.sorted())
  }

  @Test("milliseconds become dates")
  func dates() throws {
    let rows = try store.rows("SELECT id, CAST(strftime('%s', start) AS INTEGER) * 1000 FROM Performance")
    #expect(rows.sorted() == json.performances.map { "\($0.id)|\($0.start)" }.sorted())
    #expect(
      try store.rows("SELECT start FROM Performance WHERE id = 339887544") == ["2013-07-01 18:00:00"])
  }

  // MARK: - Relationships

  @Test("a performance has its event and its hall, by key")
  func toOne() throws {
    let rows = try store.rows(
      """
      SELECT Performance.id, Event.name, Venue.name FROM Performance
      JOIN Event ON Event.id = Performance.event JOIN Venue ON Venue.code = Performance.venue
      """)
    let expected = json.performances.map { performance in
      let event = json.events["\(performance.eventId)"]?.name ?? ""
      return "\(performance.id)|\(event)|\(json.venueNames[performance.venueCode] ?? "")"
    }
    #expect(rows.sorted() == expected.sorted())
  }

  @Test("topics of events, many to many, in order")
  func topics() throws {
    for event in json.events.values {
      #expect(
        try store.rows("SELECT topics FROM Event_topics WHERE events = \(event.id) ORDER BY topics_order")
          == event.topicIds.uniqued.map(String.init))
    }
    let links = json.events.values.map(\.subTopicIds.uniqued.count).reduce(0, +)
    #expect(try store.count("SELECT count(*) FROM Event_subTopics") == links)
  }

  @Test("a dictionary from identity to the keys of a relationship")
  func topicSubTopics() throws {
    for (topic, subTopics) in json.topicSubTopics {
      #expect(
        try store.rows("SELECT id FROM SubTopic WHERE topic = \(topic) ORDER BY topic_order")
          == subTopics.map(String.init))
    }
  }

  @Test("prices have no identity; each belongs to its performance, in order")
  func prices() throws {
    var expected: [String] = []
    for performance in json.performances {
      for (position, price) in performance.prices.enumerated() {
        let category = json.seatCategoryNames["\(price.seatCategoryId)"] ?? ""
        let audience = price.audienceSubCategoryId
        expected.append("\(performance.id)|\(position)|\(price.amount)|\(category)|\(audience)")
      }
    }
    let rows = try store.rows(
      """
      SELECT performance, performance_order, amount, SeatCategory.name, audienceSubCategory
      FROM Price JOIN SeatCategory ON SeatCategory.id = seatCategory
      """)
    #expect(rows.sorted() == expected.sorted())
  }

  @Test("areas of the seat categories of performances, two levels down")
  func areas() throws {
    var expected: [String] = []
    for performance in json.performances {
      for seating in performance.seatCategories {
        for (position, area) in seating.areas.map(\.areaId).uniqued.enumerated() {
          expected.append("\(performance.id)|\(seating.seatCategoryId)|\(area)|\(position)")
        }
      }
    }
    let rows = try store.rows(
      """
      SELECT performance, seatCategory, areas, areas_order FROM Seating_areas
      JOIN Seating ON Seating._id = seatings
      """)
    #expect(rows.count == 8685)
    #expect(rows.sorted() == expected.sorted())
  }

  @Test("every link leads to an object")
  func ends() throws {
    #expect(try store.dangling() == [])
    #expect(report.pending == [])
    for table in ["Price", "Seating"] {
      #expect(try store.count("SELECT count(*) FROM \(table) WHERE performance IS NULL") == 0)
    }
  }

  // MARK: - The report

  @Test("no issues; what the model does not have is counted")
  func unmatched() {
    #expect(report.issues == [])
    let areas = json.performances.flatMap(\.seatCategories).map(\.areas.count).reduce(0, +)
    #expect(
      report.unmatchedKeys == [
        "$": ["blockNames": 1, "subjectNames": 1], "Event": ["subjectCode": json.events.count],
        "Area": ["blockIds": areas],
      ])
  }

  @Test("importing it again changes nothing in any table")
  func again() throws {
    let (store, report) = try TestStore.filled(with: .catalog)
    let before = try store.contents()
    let second = try store.load(.catalog)
    #expect(second.unchanged == report.inserted)
    #expect(!second.changesAnything)
    #expect(try store.contents() == before)
  }

  @Test("in strict mode too it is imported")
  func strict() throws {
    var options = ImportOptions()
    options.isStrict = true
    let other = try TestStore(for: .catalog)
    let strict = try other.load(.file(RealFile.catalog.url.path), options: options)
    #expect(strict.inserted == report.inserted)
  }
}
