import JSONStream
import ObjectModel
import ObjectStore

/// Sources that an export of all entities of a store made.
extension Importer {
  /// Whether sources are such as an export of all entities of this store makes, files that are called exactly like these or one
  /// document with a list for each, and its model takes all that is in them. What is in an export says nothing new.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the sources. Nothing is written.
  /// - Throws: ``ImportError`` if a source cannot be read or is no JSON, or if the caller cancels; ``PlanError`` if the model's
  ///   annotations cannot be followed.
  package func takesExport(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> Bool {
    guard options.entity == nil, options.root == nil, try areExported(sources, isCancelled) else {
      return false
    }
    let preparation = try prepare(sources, isCancelled)
    let queue = try BatchQueue(readingFrom: preparation.producer)
    while let box = try queue.takeFull() {
      guard box.batch.issues.isEmpty, !box.batch.hasLeftOutObjects else {
        queue.abandon()
        return false
      }
      box.batch.removeAll()
      queue.putBack(box)
    }
    return preparation.producer.unmatched.isEmpty
      && preparation.plan.entities.allSatisfy { $0.nodes.allSatisfy(\.unmatched.isEmpty) }
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
      return try Self.hasLists(&json, path[...]) { schema.index(of: $0) != nil }
    }
  }

  /// The keys on the way to the lists of an export of all entities; nil if it has one list for all.
  private static func lists(in document: DocumentMapping) -> [RootPath.Step]? {
    guard document.kindPath == nil else { return nil }
    // try?: a path that cannot be read is an error of the import.
    return document.root.flatMap { try? RootPath($0) }?.steps ?? []
  }

  /// Whether a document has, at the end of a way, an object with a list of objects under each key, all of which name entities.
  private static func hasLists(
    _ json: inout JSONReader, _ path: ArraySlice<RootPath.Step>, _ isEntity: (String) -> Bool
  ) throws -> Bool {
    guard try json.next() == .beginObject else { return false }
    guard let step = path.first else {
      var isExport = false
      while try json.next() == .key {
        let isNamed = isEntity(String(decoding: json.text, as: UTF8.self))
        guard isNamed, case let token = try json.next(), token == .beginArray else { return false }
        try json.skip(from: token)
        isExport = true
      }
      return isExport
    }
    while try json.next() == .key {
      let isMeant = step.matches(String(decoding: json.text, as: UTF8.self))
      if isMeant { return try hasLists(&json, path.dropFirst(), isEntity) }
      try json.skip(from: try json.next())
    }
    return false
  }
}
