import ObjectModel

/// Makes of a log what has changed in the end.
struct ChangeSummary {
  let transaction: StoreTransaction

  /// What a log has told of an object.
  private struct Fate {
    var key: ObjectKey
    var entity: Int
    /// Whether it was there when the transaction began; nil if only links of it were written.
    var wasThere: Bool?
    var isThere = true

    init(_ entry: ChangeLog.Entry) {
      key = entry.key
      entity = Int(entry.entity)
      guard entry.operation != .touch else { return }
      wasThere = entry.operation != .insert
      isThere = entry.operation != .delete
    }

    mutating func add(_ entry: ChangeLog.Entry) {
      guard entry.operation != .touch else { return }
      if wasThere == nil { wasThere = entry.operation != .insert }
      isThere = entry.operation != .delete
      entity = Int(entry.entity)
    }
  }

  /// - Throws: ``StoreError`` if SQLite cannot look up what was linked.
  func changes(of log: ChangeLog) throws -> [Int: ObjectChanges.InTable] {
    var result: [Int: ObjectChanges.InTable] = [:]
    for (table, entries) in log.entries.enumerated() where !entries.isEmpty {
      var changes = ObjectChanges.InTable()
      if areApart(entries) {
        for entry in entries { try add(Fate(entry), to: &changes, table) }
      } else {
        for fate in fates(entries) { try add(fate, to: &changes, table) }
      }
      if !changes.isEmpty { result[table] = changes }
    }
    return result
  }

  /// Whether the keys ascend, as they often do: then nothing is told twice of an object.
  private func areApart(_ entries: [ChangeLog.Entry]) -> Bool {
    var last = Int64.min
    for entry in entries {
      guard case .integer(let key) = entry.key, key > last else { return false }
      last = key
    }
    return true
  }

  private func fates(_ entries: [ChangeLog.Entry]) -> [Fate] {
    var fates: [Fate] = []
    var places: [ObjectKey: Int] = [:]
    for entry in entries {
      // What is written is often written again at once.
      if let last = fates.last, last.key == entry.key {
        fates[fates.count - 1].add(entry)
      } else if let place = places[entry.key] {
        fates[place].add(entry)
      } else {
        places[entry.key] = fates.count
        fates.append(Fate(entry))
      }
    }
    return fates
  }

  private func add(_ fate: Fate, to changes: inout ObjectChanges.InTable, _ table: Int) throws {
    let object = ObjectChanges.Object(key: fate.key, entity: fate.entity)
    switch (fate.wasThere, fate.isThere) {
    case (false?, true): changes.inserted.append(object)
    case (true?, true): changes.updated.append(object)
    case (true?, false): changes.deleted.append(object)
    case (false?, false): break
    case (nil, _):
      // A link may lead to an object that is not there.
      guard let entity = try entity(of: fate.key, table) else { return }
      changes.updated.append(ObjectChanges.Object(key: fate.key, entity: entity))
    }
  }

  // MARK: - The tables

  /// The entity of an object; nil if it is not there.
  private func entity(of key: ObjectKey, _ index: Int) throws -> Int? {
    let table = transaction.layout.tables[index]
    let statement = try transaction.cached(
      "SELECT \(kind(table)) FROM \(SQL.quoted(table.name))"
        + " WHERE \(SQL.equal(table.key.map { table.columns[$0].name }))")
    for (place, part) in key.parts.enumerated() { statement.bind(part, at: place + 1) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return entity(statement, 0, table)
  }

  /// All objects, which are inserted if the store is new.
  func everything() throws -> [Int: ObjectChanges.InTable] {
    var result: [Int: ObjectChanges.InTable] = [:]
    for (index, table) in transaction.layout.tables.enumerated() {
      let key = SQL.list(table.key.map { table.columns[$0].name })
      let statement = try transaction.cached("SELECT \(kind(table)), \(key) FROM \(SQL.quoted(table.name))")
      var changes = ObjectChanges.InTable()
      while try statement.step() {
        changes.inserted.append(
          ObjectChanges.Object(
            key: ObjectKey(statement, 1..<table.key.count + 1), entity: entity(statement, 0, table)))
      }
      if !changes.isEmpty { result[index] = changes }
    }
    return result
  }

  private func kind(_ table: Table) -> String { table.kindColumn.map(SQL.quoted) ?? "NULL" }

  private func entity(_ statement: PreparedStatement, _ column: Int, _ table: Table) -> Int {
    guard table.kindColumn != nil else { return table.root }
    return transaction.layout.schema.index(of: statement.string(column)) ?? table.root
  }
}
