/// What a transaction changed, all told: an object that it inserted and updated is inserted, one that it inserted
/// and deleted is not there, one that it deleted and inserted again is updated.
///
/// An object is updated if a value of it was written, even the same one; if a foreign key of it was, which is no
/// update of the object at the other end; and if a link of it in a join table came, went or got another place.
/// That is an update of the object that the relationship starts at, and of the other one if there is an inverse.
///
/// `INSERT OR REPLACE` counts as an insertion, whatever was there before; upserts count as what they did.
package struct ObjectChanges: Sendable {
  /// An object and the entity that it is of, or was when it was deleted.
  package struct Object: Hashable, Sendable {
    package let key: ObjectKey
    package let entity: Int

    package init(key: ObjectKey, entity: Int) { (self.key, self.entity) = (key, entity) }
  }

  /// What changed in a table. Each object is in one list, once.
  package struct InTable: Sendable {
    package var inserted: [Object] = []
    package var updated: [Object] = []
    package var deleted: [Object] = []

    package init() {}

    package var count: Int { inserted.count + updated.count + deleted.count }
    package var isEmpty: Bool { count == 0 }
    package var counts: Counts {
      Counts(inserted: inserted.count, updated: updated.count, deleted: deleted.count)
    }
  }

  /// How many rows of a table were written, where it is not told which.
  package struct Counts: Sendable, Hashable, Codable {
    package var inserted = 0
    package var updated = 0
    package var deleted = 0

    package init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
      (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
    }
  }

  /// The tables of the layout in which anything changed.
  package var tables: [Int: InTable] = [:]
  /// Whether it was an import.
  package var isImport = false
  /// Whether ``tables`` has all of it. If not, anything may have changed: the transaction had begun before
  /// anybody observed, or others made it.
  package var isComplete = true
  /// Where it does not have all: how many rows of which tables were written, if that is known. Of other tables, none was.
  package var counted: [Int: Counts]?
  /// Whether another process, or another store on the same file, made it, or several commits.
  package var isByOthers = false

  package init(isImport: Bool = false, isComplete: Bool = true, isByOthers: Bool = false) {
    (self.isImport, self.isComplete, self.isByOthers) = (isImport, isComplete, isByOthers)
  }

  package var isEmpty: Bool { isComplete && tables.isEmpty }
}
