/// Why a row could not be written, or not all of it.
package struct RowProblem: Sendable {
  package enum Reason: Sendable {
    /// A new object lacks an attribute that its entity requires, given by its index.
    case missing(attribute: Int)
    /// The database cannot keep a value of an attribute as it is.
    case attributeNotKept(attribute: Int, ValueLimit)
    /// The database cannot keep a key that a relationship names.
    case linkNotKept(relationship: Int, ValueLimit)
    /// A new object says nothing of the sub-entity that it is of.
    case unknownKind
    /// A new object lacks a relationship that its entity requires.
    case missingLink(relationship: Int)
    /// Another object has the values of a uniqueness constraint.
    case notUnique(String)
    /// Another object has the values of a uniqueness constraint; the object keeps those that it had.
    case valueNotUnique(String)
    /// An object that the list no longer has cannot be without its owner, so it keeps it.
    case needsOwner(relationship: Int, key: String)
    /// Whether it is one shows when everything is written; see ``BatchWriter/runDeferredChecks(_:)``.
    case deferred(ticket: Int)
    /// An object of a list belongs to another owner, which is a part of its identity.
    case belongsToAnother(relationship: Int, key: String)
    /// The object was not deleted, since not all of the import could be used.
    case pruneWithheld(relationship: Int, key: String)
    /// The object was not deleted, since objects that the import has come across would go with it.
    case deletionTakesListed(relationship: Int, key: String)
    /// The object was not deleted, since objects would go with it that a program has changed and the server has
    /// not been told of.
    case deletionTakesUnsent(relationship: Int, key: String)
    /// Objects of the entity that the import lacks were not deleted, since not all of it could be used.
    case scopeWithheld(entity: Int)
    /// Nothing was pruned, since it came to more than is allowed.
    case tooManyDeletions(entity: Int, count: Int, most: Int)
    /// Lists of several owners have the same objects, which can have one owner only; so often.
    case severalOwners(relationship: Int, count: Int)
    /// The object cannot be deleted, since another, of an entity and with a key, would be left without what it requires.
    case deletionLeavesWithout(relationship: Int, key: String, entity: Int, holder: String)
    /// The object cannot be deleted because of its delete rules.
    case deletionDenied(relationship: Int, key: String)
  }

  /// The row of the batch.
  package var row: Int
  package var reason: Reason

  package init(row: Int, reason: Reason) {
    self.row = row
    self.reason = reason
  }
}

/// What a database does not keep of values that a store otherwise has.
package enum ValueLimit: Sendable, Hashable {
  /// The character U+0000.
  case zero
  /// More digits of a second than six. They are cut off.
  case fraction
  /// The identity's texts, with so many bytes.
  case identity(bytes: Int)
}
