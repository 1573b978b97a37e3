#if PostgreSQL
  import ObjectStore
  import UnitOfWork

  /// A set of keys: whole numbers, and the hashes of other keys.
  ///
  /// Whole numbers mostly come in their order and lie close together, so neighbours share an entry. Two other keys may have one
  /// hash: what is not in the set is certainly new, what is in it may be.
  struct KeySet {
    enum Member {
      case number(Int64)
      case hash(UInt64)
    }

    private var numbers = RowMarks()
    private var hashes = KeyHashes()

    /// How many entries it has: 16 bytes each, with the free ones between them up to twice that.
    var size: Int { numbers.used + hashes.count }

    /// Adds a key. False if it was there.
    @inline(__always)
    mutating func insert(_ key: Member) -> Bool {
      switch key {
      case .number(let number): numbers.add(.seen, to: number).isEmpty
      case .hash(let hash): hashes.insert(hash)
      }
    }

    @inline(__always)
    func contains(_ key: Member) -> Bool {
      switch key {
      case .number(let number): !numbers.marks(of: number).isEmpty
      case .hash(let hash): hashes.contains(hash)
      }
    }

    mutating func removeAll() {
      numbers = RowMarks()
      hashes.removeAll()
    }
  }

  extension KeySet.Member {
    /// The values of some columns; nil for those which no row is looked for by.
    init?(_ values: some Collection<Value>) {
      if values.count == 1, case .integer(let number)? = values.first {
        self = .number(number)
        return
      }
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
      self = .hash(hash.value)
    }
  }
#endif
