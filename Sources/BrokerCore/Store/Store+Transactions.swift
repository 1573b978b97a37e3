public import ObjectStore

extension Store {
  /// Reads the content of the store at one moment.
  ///
  /// Reads do not wait for writes, and writes do not wait for reads. In memory there is one connection, so there they
  /// do.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `CancellationError` if the task was cancelled.
  public func read<Result: Sendable>(
    _ body: @Sendable (ReadTransaction) throws -> Result
  ) async throws -> Result {
    try await asyncRead { try body(ReadTransaction($0, self)) }
  }

  /// Changes the store: everything that `body` does, or nothing.
  ///
  /// Writes run one after another. Nothing is changed if `body` throws, if the task is cancelled before it is done,
  /// or if saved objects lack at the end what the model requires.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; ``SaveError`` if objects lack what the model requires; `CancellationError` if the
  ///   task was cancelled.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @Sendable (WriteTransaction) throws -> Result
  ) async throws -> Result {
    try await asyncTransaction { transaction in
      let transaction = try WriteTransaction(writing: transaction, self)
      let result = try body(transaction)
      try transaction.runDeferredChecks()
      return (result, .commit)
    }
  }
}

// MARK: - Without tasks

extension Store {
  /// Reads the content of the store at one moment, on the thread that calls it, which waits. It is for tools, scripts and threads
  /// of one's own; in a task, use the method with the same name that is awaited.
  ///
  /// ```swift
  /// let count = try store.read { try $0.count(Band.all) }
  /// ```
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; ``StoreError`` within a write of a store that has one connection only, as one in memory has.
  @available(
    *, noasync, message: "Await the method with the same name: this one blocks a thread that tasks need."
  )
  public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
    try read { (transaction: any StoreTransaction) in try body(ReadTransaction(transaction, self)) }
  }

  /// Changes the store on the thread that calls it, which waits: everything that `body` does, or nothing. It is for tools, scripts
  /// and threads of one's own; in a task, use the method with the same name that is awaited.
  ///
  /// ```swift
  /// try store.write { try $0.update(Band.self, "Japan") { $0.formed = 1974 } }
  /// ```
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; ``SaveError`` if objects lack what the model requires; ``StoreError`` within another transaction of
  ///   the store.
  @available(
    *, noasync, message: "Await the method with the same name: this one blocks a thread that tasks need."
  )
  @discardableResult
  public func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try transaction { transaction in
      let transaction = try WriteTransaction(writing: transaction, self)
      let result = try body(transaction)
      try transaction.runDeferredChecks()
      return (result, .commit)
    }
  }
}

// MARK: - Single questions

extension Store {
  /// The object with an identity.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none; ``ReadError`` if the store holds what the type cannot;
  ///   ``TypeError`` if the store's model has no such entity.
  public func find<Root: Storable>(_ type: Root.Type, _ id: Root.ID) async throws -> Root {
    try await read { try $0.find(type, id) }
  }

  /// The object with an identity; nil if there is none.
  public func fetch<Root: Storable>(_ type: Root.Type, id: Root.ID) async throws -> Root? {
    try await read { try $0.fetch(type, id: id) }
  }

  /// The objects with these identities, in their order. Identities without an object are left out.
  public func find<Root: Storable>(_ type: Root.Type, ids: some Sequence<Root.ID>) async throws -> [Root] {
    let ids = Array(ids)
    return try await read { try $0.find(type, ids: ids) }
  }

  /// Whether there is an object with an identity.
  public func exists<Root: Storable>(_ type: Root.Type, _ id: Root.ID) async throws -> Bool {
    try await read { try $0.exists(type, id) }
  }

  /// The objects of a query.
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, ``ObjectPredicateError`` if a
  ///   condition does not fit the model, ``ReadError`` if the store holds what the type cannot.
  public func fetch<Root: Storable>(_ query: Query<Root>) async throws -> [Root] {
    try await read { try $0.fetch(query) }
  }

  /// The objects of a query that the type can hold, and why it cannot hold the others; see
  /// ``ReadTransaction/fetchReadable(_:)``.
  public func fetchReadable<Root: Storable>(
    _ query: Query<Root>
  ) async throws -> (objects: [Root], unreadable: [ReadError]) {
    try await read { try $0.fetchReadable(query) }
  }

  /// The targets of a relationship, in its own order.
  public func fetch<Root: Storable>(_ list: ToMany<Root>) async throws -> [Root] {
    try await read { try $0.fetch(list) }
  }

  /// The target of a relationship; nil if it has not arrived.
  public func fetch<Root: Storable>(_ link: ToOne<Root>) async throws -> Root? {
    try await read { try $0.fetch(link) }
  }

  /// The first object of a query; nil if it has none.
  public func first<Root: Storable>(_ query: Query<Root>) async throws -> Root? {
    try await read { try $0.first(query) }
  }

  /// How many objects a query has.
  public func count<Root: Storable>(_ query: Query<Root>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// The SQL of a query with its arguments filled in, for people to look at.
  public func sql<Root: Storable>(of query: Query<Root>) async throws -> String {
    try await read { try $0.sql(of: query) }
  }
}

// MARK: - Single changes

extension Store {
  /// Saves an object: updates the object with its identity, or inserts a new one.
  ///
  /// - Returns: The object as it is in the store.
  /// - Throws: ``SaveError`` if a value is not what the model allows.
  @discardableResult
  public func save<Root: Storable>(_ object: Root) async throws -> Root {
    try await write { try $0.save(object) }
  }

  /// Saves objects: updates those with their identities, or inserts new ones.
  ///
  /// - Returns: The objects as they are in the store.
  /// - Throws: ``SaveError`` if a value is not what the model allows. Then none is saved.
  @discardableResult
  public func save<Root: Storable>(_ objects: [Root]) async throws -> [Root] {
    try await write { transaction in try objects.map { try transaction.save($0) } }
  }

  /// Inserts an object.
  ///
  /// - Returns: The object as it is in the store.
  /// - Throws: ``SaveError`` if one with its identity is there, or a value is not what the model allows.
  @discardableResult
  public func insert<Root: Storable>(_ object: Root) async throws -> Root {
    try await write { try $0.insert(object) }
  }

  /// Changes the object with an identity.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none, ``SaveError`` if a value is not what the model allows or the
  ///   identity is another.
  @discardableResult
  public func update<Root: Storable>(
    _ type: Root.Type, _ id: Root.ID, _ change: @Sendable (inout Root) throws -> Void
  ) async throws -> Root {
    try await write { try $0.update(type, id, change) }
  }

  /// Gives an object another identity. All links to it, pending references and the journal follow.
  ///
  /// - Throws: ``ObjectNotFound`` if there is no such object, ``SaveError`` if another has that identity.
  public func rename<Root: Storable>(_ type: Root.Type, _ id: Root.ID, to new: Root.ID) async throws {
    try await write { try $0.rename(type, id, to: new) }
  }

  /// Deletes the object with an identity, and other objects by its delete rules.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none, ``SaveError`` if a rule denies it.
  public func delete<Root: Storable>(_ type: Root.Type, _ id: Root.ID) async throws {
    try await write { try $0.delete(type, id) }
  }

  /// Deletes the objects of a query, and other objects by their delete rules.
  ///
  /// - Returns: How many objects of the query were deleted.
  /// - Throws: ``SaveError`` if a rule denies one. Then none is deleted.
  @discardableResult
  public func delete<Root: Storable>(_ query: Query<Root>) async throws -> Int {
    try await write { try $0.delete(query) }
  }
}
