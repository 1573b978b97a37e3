import Bytes
import ObjectModel

/// Which objects the lists of an import have claimed, by a relationship that allows one owner.
///
/// A list that names an object which the store gives to another owner does not take it at once: a later list of the
/// same import may name it again, and the last has it. So importing the same JSON twice changes nothing.
final class OwnershipClaims {
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

  /// Notes that a list names a child. True if the list of another owner named it before.
  func name(
    _ child: Int64, _ change: OwnerChange, for owner: @autoclosure () -> [SQLValue], at place: Int?
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

  func hasNamed(_ child: Int64) -> Bool { named.add([], to: child).contains(.seen) }

  func countDispute() { disputes += 1 }

  /// Forgets the claims that have been carried out, and keeps who was named.
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

extension RowWriter {
  func existingClaims(of relationship: SchemaRelationship) -> OwnershipClaims? { claims[relationship.index] }

  func claims(of relationship: SchemaRelationship) -> OwnershipClaims {
    if let known = claims[relationship.index] { return known }
    let new = OwnershipClaims()
    claims[relationship.index] = new
    return new
  }

  /// Notes that lists of several owners, or several objects of a one-to-one, have the same object. The relationship is
  /// reported once, at the place of the first.
  func noteDispute(of relationship: SchemaRelationship, row: Int) {
    // A program says exactly what is to be.
    guard !policy.isLocal else { return }
    let claims = claims(of: relationship)
    claims.countDispute()
    guard claims.ticket == nil else { return }
    claims.ticket = nextTicket
    problems.append(RowProblem(row: row, reason: .deferred(ticket: nextTicket)))
    nextTicket += 1
  }

  /// Forgets what lists claim of a row that now says itself that its owner is another.
  func dropClaims(
    saidOtherwiseBy row: Int, _ rowID: Int64, _ writer: EntityWriter, _ batch: borrowing RowBatch
  ) {
    for key in writer.foreignKeys {
      guard let slot = key.slots.first,
        let list = transaction.layout.schema.relationships[key.relationship].inverse,
        let claims = claims[list]
      else { continue }
      let cell = batch.cell(row, slot)
      guard cell.kind != .absent, !cell.link.isFromList, let claim = claims.deferred[rowID] else {
        continue
      }
      var owner: [SQLValue] = []
      for slot in key.slots { owner.append(batch.value(of: batch.cell(row, slot))) }
      // Who says the same as the list still has its place there.
      if claim.owner != owner { claims.drop(rowID) }
    }
  }

  /// Forgets what lists claim of a row that is gone.
  func dropClaims(ofDeleted row: Int64, inTable table: Int) {
    guard hasDeferredClaims else { return }
    for (index, claims) in claims.enumerated() {
      guard let claims else { continue }
      let destination = transaction.layout.schema.relationships[index].destination
      if transaction.layout.entities[destination].table == table { claims.drop(row) }
    }
  }

  /// Gives the objects that lists took from others their new owners.
  ///
  /// - Parameter isLast: Whether the import ends here. Else lists of its next transaction may name objects again.
  func applyClaims(isLast: Bool) throws -> [(ticket: Int, reason: RowProblem.Reason)] {
    var disputes: [(ticket: Int, reason: RowProblem.Reason)] = []
    for (index, known) in claims.enumerated() {
      guard let known else { continue }
      let relationship = transaction.layout.schema.relationships[index]
      if !known.deferred.isEmpty {
        let lists = try childLists(for: index)
        for (child, claim) in known.deferred.sorted(by: { $0.key < $1.key }) {
          try lists.carryOut(claim, of: child, self)
        }
      }
      guard isLast else {
        known.forgetDeferred()
        continue
      }
      if let ticket = known.ticket {
        disputes.append((ticket, .severalOwners(relationship: relationship.index, count: known.disputes)))
      }
      claims[index] = nil
    }
    hasDeferredClaims = false
    return disputes
  }
}

extension ChildLists {
  /// Gives a child the owner and the place that a list claimed it for.
  fileprivate func carryOut(
    _ claim: OwnershipClaims.Claim, of child: Int64, _ writer: RowWriter
  ) throws {
    var index = 1
    for value in claim.owner {
      link.bind(value, at: index)
      index += 1
    }
    if order != nil {
      link.bind(claim.place.map { .integer(Int64($0)) } ?? .null, at: index)
      index += 1
    }
    link.bind(child, at: index)
    try link.run()
    guard link.changes > 0 else { return }
    try writer.countChange(row: child, entity: destination.index)
    writer.forgetRepetitions(inTable: tableIndex)
  }
}
