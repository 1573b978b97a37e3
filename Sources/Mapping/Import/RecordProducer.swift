import Bytes
import JSONStream
import ObjectStore

/// Fills batches with the records of the sources of an import, one after another.
final class RecordProducer {
  private let sources: [ImportSource]
  private let plan: Plan
  private let options: ImportOptions
  private let entity: Int?
  private let isCancelled: @Sendable () -> Bool
  /// Keys of documents that named no entity, with how often each came.
  private(set) var unmatched: [String: Int] = [:]
  private(set) var bytes = 0

  /// A batch is full when its texts or its cells are this many: enough that handing it over costs nothing.
  private static let fullBytes = 1 << 18
  private static let fullCells = 1 << 14

  init(
    _ sources: [ImportSource], plan: Plan, options: ImportOptions, entity: Int?,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.sources = sources
    self.plan = plan
    self.options = options
    self.entity = entity
    self.isCancelled = isCancelled
  }

  /// Reads all sources and gives each full batch, and each source's last, to `consume`, which gives an empty
  /// one back.
  ///
  /// - Parameter isAbandoned: Whether there is nobody left to read for.
  func run(
    _ first: RecordBatch, isAbandoned: @escaping @Sendable () -> Bool = { false },
    consume: (RecordBatch) throws -> RecordBatch
  ) throws {
    let isCancelled = isCancelled
    var batch = first
    for source in sources {
      batch = try source.open(isCancelled: { isCancelled() || isAbandoned() }) { bytes in
        try consume(try read(source, bytes, batch, consume))
      }
    }
  }

  private func read(
    _ source: ImportSource, _ bytes: any ByteSource, _ first: RecordBatch,
    _ consume: (RecordBatch) throws -> RecordBatch
  ) throws -> RecordBatch {
    var reader = DocumentReader(
      source, bytes: bytes, plan: plan, options: options, entity: entity, isOneOfMany: sources.count > 1)
    var batch = first
    if let rows = batch.rows.take() { reader.records.batch = rows }
    reader.records.issues = batch.issues
    do {
      while try reader.advance() {
        guard reader.records.batch.bytes.count >= Self.fullBytes
          || reader.records.batch.cells.count >= Self.fullCells
          || (options.isStrict && !reader.records.issues.isEmpty)
        else { continue }
        reader.hand(to: batch, at: self.bytes + reader.records.json.offset)
        batch = try consume(batch)
        if let rows = batch.rows.take() { reader.records.batch = rows }
        reader.records.issues = batch.issues
      }
    } catch let error as JSONError {
      if case .source(let failure) = error.kind, failure.isCancellation { throw ImportError(.cancelled) }
      throw ImportError(.invalidJSON(source: source.name, error))
    }
    self.bytes += reader.records.json.offset
    reader.hand(to: batch, at: self.bytes)
    unmatched.merge(reader.unmatched, uniquingKeysWith: +)
    return batch
  }
}

extension DocumentReader {
  /// Puts what has been read into a batch.
  fileprivate mutating func hand(to batch: RecordBatch, at offset: Int) {
    var rows = RowBatch()
    swap(&rows, &records.batch)
    batch.rows = consume rows
    batch.issues = records.issues
    batch.offset = offset
    batch.sourceName = records.sourceName
    records.issues = []
  }
}
