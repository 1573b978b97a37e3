import Bytes
import ObjectModel

/// Which objects the lists of an import have named, by the relationships that allow one owner.
///
/// A list that names an object which the store gives to another owner does not take it at once: a later list of the
/// same import may name it again, and the last has it. So the same import, run twice, changes nothing the second time.
final class OwnershipClaims {
  private let context: WriteContext
  /// By relationship; made when first needed.
  private(set) var byRelationship: [RelationshipClaims?]
  /// Whether any claim waits for the end.
  var hasDeferred = false

  init(_ context: WriteContext, continuing former: RowWriterState?) {
    self.context = context
    byRelationship = former?.claims ?? Array(repeating: nil, count: context.layout.relationships.count)
  }

  func existing(of relationship: SchemaRelationship) -> RelationshipClaims? {
    byRelationship[relationship.index]
  }

  func of(_ relationship: SchemaRelationship) -> RelationshipClaims {
    if let known = byRelationship[relationship.index] { return known }
    let new = RelationshipClaims()
    byRelationship[relationship.index] = new
    return new
  }

  /// Notes that lists of several owners, or several objects of a one-to-one, have the same object. The relationship is
  /// reported once, at the place of the first.
  func noteDispute(of relationship: SchemaRelationship, row: Int) {
    // A program says exactly what is to be.
    guard !context.policy.isLocal else { return }
    let claims = of(relationship)
    claims.countDispute()
    guard claims.ticket == nil else { return }
    claims.ticket = context.problems.addDeferred(row: row)
  }

  /// Forgets what lists claim of a row that now says itself that its owner is another.
  func drop(saidOtherwiseBy row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch) {
    let rowID = batch.rows[row].rowID
    for key in writer.foreignKeys {
      guard let slot = key.slots.first,
        let list = context.layout.schema.relationships[key.relationship].inverse,
        let claims = byRelationship[list]
      else { continue }
      let cell = batch.cell(row, slot)
      guard cell.kind != .absent, !cell.link.isFromList, let claim = claims.deferred[rowID] else {
        continue
      }
      var owner: [SQLValue] = []
      for slot in key.slots { owner.append(batch.value(of: batch.cell(row, slot))) }
      // An object that says the same as the list still has its place there.
      if claim.owner != owner { claims.drop(rowID) }
    }
  }

  /// Forgets what lists claim of a row that is gone.
  func drop(ofDeleted row: Int64, inTable table: Int) {
    guard hasDeferred else { return }
    for (index, claims) in byRelationship.enumerated() {
      guard let claims else { continue }
      let destination = context.layout.schema.relationships[index].destination
      if context.layout.entities[destination].table == table { claims.drop(row) }
    }
  }

  /// Gives the objects that lists took from others their new owners.
  ///
  /// - Parameter isLast: Whether the import ends here. Else lists of its next transaction may name objects again.
  /// - Returns: The relationships with disputes, by their tickets.
  func carryOut(_ lists: ListWriters, isLast: Bool) throws -> [DeferredProblem] {
    var disputes: [DeferredProblem] = []
    for (index, known) in byRelationship.enumerated() {
      guard let known else { continue }
      if !known.deferred.isEmpty {
        let writer = try lists.childLists(for: index)
        for (child, claim) in known.deferred.sorted(by: { $0.key < $1.key }) {
          try writer.link(child, by: claim)
        }
      }
      guard isLast else {
        known.forgetDeferred()
        continue
      }
      if let ticket = known.ticket {
        disputes.append((ticket, .severalOwners(relationship: index, count: known.disputes)))
      }
      byRelationship[index] = nil
    }
    hasDeferred = false
    return disputes
  }
}
