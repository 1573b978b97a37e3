#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import UnitOfWork

  /// The changes of a transaction so far, in their order, for those who observe the store.
  ///
  /// While nobody observes it in this process, it notes only as many objects as a notification to others can name, and
  /// counts the rest.
  struct TransactionChanges {
    struct Entry {
      let table: Int
      let key: ObjectKey
      let operation: ChangeOperation
      /// Unknown, -1, of an object that was touched only.
      let entity: Int
    }

    /// Whether every object is noted, be they ever so many.
    let keepsAll: Bool
    private(set) var entries: [Entry] = []
    /// How many rows were written, by table. A row counts as often as it was written.
    private var counts: [ObjectChanges.Counts]
    /// How often anything was noted; it never becomes less.
    private(set) var total: Int64 = 0
    /// Whether some objects are counted only.
    private(set) var lacksObjects = false
    /// Whether it is not known how many rows were written.
    private(set) var lacksCounts = false

    /// How many are noted while nobody observes. A notification has room for about as many.
    private static let most = 200

    init(tables: Int, keepsAll: Bool) {
      self.keepsAll = keepsAll
      counts = Array(repeating: .init(), count: tables)
    }

    /// Whether so many objects more can be noted. If not, they are to be counted only.
    func hasRoom(for count: Int) -> Bool { keepsAll || entries.count + count <= Self.most }

    mutating func add(_ operation: ChangeOperation, _ key: ObjectKey, entity: Int, table: Int) {
      count(operation, table)
      entries.append(Entry(table: table, key: key, operation: operation, entity: entity))
    }

    /// Notes that rows were written whose keys are not known.
    mutating func add(_ operation: ChangeOperation, times: Int, table: Int) {
      guard times > 0 else { return }
      lacksObjects = true
      count(operation, table, times: times)
    }

    /// Notes that anything may have changed.
    mutating func addAnything() {
      (lacksObjects, lacksCounts) = (true, true)
      total += 1
    }

    /// Whether anything was written that is not undone.
    var areThere: Bool { lacksCounts || counts.contains { $0 != .init() } }

    /// How many rows were written, by the tables that have any.
    var countsOfTables: [Int: ObjectChanges.Counts] {
      Dictionary(uniqueKeysWithValues: counts.enumerated().filter { $0.element != .init() }.map { ($0, $1) })
    }

    private mutating func count(_ operation: ChangeOperation, _ table: Int, times: Int = 1) {
      total += Int64(times)
      switch operation {
      case .insert: counts[table].inserted += times
      case .update, .touch: counts[table].updated += times
      case .delete: counts[table].deleted += times
      }
    }

    // MARK: - Savepoints

    /// A state to go back to, which takes no copy of the entries.
    struct Mark {
      fileprivate let entries: Int
      fileprivate let counts: [ObjectChanges.Counts]
      fileprivate let lacksObjects: Bool
      fileprivate let lacksCounts: Bool
    }

    var mark: Mark {
      Mark(entries: entries.count, counts: counts, lacksObjects: lacksObjects, lacksCounts: lacksCounts)
    }

    mutating func undo(to mark: Mark) {
      entries.removeSubrange(min(mark.entries, entries.count)...)
      (counts, lacksObjects, lacksCounts) = (mark.counts, mark.lacksObjects, mark.lacksCounts)
    }
  }

  /// The net changes of a transaction that is about to be committed.
  extension PostgreSQLTransaction {
    func changes() throws -> ObjectChanges {
      let notes = session.changes
      var changes = ObjectChanges(isImport: isImport, isComplete: !notes.lacksObjects)
      guard changes.isComplete else {
        if !notes.lacksCounts { changes.counted = notes.countsOfTables }
        return changes
      }
      let objects = ChangedObjects(notes.entries)
      state.fetch(objects.touched(state))
      try checkReading()
      for (table, objects) in objects.tables {
        var inTable = ObjectChanges.InTable()
        for object in objects {
          if !object.fate.isTouched {
            inTable.add(.init(key: object.key, entity: object.entity), object.fate)
          } else if let entity = entity(of: object.key, inTable: table) {
            inTable.updated.append(.init(key: object.key, entity: entity))
          }
        }
        if !inTable.isEmpty { changes.tables[table] = inTable }
      }
      try checkReading()
      return changes
    }

    /// The entity of an object; nil if it is not there, as a link may lead to one that has not arrived.
    private func entity(of key: ObjectKey, inTable table: Int) -> Int? {
      state.tables[table].find(RowKey(key.parts, Value.init)).flatMap { state.tables[table][$0]?.entity }
    }
  }

  /// The objects of notes, each once, in the order in which they came.
  private struct ChangedObjects {
    struct Object {
      let key: ObjectKey
      var entity: Int
      var fate: NetChange
    }

    private(set) var tables: [Int: [Object]] = [:]

    init(_ entries: [TransactionChanges.Entry]) {
      var places: [Int: [ObjectKey: Int]] = [:]
      for entry in entries {
        if let place = places[entry.table]?[entry.key] {
          tables[entry.table]?[place].fate.add(entry.operation)
          if entry.operation != .touch { tables[entry.table]?[place].entity = entry.entity }
        } else {
          places[entry.table, default: [:]][entry.key] = tables[entry.table]?.count ?? 0
          tables[entry.table, default: []].append(
            Object(key: entry.key, entity: entry.entity, fate: NetChange(entry.operation)))
        }
      }
    }

    /// The look-ups: objects that are known by their links only.
    func touched(_ state: IdentityMap) -> PrefetchRequest {
      var needed = PrefetchRequest(state)
      for (table, objects) in tables {
        for object in objects where object.fate.isTouched {
          needed.add(RowKey(object.key.parts, Value.init), to: table)
        }
      }
      return needed
    }
  }
#endif
