import ObjectModel

/// Where the objects of documents are and what tells their entities, as the options of an import say it, or else the
/// mapping.
struct DocumentForm {
  let root: RootPath
  let kind: DocumentKind?
  let added: [String: AddedValue]
  /// Keys of objects that mean nothing to the model.
  let ignored: [String]
  /// Where the names of columns stand, for objects that are given as lists.
  let columns: ColumnsPlace?

  /// - Throws: ``ImportError`` for what is no path.
  init(_ options: ImportOptions, _ mapping: DocumentMapping) throws(ImportError) {
    root =
      try Self.path(options.root ?? mapping.root) { (text) throws(JSONKeyPathError) in try RootPath(text) }
      ?? .root
    let path = try Self.path(options.kind ?? mapping.kind) { (text) throws(JSONKeyPathError) in
      try JSONKeyPath(text)
    }
    let skips = options.skipsOtherKinds || mapping.skipsOthers
    kind = path.map { DocumentKind(path: $0, skipsOthers: skips) }
    ignored = mapping.ignored
    if let text = options.columns ?? mapping.columns {
      columns = try ColumnsPlace(text, root)
    } else {
      columns = nil
    }
    added = mapping.added.merging(options.added) { _, own in own }
  }

  private static func path<Path>(
    _ text: String?, _ read: (String) throws(JSONKeyPathError) -> Path
  ) throws(ImportError) -> Path? {
    guard let text else { return nil }
    do throws(JSONKeyPathError) {
      return try read(text)
    } catch {
      throw ImportError(.noKeyPath(text, error.message))
    }
  }
}

/// What tells the entity of each object in a list of objects of several entities.
struct DocumentKind {
  let path: JSONKeyPath
  /// Whether objects of other kinds are passed over, and counted.
  let skipsOthers: Bool
}
