#if PostgreSQL
  import UnitOfWork

  /// Which values rows can be found by that a transaction wrote to a table which had none before: what is not among them
  /// need not be looked for on the server.
  struct WrittenKeyFilter {
    private var keys = KeySet()
    /// Whether there are too many to keep.
    private var isOverfull = false

    /// How many entries are kept.
    private static let most = 1 << 22

    mutating func insert(_ values: some Collection<Value>) {
      guard !isOverfull, let key = KeySet.Member(values) else { return }
      _ = keys.insert(key)
      if keys.size >= Self.most { (isOverfull, keys) = (true, KeySet()) }
    }

    /// False if no row was written with these values.
    func mayHold(_ values: RowKey) -> Bool {
      guard !isOverfull, let key = KeySet.Member(values) else { return true }
      return keys.contains(key)
    }
  }
#endif
