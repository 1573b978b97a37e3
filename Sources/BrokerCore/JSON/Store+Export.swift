import Dispatch
public import Foundation
import JSONStream
public import Mapping
public import ObjectStore

extension Store {
  /// An object of the store as JSON, by the mapping backwards.
  ///
  /// ```swift
  /// let body = try await store.export(japan)
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object; what of it was changed and not saved is not exported.
  ///   - options: How to write it.
  /// - Throws: ``ObjectNotFound`` if the store does not have it; ``PlanError`` if the mapping cannot be followed;
  ///   ``ExportError`` if what is to be nested is no relationship.
  public func export<Root: Storable>(
    _ object: Root, options: ExportOptions = ExportOptions()
  ) async throws -> Data {
    try await read { try $0.export(object, options: options) }
  }

  /// An object as JSON. `relationships` says what is written of its relationships.
  ///
  /// ```swift
  /// let body = try await store.export(japan, relationships: .nested(depth: 1))
  /// ```
  ///
  /// - Throws: What ``export(_:options:)-(Root,_)`` throws.
  public func export<Root: Storable>(
    _ object: Root, relationships: ExportOptions.Relationships
  ) async throws -> Data {
    try await export(object, options: .relationships(relationships))
  }

  /// The objects of a query as JSON. `relationships` says what is written of their relationships.
  ///
  /// - Throws: What `export(_:options:)` throws for a query.
  public func export<Root: Storable>(
    _ query: Query<Root>, relationships: ExportOptions.Relationships
  ) async throws -> Data {
    try await export(query, options: .relationships(relationships))
  }

  /// The objects of a query as JSON.
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words; ``PlanError`` if the mapping cannot be
  ///   followed; ``ExportError`` if what is to be nested is no relationship.
  public func export<Root: Storable>(
    _ query: Query<Root>, options: ExportOptions = ExportOptions()
  ) async throws -> Data {
    try await read { try $0.export(query, options: options) }
  }

  /// Writes the objects of a query as JSON into a file, in constant memory. A file that is there is replaced after
  /// everything was written.
  ///
  /// - Throws: What ``export(_:options:)-(Query<Root>,_)`` throws; `CocoaError` if the file cannot be written.
  public func export<Root: Storable>(
    _ query: Query<Root>, to file: URL, options: ExportOptions = ExportOptions()
  ) async throws {
    try await replace(file) { sink in
      try await read { _ = try $0.export(query, isLone: false, options, to: sink) }
    }
  }

  /// Lets `body` write a new file, which replaces the old one when it is complete.
  private func replace(_ file: URL, _ body: (DescriptorSink) async throws -> Void) async throws {
    guard file.isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
    do {
      let output = try ReplacementFile(file.path)
      try await body(DescriptorSink(descriptor: output.descriptor))
      try output.finish()
    } catch let error as SourceError {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedFailureReasonErrorKey: error.message])
    }
  }

  /// All objects of the store as one JSON document: `{"Band": […], "Album": […]}`.
  ///
  /// ```swift
  /// let backup = try await store.exportAll()
  /// ```
  ///
  /// Imported into an empty store with the same model, it gives the same store, with the order of lists, parts of
  /// several owners and pending references. Only the numbers that the store gives to objects without identity differ.
  /// Of the options, only the style of keys and the form of nulls are used.
  ///
  /// - Throws: ``PlanError`` if the mapping cannot be followed.
  public func exportAll(options: ExportOptions = ExportOptions()) async throws -> Data {
    try await read { try $0.exportAll(options: options) }
  }

  /// Writes all objects of the store as one JSON document into a file, in constant memory. A file that is there is
  /// replaced after everything was written.
  ///
  /// - Throws: What ``exportAll(options:)`` throws; `CocoaError` if the file cannot be written.
  public func exportAll(to file: URL, options: ExportOptions = ExportOptions()) async throws {
    try await replace(file) { sink in
      try await read { try $0.exportAll(options, to: sink) }
    }
  }

  /// The objects of a query as JSON, piece by piece, in constant memory.
  ///
  /// ```swift
  /// for try await piece in store.exportStream(Band.all) { try await response.write(piece) }
  /// ```
  ///
  /// All pieces are of one moment. The next piece is made when it is asked for. From a store in memory, everything
  /// comes as one piece.
  public func exportStream<Root: Storable>(
    _ query: Query<Root>, options: ExportOptions = ExportOptions()
  ) -> ExportStream {
    ExportStream { [self] pieces in
      // The reader of the pieces may use the store in between. A store in memory has one connection, which must be
      // free then.
      if hasOneConnection { return try pieces.send(try await export(query, options: options)) }
      try await asyncRead(isLong: true) { transaction in
        _ = try ReadTransaction(transaction, self).export(
          query, isLone: false, options, to: OutgoingSink(pieces))
      }
    }
  }
}

extension ExportOptions {
  /// The default options, with another choice of what is written of relationships.
  ///
  /// ```swift
  /// let body = try await store.export(japan, options: .relationships(.nested(depth: 1)))
  /// ```
  public static func relationships(_ relationships: Relationships) -> ExportOptions {
    var options = ExportOptions()
    options.relationships = relationships
    return options
  }
}

extension ReadTransaction {
  /// An object of the store as JSON, by the mapping backwards.
  ///
  /// - Parameters:
  ///   - object: The object; what of it was changed and not saved is not exported.
  ///   - options: How to write it.
  /// - Throws: ``ObjectNotFound`` if the store does not have it; ``PlanError`` if the mapping cannot be followed;
  ///   ``ExportError`` if what is to be nested is no relationship.
  public func export<Root: Storable>(_ object: Root, options: ExportOptions = ExportOptions()) throws -> Data
  {
    let sink = MemorySink()
    let query = Query<Root>().filter(ids: [object.id])
    guard try export(query, isLone: true, options, to: sink) > 0 else {
      throw ObjectNotFound(object: Self.reference(Root.self, object.id))
    }
    return Data(sink.bytes)
  }

  /// The objects of a query as a JSON list. With ``ExportOptions/Form/lines``, one object on each line.
  ///
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words; ``PlanError`` if the mapping cannot be
  ///   followed; ``ExportError`` if what is to be nested is no relationship.
  public func export<Root: Storable>(
    _ query: Query<Root>, options: ExportOptions = ExportOptions()
  ) throws -> Data {
    let sink = MemorySink()
    try export(query, isLone: false, options, to: sink)
    return Data(sink.bytes)
  }

  /// The objects of a query as a JSON list. `relationships` says what is written of their relationships.
  ///
  /// - Throws: What `export(_:options:)` throws for a query.
  public func export<Root: Storable>(
    _ query: Query<Root>, relationships: ExportOptions.Relationships
  ) throws -> Data {
    try export(query, options: .relationships(relationships))
  }

  /// All objects of the store as one JSON document, a list for each entity; see ``Store/exportAll(options:)``.
  ///
  /// - Throws: ``PlanError`` if the mapping cannot be followed.
  public func exportAll(options: ExportOptions = ExportOptions()) throws -> Data {
    let sink = MemorySink()
    try exportAll(options, to: sink)
    return Data(sink.bytes)
  }

  func exportAll(_ options: ExportOptions, to sink: any ByteSink) throws {
    _ = try Exporter(store, options).runAll(in: transaction, to: sink, isCancelled: { Task.isCancelled })
  }

  @discardableResult
  func export<Root: Storable>(
    _ query: Query<Root>, isLone: Bool, _ options: ExportOptions, to sink: any ByteSink
  ) throws -> Int {
    let stored = try query.stored(transaction.layout)
    return try transaction.translatingErrors {
      try Exporter(store, options).run(
        stored, isLone: isLone, in: transaction, to: sink, isCancelled: { Task.isCancelled }
      ).objects
    }
  }
}

/// JSON, piece by piece.
public struct ExportStream: AsyncSequence, Sendable {
  public typealias Element = Data

  private let run: @Sendable (OutgoingBytes) async throws -> Void

  init(_ run: @escaping @Sendable (OutgoingBytes) async throws -> Void) { self.run = run }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run) }

  /// Goes through the pieces. The export begins when the first one is asked for, and ends with the iterator.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let pieces = OutgoingBytes()
    private let owner: Owner

    /// Ends the export when the iterator is gone.
    private final class Owner: Sendable {
      let pieces: OutgoingBytes
      let task: Task<Void, Never>

      init(_ pieces: OutgoingBytes, _ run: @escaping @Sendable (OutgoingBytes) async throws -> Void) {
        self.pieces = pieces
        task = Task {
          do {
            try await run(pieces)
            pieces.end(nil)
          } catch {
            pieces.end(error)
          }
        }
      }

      deinit {
        task.cancel()
        pieces.abandon()
      }
    }

    init(_ run: @escaping @Sendable (OutgoingBytes) async throws -> Void) { owner = Owner(pieces, run) }

    /// The next piece; nil at the end.
    ///
    /// - Throws: What the export throws.
    public mutating func next() async throws -> Data? { try await pieces.take() }
  }
}

/// Takes bytes from a thread, which waits by blocking, to a task, which waits by suspending.
final class OutgoingBytes: Sendable {
  private struct State {
    var piece: Data?
    var end: Result<Void, any Error>?
    var isAbandoned = false
    var taker: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())
  /// Is one while there is room for a piece.
  private let room: DispatchSemaphore

  init() {
    // Dispatch traps if a semaphore is destroyed while its count is lower than at first. That is so after an export
    // that was not read to its end.
    room = DispatchSemaphore(value: 0)
    room.signal()
  }

  /// Puts a piece there, after the last one was taken.
  func send(_ piece: Data) throws(SourceError) {
    room.wait()
    let (taker, isAbandoned) = state.withLock { state in
      state.piece = piece
      defer { state.taker = nil }
      return (state.taker, state.isAbandoned)
    }
    taker?.resume()
    if isAbandoned { throw SourceError("nobody reads it", isCancellation: true) }
  }

  func end(_ error: (any Error)?) {
    let taker = state.withLock { state in
      state.end = error.map { .failure($0) } ?? .success(())
      defer { state.taker = nil }
      return state.taker
    }
    taker?.resume()
  }

  /// Says that no more pieces are wanted.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    room.signal()
  }

  /// The next piece; nil at the end.
  func take() async throws -> Data? {
    while true {
      let (piece, end) = state.withLock { state in
        defer { state.piece = nil }
        return (state.piece, state.end)
      }
      if let piece {
        room.signal()
        return piece
      }
      if let end {
        try end.get()
        return nil
      }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.piece == nil, state.end == nil else { return true }
          state.taker = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}

/// A sink whose bytes become pieces.
struct OutgoingSink: ByteSink {
  private let pieces: OutgoingBytes

  init(_ pieces: OutgoingBytes) { self.pieces = pieces }

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SourceError) {
    try pieces.send(Data(buffer: bytes))
  }
}
