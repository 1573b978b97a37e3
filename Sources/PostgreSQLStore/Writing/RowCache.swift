#if PostgreSQL
  import UnitOfWork

  /// What is known of the rows of a table by the values of some columns.
  struct RowCache {
    let columns: [Int]
    /// The rows that were asked for, by the values; none if there are none.
    var rows: [RowKey: [Int64]] = [:]
    /// What was written to a table that was empty before; nil for columns whose values the server alone can compare.
    var written: WrittenKeyFilter?
    var hasOneForm: Bool { written != nil }
  }
#endif
