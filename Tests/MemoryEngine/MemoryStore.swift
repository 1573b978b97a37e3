package import ObjectModel
package import ObjectStore
package import UnitOfWork

/// A store in memory, written to be read and not to be fast: the second engine, which shows that imports and exports
/// know nothing of the first. It has no search, no SQL, no journal, and tells no observers.
package final class MemoryStore: StoreEngine {
  package let layout: Layout
  package let functions: MappingFunctions
  package let checks: [ValueCheck.Place: ValueCheck] = [:]
  package let mayBeShared = false
  package let batchSize: BatchSize
  private let contents: Locked<MemoryContents>

  /// - Parameter batchSize: How much is written at once; the less, the more often a batch ends between two records.
  /// - Throws: ``StoreError`` for a model with searched attributes.
  package init(model: Model, mapping: JSONMapping? = nil, batchSize: BatchSize = BatchSize()) throws {
    let layout = Layout(try Schema(try mapping?.applied(to: model) ?? model))
    guard layout.tables.allSatisfy({ $0.search == nil }) else {
      throw UnsupportedOperation.error("full-text search")
    }
    self.layout = layout
    functions = mapping?.functions ?? MappingFunctions()
    self.batchSize = batchSize
    contents = Locked(MemoryContents(state: IdentityMap(layout).contents))
  }

  package func transaction<Result>(
    isCancelled: (@Sendable () -> Bool)?, _ body: (MemoryTransaction) throws -> (Result, TransactionEnding)
  ) throws -> Result {
    try contents.withLock { contents in
      if isCancelled?() ?? false { throw CancellationError() }
      let transaction = MemoryTransaction(layout, contents, isReadOnly: false)
      let (result, ending) = try body(transaction)
      if isCancelled?() ?? false { throw CancellationError() }
      if ending == .commit { contents = transaction.finished() }
      return result
    }
  }

  package func read<Result>(_ body: (MemoryTransaction) throws -> Result) throws -> Result {
    try body(MemoryTransaction(layout, contents.withLock { $0 }, isReadOnly: true))
  }
}

/// A transaction works on a copy of what the store holds.
package final class MemoryTransaction: WorkingTransaction {
  package let layout: Layout
  package var isImport = false
  /// What the store holds; its state is that at the beginning.
  private var contents: MemoryContents
  private let stored: MemoryRows
  package let state: IdentityMap
  private let isReadOnly: Bool

  init(_ layout: Layout, _ contents: MemoryContents, isReadOnly: Bool) {
    self.layout = layout
    self.contents = contents
    stored = MemoryRows(layout, contents.state)
    state = IdentityMap(layout, stored)
    self.isReadOnly = isReadOnly
  }

  // MARK: - Writing

  package func remembered(under key: String) throws -> String? { contents.texts[key] }

  package func remember(_ text: String, under key: String) throws {
    try checkWriting()
    contents.texts[key] = text
  }

  package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    try checkWriting()
    if let number, let place = contents.imports.firstIndex(where: { $0.number == number }) {
      contents.imports[place].record = record
      return number
    }
    let next = number ?? (contents.imports.last?.number ?? 0) + 1
    contents.imports = (contents.imports + [(next, record)]).suffix(ImportRecord.most)
    return next
  }

  package func importHistory() throws -> [ImportRecord] { contents.imports.reversed().map(\.record) }

  package func forgetImports() throws {
    try checkWriting()
    contents.imports = []
  }

  package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let (before, copy, written) = (contents, state.contents, stored.state.contents)
    do {
      return try body()
    } catch {
      contents = before
      state.restore(copy)
      stored.state.restore(written)
      throw error
    }
  }

  package func batchWriter(
    _ policy: WritePolicy, continuing former: (any ChunkState)?
  ) throws -> any BatchWriter {
    try checkWriting()
    return WorkingWriter(self, policy, continuing: former as? WorkingWriterState)
  }

  private func checkWriting() throws {
    if isReadOnly { throw StoreError.readOnlyTransaction }
  }
}

/// All that a store holds. It is a value: a copy of it is a state to go back to.
struct MemoryContents {
  var state: IdentityMap.Contents
  /// What the layers above have the store remember.
  var texts: [String: String] = [:]
  /// The last imports, each with its number.
  var imports: [(number: Int64, record: ImportRecord)] = []
}

extension MemoryTransaction {
  package func noteObjects() -> ObjectSetSnapshot {
    let before = IdentityMap(layout)
    before.restore(contents.state)
    return { before.key(of: $0) == $1.key(of: $0) }
  }

  package func recordsWereWritten() {
    stored.take(state)
    state.noteWritten()
  }

  /// What the store holds once the transaction is committed.
  fileprivate func finished() -> MemoryContents {
    recordsWereWritten()
    var finished = contents
    finished.state = stored.state.contents
    return finished
  }
}
