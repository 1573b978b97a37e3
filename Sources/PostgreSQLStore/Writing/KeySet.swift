#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
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

  /// A set of the 64-bit hashes of keys.
  ///
  /// Two keys may have one hash: what is not in the set is certainly new, what is in it may be.
  struct KeyHashes {
    private var slots: [UInt64] = []
    private var hasZero = false
    private(set) var count = 0

    /// Adds a hash. False if it was there.
    @inline(__always)
    mutating func insert(_ hash: UInt64) -> Bool {
      guard hash != 0 else {
        defer { hasZero = true }
        return !hasZero
      }
      if count * 2 >= slots.count { grow() }
      let mask = slots.count - 1
      var index = Int(truncatingIfNeeded: hash) & mask
      while slots[index] != 0 {
        if slots[index] == hash { return false }
        index = (index + 1) & mask
      }
      slots[index] = hash
      count += 1
      return true
    }

    func contains(_ hash: UInt64) -> Bool {
      guard hash != 0, !slots.isEmpty else { return hash == 0 && hasZero }
      let mask = slots.count - 1
      var index = Int(truncatingIfNeeded: hash) & mask
      while slots[index] != 0 {
        if slots[index] == hash { return true }
        index = (index + 1) & mask
      }
      return false
    }

    mutating func removeAll() {
      count = 0
      hasZero = false
      for index in slots.indices { slots[index] = 0 }
    }

    private mutating func grow() {
      let old = slots
      slots = Array(repeating: 0, count: max(1024, old.count * 2))
      let mask = slots.count - 1
      for hash in old where hash != 0 {
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index] != 0 { index = (index + 1) & mask }
        slots[index] = hash
      }
    }
  }

  /// A hash of the values of a key, one after another.
  struct KeyHash {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always)
    mutating func combine(_ bits: UInt64) {
      let (high, low) = (value ^ bits).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      value = high ^ low ^ 0xA076_1D64_78BD_642F
    }

    mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
      let raw = UnsafeRawBufferPointer(bytes)
      var offset = 0
      while offset + 8 <= raw.count {
        combine(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var rest = UInt64(raw.count) << 56
      while offset < raw.count {
        rest = rest << 8 ^ UInt64(raw[offset])
        offset += 1
      }
      combine(rest)
    }
  }

  /// Many keys as parameters of one statement: an array for each of their parts.
  struct KeyArrays {
    /// The keys that the columns can hold.
    let keys: [RowKey]
    let parameters = PostgreSQLParameters()
    /// The columns, quoted.
    private let columns: [String]

    /// - Parameter columns: The columns, quoted.
    init(_ keys: some Sequence<RowKey>, in columns: [String], _ forms: [ColumnForm]) throws {
      let arrays = forms.map { _ in PostgreSQLParameters() }
      var held: [RowKey] = []
      for key in keys where zip(forms, key).allSatisfy({ $0.takes($1) }) {
        held.append(key)
        for (array, (form, value)) in zip(arrays, zip(forms, key)) { try form.append(value, to: array) }
      }
      for (array, form) in zip(arrays, forms) { try parameters.append(array: array, of: form.type) }
      self.keys = held
      self.columns = columns
    }

    private var arrays: String { columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ") }

    /// That the columns are one of the keys.
    var condition: String {
      guard columns.count > 1 else { return "\(columns[0]) = ANY ($1)" }
      return "(\(columns.joined(separator: ", "))) IN (SELECT * FROM unnest(\(arrays)))"
    }

    /// Selects what the rows with the keys have.
    ///
    /// Of the rows with many keys, the server would rather read a whole table, for each batch anew: it knows little about
    /// tables that were just filled. So it is told to look for one key after another, which tables on several servers do not
    /// take.
    func selection(_ values: String, from table: String, isDistributed: Bool) -> String {
      guard !isDistributed else { return "SELECT \(values) FROM \(table) WHERE \(condition)" }
      let names = columns.indices.map { "k\($0)" }
      // A table that is called as the list of keys is would hide it.
      let isKey = zip(columns, names).map { "t.\($0) = k.\($1)" }.joined(separator: " AND ")
      return """
        SELECT found.* FROM unnest(\(arrays)) AS k(\(names.joined(separator: ", ")))
        CROSS JOIN LATERAL (SELECT \(values) FROM \(table) AS t WHERE \(isKey) OFFSET 0) AS found
        """
    }
  }

  /// The objects that a store had at some time: of each, the number of its row and a hash of its key, since a number may be
  /// another object's later.
  struct ServerObjectSetSnapshot {
    /// By table, in the order of the rows.
    private var rows: [[Int64]] = []
    private var hashes: [[UInt64]] = []

    init(_ session: ServerSession) throws {
      let tables = session.tables
      for (index, table) in tables.layout.tables.enumerated() {
        let row = tables.rowColumn(index)
        let key = table.key.map { SQL.quoted(table.columns[$0].name) }.joined(separator: ", ")
        let forms = table.key.map { tables.forms[index][$0] }
        let stream = try session.lookingUp().stream(
          "SELECT \(row), \(key) FROM \(tables.name(index)) ORDER BY \(row)")
        var (numbers, keys): ([Int64], [UInt64]) = ([], [])
        while try stream.next() {
          numbers.append(try stream.field(0).int8())
          var values: RowKey = []
          for (column, form) in forms.enumerated() { values.append(try form.value(stream.field(column + 1))) }
          keys.append(Self.hash(values))
        }
        rows.append(numbers)
        hashes.append(keys)
      }
    }

    private static func hash(_ key: RowKey) -> UInt64 {
      var hash = KeyHash()
      for value in key {
        switch value {
        case .null: hash.combine(0)
        case .integer(let number): hash.combine(UInt64(bitPattern: number))
        case .real(let number): hash.combine(number.bitPattern)
        case .text(let bytes), .blob(let bytes): bytes.withUnsafeBufferPointer { hash.combine($0) }
        }
      }
      return hash.value
    }

    func contains(_ place: RowLocation, _ state: IdentityMap) throws -> Bool {
      var (low, high) = (0, rows[place.table].count)
      while low < high {
        let middle = (low + high) / 2
        if rows[place.table][middle] < place.row { low = middle + 1 } else { high = middle }
      }
      guard low < rows[place.table].count, rows[place.table][low] == place.row else { return false }
      return hashes[place.table][low] == Self.hash(state.key(of: place))
    }
  }
#endif
