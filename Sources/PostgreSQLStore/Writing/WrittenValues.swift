#if PostgreSQL
  import WorkingCopy

  /// Which values rows can be found by that a transaction wrote to a table which had none before: what is not among them
  /// need not be looked for on the server.
  struct WrittenValues {
    /// Nil once there are too many.
    private var hashes: KeyHashes? = KeyHashes()

    /// How many values are kept, 8 to 16 bytes each.
    private static let most = 1 << 22

    mutating func insert(_ values: some Sequence<Value>) {
      guard let hash = Self.hash(values) else { return }
      if hashes?.count ?? 0 >= Self.most { hashes = nil }
      _ = hashes?.insert(hash)
    }

    /// False if no row was written with these values.
    func mayHold(_ values: RowKey) -> Bool {
      guard let hashes, let hash = Self.hash(values) else { return true }
      return hashes.contains(hash)
    }

    /// Nil for values which no row is looked for by.
    private static func hash(_ values: some Sequence<Value>) -> UInt64? {
      var hash = KeyHash()
      for value in values {
        switch value {
        case .null: return nil
        case .integer(let number): hash.combine(UInt64(bitPattern: number))
        // 0 and -0 are one number.
        case .real(let number): hash.combine(number == 0 ? 0 : number.bitPattern)
        case .text(let bytes), .blob(let bytes): bytes.withUnsafeBufferPointer { hash.combine($0) }
        }
      }
      return hash.value
    }
  }
#endif
