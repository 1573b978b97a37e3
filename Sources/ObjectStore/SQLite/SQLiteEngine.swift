import Bytes

/// SQLite offers what imports and exports ask of an engine.
extension SQLiteStore {
  package var observers: Observers { delivery.observers }

  package func beginObservation() { outside.begin(self) }

  /// Whether other processes may have the store.
  package var mayBeShared: Bool { !path.isEmpty && path != ":memory:" }
}

extension SQLiteTransaction: StoreTransaction {
  package var keptObjects: [ObjectIdentifier: AnyObject] {
    get { cache.objects }
    _modify { yield &cache.objects }
  }

  package func localWriter(
    _ policy: WritePolicy, equality: (any ValueEquality)?
  ) throws -> any LocalWriter {
    try RowWriter(self, policy: policy, equality: equality)
  }

  package func batchWriter(
    _ policy: WritePolicy, continuing former: (any ChunkState)?
  ) throws -> any BatchWriter {
    try RowWriter(self, policy: policy, continuing: former)
  }
}

extension RowWriter: LocalWriter {
  package func write(_ records: Range<Int>, of batch: inout RowBatch) throws {
    if let renamed = context.unsent?.renamed {
      batch.replaceFormerKeys(renamed, in: records, context.layout)
    }
    for index in records {
      let root = batch.roots[index]
      let end = batch.end(ofRecord: index)
      try write(root: root, to: end, over: nil, of: &batch)
    }
  }

  package func storedKind(of row: Int, _ batch: borrowing RowBatch) throws -> Int? {
    try records.storedKind(of: row, batch)
  }

  package func takeProblems() -> [RowProblem] {
    let taken = problems
    problems = []
    return taken
  }

  package var counts: WriteCounts { WriteCounts(entities: tally.counts, duplicates: tally.duplicates) }
}
