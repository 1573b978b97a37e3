import ObjectModel

/// The references of an import that led nowhere when they were written, and what became of them.
package final class PendingReferences {
  private let context: WriteContext
  private var candidates: [Candidate]
  /// Those that are counted only.
  private var uncounted: Int

  /// Past this, references are counted and not looked at again.
  private static let limit = 2_000_000

  /// A reference, by the row that holds it: of its owner, of a join table, of the store's own.
  struct Candidate: Hashable {
    var relationship: Int32
    var entity: Int32
    var row: Int64
  }

  /// What is remembered from one transaction of an import to the next.
  struct Noted {
    fileprivate var candidates: [Candidate] = []
    fileprivate var uncounted = 0
  }

  var noted: Noted { Noted(candidates: candidates, uncounted: uncounted) }

  init(_ context: WriteContext, continuing former: RowWriterState?) {
    self.context = context
    candidates = former?.references.candidates ?? []
    uncounted = former?.references.uncounted ?? 0
  }

  /// Notes a reference that led nowhere.
  ///
  /// - Parameter entity: The entity of the object that refers, where it is not the one that declares the relationship.
  func add(_ relationship: SchemaRelationship, entity: Int? = nil, row: Int64) {
    guard candidates.count < Self.limit else { return uncounted += 1 }
    candidates.append(candidate(relationship, entity ?? relationship.owner, row))
  }

  /// Notes a link that the store remembers. Written again it has the same row, so it is never counted without a look.
  func add(stored relationship: SchemaRelationship, row: Int64) {
    candidates.append(candidate(relationship, relationship.owner, row))
  }

  private func candidate(_ relationship: SchemaRelationship, _ entity: Int, _ row: Int64) -> Candidate {
    Candidate(relationship: Int32(relationship.index), entity: Int32(entity), row: row)
  }

  // MARK: - The report

  /// Looks again at all references that led nowhere.
  func summary(listing most: Int = 10_000) throws -> PendingSummary {
    let layout = context.layout
    var summary = PendingSummary(count: uncounted)
    var lookups: [Int32: MissingTargetLookup] = [:]
    var done: Set<Candidate> = []
    for candidate in candidates where done.insert(candidate).inserted {
      let relationship = layout.schema.relationships[Int(candidate.relationship)]
      let lookup =
        try lookups[candidate.relationship] ?? MissingTargetLookup(relationship, context.transaction)
      lookups[candidate.relationship] = lookup
      guard let (owner, key) = try lookup.find(candidate.row) else { continue }
      summary.count += 1
      guard summary.references.count < most else { continue }
      let entity = layout.schema.entities[Int(candidate.entity)]
      let target = layout.schema.entities[relationship.destination]
      summary.references.append(
        PendingSummary.Reference(
          entity: entity.name, identity: layout.identityText(ofKey: owner, of: entity),
          relationship: relationship.name, target: target.name,
          key: layout.identityText(ofKey: key, of: target),
          isError: context.references[relationship.index] == .error))
    }
    return summary
  }
}
