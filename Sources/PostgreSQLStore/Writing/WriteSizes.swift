#if PostgreSQL
  package import ObjectStore

  /// How much is written to a server at once.
  package struct WriteSizes: Sendable {
    /// How large batches are as long as their rows go in bulk: the statements are about all of them.
    package var batch = BatchSize()
    /// How large batches are in which all has to be decided here: some thousand rows, so that each statement is worth its
    /// journey. Twice as many took no less time, and 18 MB more, half as many 9 MB less (departments with employees and
    /// skills).
    package var ruledBatch = BatchSize(bytes: 1 << 20, cells: 1 << 16)
    /// From how many changes on a batch is written by a statement for each table.
    package var changesTogether = 200
    /// From how many changes on they are pushed by another thread, while the next batch is decided.
    package var changesBeside = 2_000

    package init() {}
  }
#endif
