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
