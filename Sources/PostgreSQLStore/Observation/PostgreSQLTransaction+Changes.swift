#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import UnitOfWork

  /// What a transaction that is about to be committed has changed, all told.
  extension PostgreSQLTransaction {
    func changes() throws -> ObjectChanges {
      let notes = session.changes
      var changes = ObjectChanges(isImport: isImport, isComplete: !notes.lacksObjects)
      guard changes.isComplete else {
        if !notes.lacksCounts { changes.counted = notes.countsOfTables }
        return changes
      }
      let objects = ChangedObjects(notes.entries)
      fetch(objects.touched(layout))
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

    /// What has to be looked up: objects that are not known but by their links.
    func touched(_ layout: Layout) -> PrefetchRequest {
      var needed = PrefetchRequest(layout, nil)
      for (table, objects) in tables {
        for object in objects where object.fate.isTouched {
          needed.add(RowKey(object.key.parts, Value.init), to: table)
        }
      }
      return needed
    }
  }
#endif
