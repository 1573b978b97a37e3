package import ObjectModel

/// A transaction of a ``Store``: what programs need of it beside imports and exports.
package protocol StoreTransaction: EngineTransaction {
  /// What a layer above keeps for the connection, by a type of its own. Cursors in it must be reset after use, or they
  /// are when the transaction ends.
  var keptObjects: [ObjectIdentifier: AnyObject] { get set }

  /// - Throws: ``StoreError`` if the transaction has ended.
  func checkIsOngoing() throws

  // MARK: - Reading

  /// A cursor over the objects of a query as they are now, whatever is written while it goes on.
  func snapshotCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor

  /// A cursor over the combinations of values that the objects of a query have, each once, where the first object comes
  /// that has it. Limit and offset of the query count combinations.
  func distinctCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor

  /// A cursor over what values of the objects of a query give together, for each combination of other values: these come
  /// first, then the result.
  ///
  /// - Parameter value: The values; nil to count objects.
  func aggregateCursor(
    _ aggregation: Aggregation, of value: SelectedColumn?, for query: Query, by groups: [SelectedColumn]
  ) throws -> any Cursor

  /// The rows of the objects of a query.
  func rows(of query: Query) throws -> [Int64]

  /// A cursor over what a path that passes a relationship to many gives of the object whose row it is told, in the order
  /// of the lists.
  func elements(of path: ResolvedPath, _ entity: SchemaEntity) throws -> any Cursor

  /// Gives the places of the texts of a query's objects where what is searched for is.
  ///
  /// - Throws: ``StoreError`` if nothing is searched for.
  func snippets(of query: Query, _ style: SnippetStyle) throws -> SnippetReader

  /// What a query depends on.
  func dependence(of query: Query, _ columns: [SelectedColumn]) throws -> QueryDependence

  /// The SQL that a query becomes, with its arguments put in, for people to look at.
  func sql(of query: Query, _ columns: [SelectedColumn]) throws -> String

  // MARK: - Objects by their rows

  /// The key of the object in a row, as reports write it; nil if there is none.
  func key(ofRow row: Int64, in table: Table) throws -> String?

  /// The row of the object with a key, as text; for an entity without identity, the key is the row.
  func row(of entity: SchemaEntity, key: String) throws -> Int64?

  /// The columns of a row of a table; none if there is no such row.
  func cells(ofRow row: Int64, in table: Table) throws -> [SQLValue]

  /// The keys of the targets of a relationship of the object in a row, in order, with those that have not arrived.
  func linkedKeys(of relationship: SchemaRelationship, row: Int64) throws -> [[SQLValue]]

  /// Whether a relationship of the object in a row leads to an object that is there.
  func hasTarget(of relationship: SchemaRelationship, row: Int64) throws -> Bool

  // MARK: - Writing

  /// Keeps others from writing until the transaction ends. To be called before anything is read: what a program reads and
  /// changes, nobody else may change in between.
  func keepOthersFromWriting() throws

  /// What writes what a program saves.
  ///
  /// - Parameter equality: Knows which values are one.
  func localWriter(_ policy: WritePolicy, equality: (any ValueEquality)?) throws -> any LocalWriter

  /// A number that is another one once a row was written.
  var changeCount: Int64 { get }

  /// What the server was not told of; nil if the store keeps no journal.
  func journal() throws -> Journal?

  /// Deletes all objects, all links, what waits, what was noted for the server and what is remembered of imports.
  func removeAll() throws

  // MARK: - Facts

  /// How many objects of each entity there are, those of its sub-entities not counted.
  func objectCounts() throws -> [String: Int]

  /// How many references wait for objects that are not there, by the entity of these objects.
  func pendingReferenceCounts() throws -> [String: Int]

  /// The bytes of all that is stored, and of those that nothing is in.
  func pageBytes() throws -> (all: Int, free: Int)

  /// The tables and indexes, each table before its indexes.
  func storedParts() throws -> [DatabaseObject]

  /// Views and triggers that Broker did not make, each with its kind: `view bands`.
  func objectsOfOthers() throws -> [String]
}

extension StoreTransaction {
  /// Views and triggers of others on a server are the server's matter.
  package func objectsOfOthers() throws -> [String] { [] }

  /// Who has the only writer of a store keeps all others from writing.
  package func keepOthersFromWriting() throws {}

  /// A cursor over the objects of a query in its order.
  package func cursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    try cursor(query, columns, isOrdered: true)
  }

  /// What a connection keeps for a type. It is made when it is first needed.
  package func kept<Value: AnyObject>(for key: Any.Type, _ make: () throws -> Value) throws -> Value {
    try checkIsOngoing()
    if let known = keptObjects[ObjectIdentifier(key)] as? Value { return known }
    let value = try make()
    keptObjects[ObjectIdentifier(key)] = value
    return value
  }
}
