/// A row that is to be written.
package struct RowStep {
  package let row: Int
  /// For an entity without identity, the row of the object to update.
  package let existing: Int64?
  /// Whether it takes the place of the existing object, rather than tell more of it.
  package let isReplacement: Bool
  /// The changes of the owned objects that its foreign keys lead to.
  var ownedObjects: OwnedObjectChanges?

  package init(_ row: Int, over existing: Int64? = nil, isReplacement: Bool = false) {
    self.row = row
    self.existing = existing
    self.isReplacement = isReplacement
  }

  struct OwnedObjectChanges {
    /// Objects that the row no longer leads to, which go once it is written.
    var released: [RowLocation] = []
    /// Objects that were made for it, which go if it cannot be written.
    var inserted: [(entity: Int, row: Int64)] = []
  }
}

/// The result of writing a row.
package enum WriteResult {
  case written(WrittenRow)
  case problem(RowProblem.Reason)
}

/// The effect of writing a row.
package struct WrittenRow {
  package let outcome: WriteCounter.Outcome
  package let row: Int64
  /// The change of the row's owner by the list that names the row; see ``OwnershipClaims``.
  package var ownerChange = OwnerChange.none
  /// Whether values of the object gave way to others, if that matters.
  package var replacesValues = false
  /// The values that were there and came, of an object that was changed, if that matters.
  package var compared: ComparedValues?
  /// The entity that the object was of before it turned into another kind.
  package var formerKind: Int?

  package init(
    _ outcome: WriteCounter.Outcome, row: Int64, ownerChange: OwnerChange = .none,
    replacesValues: Bool = false, compared: ComparedValues? = nil, formerKind: Int? = nil
  ) {
    self.outcome = outcome
    self.row = row
    self.ownerChange = ownerChange
    self.replacesValues = replacesValues
    self.compared = compared
    self.formerKind = formerKind
  }
}

/// The stored object that a row is about.
package struct StoredVersion {
  package let row: Int64
  /// Whether its version is newer than the row's.
  package let isNewer: Bool

  package init(row: Int64, isNewer: Bool) { (self.row, self.isNewer) = (row, isNewer) }
}

/// A target of a list that is in the store.
package struct StoredChild {
  package let row: Int64
  package let hasOwner: Bool
  /// Whether its owner is the one that was asked about.
  package let isOwnedAlready: Bool

  package init(row: Int64, hasOwner: Bool, isOwnedAlready: Bool) {
    (self.row, self.hasOwner, self.isOwnedAlready) = (row, hasOwner, isOwnedAlready)
  }
}

/// A link that waited for an object, which has come.
package struct ArrivedLink {
  package let number: Int64
  package let relationship: Int
  /// The key of the owner, as text.
  package let owner: String
  package let place: Int64?

  package init(number: Int64, relationship: Int, owner: String, place: Int64?) {
    (self.number, self.relationship, self.owner, self.place) = (number, relationship, owner, place)
  }
}
