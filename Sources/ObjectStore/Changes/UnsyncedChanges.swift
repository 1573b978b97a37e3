package import ObjectModel

/// The objects that an import may not touch as it likes, since a program changed them and the server has not been
/// told yet.
package final class UnsyncedChanges {
  /// What may not be changed of an object.
  package enum Protection {
    /// It is new here; the import leaves it alone.
    case everything
    /// These properties.
    case properties(Set<String>)
  }

  /// By table and row.
  private var rows: [Int: [Int64: Protection]] = [:]
  /// The keys of objects that are gone, by table.
  private var deleted: [Int: Set<String>] = [:]
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
        deleted[table, default: []].insert(entry.key)
        continue
      }
      guard let row = try row(entity, entry.key) else { continue }
      rows[table, default: [:]][row] =
        entry.kind == .inserted ? .everything : .properties(Set(entry.properties.keys))
    }
  }

  package func concerns(table: Int) -> Bool { rows[table] != nil || deleted[table] != nil }

  package func hasDeleted(_ key: String, table: Int) -> Bool { deleted[table]?.contains(key) ?? false }

  package func hasDeleted(inTable table: Int) -> Bool { deleted[table] != nil }

  /// What may not be changed of the object in a row; nil if everything may.
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
