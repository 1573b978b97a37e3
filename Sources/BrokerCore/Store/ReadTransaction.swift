import Mapping
import ObjectStore

/// The content of a store at one moment.
///
/// ```swift
/// let (bands, albums) = try await store.read { transaction in
///   (try transaction.fetch(Band.all), try transaction.count(Album.all))
/// }
/// ```
///
/// All answers are of the same moment, however many there are and whatever others write meanwhile. It can be used
/// only inside its closure.
public class ReadTransaction {
  let store: Store
  let transaction: any StoreTransaction

  init(_ transaction: any StoreTransaction, _ store: Store) {
    self.transaction = transaction
    self.store = store
  }

  // MARK: - Objects by identity

  /// The object with an identity.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none; ``ReadError`` if the store holds what the type cannot;
  ///   ``TypeError`` if the store's model has no such entity.
  public func find<Root: Storable>(_ type: Root.Type, _ id: Root.ID) throws -> Root {
    guard let object = try fetch(type, id: id) else { throw ObjectNotFound(object: Self.reference(type, id)) }
    return object
  }

  /// The object with an identity; nil if there is none.
  ///
  /// - Throws: ``ReadError`` if the store holds what the type cannot; ``TypeError`` if its model has no such entity.
  public func fetch<Root: Storable>(_ type: Root.Type, id: Root.ID) throws -> Root? {
    try TypedCursors<Root>.of(transaction).find(id)
  }

  /// The objects with these identities, in their order. Identities without an object are left out.
  ///
  /// - Throws: ``ReadError`` if the store holds what the type cannot; ``TypeError`` if its model has no such entity.
  /// - Complexity: One look-up for each identity.
  public func find<Root: Storable>(_ type: Root.Type, ids: some Sequence<Root.ID>) throws -> [Root] {
    let statements = try TypedCursors<Root>.of(transaction)
    return try ids.compactMap { try statements.find($0) }
  }

  /// Whether there is an object with an identity.
  public func exists<Root: Storable>(_ type: Root.Type, _ id: Root.ID) throws -> Bool {
    try TypedCursors<Root>.of(transaction).row(of: id) != nil
  }

  /// The target of a relationship; nil if it has not arrived.
  public func fetch<Root: Storable>(_ link: ToOne<Root>) throws -> Root? { try fetch(Root.self, id: link.id) }

  // MARK: - Queries

  /// The objects of a query.
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, ``ObjectPredicateError`` if a
  ///   condition does not fit the model, ``ReadError`` if the store holds what the type cannot.
  public func fetch<Root: Storable>(_ query: Query<Root>) throws -> [Root] {
    var fetch = try ObjectFetch(query.prefetches, transaction)
    let run = FetchRun(transaction)
    try run.visit(query.stored(transaction.layout), fetch.columns.selected) { try fetch.read($0) }
    try fetch.load(run)
    return fetch.objects
  }

  /// The objects of a query that the type can hold, and why it cannot hold the others.
  ///
  /// ```swift
  /// let (bands, unreadable) = try await store.fetchReadable(Band.all)
  /// for error in unreadable { print(error.identity, error.property, error.found) }
  /// ```
  ///
  /// Another program may have written values that the type does not have. ``fetch(_:)-(Query<Root>)`` throws then.
  ///
  /// - Throws: What ``fetch(_:)-(Query<Root>)`` throws; ``ReadError`` only for objects that are prefetched.
  public func fetchReadable<Root: Storable>(
    _ query: Query<Root>
  ) throws -> (objects: [Root], unreadable: [ReadError]) {
    var fetch = try ObjectFetch(query.prefetches, transaction)
    let run = FetchRun(transaction)
    try run.visit(query.stored(transaction.layout), fetch.columns.selected) { try fetch.readOrSkip($0) }
    try fetch.load(run)
    return (fetch.objects, fetch.unreadable)
  }

  /// The targets of a relationship, in its own order.
  public func fetch<Root: Storable>(_ list: ToMany<Root>) throws -> [Root] { try fetch(list.query) }

  /// The first object of a query; nil if it has none.
  public func first<Root: Storable>(_ query: Query<Root>) throws -> Root? { try fetch(query.limit(1)).first }

  /// Reads the objects of a query one after another, without holding them all.
  ///
  /// They are the objects that there were when it began, with the values that they had then, whatever `body` saves or
  /// deletes meanwhile. What the query prefetches is not fetched.
  public func forEach<Root: Storable>(_ query: Query<Root>, _ body: (Root) throws -> Void) throws {
    let stored = try query.stored(transaction.layout)
    let columns = try TypeColumns.of(Root.self, transaction)
    let rows = try transaction.translatingErrors {
      try canWrite
        ? transaction.snapshotCursor(stored, columns.selected) : transaction.cursor(stored, columns.selected)
    }
    while try rows.step() { try body(try Root(row: ObjectRow(rows, columns.layout))) }
  }

  /// Whether the content may change during the transaction.
  var canWrite: Bool { false }

  /// How many objects a query has.
  public func count<Root: Storable>(_ query: Query<Root>) throws -> Int {
    let stored = try query.stored(transaction.layout)
    return try transaction.translatingErrors { try transaction.count(stored) }
  }

  /// The SQL of a query with its arguments filled in, for people to look at.
  ///
  /// Prefetches are separate statements, which are not shown.
  public func sql<Root: Storable>(of query: Query<Root>) throws -> String {
    let stored = try query.stored(transaction.layout)
    let columns = try TypeColumns.of(Root.self, transaction)
    return try transaction.translatingErrors { try transaction.sql(of: stored, columns.selected) }
  }

  static func reference<Root: Storable>(_ type: Root.Type, _ id: Root.ID) -> ObjectReference {
    ObjectReference(entity: Root.entityName, identity: KeyText.text(of: Root.storedParts(of: id)))
  }
}
