import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Fills batches with the records of the sources of an import, one after another.
final class RecordProducer {
  private let sources: [ImportSource]
  private let plan: Plan
  private let options: ImportOptions
  private let rootPath: RootPath
  private let documentKind: DocumentKind?
  private let added: [String: AddedValue]
  private let columns: ColumnsPlace?
  private let candidates: [FormCandidate]
  private let entity: Int?
  private let batchSize: BatchSize
  private let isCancelled: @Sendable () -> Bool
  /// Keys of documents that named no entity, and how often each came.
  private(set) var unmatched: [String: Int] = [:]
  /// Of sources that have rows: the properties that the model lacks, by entity, and how many objects have them.
  private(set) var unmatchedProperties: [String: [String: Int]] = [:]
  /// The bytes of text in the sources before the present one.
  private(set) var bytes = 0
  /// The bytes of those sources as they came.
  private var received = 0
  /// The entities that the JSON has lists of at its top.
  private(set) var listed: Set<Int> = []
  /// The sources that were read and may identify objects: the key that these get the name under, and the name.
  private(set) var readSources: [(key: String, name: String)] = []
  /// What is imported into. It must be set before reading begins.
  var target = ResolvedTarget.store

  init(
    _ sources: [ImportSource], plan: Plan, options: ImportOptions, entity: Int?, form: DocumentForm,
    batchSize: BatchSize, isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.sources = sources
    self.plan = plan
    self.options = options
    self.rootPath = form.root
    documentKind = form.kind
    added = form.added
    columns = form.columns
    candidates = form.candidates
    self.entity = entity
    self.batchSize = batchSize
    self.isCancelled = isCancelled
  }

  /// What its sources that have rows chose.
  var notes: [String] {
    sources.flatMap { if case .rows(let rows) = $0.form { rows.notes } else { [String]() } }
  }

  /// How many objects the sources have that have rows; nil if none does, or one does not know.
  var rowCount: Int? {
    let counts = sources.compactMap { source -> Int?? in
      if case .rows(let rows) = source.form { .some(rows.objectCount) } else { nil }
    }
    guard !counts.isEmpty, !counts.contains(nil) else { return nil }
    return counts.compactMap(\.self).reduce(0, +)
  }

  /// Whether all JSON comes from other programs.
  var isForeign: Bool { sources.allSatisfy(\.isForeign) }

  /// Whether all JSON is in memory, small, and nested so little that the stack of any thread is enough to read it.
  var isSmallAndShallow: Bool {
    var size = 0
    for source in sources {
      guard case .bytes(let bytes) = source.form, source.table == nil,
        !(bytes.first.map(DecodedInput.isEncoded) ?? false)
      else { return false }
      size += bytes.count
      guard size < 1 << 17 else { return false }
      // Where the brackets are broken, reading ends.
      var brackets = BracketScan()
      bytes.withUnsafeBytes { brackets.scan($0) }
      if brackets.deepest > Self.shallow { return false }
    }
    return true
  }

  /// Reading an object within another takes up to a few kilobytes of the stack.
  private static let shallow = 24

  /// The stack size of a thread that reads. JSON is read by recursion, so it grows with the depth that JSON may have.
  var stackSize: Int { max(8 << 20, min(options.maximumDepth, 1 << 16) * (16 << 10)) }

  /// Reads all sources. Gives each full batch, and the last one of each source, to `consume`, which empties it or
  /// puts an empty one in its place.
  ///
  /// - Parameter isAbandoned: Whether nobody wants the batches any more.
  func run(
    isAbandoned: @escaping @Sendable () -> Bool = { false },
    consume: (inout RecordBatch) throws -> Void
  ) throws {
    let isCancelled = isCancelled
    for source in sources {
      if case .rows(let rows) = source.form {
        try read(rows, isCancelled: { isCancelled() || isAbandoned() }, consume)
        continue
      }
      try source.open(isCancelled: { isCancelled() || isAbandoned() }) { bytes in
        try read(source, bytes, consume)
      }
    }
  }

  /// Reads objects that are rows already.
  private func read(
    _ rows: any RowSource, isCancelled: @escaping @Sendable () -> Bool,
    _ consume: (inout RecordBatch) throws -> Void
  ) throws {
    guard case .store = target else { throw ImportError(.rowsIntoObject(rows.name)) }
    guard options.share == nil else { throw ImportError(.sharedRows(rows.name)) }
    do {
      let prefix = sources.count > 1 ? rows.name : nil
      let found = try RowRecords(plan, sourceName: prefix, batchSize).read(rows, isCancelled: isCancelled) {
        batch in
        (batch.offset, batch.received) = (bytes, received)
        try consume(&batch)
      }
      listed.formUnion(found.entities)
      for (entity, keys) in found.unmatched {
        unmatchedProperties[entity, default: [:]].merge(keys, uniquingKeysWith: +)
      }
      bytes += rows.size ?? 0
      received += rows.size ?? 0
    } catch is CancellationError {
      throw ImportError(.cancelled)
    }
  }

  private func read(
    _ source: ImportSource, _ bytes: any ByteSource, _ consume: (inout RecordBatch) throws -> Void
  ) throws {
    let input: SourceInput
    do throws(SourceError) {
      input = try SourceInput(source, bytes, options)
    } catch {
      throw Self.failure(error, source)
    }
    // An object that is there has its identity.
    var added = self.added
    if case .object = target { added = added.filter { ![.source, .position].contains($0.value) } }
    var reader = DocumentReader(
      source, input, plan: plan, options: options, entity: entity, rootPath: rootPath,
      documentKind: documentKind,
      additions: try Additions(added, rootPath, source, isNew: options.appendsToSources), columns: columns,
      target: target,
      isOneOfMany: sources.count > 1)
    var filter = options.share.map { ShareFilter($0, plan.layout) }
    do {
      try reader.chooseForm(among: candidates, appends: options.appendsToSources)
      while true {
        let mark = reader.records.batch.mark
        guard try reader.advance() else { break }
        if filter != nil {
          filter?.filter(&reader.records.batch, after: mark)
          reader.records.lastStep = nil
        }
        let isStopping = options.isStrict && !reader.records.batch.issues.isEmpty
        guard isStopping || reader.records.batch.isFull(batchSize) else { continue }
        note(input, in: &reader)
        try consume(&reader.records.batch)
        reader.records.lastStep = nil
      }
    } catch let error as JSONError where error.kind == .empty && source.hasLines {
      // A file of lines may have none.
    } catch let error as JSONError {
      throw Self.failure(error, source, input)
    }
    note(input, in: &reader)
    (self.bytes, received) = (reader.records.batch.offset, reader.records.batch.received)
    try consume(&reader.records.batch)
    for value in reader.records.additions.values
    where !reader.records.additions.taken.contains(value.key) && !isKnown(value.key) {
      reader.unmatched[value.key, default: 0] += 1
    }
    if let source = reader.records.additions.source { readSources.append(source) }
    listed.formUnion(reader.listed)
    unmatched.merge(reader.unmatched, uniquingKeysWith: +)
  }

  /// Whether an entity has a property for a key, though no object of it came.
  private func isKnown(_ key: String) -> Bool {
    plan.entities.contains { $0.keys.entry($0.keys.index(of: key)).action != .ignore }
  }

  /// Notes in a batch how far its source has been read.
  private func note(_ input: SourceInput, in reader: inout DocumentReader) {
    let position = input.position(ofReader: reader.records.json.offset)
    reader.records.batch.offset = bytes + position.text
    reader.records.batch.received = received + position.received
  }

  static func failure(_ error: SourceError, _ source: ImportSource) -> ImportError {
    error.isCancellation ? ImportError(.cancelled) : ImportError(.brokenInput(source: source.name, error))
  }

  static func failure(_ error: JSONError, _ source: ImportSource, _ input: SourceInput) -> ImportError {
    if case .source(let error) = error.kind { return failure(error, source) }
    // The JSON that is made of a table has its lines, and no columns of its own.
    guard input.table == nil else { return ImportError(.invalidTable(source: source.name, error)) }
    return ImportError(.invalidJSON(source: source.name, error))
  }
}
