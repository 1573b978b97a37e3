public import Mapping
import ObjectModel
public import ObjectStore
import Synchronization

/// The changes of one commit.
///
/// ```swift
/// for await changes in store.changes() {
///   for name in changes.updated(Band.self) { print(name) }
/// }
/// ```
///
/// An object that was inserted and then updated counts as inserted. One that was inserted and then deleted is not
/// mentioned. A link of a many-to-many relationship is a change of the objects at both ends. A link that is kept in
/// one object, such as `album.band`, is a change of that object only.
public struct StoreChanges: Sendable {
  private let changes: ObjectChanges
  private let layout: Layout

  init(_ changes: ObjectChanges, _ layout: Layout) {
    self.changes = changes
    self.layout = layout
  }

  /// Whether it was an import, and not a program that saved and deleted.
  public var isImport: Bool { changes.isImport }

  /// Whether all changes are listed. They are not for what others wrote to the same file, for much that others wrote to
  /// the same database, nor for a transaction that had begun before the observation: then anything may have changed, or
  /// what ``counts`` says.
  public var isComplete: Bool { changes.isComplete }

  /// Whether the writer was another process, or another store on the same file. Then it may have been several
  /// commits.
  public var isByOthers: Bool { changes.isByOthers }

  /// How many objects of an entity and its sub-entities were changed.
  public struct Counts: Sendable, Hashable {
    public let inserted: Int
    public let updated: Int
    public let deleted: Int
  }

  /// How many objects were changed, by the names of entities without a parent; nil if that is not known.
  ///
  /// Where not all changes are listed, an object counts as often as it was written.
  public var counts: [String: Counts]? {
    let counted = changes.isComplete ? changes.tables.mapValues(\.counts) : changes.counted
    return counted.map { tables in
      let named = tables.map { table, counts in
        (
          layout.schema.entities[layout.tables[table].root].name,
          Counts(inserted: counts.inserted, updated: counts.updated, deleted: counts.deleted)
        )
      }
      return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
  }

  // MARK: - By type

  /// The identities of the objects of a type that were inserted.
  public func inserted<Root: Storable>(_ type: Root.Type) -> [Root.ID] { ids(type, \.inserted) }

  /// The identities of the objects of a type that got other values or other links.
  public func updated<Root: Storable>(_ type: Root.Type) -> [Root.ID] { ids(type, \.updated) }

  /// The identities of the objects of a type that were deleted.
  public func deleted<Root: Storable>(_ type: Root.Type) -> [Root.ID] { ids(type, \.deleted) }

  private func ids<Root: Storable>(
    _ type: Root.Type, _ list: (ObjectChanges.InTable) -> [ObjectChanges.Object]
  ) -> [Root.ID] {
    guard let entity = layout.schema.entity(Root.entityName) else { return [] }
    let family = Set(layout.schema.family(of: entity.index))
    let objects = changes.tables[layout.entities[entity.index].table].map(list) ?? []
    return objects.compactMap { object in
      guard family.contains(object.entity) else { return nil }
      var parts = IdentityDecoder(object.key.parts)
      return try? Root.identity(from: &parts)
    }
  }

  // MARK: - By name

  /// The objects that were inserted.
  public var inserted: [ObjectReference] { references(\.inserted) }

  /// The objects that got other values or other links.
  public var updated: [ObjectReference] { references(\.updated) }

  /// The objects that were deleted.
  public var deleted: [ObjectReference] { references(\.deleted) }

  private func references(
    _ list: (ObjectChanges.InTable) -> [ObjectChanges.Object]
  ) -> [ObjectReference] {
    changes.tables.sorted { $0.key < $1.key }.flatMap { list($0.value) }.map { object in
      let entity = layout.schema.entities[object.entity]
      return ObjectReference(
        entity: entity.name, identity: KeyText.text(of: layout.identity(ofKey: object.key.parts, of: entity)))
    }
  }
}

extension Store {
  /// What each commit changes, from now on: one element for each commit, in order, and none for a commit that changes
  /// nothing.
  ///
  /// Commits of other processes, or of other stores on the same file, are reported within a tenth of a second and
  /// without their content; see ``StoreChanges/isByOthers``. In a PostgreSQL database, small commits of others are
  /// reported with their content, and of large ones how many objects they changed. A slow reader misses no change. The sequence ends with
  /// the store.
  public func changes() -> AsyncStream<StoreChanges> {
    AsyncStream { continuation in
      let layout = layout
      let end = StreamEnd(continuation)
      let token = observe { end.continuation.yield(StoreChanges($0, layout)) }
      continuation.onTermination = { _ in token.cancel() }
    }
  }
}

/// Values that follow the content of a store: the first at once, and another after each change.
///
/// Each iterator observes on its own, as long as it exists. Several quick commits may give one value; the last one is
/// never missed. The sequence ends when the store is closed.
public struct StoreObservation<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value

  private let source: @Sendable () -> ObservationSource<Value>

  init(_ source: @escaping @Sendable () -> ObservationSource<Value>) { self.source = source }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source()) }

  /// Goes through the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: ObservationSource<Value>
    private var hasBegun = false

    init(_ source: ObservationSource<Value>) { self.source = source }

    /// The next value; nil once the task is cancelled or the store is closed. While the store is suspended, it waits.
    ///
    /// - Throws: What reading it throws; ``StoreError`` if the store was closed before the first value.
    public mutating func next() async throws -> Value? {
      while !Task.isCancelled {
        let isFirst = !hasBegun
        if hasBegun {
          guard await source.changed() else { return nil }
        }
        hasBegun = true
        do {
          if let value = try await source.read() { return value }
        } catch let error as StoreError where error == .closed && !isFirst {
          return nil
        } catch let error as StoreError where error.isSuspended {
          // The store tells its observers when it is resumed.
          continue
        }
      }
      return nil
    }
  }
}

/// The query of an observation, and the changes that make it read again.
final class ObservationSource<Value: Sendable>: Sendable {
  /// The next value; nil if it is the same as before.
  let read: @Sendable () async throws -> Value?
  private let signals: AsyncStream<Void>
  private let tokens: [ObservationToken]

  /// - Parameters:
  ///   - observe: Begins to tell what it is given whenever something may have changed. Only the store's handlers may keep
  ///     it: the observation ends when nobody has it any more.
  ///   - read: The value, or nil if it is the same as before.
  init(
    observe: (ChangeSignal) -> [ObservationToken],
    read: @escaping @Sendable () async throws -> Value?
  ) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    signals = stream
    self.read = read
    tokens = observe(ChangeSignal(continuation))
  }

  /// Waits until something may have changed. False if the task is cancelled.
  func changed() async -> Bool {
    var iterator = signals.makeAsyncIterator()
    return await iterator.next() != nil
  }
}

/// Says that something may have changed.
typealias ChangeSignal = StreamEnd<Void>

extension StreamEnd where Element == Void {
  func callAsFunction() { continuation.yield() }
}

/// Ends a stream when no more values can come: the store is closed or gone.
final class StreamEnd<Element: Sendable>: Sendable {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}

extension Store {
  /// An object now and after each change; nil while there is none.
  ///
  /// ```swift
  /// for try await band in store.observe(Band.self, "Japan") { show(band) }
  /// ```
  ///
  /// Changes of other objects cost nothing, except those of targets that it waits for.
  public func observe<Root: Storable>(_ type: Root.Type, _ id: Root.ID) -> StoreObservation<Root?> {
    StoreObservation { [self] in
      let follower = ObjectFollower<Root>(self, id)
      return ObservationSource {
        follower.observe($0)
      } read: {
        try await follower.read()
      }
    }
  }

  /// The objects of a query now and after each change: when one comes, goes, moves, or gets other values.
  ///
  /// ```swift
  /// for try await bands in store.observe(Band.filter(#Predicate { $0.formed < 1980 })) { show(bands) }
  /// ```
  ///
  /// Commits that do not concern the objects give no value. Prefetched objects are observed as well.
  public func observe<Root: Storable>(_ query: Query<Root>) -> StoreObservation<[Root]> {
    StoreObservation { [self] in
      let follower = QueryFollower(self, query)
      return ObservationSource {
        [follower.observe($0)]
      } read: {
        try await follower.read()
      }
    }
  }

  /// The value of a read, now and after each change: several queries at once, all of one moment, or anything made of them.
  ///
  /// ```swift
  /// let figures = store.observe { transaction in
  ///   [try transaction.count(Band.all), try transaction.count(Album.all)]
  /// }
  /// for try await counts in figures { print(counts) }
  /// ```
  ///
  /// It is read again after each commit that changes objects, whichever, and gives a value if that is another. To follow a
  /// query or an object costs less: they are read again only after
  /// commits that concern them.
  ///
  /// - Parameter read: Is called again and again, on any thread, and only reads.
  public func observe<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (ReadTransaction) throws -> Value
  ) -> StoreObservation<Value> {
    StoreObservation { [self] in
      let last = Locked<Value?>(nil)
      return ObservationSource {
        [self.observe(changes: $0)]
      } read: {
        let value = try await self.read(read)
        return last.withLock { known in
          if let known, known == value { return nil }
          known = value
          return value
        }
      }
    }
  }

  private func observe(changes signal: ChangeSignal) -> ObservationToken {
    observe { (_: ObjectChanges) in signal() }
  }

  /// How many objects a query has, now and after each change.
  public func observeCount<Root: Storable>(of query: Query<Root>) -> StoreObservation<Int> {
    StoreObservation { [self] in
      let follower = QueryFollower(self, query)
      return ObservationSource {
        [follower.observe($0)]
      } read: {
        try await follower.readCount()
      }
    }
  }
}
