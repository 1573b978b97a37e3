package import ObjectModel

/// The objects that the lists of an import have named, by the relationships that allow one owner.
///
/// A list that names an object which the store gives to another owner does not take it at once: a later list of the
/// same import may name it again, and the last has it. So the same import, run twice, changes nothing the second time.
///
/// The claims of an import in chunks go from writer to writer.
package final class OwnershipClaims {
  /// The key of an owner.
  package typealias Owner = [SQLValue]

  private let layout: Layout
  /// By relationship; made when first needed.
  private var byRelationship: [RelationshipClaims?]
  /// Whether any claim waits for the end.
  package private(set) var hasDeferred = false

  package init(_ layout: Layout) {
    self.layout = layout
    byRelationship = Array(repeating: nil, count: layout.relationships.count)
  }

  /// Whether no list has named anything.
  package private(set) var isEmpty = true

  private func of(_ relationship: Int) -> RelationshipClaims {
    if let known = byRelationship[relationship] { return known }
    let new = RelationshipClaims()
    byRelationship[relationship] = new
    isEmpty = false
    return new
  }

  // MARK: - Lists

  /// Notes that a child was named together with the owner that it has now.
  package func noteNamed(_ child: Int64, by relationship: SchemaRelationship) {
    of(relationship.index).noteNamed(child)
  }

  /// Notes that a list names a child. True if the list of another owner named it before.
  ///
  /// - Parameter isChanged: Whether other values of the child came with the list than it had.
  package func noteListed(
    _ child: Int64, by relationship: SchemaRelationship, _ change: OwnerChange, isChanged: Bool,
    owner: @autoclosure () -> Owner, at place: Int?
  ) -> Bool {
    if change == .left { hasDeferred = true }
    let claims = of(relationship.index)
    let isDisputed = claims.noteListed(child, change, isChanged: isChanged, by: owner(), at: place)
    // A claim that waits for the end is doubted there.
    if isDisputed, change != .left { claims.doubt.note(isChanged: isChanged) }
    return isDisputed
  }

  /// Notes that a list took an object from an owner whose own list has it still.
  ///
  /// - Parameter isOfOther: Whether the owner has it by another relationship.
  func noteDoubt(of relationship: SchemaRelationship, isChanged: Bool, isOfOther: Bool = false) {
    of(relationship.index).doubt.note(isChanged: isChanged, isOfOther: isOfOther)
  }

  /// The evidence against one owner for the objects of each relationship.
  package private(set) var doubts: [OwnershipDoubt] = []

  package func hasNamed(_ child: Int64, by relationship: SchemaRelationship) -> Bool {
    byRelationship[relationship.index]?.hasNamed(child) ?? false
  }

  /// Notes that lists of several owners, or several objects of a one-to-one, have the same object. The relationship is
  /// reported once, at the place of the first.
  ///
  /// - Parameter ticket: Makes the ticket of the report.
  package func noteDispute(of relationship: SchemaRelationship, ticket: () -> Int) {
    let claims = of(relationship.index)
    claims.disputes += 1
    if claims.ticket == nil { claims.ticket = ticket() }
  }

  // MARK: - Claims that end

  /// Forgets the claims of an owner, since it has a new list.
  package func drop(claimedBy owner: @autoclosure () -> Owner, by relationship: SchemaRelationship) {
    guard let claims = byRelationship[relationship.index], !claims.deferred.isEmpty else { return }
    claims.drop(claimedBy: owner())
  }

  /// The owner whose list claims a child, if the claim waits for the end.
  package func claimant(of child: Int64, by relationship: Int) -> Owner? {
    byRelationship[relationship]?.deferred[child]?.owner
  }

  /// Forgets the claim of a child that says now itself that its owner is another.
  package func drop(_ child: Int64, by relationship: Int) {
    byRelationship[relationship]?.deferred[child] = nil
  }

  /// Forgets what lists claim of a row that is gone.
  package func drop(ofDeleted row: Int64, inTable table: Int) {
    guard hasDeferred else { return }
    for (index, claims) in byRelationship.enumerated() {
      guard let claims else { continue }
      let destination = layout.schema.relationships[index].destination
      if layout.entities[destination].table == table { claims.deferred[row] = nil }
    }
  }

  /// Gives the objects that lists took from others their new owners.
  ///
  /// - Parameters:
  ///   - isLast: Whether the import ends here. Else lists of its next transaction may name objects again.
  ///   - link: Links the children of a relationship by their claims, in the order of their rows.
  /// - Returns: The relationships with disputes, by their tickets.
  package func carryOut<Failure: Error>(
    isLast: Bool,
    link: (SchemaRelationship, [(child: Int64, claim: OwnershipClaim)]) throws(Failure) -> Void
  ) throws(Failure) -> [DeferredProblem] {
    var disputes: [DeferredProblem] = []
    for (index, known) in byRelationship.enumerated() {
      guard let known else { continue }
      let claims = known.deferred.sorted { $0.key < $1.key }
      if !claims.isEmpty {
        try link(layout.schema.relationships[index], claims.map { ($0.key, $0.value) })
      }
      if known.doubt.objects > 0 {
        doubts.append(OwnershipDoubt(relationship: index, counts: known.doubt))
        known.doubt = OwnershipDoubt.Counts()
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
    if isLast { isEmpty = true }
    return disputes
  }
}

/// A list's claim of an object that has another owner in the store.
package struct OwnershipClaim {
  /// The key of the owner.
  package let owner: [SQLValue]
  /// Its place in the list, where that is ordered.
  package let place: Int?
  /// Whether other values of the object came with the list than it had.
  let isChanged: Bool
}

/// The evidence against a model by which each object of a relationship has one owner: objects that a list took from an owner
/// whose own list has them still. Either they have several owners, or what tells them apart does so among those of one owner only.
package struct OwnershipDoubt: Sendable {
  package let relationship: Int
  package let counts: Counts

  package struct Counts: Sendable {
    package private(set) var objects = 0
    /// How many of them came with other values than they had.
    package private(set) var changed = 0
    /// How many of them have their other owner by another relationship.
    package private(set) var ofOthers = 0

    mutating func note(isChanged: Bool, isOfOther: Bool = false) {
      objects += 1
      if isChanged { changed += 1 }
      if isOfOther { ofOthers += 1 }
    }
  }
}

/// The claims of the lists of one relationship.
private final class RelationshipClaims {
  typealias Owner = OwnershipClaims.Owner

  /// The children that lists have named.
  private var named = RowMarks()
  /// The claims that are carried out in the end, by the child's row.
  var deferred: [Int64: OwnershipClaim] = [:]
  private var childrenByOwner: [Owner: [Int64]] = [:]
  /// How often a list named an object that another owner's list had named before.
  var disputes = 0
  /// The ticket of the first of them.
  var ticket: Int?
  var doubt = OwnershipDoubt.Counts()

  func noteNamed(_ child: Int64) {
    _ = named.add(.seen, to: child)
    deferred[child] = nil
  }

  func noteListed(
    _ child: Int64, _ change: OwnerChange, isChanged: Bool, by owner: @autoclosure () -> Owner, at place: Int?
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
      let claim = OwnershipClaim(owner: owner, place: place, isChanged: isChanged)
      let before = deferred.updateValue(claim, forKey: child)
      if before?.owner != owner { childrenByOwner[owner, default: []].append(child) }
      return before.map { $0.owner != owner } ?? wasNamed
    }
  }

  func hasNamed(_ child: Int64) -> Bool { named.marks(of: child).contains(.seen) }

  /// Forgets the claims that have been carried out, and keeps which objects were named.
  func forgetDeferred() {
    deferred = [:]
    childrenByOwner = [:]
  }

  func drop(claimedBy owner: Owner) {
    for child in childrenByOwner.removeValue(forKey: owner) ?? [] where deferred[child]?.owner == owner {
      deferred[child] = nil
    }
  }
}
