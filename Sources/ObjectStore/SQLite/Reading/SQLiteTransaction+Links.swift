package import ObjectModel

/// How SQLite answers what relationships of a row lead to.
extension SQLiteTransaction {
  /// A cursor over the targets of a relationship of the object whose row it is told: their ``SelectedColumn/row``,
  /// ``SelectedColumn/kind`` and ``SelectedColumn/stored``, and behind them what the link itself knows of each. Of a join
  /// table, that is the target's key, also of targets that have not arrived, for which all before is null; of an ordered
  /// list that the targets keep, the place.
  package func targets(of relationship: SchemaRelationship) throws -> any Cursor {
    let table = layout.table(of: relationship.destination)
    let kind = table.kindColumn.map { "t.\(SQL.quoted($0))" } ?? "NULL"
    let columns = ["t.rowid", kind] + table.columns.map { "t.\(SQL.quoted($0.name))" }
    return try prepare(
      RelationshipSQL(layout: layout, relationship: relationship).targets(selecting: columns))
  }

  /// A cursor over the keys of the targets of a relationship of the object whose row it is told, of those that have not
  /// arrived too where the link itself tells, with the place of each behind them where the targets keep it.
  package func targetKeys(of relationship: SchemaRelationship) throws -> any Cursor {
    try prepare(RelationshipSQL(layout: layout, relationship: relationship).keysAndPlaces)
  }

  /// Whether any object waits for others that have not arrived, in lists that the others keep.
  package func hasPendingTargets() throws -> Bool {
    try prepare("SELECT 1 FROM \(SQL.quoted(StoreTable.pending)) LIMIT 1").onlyInteger() != nil
  }

  /// A cursor over the keys, as text, that the store remembers for a relationship of an object until their objects come,
  /// each with its place. It is told the relationship as `Entity.name` and the owner's key as text.
  package func pendingTargets() throws -> any Cursor {
    try prepare(
      """
      SELECT "target", "position" FROM \(SQL.quoted(StoreTable.pending))
      WHERE "relationship" = ?1 AND "owner" = ?2 ORDER BY "position" NULLS LAST, "target"
      """)
  }

  /// A cursor over what a path that passes a relationship to many gives of the object whose row it is told, in the order
  /// of the lists.
  package func elements(of path: ResolvedPath, _ entity: SchemaEntity) throws -> any Cursor {
    try prepare(path.elementsSQL(of: entity, layout, SQLiteDialect()))
  }
}
