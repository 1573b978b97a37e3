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

/// The claims of the lists of one relationship.
final class RelationshipClaims {
  /// An object that a list takes from the owner that it has in the store.
  struct Claim {
    var owner: [SQLValue]
    /// Its place in the list, where that is ordered.
    var place: Int?
  }

  /// The children that lists have named.
  private var named = RowMarks()
  /// The claims that are carried out in the end, by the child's row.
  private(set) var deferred: [Int64: Claim] = [:]
  private var childrenByOwner: [[SQLValue]: [Int64]] = [:]
  /// How often a list named an object that another owner's list had named before.
  private(set) var disputes = 0
  /// The ticket of the first of them.
  var ticket: Int?

  /// Notes that a child was named together with the owner that it has now.
  func noteNamed(_ child: Int64) {
    _ = named.add(.seen, to: child)
    deferred[child] = nil
  }

  /// Notes that a list names a child. True if the list of another owner named it before.
  func noteListed(
    _ child: Int64, _ change: OwnerChange, by owner: @autoclosure () -> [SQLValue], at place: Int?
  ) -> Bool {
    let wasNamed = named.add(.seen, to: child).contains(.seen)
    switch change {
    case .none:
      guard !deferred.isEmpty, let claim = deferred.removeValue(forKey: child) else { return false }
      return claim.owner != owner()
    case .made:
      deferred[child] = nil
      return wasNamed
    case .left:
      let owner = owner()
      let before = deferred.updateValue(Claim(owner: owner, place: place), forKey: child)
      if before?.owner != owner { childrenByOwner[owner, default: []].append(child) }
      return before.map { $0.owner != owner } ?? wasNamed
    }
  }

  func hasNamed(_ child: Int64) -> Bool { named.marks(of: child).contains(.seen) }

  func countDispute() { disputes += 1 }

  /// Forgets the claims that have been carried out, and keeps which objects were named.
  func forgetDeferred() {
    deferred = [:]
    childrenByOwner = [:]
  }

  /// Forgets the claim to a child, since something else was said of it later, or it is gone.
  func drop(_ child: Int64) { deferred[child] = nil }

  /// Forgets the claims of an owner, since it has a new list.
  func drop(claimedBy owner: @autoclosure () -> [SQLValue]) {
    guard !deferred.isEmpty else { return }
    let owner = owner()
    for child in childrenByOwner.removeValue(forKey: owner) ?? [] where deferred[child]?.owner == owner {
      deferred[child] = nil
    }
  }
}
