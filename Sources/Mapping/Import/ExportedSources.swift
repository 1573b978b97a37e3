import JSONStream
import ObjectModel
import ObjectStore

/// Sources that an export of all entities of a store made.
extension Importer {
  /// Whether sources look like what an export of all entities of this store makes: files that are called exactly like these, each once,
  /// or one document that begins with a list of one of them.
  ///
  /// - Throws: ``ImportError`` if the caller cancels. Whatever is wrong with the sources is left to the import.
  package func mayBeExport(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> Bool {
    guard options.entity == nil, options.root == nil, case .store = options.target else { return false }
    return try Self.orFalse { try areExported(sources, isCancelled) }
  }

  /// Whether an import of sources would change nothing and have nothing to tell. It is done and undone.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read or locked, ``ImportError`` if the caller cancels. Whatever is wrong with the
  ///   sources is left to the import.
  package func wouldChangeNothing(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> Bool {
    var options = options
    (options.isDryRun, options.isStrict, options.prunes, options.pruneCondition) = (true, false, false, nil)
    options.chunks = .whole
    return try Self.orFalse {
      let report = try Importer(store, options).run(sources, isCancelled: isCancelled)
      return !report.changesAnything && report.issueCount == 0 && report.unmatchedKeys.isEmpty
        && report.skipped.isEmpty
    }
  }

  private static func orFalse(_ body: () throws -> Bool) throws -> Bool {
    do {
      return try body()
    } catch let error as ImportError where !error.isCancellation {
      return false
    }
  }

  private func areExported(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> Bool {
    let schema = store.layout.schema
    let entities = sources.map { source in
      source.path == nil || source.rows != nil
        ? nil : source.entityHints.first.flatMap { schema.index(of: $0) }
    }
    if !sources.isEmpty, !entities.contains(nil), Set(entities).count == sources.count { return true }
    guard sources.count == 1, sources[0].rows == nil, let path = Self.lists(in: schema.model.document) else {
      return false
    }
    return try sources[0].scan(options, isCancelled: isCancelled) { bytes, isTable in
      guard !isTable else { return false }
      var json = JSONReader(bytes, options: JSONReader.Options(maximumDepth: options.maximumDepth))
      return try Self.beginsWithList(&json, path[...]) { schema.index(of: $0) != nil }
    }
  }

  /// The keys on the way to the lists of an export of all entities; nil if it has one list for all.
  private static func lists(in document: DocumentMapping) -> [RootPath.Step]? {
    guard document.kindPath == nil else { return nil }
    // try?: a path that cannot be read is an error of the import.
    return document.root.flatMap { try? RootPath($0) }?.steps ?? []
  }

  /// Whether the object at the end of a way in a document begins with a list under the name of an entity.
  private static func beginsWithList(
    _ json: inout JSONReader, _ path: ArraySlice<RootPath.Step>, _ isEntity: (String) -> Bool
  ) throws -> Bool {
    guard try json.next() == .beginObject else { return false }
    while try json.next() == .key {
      let key = String(decoding: json.text, as: UTF8.self)
      guard let step = path.first else { return try isEntity(key) && json.next() == .beginArray }
      if step.matches(key) { return try beginsWithList(&json, path.dropFirst(), isEntity) }
      try json.skip(from: try json.next())
    }
    return false
  }
}
