#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The objects that a store had at some time: of each, the number of its row and a hash of its key, since a number may be
  /// another object's later.
  struct ServerObjectSetSnapshot: ObjectSetSnapshot {
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
