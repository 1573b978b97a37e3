import Foundation
import Mapping
import ObjectModel
import Testing

/// JSON in, rows, and JSON out: what a shape has to give on both engines.
struct JSONShape {
  let fixture: Fixture
  private let notation: String
  private let mapping: JSONMapping?
  private let entity: String?

  /// - Parameter mapping: As a file says it, in YAML.
  init(_ notation: String, _ mapping: String = "", entity: String? = nil) throws {
    self.notation = notation
    self.mapping = mapping.isEmpty ? nil : try JSONMapping(text: mapping)
    self.entity = entity
    fixture = try Fixture(notation, entity: entity, mapping: self.mapping)
  }

  /// Imports JSON.
  @discardableResult
  func load(_ json: String, _ adjust: (inout ImportOptions) -> Void = { _ in }) throws -> Report {
    try fixture.load(json) { adjust(&$0) }
  }

  /// The rows of a table, without the columns that the store adds.
  func rows(_ table: String, _ columns: String = "*") throws -> [String] {
    try fixture.rows("SELECT \(columns) FROM \"\(table)\" ORDER BY rowid")
  }

  /// Checks that what is exported can be imported again: nothing changes, nested or not, and an empty store becomes the
  /// same.
  func expectRoundTrip(_ entities: String..., location: SourceLocation = #_sourceLocation) throws {
    for entity in entities {
      for relationships in [ExportOptions.Relationships.keys, .nested(depth: 1)] {
        for includesNulls in [true, false] {
          var options = ExportOptions()
          options.relationships = relationships
          options.includesNulls = includesNulls
          let json = try Exporter(fixture.store, options).text(of: entity)
          let report = try fixture.load(json, as: mapping?.document.kind == nil ? entity : nil)
          #expect(report.problems == [], "\(json)", sourceLocation: location)
          #expect(report.inserted.isEmpty && report.updated.isEmpty, "\(json)", sourceLocation: location)
        }
      }
    }
    let all = try Exporter(fixture.store).wholeText()
    let other = try Fixture(notation, mapping: mapping)
    let report = try other.load(all)
    #expect(report.problems == [], "\(all)", sourceLocation: location)
    #expect(try Exporter(other.store).wholeText() == all, sourceLocation: location)
  }
}
