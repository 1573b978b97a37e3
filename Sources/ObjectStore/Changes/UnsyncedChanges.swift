import Bytes
package import ObjectModel

/// The objects that an import may not touch as it likes, since a program changed them and the server has not been
/// told yet.
package final class UnsyncedChanges {
  /// The protection of an object.
  package enum Protection {
    /// All of a new object; the import leaves it alone.
    case everything
    /// Some properties, by name.
    case properties(Set<String>)
  }

  /// By table and row.
  private var rows: [Int: [Int64: Protection]] = [:]
  /// The keys of objects that are gone, by table.
  private var deleted: [Int: Set<ExactText>] = [:]
  /// The keys that a program has replaced; nil if there are none.
  package let renamed: RenamedKeys?

  /// Nil if there are none.
  ///
  /// - Parameters:
  ///   - isProtective: Whether imports leave the changes alone. If they overwrite them, they still find renamed objects.
  ///   - row: Finds the row of the object of an entity with a key, as text.
  package init?(
    _ entries: [JournalEntry], _ layout: Layout, isProtective: Bool,
    row: (SchemaEntity, String) throws -> Int64?
  ) rethrows {
    renamed = RenamedKeys(entries, layout)
    guard isProtective ? !entries.isEmpty : renamed != nil else { return nil }
    guard isProtective else { return }
    for entry in entries {
      guard let entity = layout.schema.entity(entry.entity) else { continue }
      let table = layout.entities[entity.index].table
      guard entry.kind != .deleted else {
        deleted[table, default: []].insert(ExactText(entry.key))
        continue
      }
      guard let row = try row(entity, entry.key) else { continue }
      rows[table, default: [:]][row] =
        entry.kind == .inserted ? .everything : .properties(Set(entry.properties.keys))
    }
  }

  package func concerns(table: Int) -> Bool { rows[table] != nil || deleted[table] != nil }

  package func hasDeleted(_ key: String, table: Int) -> Bool {
    deleted[table]?.contains(ExactText(key)) ?? false
  }

  package func hasDeleted(inTable table: Int) -> Bool { deleted[table] != nil }

  /// The protection of the object in a row; nil if everything may be changed.
  package func protection(of row: Int64, table: Int) -> Protection? { rows[table]?[row] }

  /// Whether a property of the object in a row may not be changed.
  package func protects(_ property: String, of row: Int64, table: Int) -> Bool {
    switch protection(of: row, table: table) {
    case nil: false
    case .everything: true
    case .properties(let names): names.contains(property)
    }
  }
}

/// The keys under which the server still knows objects that a program has renamed. JSON that has such a key is about the
/// renamed object.
package struct RenamedKeys {
  /// A place in a table's keys where a key of another table is.
  private struct Part {
    let table: Int
    let columns: [Int]
  }

  /// By table, the present keys by the former ones as text.
  private var keys: [Int: [ExactText: [SQLValue]]] = [:]
  /// By table, the places of its keys that hold renamed keys, the smallest first: keys in keys in keys.
  private var parts: [Int: [Part]] = [:]

  /// Nil if no object was renamed.
  init?(_ entries: [JournalEntry], _ layout: Layout) {
    for entry in entries where entry.kind != .deleted {
      guard let former = entry.former.map(ExactText.init), let entity = layout.schema.entity(entry.entity),
        let key = layout.key(ofText: entry.key, of: entity)
      else { continue }
      let table = layout.entities[entity.index].table
      // A new object that had the same key later is not what the server means.
      if entry.kind == .inserted, keys[table]?[former] != nil { continue }
      keys[table, default: [:]][former] = key
    }
    guard !keys.isEmpty else { return nil }
    for (table, described) in layout.tables.enumerated() {
      let root = layout.schema.entities[described.root]
      var found: [Part] = []
      for other in keys.keys where other != table {
        let target = layout.schema.entities[layout.tables[other].root]
        found += KeyPlaces(of: target, in: root, layout.schema).groups.map { Part(table: other, columns: $0) }
      }
      if !found.isEmpty { parts[table] = found.sorted { $0.columns.count < $1.columns.count } }
    }
  }

  func concern(table: Int) -> Bool { keys[table] != nil || parts[table] != nil }

  /// The present key of the object that the server knows under a key; nil if that is the same.
  func presentKey(of key: [SQLValue], table: Int) -> [SQLValue]? {
    var result = key
    for part in parts[table] ?? [] {
      let inner = ExactText(KeyText.text(of: part.columns.map { result[$0] }))
      guard let present = keys[part.table]?[inner] else { continue }
      for (column, value) in zip(part.columns, present) { result[column] = value }
    }
    if let present = keys[table]?[ExactText(KeyText.text(of: result))] { result = present }
    return result == key ? nil : result
  }
}

/// Former keys give way to present ones before rows are written.
extension RowBatch {
  /// Puts present keys in place of former ones: in the rows of records, in their references and their lists.
  package mutating func replaceFormerKeys(_ renamed: RenamedKeys, in records: Range<Int>, _ layout: Layout) {
    guard let first = records.first, let last = records.last else { return }
    for row in roots[first]..<end(ofRecord: last) {
      let model = layout.entities[rows[row].entity]
      for index in model.entity.relationships { replaceReference(index, of: row, model, renamed, layout) }
      if model.entity.hasIdentity, renamed.concern(table: model.table) {
        replaceKey(of: row, model, renamed, layout)
      }
      replaceTargets(of: row, renamed, layout)
    }
  }

  private mutating func replaceReference(
    _ relationship: Int, of row: Int, _ model: EntityLayout, _ renamed: RenamedKeys, _ layout: Layout
  ) {
    guard case .foreignKey(let columns) = layout.relationships[relationship] else { return }
    let table = layout.entities[layout.schema.relationships[relationship].destination].table
    guard renamed.concern(table: table) else { return }
    let slots = model.slots(of: columns)
    guard let values = values(slots.map { self[row, $0] }),
      let key = renamed.presentKey(of: values, table: table)
    else { return }
    for (slot, value) in zip(slots, key) {
      let cell = cell(of: value)
      self[row, slot] = cell
    }
  }

  private mutating func replaceKey(
    of row: Int, _ model: EntityLayout, _ renamed: RenamedKeys, _ layout: Layout
  ) {
    let resolved = key(of: row, layout)
    guard let values = values(resolved), let key = renamed.presentKey(of: values, table: model.table) else {
      return
    }
    rows[row].hasFormerKey = true
    replace(model.keySlots, of: row, key)
    guard model.entity.isIdentifiedBelowRoot else { return }
    replace(model.identitySlots, of: row, layout.identity(ofKey: key, of: model.entity))
  }

  /// Sets cells, but for those that take the value from a nested row.
  private mutating func replace(_ slots: [Int], of row: Int, _ values: [SQLValue]) {
    for (slot, value) in zip(slots, values) where self[row, slot].kind != .row {
      let cell = cell(of: value)
      self[row, slot] = cell
      noteInSnapshots(of: row, slot, cell)
    }
  }

  private mutating func replaceTargets(of row: Int, _ renamed: RenamedKeys, _ layout: Layout) {
    var next = rows[row].firstList
    while next >= 0 {
      let list = lists[next]
      next = list.next
      let destination = layout.schema.entities[layout.schema.relationships[list.relationship].destination]
      let table = layout.entities[destination.index].table
      guard destination.hasIdentity, renamed.concern(table: table) else { continue }
      let width = layout.tables[table].key.count
      var index = list.firstTarget
      for _ in 0..<list.count {
        guard targets[index].kind != .row else {
          index += 1
          continue
        }
        if let values = values((0..<width).map { targets[index + $0] }),
          let key = renamed.presentKey(of: values, table: table)
        {
          for (part, value) in key.enumerated() {
            let cell = cell(of: value)
            targets[index + part] = cell
          }
        }
        index += width
      }
    }
  }

  /// The values of cells; nil unless all of them have one of their own.
  private func values(_ cells: [Cell]) -> [SQLValue]? {
    var result: [SQLValue] = []
    for cell in cells {
      guard cell.isPresent, cell.kind != .null, cell.kind != .row else { return nil }
      result.append(value(of: cell))
    }
    return result
  }

  /// A part of a key as a cell.
  package mutating func cell(of part: SQLValue) -> Cell {
    switch part {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let number): .real(number)
    case .text(let text): self.text(text)
    case .blob(let bytes): self.text(String(decoding: bytes, as: UTF8.self))
    }
  }
}
