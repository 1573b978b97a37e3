import Bytes
import ObjectModel

/// How far the writing of a list of children has come; see ``ChildLists``.
final class ChildLinkStep {
  let lists: ChildLists
  let list: LinkList
  let owner: Int
  let ownerKey: [Cell]
  /// The children that the owner has and the list has not.
  var leaving: [Int64] = []
  /// The places of the targets that are still to come; nil for those that keep theirs.
  var places: IndexingIterator<[Int?]> = [].makeIterator()
  /// What the store remembers of the owner and the list has not named yet.
  var waiting = WaitingLinks()
  /// How many targets have been looked at, and where the next begins.
  var position = 0
  var target: Int
  /// The place of the target that was looked at last.
  var place: Int?
  /// The row of that target, while it is being written.
  var writtenRow: Int?

  init(_ lists: ChildLists, _ list: LinkList, of owner: Int, _ ownerKey: [Cell]) {
    self.lists = lists
    self.list = list
    self.owner = owner
    self.ownerKey = ownerKey
    target = list.firstTarget
  }

  /// The owner's key as values that outlive the batch.
  func ownerValues(_ batch: borrowing RowBatch) -> [SQLValue] {
    var values: [SQLValue] = []
    for cell in ownerKey { values.append(batch.value(of: cell)) }
    return values
  }
}

/// How far the writing of a list in a join table has come; see ``JoinLists``.
final class JoinLinkStep {
  let lists: JoinLists
  let list: LinkList
  let owner: Int
  let ownerKey: [Cell]
  /// How many targets have been written, and where the next begins.
  var position = 0
  var target: Int
  /// Of targets without identity, the row ids of those that stay though the list has them not, since what seems to
  /// be missing may be what could not be read.
  var keptParts: Set<Int64> = []
  /// Whether those of sub-entities that have an identity stay as well.
  var keepsIdentifiedParts = false

  init(_ lists: JoinLists, _ list: LinkList, of owner: Int, _ ownerKey: [Cell]) {
    self.lists = lists
    self.list = list
    self.owner = owner
    self.ownerKey = ownerKey
    target = list.firstTarget
  }

  /// Whether a target without identity, or the key of one that has one as an object of a sub-entity, stays though the
  /// list has it not.
  func keeps(_ existing: PreparedStatement, column: Int) -> Bool {
    existing.storage(column) == .text ? keepsIdentifiedParts : keptParts.contains(existing.integer(column))
  }
}
