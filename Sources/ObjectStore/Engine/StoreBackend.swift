import Bytes
package import ObjectModel

/// The backend of a ``Store``: an engine that programs use as well, not only imports and exports.
package protocol StoreBackend: StoreEngine where Transaction: StoreTransaction {
  /// Where the store is, as people write it; without a password.
  var path: String { get }
  /// The model and the mapping as they were given, the mapping not yet written into the model.
  var description: StoreDescription { get }
  /// Whether who reads keeps all others from the store, as in memory.
  var hasOneConnection: Bool { get }
  /// The observers.
  var observers: Observers { get }

  /// Runs `body` in a transaction, as `transaction(isCancelled:_:)` does, on a thread that tasks do not need.
  ///
  /// A task that is cancelled neither waits nor writes any longer: everything is undone. Once the transaction is
  /// committed, its result stands.
  ///
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  func asyncTransaction<Result: Sendable>(
    isolation: isolated (any Actor)?,
    _ body: @Sendable (Transaction) throws -> (Result, TransactionEnding)
  ) async throws -> Result

  /// Runs `body` on what the store holds now, as `read(_:)` does, on a thread that tasks do not need.
  ///
  /// - Parameter isLong: Whether it may last for as long as whoever it serves asks the store other things. Then it does
  ///   not count among the connections, of which there would be none left for that.
  /// - Throws: What `body` throws, ``StoreError``; `CancellationError` if the task was cancelled before the end.
  func asyncRead<Result: Sendable>(
    isLong: Bool, isolation: isolated (any Actor)?, _ body: @Sendable (Transaction) throws -> Result
  ) async throws -> Result

  /// To be called when somebody has begun to observe.
  func beginObservation()

  /// Puts into a new file all that the store holds at one moment.
  func backup(to path: String, progress: (@Sendable (Double) -> Void)?) async throws
  /// Gives back the space that nothing is in any more.
  func vacuum() async throws
  /// How large the store is.
  func size() async throws -> Store.Size
  /// The bytes of the log beside the data.
  var logBytes: Int { get }
  /// The plan that would give the store another version of its model.
  func plan(for model: Model, mapping: JSONMapping?, migration: Store.Migration) throws -> MigrationPlan
  /// Distributes the tables over several servers, or says what that takes.
  func distribute(_ request: DistributionRequest, isPlanOnly: Bool) throws -> DistributionPlan
  /// Closes the store.
  func close() throws
  /// Ends what goes on, and lets the file go; see ``Store/suspend(waitingAtMost:)``.
  func suspend(waitingAtMost limit: Duration) -> Bool
  /// Lets the store be used again.
  func resume()
}

/// Engines that lock no file have nothing to let go.
extension StoreBackend {
  package func suspend(waitingAtMost limit: Duration) -> Bool { true }
  package func resume() {}
}

/// A transaction of a ``Store``: what programs need of it beside imports and exports.
package protocol StoreTransaction: EngineTransaction {
  /// The objects that layers above keep for the connection, each by a type of its own. Cursors in them must be reset after use, or they
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

  /// The tables that a query depends on.
  func dependence(of query: Query, _ columns: [SelectedColumn]) throws -> QueryDependence

  /// The SQL that a query becomes, with its arguments put in, for people to look at.
  func sql(of query: Query, _ columns: [SelectedColumn]) throws -> String

  /// How the store answers a query. It is not executed for that.
  func explanation(of query: Query, _ selection: QuerySelection) throws -> QueryExplanation

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

  /// A writer of what a program saves.
  ///
  /// - Parameter equality: Knows which values are one.
  func localWriter(_ policy: WritePolicy, equality: ValueEquality?) throws -> any BatchWriter

  /// A number that is another one once a row was written.
  var changeCount: Int64 { get }

  /// The journal; nil if the store keeps none.
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

  /// Does nothing: the only writer of a store keeps all others from writing.
  package func keepOthersFromWriting() throws {}

  /// A cursor over the objects of a query in its order.
  package func cursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
    try cursor(query, columns, isOrdered: true)
  }

  /// The value that a connection keeps for a type. It is made when it is first needed.
  package func kept<Value: AnyObject>(for key: Any.Type, _ make: () throws -> Value) throws -> Value {
    try checkIsOngoing()
    if let known = keptObjects[ObjectIdentifier(key)] as? Value { return known }
    let value = try make()
    keptObjects[ObjectIdentifier(key)] = value
    return value
  }
}

/// A deletion that something stood against when it was made.
package struct DeferredDeletion: Sendable {
  /// The ticket by which the end of the transaction tells whether something still stands against it.
  package let ticket: Int
  /// The entity of the object that was deleted.
  package let entity: Int
  /// The identity of that object, as reports write it.
  package let identity: String

  package init(ticket: Int, entity: Int, identity: String) {
    (self.ticket, self.entity, self.identity) = (ticket, entity, identity)
  }
}

/// How much a writer had noted for the deferred checks at some moment.
package struct WriterCheckpoint: Sendable {
  package var releases = 0
  package var links = 0
  package var deletions = 0

  package init() {}
}

/// The abilities that a store needs, and whether a database server has them.
package struct ServerReport: Sendable, Codable {
  /// The result of a trial.
  package enum Outcome: String, Sendable, Codable {
    case works
    /// Stores do without it, or with less.
    case missing
    /// No store can be kept without it.
    case fails
    /// There was no table to try it with.
    case untried
  }

  package struct Trial: Sendable, Codable {
    package var name: String
    package var outcome: Outcome
    /// The meaning of a failure, or the answer of the server; nil where it works.
    package var meaning: String?

    package init(_ name: String, _ outcome: Outcome, _ meaning: String? = nil) {
      (self.name, self.outcome, self.meaning) = (name, outcome, meaning)
    }
  }

  /// The name and version that the server gives itself. Nothing is decided by it.
  package var server: String
  package var trials: [Trial] = []

  package init(server: String) { self.server = server }

  /// Whether stores can be kept there.
  package var isUsable: Bool { !trials.contains { $0.outcome == .fails } }

  private enum CodingKeys: CodingKey { case server, trials, isUsable }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    server = try values.decode(String.self, forKey: .server)
    trials = try values.decode([Trial].self, forKey: .trials)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(server, forKey: .server)
    try values.encode(trials, forKey: .trials)
    try values.encode(isUsable, forKey: .isUsable)
  }
}
