import ObjectModel

/// An object that is in the store: its entity and its identity as the store has it.
package struct StoredObject: Sendable {
  package let rowID: Int64
  /// The entity that it is of, which may be a sub-entity of the one asked for.
  package let entity: Int
  package let identity: [SQLValue]
}

extension EngineTransaction {
  /// The object of an entity with an identity, the parts of a composite one joined by commas; nil if there is
  /// none.
  ///
  /// - Throws: ``StoreError`` if there is no such entity, if it has no identity, or one of other parts.
  package func find(_ entity: String, identity: String) throws -> StoredObject? {
    var query = Query(entity)
    query.identity = identity
    let statement = try keptCursor(query, [.row, .kind, .key])
    let asked = try layout.entity(named: entity)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    let found = statement.isNull(1) ? nil : layout.schema.index(of: statement.string(1))
    let key = (2..<statement.columnCount).map { statement.value($0) }
    return StoredObject(
      rowID: statement.integer(0), entity: found ?? asked.index,
      identity: layout.identity(ofKey: key, of: asked))
  }
}
