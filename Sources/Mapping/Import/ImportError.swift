import JSONStream
import ObjectModel

/// Why an import failed. The store is as it was before.
public struct ImportError: Error, Sendable {
  enum Kind: Sendable {
    case unreadable(path: String, why: String)
    case remote(String)
    case rowsAsJSON(String)
    case rowsIntoObject(String)
    case sharedRows(String)
    case shareOfOneObject
    case pruneOfShare
    case noFiles(String, isFolder: Bool)
    case invalidJSON(source: String, JSONError)
    case invalidTable(source: String, JSONError)
    case brokenInput(source: String, SourceError)
    case emptyModel
    case unknownEntity(String, nearest: String?, known: [String])
    case noEntity(source: String, keys: [String], known: [String])
    case notObjects(source: String, found: String)
    case noSuchPath(String, source: String, missing: String, keys: [String])
    case noKeyPath(String, String)
    case noLevel(Int, root: String)
    case noColumns(source: String)
    case unreadableDateFormat(String)
    case noObject(entity: String, identity: String)
    case noRelationship(String, entity: String, nearest: String?, known: [String])
    case notOneObject(source: String, found: String)
    case nothingToPrune
    case conditionOfRelationship
    case strict(ImportIssue)
    case pendingReference(PendingReference)
    case cancelled
    case noThread(String)
    case chunksInTransaction
    case doubted([ImportDoubt])
    /// An import that was to change nothing would change something.
    case changing
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// The caller stopped the import.
  package static let cancelled = ImportError(.cancelled)

  static func unreadable(_ path: String, _ why: String) -> ImportError {
    ImportError(.unreadable(path: path, why: why))
  }

  /// Whether the caller stopped the import.
  public var isCancellation: Bool {
    if case .cancelled = kind { true } else { false }
  }

  /// Whether a source is broken: its JSON, its table, or how it is encoded.
  package var isOfContent: Bool {
    switch kind {
    case .invalidJSON, .invalidTable, .brokenInput: true
    default: false
    }
  }

  /// The evidence against the model; nil if the import failed for another reason.
  package var doubts: [ImportDoubt]? {
    if case .doubted(let doubts) = kind { doubts } else { nil }
  }

  /// Whether it is unknown which entity the objects are of.
  package var lacksEntity: Bool {
    if case .noEntity = kind { true } else { false }
  }

  /// The issue that ended a strict import.
  public var issue: ImportIssue? {
    if case .strict(let issue) = kind { issue } else { nil }
  }

  /// The place of broken JSON, or of a broken table: byte offset from 0, line and column from 1.
  public var place: (offset: Int, line: Int, column: Int)? {
    switch kind {
    case .invalidJSON(_, let error): (error.offset, error.line, error.column)
    case .brokenInput(_, let failure): failure.place.map { ($0.offset, $0.line, $0.column) }
    default: nil
    }
  }
}

extension ImportError: CustomStringConvertible {
  public var description: String { text(isWhole: true) }

  /// - Parameter isWhole: Whether the import was one transaction, so that nothing was imported.
  func text(isWhole: Bool) -> String {
    let nothing = isWhole ? " Nothing was changed." : ""
    return switch kind {
    case .unreadable, .remote, .rowsAsJSON, .rowsIntoObject, .sharedRows, .shareOfOneObject, .pruneOfShare,
      .noFiles, .invalidJSON, .invalidTable,
      .brokenInput, .noEntity, .notObjects,
      .noSuchPath,
      .notOneObject:
      sourceText(nothing)
    case .emptyModel: "The model has no entities, so there is nothing to import into."
    case .unknownEntity(let name, let nearest, let known):
      "There is no entity \(name)."
        + (nearest.map { " Did you mean \($0)?" } ?? " The model has \(Self.list(known)).")
    case .noKeyPath(let text, let why): "“\(text)” is no key path: it \(why)."
    case .noLevel(let level, let root):
      "There are fewer than \(level) objects around what “\(root)” leads to, which is where a value was to be taken from."
    case .noColumns(let source):
      "\(source) has no names of columns where the mapping or --columns says, and its objects are lists. They are a list of texts."
    case .unreadableDateFormat(let format):
      "The date format \(format) cannot be read: use auto, seconds, milliseconds, or pattern letters as in"
        + " yyyy/MM/dd HH:mm:ss ZZZZZ."
    case .noObject(let entity, let identity): "There is no \(entity) \(identity).\(nothing)"
    case .noRelationship(let name, let entity, let nearest, let known):
      "\(entity) has no relationship \(name)."
        + (nearest.map { " Did you mean \($0)?" } ?? " It has \(Self.list(known)).")
    case .nothingToPrune:
      "The JSON has no list, so that what it lacks cannot be told from what it does not tell."
        + "\(nothing) Import without pruning, or give a list."
    case .conditionOfRelationship:
      "Pruning the objects of a relationship takes no predicate.\(nothing)"
    case .strict(let issue):
      "\(issue). The import is strict\(isWhole ? ", so nothing was changed" : "")."
    case .pendingReference(let reference):
      "\(reference.entity) \(reference.identity) refers by \(reference.relationship) to \(reference.target)"
        + " \(reference.key), which is not there.\(nothing)"
    case .cancelled: "Interrupted.\(nothing)"
    case .noThread(let why): "The import needs more memory than the process may have: \(why).\(nothing)"
    case .doubted(let doubts):
      "The objects have other owners, identities or keys than the model says: \(Self.list(doubts.map(\.place))).\(nothing)"
    case .changing: "The import would change the store.\(nothing)"
    case .chunksInTransaction:
      "An import in a transaction is committed with it, so it takes no chunks.\(nothing)"
    }
  }

  /// The mistake in the JSON as a whole.
  private func sourceText(_ nothing: String) -> String {
    switch kind {
    case .unreadable(let path, let why):
      "\(path) cannot be read: \(why)."
    case .noFiles(let path, true):
      "There are no files of JSON, JSON Lines, CSV or TSV in \(path).\(nothing)"
    case .noFiles(let pattern, false): "No file matches \(pattern).\(nothing)"
    case .remote(let address):
      "\(address) is not a file, and nothing is loaded from elsewhere. Load it first, with URLSession for example, and"
        + " import its data or its bytes.\(nothing)"
    case .rowsAsJSON(let name): "\(name) is a store, not JSON.\(nothing)"
    case .sharedRows(let name):
      "\(name) has rows and is no JSON, of which a share could be imported. Leave the share out."
    case .shareOfOneObject:
      "A share of the objects can be imported into the store only, and not into one of its objects."
    case .pruneOfShare:
      "An import of a share prunes nothing, since it does not see the objects of the other shares. Leave the share or the"
        + " pruning out."
    case .rowsIntoObject(let name):
      "\(name) is a store. Its objects are imported into a store, not into an object or a relationship.\(nothing)"
    case .invalidJSON(let source, let error): "\(source) is not valid JSON: \(error).\(nothing)"
    case .invalidTable(let source, let error):
      "\(source) is not a valid table: \(error.reason) at line \(error.line).\(nothing)"
    case .brokenInput(let source, let failure): "\(source) cannot be read: \(failure.message).\(nothing)"
    case .noEntity(let source, let keys, let known):
      "It is not clear which entity the objects of \(source) are"
        + (keys.isEmpty ? "." : ": none of its keys (\(Self.list(keys))) names one.")
        + " The model has \(Self.list(known))."
    case .notObjects(let source, let found):
      "\(source) has \(found) where an object or a list of objects was expected.\(nothing)"
    case .noSuchPath(let path, let source, let missing, let keys):
      "\(source) has nothing at \(path): there is no key \(missing)"
        + (keys.isEmpty ? "." : ", only \(Self.list(keys)).")
    case .notOneObject(let source, let found):
      "\(source) has \(found) where one object was expected.\(nothing)"
    default: ""
    }
  }

  static func list(_ names: [String]) -> String {
    names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
  }
}

/// Why an import in chunks ended early, after it had committed some of them.
///
/// The committed chunks stay. What came after them changed nothing, and nothing was pruned. To continue, import the
/// same JSON again: objects that are there already are found by their identities and not written twice. Objects at
/// the top of the JSON whose entity has no identity would be inserted again; ``objects`` says how many of them there
/// are already.
public struct PartialImportError: Error, Sendable {
  /// The error that ended it.
  public let cause: any Error
  /// The result of the committed chunks. It does not list pending references.
  public let report: Report
  /// How many objects at the top of the JSON, counted from its beginning, the committed chunks have read.
  public let objects: Int

  package init(cause: any Error, report: Report, objects: Int) {
    (self.cause, self.report, self.objects) = (cause, report, objects)
  }

  /// Whether the caller stopped the import.
  public var isCancellation: Bool {
    cause is CancellationError || (cause as? ImportError)?.isCancellation == true
  }
}

extension PartialImportError: CustomStringConvertible {
  public var description: String {
    let reason =
      (cause as? ImportError)?.text(isWhole: false) ?? (isCancellation ? "Interrupted." : "\(cause)")
    let count = report.chunks ?? 0
    return "\(reason) The first \(objects) objects of the JSON were committed before that, in"
      + " \(count) \(count == 1 ? "chunk" : "chunks"), and stay. Import the same JSON again to go on: an object with an"
      + " identity is found and not written twice, one without is inserted again."
  }
}
