import Bytes
import Foundation
import ObjectModel
import ObjectStore

/// A store that is written through ``BatchWriter``, the writer's own door.
struct WriterFixture {
  let store: Store

  init(_ model: String = Self.bands) throws {
    store = try ObjectStoreTests.store(model)
  }

  /// What a write did.
  struct Outcome {
    /// By entity what was inserted, updated and unchanged: `Band +1 ~0 =0`, and what else is not zero.
    var counts: [String] = []
    var duplicates = 0
    /// The rows that could not be written, each with the reason.
    var problems: [String] = []
    /// What the end of the write found.
    var deferred: [String] = []
    /// References that lead nowhere: `Album 1.band -> Japan`.
    var pending: [String] = []
    /// The objects that were deleted.
    var deleted: [String] = []
  }

  /// Writes all roots of a batch in one transaction.
  @discardableResult
  func write(
    _ policy: WritePolicy = WritePolicy(), prune: PruneRequest = PruneRequest(),
    _ fill: (inout RowBuilder) throws -> Void
  ) throws -> Outcome {
    try store.transaction { transaction in
      let writer = try transaction.batchWriter(policy, continuing: nil)
      try Self.write(writer, transaction.layout, fill)
      return (try Self.finish(writer, prune, transaction.layout), .commit)
    }
  }

  /// Writes all records of a batch.
  static func write(
    _ writer: any BatchWriter, _ layout: Layout, _ fill: (inout RowBuilder) throws -> Void
  ) throws {
    var rows = RowBuilder(layout)
    try fill(&rows)
    try writer.write(0..<rows.batch.roots.count, of: &rows.batch)
  }

  /// Ends what a writer wrote, and says what it did.
  static func finish(
    _ writer: any BatchWriter, _ request: PruneRequest, _ layout: Layout
  ) throws -> Outcome {
    var outcome = Outcome()
    let found = try writer.runDeferredChecks(request)
    outcome.deferred = (found.problems.map(\.reason) + found.general).map { "\($0)" }
    outcome.problems = writer.takeProblems().compactMap { problem in
      if case .deferred = problem.reason { return nil }
      return "\(problem.row): \(problem.reason)"
    }
    outcome.duplicates = writer.counts.duplicates
    outcome.counts = zip(layout.schema.entities, writer.counts.entities).compactMap { words($1, $0.name) }
    outcome.pending = try writer.pendingReferences().references.map {
      "\($0.entity) \($0.identity).\($0.relationship) -> \($0.key)"
    }
    outcome.deleted = writer.deletedObjects.map { "\($0.entity) \($0.key)" }
    return outcome
  }

  private static func words(_ counts: WriteCounter.Counts, _ entity: String) -> String? {
    let written = "\(entity) +\(counts.inserted) ~\(counts.updated) =\(counts.unchanged)"
    let others = [
      ("deleted", counts.deleted), ("skipped", counts.skipped), ("outdated", counts.outdated),
      ("excluded", counts.excluded),
    ].filter { $0.1 > 0 }.map { " \($0.0) \($0.1)" }
    let isEmpty = counts.inserted + counts.updated + counts.unchanged == 0 && others.isEmpty
    return isEmpty ? nil : written + others.joined()
  }

  /// Bands with a list of each kind.
  static let bands = #"""
    {"entities": [
      {"name": "Band", "attributes": [
         {"name": "name", "type": "string", "userInfo": {"broker.identity": "true"}},
         {"name": "formed", "type": "integer16", "optional": true},
         {"name": "genre", "type": "string", "default": "pop", "optional": true}],
       "relationships": [
         {"name": "albums", "destination": "Album", "toMany": true, "ordered": true, "inverse": "band"},
         {"name": "tags", "destination": "Tag", "toMany": true, "ordered": true, "inverse": "bands"},
         {"name": "friends", "destination": "Band", "toMany": true, "inverse": "friends"},
         {"name": "manager", "destination": "Manager", "inverse": "band"},
         {"name": "rival", "destination": "Band", "inverse": "rival"},
         {"name": "notes", "destination": "Note", "toMany": true, "ordered": true, "inverse": "band"}]},
      {"name": "Album", "attributes": [
         {"name": "id", "type": "integer64"}, {"name": "title", "type": "string", "optional": true}],
       "relationships": [{"name": "band", "destination": "Band", "inverse": "albums"}]},
      {"name": "Tag", "attributes": [
         {"name": "label", "type": "string", "userInfo": {"broker.identity": "true"}}],
       "relationships": [{"name": "bands", "destination": "Band", "toMany": true, "inverse": "tags"}]},
      {"name": "Manager", "attributes": [
         {"name": "id", "type": "integer64"}, {"name": "phone", "type": "string", "optional": true}],
       "relationships": [{"name": "band", "destination": "Band", "inverse": "manager"}]},
      {"name": "Note", "attributes": [{"name": "text", "type": "string", "optional": true}],
       "relationships": [{"name": "band", "destination": "Band", "inverse": "notes"}]}]}
    """#
}

extension StoreTransaction {
  /// Writes all records of a batch.
  func write(_ prune: PruneRequest = PruneRequest(), _ fill: (inout RowBuilder) throws -> Void) throws {
    let writer = try batchWriter(WritePolicy(), continuing: nil)
    try WriterFixture.write(writer, layout, fill)
    _ = try writer.runDeferredChecks(prune)
  }
}

extension Store {
  /// Writes all records of a batch in a transaction.
  func write(_ prune: PruneRequest = PruneRequest(), _ fill: (inout RowBuilder) throws -> Void) throws {
    try transaction { (try $0.write(prune, fill), .commit) }
  }
}
