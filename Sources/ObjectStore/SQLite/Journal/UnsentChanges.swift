package import ObjectModel

/// The objects that an import may not touch as it likes, since a program changed them and the server has not been
/// told yet.
final class UnsentChanges {
  /// What may not be changed of an object.
  enum Protection {
    /// It is new here; the import leaves it alone.
    case everything
    /// These properties.
    case properties(Set<String>)
  }

  /// By table and row.
  private var rows: [Int: [Int64: Protection]] = [:]
  /// The keys of objects that are gone, by table.
  private var deleted: [Int: Set<String>] = [:]

  /// Nil if there are none.
  init?(_ transaction: SQLiteTransaction) throws {
    guard let entries = try transaction.journal()?.entries(), !entries.isEmpty else { return nil }
    for entry in entries {
      guard let entity = transaction.layout.schema.entity(entry.entity) else { continue }
      let table = transaction.layout.entities[entity.index].table
      guard entry.kind != .deleted else {
        deleted[table, default: []].insert(entry.key)
        continue
      }
      guard let row = try transaction.row(of: entity, key: entry.key) else { continue }
      rows[table, default: [:]][row] =
        entry.kind == .inserted ? .everything : .properties(Set(entry.properties.keys))
    }
  }

  func concerns(table: Int) -> Bool { rows[table] != nil || deleted[table] != nil }

  func hasDeleted(_ key: String, table: Int) -> Bool { deleted[table]?.contains(key) ?? false }

  func hasDeleted(inTable table: Int) -> Bool { deleted[table] != nil }

  /// What may not be changed of the object in a row; nil if everything may.
  func protection(of row: Int64, table: Int) -> Protection? { rows[table]?[row] }

  /// Whether a property of the object in a row may not be changed.
  func protects(_ property: String, of row: Int64, table: Int) -> Bool {
    switch protection(of: row, table: table) {
    case nil: false
    case .everything: true
    case .properties(let names): names.contains(property)
    }
  }
}

extension SQLiteTransaction {
  /// The row of the object with an identity, as text; for an entity without identity, that is the row.
  package func row(of entity: SchemaEntity, identity: String) throws -> Int64? {
    try row(of: entity, key: layout.keyText(ofIdentity: identity, of: entity))
  }

  /// The row of the object with a key, as text; for an entity without identity, the key is the row.
  package func row(of entity: SchemaEntity, key: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    guard let parts = KeyText.split(key, count: table.key.count) else { return nil }
    let statement = try cached(
      "SELECT rowid FROM \(SQL.quoted(table.name)) WHERE \(SQL.equal(table.key.map { table.columns[$0].name }))"
    )
    for (index, part) in parts.enumerated() { statement.bind(part, at: index + 1) }
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return statement.integer(0)
  }
}
