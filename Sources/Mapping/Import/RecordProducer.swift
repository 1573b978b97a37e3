import Bytes
import Foundation
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
  /// The properties of a source of rows that the model lacks, by entity, and how many objects have them.
  private(set) var unmatchedProperties: [String: [String: Int]] = [:]
  /// The bytes of text in the sources before the present one.
  private(set) var bytes = 0
  /// The bytes of those sources as they came.
  private var received = 0
  /// The entities that the JSON has lists of at its top.
  private(set) var listed: Set<Int> = []
  /// The sources that were read and may identify objects: the key that these get the name under, and the name.
  private(set) var readSources: [(key: String, name: String)] = []
  /// The target of the import. It must be set before reading begins.
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

  /// The choices of its sources that have rows.
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
    _ rows: CoreDataStore, isCancelled: @escaping @Sendable () -> Bool,
    _ consume: (inout RecordBatch) throws -> Void
  ) throws {
    guard case .store = target else { throw ImportError(.rowsIntoObject(rows.path)) }
    guard options.share == nil else { throw ImportError(.sharedRows(rows.path)) }
    do {
      let prefix = sources.count > 1 ? rows.path : nil
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
      if try reader.saysNothing(hasForms: !candidates.isEmpty) {
        while try reader.records.json.next() != .end {}
        note(input, in: &reader)
        (self.bytes, received) = (reader.records.batch.offset, reader.records.batch.received)
        // It may stand in place of objects, of which none is to be deleted then.
        reader.records.batch.hasLeftOutObjects = true
        return try consume(&reader.records.batch)
      }
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
    } catch let error as JSONError where error.kind == .empty && reader.isOneOfMany {
      reader.leaveOut("$", expected: "JSON", found: "an empty file", action: "file left out")
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

/// Rows, and the issues of what could not become rows, on their way from the reader to the writer.
struct RecordBatch: ~Copyable {
  var rows = RowBatch()
  /// The origin of each row.
  var places = PlainBuffer<RowPlace>(capacity: 1 << 8)
  /// The bytes of the steps of places.
  var steps = ByteBuffer(capacity: 1 << 12)
  var issues: [DraftIssue] = []
  /// The objects of which the store has to tell the kind, each before those that it nests.
  var choices: [ReadChoice] = []
  /// Whether the reader left out anything that may have held objects.
  var hasLeftOutObjects = false
  /// Whether objects or lists stand beside the way to the objects, of which nothing is read.
  var hasPassedOver = false
  /// A row whose identity in the JSON differs from that of its object in the store, and the new identity.
  var newIdentity: (row: Int, cells: [Cell])?
  /// The bytes of text read when the batch was full.
  var offset = 0
  /// The bytes of the sources read by then. They are fewer if a source is compressed.
  var received = 0
  /// How paths name the source.
  var sourceName = SourceName()
  /// How large the writer wants it to be; nil for as large as the engine says.
  var wantedSize: BatchSize?

  /// Drops the rows, where they came from, and the issues.
  mutating func removeAll() {
    rows.removeAll()
    places.removeAll()
    steps.removeAll()
    issues = []
    choices = []
  }

  /// How much there was at some moment.
  struct Mark {
    let rows: RowBatch.Mark
    fileprivate let places: Int
    fileprivate let steps: Int
    fileprivate let issues: Int
  }

  var mark: Mark {
    Mark(rows: rows.mark, places: places.count, steps: steps.count, issues: issues.count)
  }

  /// Drops the rows that came after a mark, with their issues.
  mutating func drop(after mark: Mark) {
    rows.drop(after: mark.rows)
    choices.removeAll { $0.choice.row >= mark.rows.rows }
    places.truncate(to: mark.places)
    steps.truncate(to: mark.steps)
    let general = issues[min(mark.issues, issues.count)...].filter { $0.row < mark.rows.rows }
    issues.replaceSubrange(min(mark.issues, issues.count)..., with: general)
  }

  /// Whether it has so much that handing it over costs nothing in comparison.
  func isFull(_ size: BatchSize) -> Bool {
    (wantedSize ?? size).isReached(bytes: rows.bytes.count + steps.count, cells: rows.cells.count)
  }

  func bytes(of step: PathStep) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: steps.base + step.offset, count: step.count)
  }

  func text(of step: PathStep) -> String { String(decoding: bytes(of: step), as: UTF8.self) }
}

/// A batch that goes from thread to thread.
///
/// It is handed over whole. The queue makes sure that only one thread has it at any time.
final class RecordBatchBox: @unchecked Sendable {
  var batch = RecordBatch()
}

/// Takes batches from the thread that reads to the thread that writes, a few at a time, and takes empty ones back.
///
/// All state is guarded by the condition's lock.
final class BatchQueue: @unchecked Sendable {
  private let condition = NSCondition()
  private var full: [RecordBatchBox] = []
  private var empty: [RecordBatchBox]
  private var end: Result<Void, any Error>?
  private var writerHasStopped = false

  init(batches: Int) {
    empty = (0..<batches).map { _ in RecordBatchBox() }
  }

  // MARK: - The reader's side

  /// An empty batch, as soon as there is one. Throws if the writer has stopped.
  func takeEmpty() throws -> RecordBatchBox {
    condition.lock()
    defer { condition.unlock() }
    while empty.isEmpty, !writerHasStopped { condition.wait() }
    guard !writerHasStopped, let batch = empty.popLast() else { throw CancellationError() }
    return batch
  }

  /// Whether the writer has stopped.
  var isAbandoned: Bool {
    condition.lock()
    defer { condition.unlock() }
    return writerHasStopped
  }

  func put(_ batch: RecordBatchBox) {
    condition.lock()
    full.append(batch)
    condition.signal()
    condition.unlock()
  }

  /// Says that no more batches come, and which error the reading ended with, if any.
  func finish(_ result: Result<Void, any Error>) {
    condition.lock()
    end = result
    condition.signal()
    condition.unlock()
  }

  // MARK: - The writer's side

  /// The next full batch; nil at the end. If reading failed, throws its error after all batches that came before it.
  func takeFull() throws -> RecordBatchBox? {
    condition.lock()
    defer { condition.unlock() }
    while full.isEmpty, end == nil { condition.wait() }
    if !full.isEmpty { return full.removeFirst() }
    try end?.get()
    return nil
  }

  func putBack(_ batch: RecordBatchBox) {
    condition.lock()
    empty.append(batch)
    condition.signal()
    condition.unlock()
  }

  /// Tells the reader to stop, and waits until it has.
  func abandon() {
    condition.lock()
    writerHasStopped = true
    condition.broadcast()
    while end == nil { condition.wait() }
    condition.unlock()
  }
}

/// A share of an input's objects, for several importers that read the same input and write to one store.
///
/// ```swift
/// options.share = ImportShare(2, of: 8)
/// ```
///
/// An object at the top of the JSON belongs to the share that its identity falls to, and what it nests goes along. Objects
/// without identity are dealt out by their place in the input.
public struct ImportShare: Sendable, Hashable, CustomStringConvertible {
  /// The number of the share, from 1 on.
  public let number: Int
  /// How many shares there are.
  public let count: Int

  /// Nil unless the number is from 1 to the count.
  public init?(_ number: Int, of count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// A share as it is written: `2/8` is the second of eight.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  public var description: String { "\(number)/\(count)" }

  func takes(_ hash: UInt64) -> Bool { hash % UInt64(count) == UInt64(number - 1) }
}

/// Drops the records of an input that belong to other shares.
struct ShareFilter {
  private let share: ImportShare
  private let layout: Layout
  /// How many records there have been.
  private var records: UInt64 = 0

  init(_ share: ImportShare, _ layout: Layout) { (self.share, self.layout) = (share, layout) }

  /// Drops what was read after a mark if it is a record of another share.
  mutating func filter(_ batch: inout RecordBatch, after mark: RecordBatch.Mark) {
    guard batch.rows.roots.count > mark.rows.roots else { return }
    records += 1
    let root = batch.rows.roots[batch.rows.roots.count - 1]
    if !share.takes(hash(of: root, batch) ?? records) { batch.drop(after: mark) }
  }

  /// A hash of a row's identity; nil if it has none, or lacks a value of it.
  private func hash(of row: Int, _ batch: borrowing RecordBatch) -> UInt64? {
    let key = batch.rows.key(of: row, layout)
    guard !key.isEmpty else { return nil }
    var hash = SteadyHash()
    for cell in key {
      switch cell.kind {
      case .absent, .null, .row: return nil
      case .integer, .real: hash.combine(cell.bits)
      case .text, .blob: for byte in batch.rows.bytes(of: cell) { hash.combine(byte) }
      }
      hash.combine(UInt8(0))
    }
    return hash.value
  }
}

/// A hash that is the same on every machine: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
private struct SteadyHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  mutating func combine(_ bits: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: bits)
    for _ in 0..<8 {
      combine(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// The last bits of FNV-1a differ little where texts do, so the first ones are mixed in.
  var value: UInt64 { ((state ^ (state >> 32)) &* 0x9E37_79B9_7F4A_7C15) >> 16 }
}

/// Follows the brackets of bytes, which may come a few at a time: how deeply they nest, and whether the bytes cannot
/// be JSON, whatever follows.
///
/// The scan does not find every mistake. The import says what is wrong and where.
struct BracketScan {
  private var depth = 0
  /// The largest number of arrays and objects that were open at once.
  private(set) var deepest = 0
  private var isInString = false
  private var isEscaped = false
  private var hasBegun = false
  /// Whether a bracket closes one that was never opened, or the bytes begin like an HTML page.
  private(set) var isBroken = false

  mutating func scan(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes where !isBroken {
      if isInString {
        scanString(byte)
      } else {
        scanStructure(byte)
      }
    }
  }

  private mutating func scanString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func scanStructure(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      deepest = max(deepest, depth)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      isBroken = depth < 0
    case UInt8(ascii: "<"): isBroken = !hasBegun
    case 0x20, 0x09, 0x0A, 0x0D: return
    default: break
    }
    hasBegun = true
  }
}
