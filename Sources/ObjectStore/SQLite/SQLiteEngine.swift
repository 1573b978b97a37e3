import Bytes

/// SQLite offers what imports and exports ask of an engine.
extension Store: StoreEngine {
  /// Whether other processes may have the store.
  package var mayBeShared: Bool { !path.isEmpty && path != ":memory:" }
}

extension SQLiteTransaction: EngineTransaction {
  package func batchWriter(
    _ policy: WritePolicy, continuing former: (any UnfinishedBatches)?
  ) throws -> any BatchWriter {
    try RowWriter(self, policy: policy, continuing: former)
  }
}

extension RowWriter: BatchWriter {
  package func write(_ records: Range<Int>, of batch: inout RowBatch) throws {
    for index in records {
      let root = batch.roots[index]
      let end = batch.end(ofRecord: index)
      try write(root: root, to: end, of: &batch)
    }
  }

  package func takeProblems() -> [RowProblem] {
    let taken = problems
    problems = []
    return taken
  }

  package var counts: WriteCounts { WriteCounts(entities: tally.counts, duplicates: tally.duplicates) }
}
