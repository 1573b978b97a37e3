import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

@Suite("Real files, there and back", .enabled(if: RealFile.allCases.allSatisfy(\.isThere)))
struct RoundTripTests {
  private static let forms: [ExportOptions] = {
    var keys = ExportOptions()
    keys.form = .lines
    var snake = ExportOptions()
    snake.keys = .snake
    snake.includesNulls = false
    var nested = ExportOptions()
    nested.relationships = .nested(depth: 2)
    nested.isPretty = true
    return [keys, snake, nested]
  }()

  private static let entities: [(RealFile, String)] =
    ["Tweet", "User", "Hashtag", "Medium"].map { (.twitter, $0) }
    + ["Event", "Performance", "SeatCategory", "AudienceSubCategory", "Area", "Topic", "SubTopic", "Venue"]
    .map { (.catalog, $0) }

  private func export(_ entity: String, of bench: Workbench, _ form: ExportOptions) throws -> String {
    let store = try Store(path: bench.path)
    let result = Result { try Exporter(store, form).text(of: entity) }
    try store.close()
    return try result.get()
  }

  @Test("what is exported and imported again changes nothing", arguments: entities)
  func sameStore(_ file: RealFile, _ entity: String) throws {
    let bench = try Workbench(for: file)
    let first = try bench.importing(file)
    let before = try bench.bytes()
    var options = ImportOptions()
    options.entity = entity
    options.isStrict = true
    for form in Self.forms {
      let report = try bench.importing(.string(export(entity, of: bench, form)), options: options)
      #expect(!report.changesAnything)
      #expect(report.unmatchedKeys == [:])
      #expect(report.unchanged[entity] == first.inserted[entity])
      #expect(try bench.bytes() == before)
    }
  }

  @Test("what is exported makes the same tweets in a new store", arguments: forms)
  func newStore(_ form: ExportOptions) throws {
    let bench = try Workbench(for: .twitter)
    try bench.importing(.twitter)
    let copy = try Workbench(for: .twitter)
    for entity in ["Tweet", "User", "Hashtag", "Medium"] {
      var options = ImportOptions()
      options.entity = entity
      try copy.importing(.string(export(entity, of: bench, form)), options: options)
    }
    let objects = ["Tweet", "User", "Hashtag", "Medium"].map { "SELECT * FROM \"\($0)\"" }
    // The order of a list matters, not the numbers that keep it.
    let lists = [("tweets", "hashtags"), ("mentionedIn", "mentions"), ("tweets", "media")].map {
      tweet, target in
      "SELECT \(tweet), \(target), row_number() OVER (PARTITION BY \(tweet) ORDER BY \(target)_order, \(target))"
        + " FROM Tweet_\(target)"
    }
    for sql in objects + lists { #expect(try copy.rows(sql).sorted() == bench.rows(sql).sorted()) }
    let links = "SELECT url, expandedURL, displayURL, indices, tweet, tweet_order, user FROM Link"
    #expect(try copy.rows(links).sorted() == bench.rows(links).sorted())
  }
}
