package import ObjectModel

/// The net changes of a transaction: an object that it inserted and updated is inserted, one that it inserted
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

  /// The changes of a table. Each object is in one list, once.
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

/// A change of an object in a transaction.
package enum ChangeOperation: UInt8, BitwiseCopyable {
  case insert
  case update
  case delete
  /// A link of the object changed. The object need not be there.
  case touch
}

/// The net change of an object in a transaction.
package struct NetChange: BitwiseCopyable {
  /// Whether it was there when the transaction began, and whether it is in the end. Neither is known of what was
  /// touched only.
  private(set) var wasThere: Bool
  private(set) var isThere: Bool
  package private(set) var isTouched: Bool

  package init(_ first: ChangeOperation) {
    isTouched = first == .touch
    wasThere = first == .update || first == .delete
    isThere = first == .insert || first == .update
  }

  package mutating func add(_ next: ChangeOperation) {
    guard next != .touch else { return }
    if isTouched { wasThere = next != .insert }
    isTouched = false
    isThere = next != .delete
  }
}

extension ObjectChanges.InTable {
  /// Adds an object by its fate, which is more than that it was touched.
  package mutating func add(_ object: ObjectChanges.Object, _ fate: NetChange) {
    switch (fate.wasThere, fate.isThere) {
    case (false, false): break
    case (false, true): inserted.append(object)
    case (true, true): updated.append(object)
    case (true, false): deleted.append(object)
    }
  }
}

/// The state of an object at one moment, to be compared with a later one.
package struct ObjectSnapshot {
  private let entity: SchemaEntity
  private let layout: Layout
  /// The columns of the row; empty if there is none.
  private var cells: [SQLValue] = []
  /// The keys that lists lead to, by relationship.
  private var lists: [Int: [[SQLValue]]] = [:]

  /// - Parameter relationships: Those to look at that are not kept in the row itself.
  package init(
    _ row: Int64?, of entity: SchemaEntity, _ relationships: [SchemaRelationship],
    _ transaction: any StoreTransaction
  ) throws {
    self.entity = entity
    layout = transaction.layout
    guard let row else { return }
    let table = layout.table(of: entity.index)
    cells = try transaction.cells(ofRow: row, in: table)
    for relationship in relationships {
      lists[relationship.index] = try transaction.linkedKeys(of: relationship, row: row)
    }
  }

  package var exists: Bool { !cells.isEmpty }

  /// The names of the properties that are others later.
  package func changes(to later: ObjectSnapshot) -> [String] {
    guard exists, later.exists else { return [] }
    let place = layout.entities[entity.index]
    var names: [String] = []
    for (index, attribute) in entity.attributes.enumerated() {
      let column = place.slots[place.attributeSlots[index]]
      if cells[column] != later.cells[column] { names.append(attribute.name) }
    }
    for index in entity.relationships {
      let name = layout.schema.relationships[index].name
      switch layout.relationships[index] {
      case .foreignKey(let columns):
        if columns.contains(where: { cells[$0] != later.cells[$0] }) { names.append(name) }
      case .inverse, .join:
        if lists[index] ?? [] != later.lists[index] ?? [] { names.append(name) }
      }
    }
    return names
  }

  /// The keys that a list lost or got.
  package func differences(of relationship: SchemaRelationship, to later: ObjectSnapshot) -> Set<[SQLValue]> {
    Set(lists[relationship.index] ?? []).symmetricDifference(later.lists[relationship.index] ?? [])
  }
}
