import Foundation
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
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

  private static let entities: [RealFile: [String]] = [
    .twitter: ["Tweet", "User", "Hashtag", "Medium"],
    .catalog: [
      "Event", "Performance", "SeatCategory", "AudienceSubCategory", "Area", "Topic", "SubTopic", "Venue",
    ],
  ]

  private func export(_ entity: String, of store: TestStore, _ form: ExportOptions) throws -> String {
    let opened = try Store(path: store.path)
    let result = Result { try Exporter(opened, form).text(of: entity) }
    try opened.close()
    return try result.get()
  }

  @Test("what is exported and imported again changes nothing", arguments: RealFile.allCases)
  func sameStore(_ file: RealFile) throws {
    let (store, first) = try TestStore.filled(with: file)
    let before = try store.contents()
    for (index, entity) in (Self.entities[file] ?? []).enumerated() {
      var options = ImportOptions()
      options.entity = entity
      options.isStrict = true
      // Exports nested in objects that all lead to each other are long.
      let forms = Seeds.isLong ? Self.forms : [Self.forms[index % Self.forms.count]]
      for form in forms {
        let report = try store.load(.string(export(entity, of: store, form)), options: options)
        #expect(!report.changesAnything, "\(entity), \(form)")
        #expect(report.unmatchedKeys == [:], "\(entity), \(form)")
        #expect(report.unchanged[entity] == first.inserted[entity], "\(entity), \(form)")
        #expect(try store.contents() == before, "\(entity), \(form)")
      }
    }
  }

  @Test("what is exported makes the same tweets in a new store", arguments: forms)
  func newStore(_ form: ExportOptions) throws {
    let store = try TestStore(for: .twitter)
    try store.load(.twitter)
    let copy = try TestStore(for: .twitter)
    for entity in ["Tweet", "User", "Hashtag", "Medium"] {
      var options = ImportOptions()
      options.entity = entity
      try copy.load(.string(export(entity, of: store, form)), options: options)
    }
    let objects = ["Tweet", "User", "Hashtag", "Medium"].map { "SELECT * FROM \"\($0)\"" }
    // The order of a list matters, not the numbers that keep it.
    let lists = [("tweets", "hashtags"), ("mentionedIn", "mentions"), ("tweets", "media")].map {
      tweet, target in
      "SELECT \(tweet), \(target), row_number() OVER (PARTITION BY \(tweet) ORDER BY \(target)_order, \(target))"
        + " FROM Tweet_\(target)"
    }
    for sql in objects + lists { #expect(try copy.rows(sql).sorted() == store.rows(sql).sorted()) }
    let links = "SELECT url, expandedURL, displayURL, indices, tweet, tweet_order, user FROM Link"
    #expect(try copy.rows(links).sorted() == store.rows(links).sorted())
  }
}
