import Bytes
import JSONStream
import ObjectStore

/// Fills batches with the records of the sources of an import, one after another.
final class RecordProducer {
  private let sources: [ImportSource]
  private let plan: Plan
  private let options: ImportOptions
  private let entity: Int?
  private let batchSize: BatchSize
  private let isCancelled: @Sendable () -> Bool
  /// Keys of documents that named no entity, with how often each came.
  private(set) var unmatched: [String: Int] = [:]
  private(set) var bytes = 0
  /// The entities that lists at the top of the JSON are of.
  private(set) var listed: Set<Int> = []
  /// What is imported into; to be set before reading begins.
  var target = ResolvedTarget.store

  init(
    _ sources: [ImportSource], plan: Plan, options: ImportOptions, entity: Int?,
    batchSize: BatchSize, isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.sources = sources
    self.plan = plan
    self.options = options
    self.entity = entity
    self.batchSize = batchSize
    self.isCancelled = isCancelled
  }

  /// Whether all JSON comes from elsewhere than this program.
  var isForeign: Bool { sources.allSatisfy(\.isForeign) }

  /// Whether all JSON is in memory, little, and nested so little that any thread's stack is enough to read it.
  var isSmallAndShallow: Bool {
    var size = 0
    for source in sources {
      guard case .bytes(let bytes) = source.form else { return false }
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

  /// The stack of a thread that reads: JSON is read by recursion, so this grows with the depth that it may have.
  var stackSize: Int { max(8 << 20, min(options.maximumDepth, 1 << 16) * (16 << 10)) }

  /// Reads all sources and gives each full batch, and each source's last, to `consume`, which empties it or
  /// leaves an empty one in its place.
  ///
  /// - Parameter isAbandoned: Whether there is nobody left to read for.
  func run(
    isAbandoned: @escaping @Sendable () -> Bool = { false },
    consume: (inout RecordBatch) throws -> Void
  ) throws {
    let isCancelled = isCancelled
    for source in sources where !source.isEmptyLines {
      try source.open(isCancelled: { isCancelled() || isAbandoned() }) { bytes in
        try read(source, bytes, consume)
      }
    }
  }

  private func read(
    _ source: ImportSource, _ bytes: any ByteSource, _ consume: (inout RecordBatch) throws -> Void
  ) throws {
    var reader = DocumentReader(
      source, bytes: bytes, plan: plan, options: options, entity: entity, target: target,
      isOneOfMany: sources.count > 1)
    do {
      while try reader.advance() {
        guard reader.isBatchFull(batchSize, isStrict: options.isStrict) else { continue }
        reader.records.batch.offset = self.bytes + reader.records.json.offset
        try consume(&reader.records.batch)
        reader.records.lastStep = nil
      }
    } catch let error as JSONError {
      if case .source(let failure) = error.kind, failure.isCancellation { throw ImportError(.cancelled) }
      throw ImportError(.invalidJSON(source: source.name, error))
    }
    self.bytes += reader.records.json.offset
    reader.records.batch.offset = self.bytes
    try consume(&reader.records.batch)
    listed.formUnion(reader.listed)
    unmatched.merge(reader.unmatched, uniquingKeysWith: +)
  }
}

extension DocumentReader {
  /// Whether a batch has enough texts or cells that handing it over costs nothing in comparison.
  fileprivate func isBatchFull(_ size: BatchSize, isStrict: Bool) -> Bool {
    records.batch.byteCount >= size.bytes || records.batch.rows.cells.count >= size.cells
      || (isStrict && !records.batch.issues.isEmpty)
  }
}
