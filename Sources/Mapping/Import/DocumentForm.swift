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
  /// Where the objects may be, if documents are of several forms.
  let candidates: [FormCandidate]

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
    let added = mapping.added.merging(options.added) { _, own in own }
    self.added = added
    guard options.root ?? mapping.root == nil, path == nil, case .store = options.target else {
      candidates = []
      return
    }
    var candidates: [FormCandidate] = []
    for form in mapping.forms where options.entity == nil || form.entity == options.entity {
      let root = try Self.path(form.root) { (text) throws(JSONKeyPathError) in try RootPath(text) } ?? .root
      candidates.append(
        FormCandidate(
          root: root, entity: form.entity, added: form.added.merging(added) { own, _ in own }))
    }
    // An export has all entities under their keys, whatever documents came.
    if !candidates.isEmpty, options.entity == nil {
      candidates.append(FormCandidate(root: .root, entity: nil, added: added))
    }
    self.candidates = candidates
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

/// Where the objects of a document may be, and of which entity they are then.
struct FormCandidate {
  let root: RootPath
  /// Nil if the keys of the document name the entities.
  let entity: String?
  let added: [String: AddedValue]
}

/// What tells the entity of each object in a list of objects of several entities.
struct DocumentKind {
  let path: JSONKeyPath
  /// Whether objects of other kinds are passed over, and counted.
  let skipsOthers: Bool
}
