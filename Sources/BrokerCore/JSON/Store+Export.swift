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
