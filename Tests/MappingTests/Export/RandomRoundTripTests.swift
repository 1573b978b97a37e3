import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Random models with random objects: what is exported and imported again changes nothing, and makes the same
/// objects elsewhere.
@Suite struct RandomRoundTripTests {
  private static let modelsPerSeed = 12

  /// The ways to export of which each model is given one.
  private func options(_ random: inout Seeded) -> ExportOptions {
    var options = ExportOptions()
    options.relationships = random.pick([.keys, .keys, .nested(depth: 1), .nested(depth: 3), .none])
    options.keys = random.flip() ? .camel : .snake
    options.includesNulls = random.below(3) > 0
    options.form = random.flip() ? .lines : .array
    options.isPretty = options.form == .array && random.flip()
    if random.below(4) == 0 { options.relationshipKeys = .rails }
    return options
  }

  /// Some relationships by name, and theirs.
  private func nested(_ entity: String, _ model: RandomModel, _ random: inout Seeded) -> [String] {
    random.some(model.relationships[entity] ?? [], atMost: 2)
  }

  /// What the store holds; the references that wait in it without their row ids, since they wait anew.
  private func contents(of fixture: Fixture) throws -> [String] {
    let pending = "\"\(StoreTable.pending)\""
    let rows = try fixture.rows("SELECT * FROM \(pending)").sorted()
    let waiting = Set(try fixture.rows("SELECT rowid, * FROM \(pending)"))
    return try fixture.contents().filter { !waiting.contains($0) } + rows
  }

  @Test(arguments: Seeds.first(4, long: 40))
  func importingWhatWasExportedChangesNothing(_ seed: UInt64) throws {
    for step in 0..<Self.modelsPerSeed {
      var random = Seeded(state: seed &* 1_000_003 &+ UInt64(step))
      var options = options(&random)
      let nests = random.below(3) == 0
      var limits: RandomModel.Limits = []
      if !options.includesNulls { limits.insert(.noDefaults) }
      if nests || ![.keys, .none].contains(options.relationships) { limits.insert(.noAbstractTargets) }
      if options.relationshipKeys == .rails { limits.insert(.noMirrors) }
      let model = RandomModel(&random, limits)
      let fixture = try Fixture(model.notation)
      let first = try fixture.load(model.json)
      let told = "seed \(seed), step \(step), \(options)\n\(model.notation)\n\(model.json)"
      // Random objects take each other's partners.
      let problems = first.problems.filter { !$0.contains("with one owner") }
      try #require(problems == [], "\(told)")

      var exported: [(entity: String, options: ExportOptions, json: String)] = []
      for entity in model.roots {
        if nests { options.nested = nested(entity, model, &random) }
        let json = try Exporter(fixture.store, options).text(of: entity)
        // No lines at all are no JSON.
        if !json.isEmpty { exported.append((entity, options, json)) }
      }
      let before = try contents(of: fixture)
      for (entity, options, json) in exported {
        let report = try fixture.load(json, as: entity)
        try #require(report.problems == [], "\(told)\n\(options.nested)\n\(json)")
        try #require(!report.changesAnything, "\(report.counts)\n\(told)\n\(options.nested)\n\(json)")
        try #require(report.unmatchedKeys == [:], "\(told)\n\(json)")
        try #require(try contents(of: fixture) == before, "\(told)\n\(json)")
      }

      let copy = try Fixture(model.notation)
      for (entity, options, json) in exported {
        let report = try copy.load(json, as: entity)
        try #require(report.problems == [], "\(told)\n\(options.nested)\n\(json)")
      }
      for (entity, options, json) in exported {
        let again = try Exporter(copy.store, options).text(of: entity)
        try #require(again == json, "\(told)\n\(json)\nbecame\n\(again)")
      }
      guard options.relationships != .none else { continue }
      for entity in model.roots {
        // The style of keys is the one in which the JSON came, which is not the same for both.
        let there = try fixture.exported(entity) { $0.keys = .camel }
        try #require(try copy.exported(entity) { $0.keys = .camel } == there, "\(told)\n\(exported)")
      }
    }
  }
}
