package import ObjectModel

/// What imports and exports need of a transaction. A transaction that only reads refuses to write.
package protocol EngineTransaction: AnyObject {
  var layout: Layout { get }
  /// Whether what it writes is an import, for those who observe the store.
  var isImport: Bool { get set }

  // MARK: - Reading

  /// A cursor over the objects of a query.
  ///
  /// - Parameter isOrdered: Whether the order matters; it does not to a lone object.
  /// - Throws: ``StoreError`` if the query names what is not in the model, or asks for what the engine does not offer;
  ///   ``ObjectPredicateError`` if a condition does not fit the model.
  func cursor(_ query: Query, _ columns: [SelectedColumn], isOrdered: Bool) throws -> any Cursor

  /// As ``cursor(_:_:isOrdered:)`` without an order, one that may be kept for the next time the same is asked.
  func keptCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor

  /// How many objects a query has.
  func count(_ query: Query) throws -> Int

  /// The row of the object with an identity, as text; for an entity without identity, that is the row.
  func row(of entity: SchemaEntity, identity: String) throws -> Int64?

  /// A cursor over the targets of a relationship of the object whose row it is told: their ``SelectedColumn/row``,
  /// ``SelectedColumn/kind`` and ``SelectedColumn/stored``, and behind them what the link itself knows of each. Of a join
  /// table, that is the target's key, also of targets that have not arrived, for which all before is null; of an ordered
  /// list that the targets keep, the place.
  func targets(of relationship: SchemaRelationship) throws -> any Cursor

  /// A cursor over the keys of the targets of a relationship of the object whose row it is told, of those that have not
  /// arrived too where the link itself tells, with the place of each behind them where the targets keep it.
  func targetKeys(of relationship: SchemaRelationship) throws -> any Cursor

  /// Whether any object waits for others that have not arrived, in lists that the others keep.
  func hasPendingTargets() throws -> Bool

  /// A cursor over the keys, as text, that the store remembers for a relationship of an object until their objects come,
  /// each with its place. It is told the relationship as `Entity.name` and the owner's key as text.
  func pendingTargets() throws -> any Cursor

  // MARK: - What the store remembers for the layers above

  /// The text under a key; nil if there is none.
  func remembered(under key: String) throws -> String?

  /// Has the store remember a text under a key.
  func remember(_ text: String, under key: String) throws

  /// Has the store remember an import. It keeps the last ``ImportRecord/most``.
  ///
  /// - Parameter number: The number of an import that goes on, whose record this one replaces.
  /// - Returns: The number of the import.
  func remember(_ record: ImportRecord, number: Int64?) throws -> Int64

  /// The imports that the store remembers, the last one first.
  func importHistory() throws -> [ImportRecord]

  /// Forgets all imports.
  func forgetImports() throws

  // MARK: - Writing

  /// Runs `body`, a step of the transaction: all that it does, or if it throws, nothing.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result

  /// What writes batches in this transaction.
  ///
  /// - Parameter former: What the writer of the former transaction of the same import left to be done.
  func batchWriter(_ policy: WritePolicy, continuing former: (any ChunkState)?) throws
    -> any BatchWriter
}

extension EngineTransaction {
  package func keptCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    try cursor(query, columns, isOrdered: false)
  }
}
