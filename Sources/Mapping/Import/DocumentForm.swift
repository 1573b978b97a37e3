import ObjectModel
import ObjectStore

/// The places of the objects of documents, and the way to their entities, as the options of an import say it, or else
/// the mapping.
struct DocumentForm {
  let root: RootPath
  let kind: DocumentKind?
  let added: [String: AddedValue]
  /// Keys of objects that mean nothing to the model.
  let ignored: [String]
  /// The place of the names of columns, for objects that are given as lists.
  let columns: ColumnsPlace?
  /// The possible places of the objects, if documents are of several forms.
  let candidates: [FormCandidate]

  /// - Throws: ``ImportError`` for what is no path.
  init(_ options: ImportOptions, _ mapping: DocumentMapping) throws(ImportError) {
    root = try Self.root(options.root ?? mapping.root, options)
    let path = try Self.path(options.kind ?? mapping.kind) { (text) throws(JSONKeyPathError) in
      try JSONKeyPath(text)
    }
    let skips = options.skipsOtherKinds || mapping.skipsOthers
    let isGiven = options.kind != nil
    kind = path.map { DocumentKind(path: $0, skipsOthers: skips, isInFileNames: !isGiven) }
    ignored = mapping.ignored
    if let text = options.columns ?? mapping.columns {
      columns = try ColumnsPlace(text, root)
    } else {
      columns = nil
    }
    let forms = mapping.forms.filter { options.entity == nil || $0.entity == options.entity }
    // Where no form decides, what a form adds does not depend on the place of the objects.
    var ofForms: [String: AddedValue] = [:]
    for form in forms { ofForms.merge(form.added.filter(\.value.isOfSource)) { first, _ in first } }
    func merged(_ added: [String: AddedValue], _ own: [String: AddedValue]) -> [String: AddedValue] {
      added.merging(own) { _, own in own }
    }
    let added = merged(merged(ofForms, mapping.added), options.added)
    self.added = added
    guard options.root ?? mapping.root == nil, path == nil, case .store = options.target else {
      candidates = []
      return
    }
    var candidates: [FormCandidate] = []
    for form in forms {
      candidates.append(
        FormCandidate(
          root: try Self.root(form.root, options), entity: form.entity,
          added: merged(merged(mapping.added, form.added), options.added), keys: Set(form.keys),
          files: Set(form.files)))
    }
    // An export has all entities under their keys, whatever documents came.
    if !candidates.isEmpty, options.entity == nil {
      candidates.append(FormCandidate(root: .root, entity: nil, added: added))
    }
    self.candidates = candidates
  }

  /// The keys that objects get the name of their source under.
  var sourceKeys: Set<String> {
    Set(([added] + candidates.map(\.added)).joined().filter { $0.value == .source }.map(\.key))
  }

  private static func root(_ text: String?, _ options: ImportOptions) throws(ImportError) -> RootPath {
    var root = try path(text) { (text) throws(JSONKeyPathError) in try RootPath(text) } ?? .root
    root.mayLeadNowhere = options.mayLackObjects
    root.isOfAllDocuments = options.root != nil || !options.leavesOutStrangers
    return root
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

/// A possible place of the objects of a document, and their entity there.
struct FormCandidate {
  let root: RootPath
  /// Nil if the keys of the document name the entities.
  let entity: String?
  let added: [String: AddedValue]
  /// The keys that its objects have; empty if they are not known.
  var keys: Set<String> = []
  /// The files that are known to be of the form.
  var files: Set<String> = []
  /// Whether it is that of a file which an export of all entities made for one of them.
  var isExported = false

  /// How many of a hundred of the form's keys an object has; 0 if it has others besides, or if they are not known.
  func likeness(to came: Set<String>) -> Int {
    guard !came.isEmpty, came.isSubset(of: keys) else { return 0 }
    return max(1, came.count * 100 / keys.count)
  }
}

/// The discriminator of each object in a list of objects of several entities.
struct DocumentKind {
  let path: JSONKeyPath
  /// Whether objects of other kinds are passed over, and counted.
  let skipsOthers: Bool
  /// Whether the name of a file tells the kind of objects that do not say it: a mapping holds for files of many forms, an option for
  /// those that it was given for.
  let isInFileNames: Bool
}
