#if PostgreSQL
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct CopyTests {
    private let connection: PostgreSQLConnection
    private static let copy = "COPY t FROM STDIN (FORMAT binary)"

    init() throws { connection = try TestDatabase().connection }

    private func append(_ text: String, to writer: PostgreSQLCopyWriter) throws {
      var text = text
      try text.withUTF8 { try writer.append(text: $0) }
    }

    @Test func thereAndBack() throws {
      try connection.execute(
        """
        CREATE TABLE t (k bigint, i integer, s smallint, d float8, b boolean, v text, x bytea, n numeric,
          z timestamptz, u uuid)
        """)
      let count = 100_000 as Int64
      let writer = try connection.copyIn(Self.copy)
      for key in 0..<count {
        writer.beginRow()
        writer.append(int8: key)
        writer.append(int4: Int32(truncatingIfNeeded: -key))
        writer.append(int2: Int16(truncatingIfNeeded: key))
        writer.append(float8: Double(key) / 4)
        writer.append(bool: key % 3 == 0)
        if key % 5 == 0 { writer.appendNull() } else { try append("😀 \(key)", to: writer) }
        try [UInt8(truncatingIfNeeded: key)].withUnsafeBytes { try writer.append(bytea: $0) }
        var number = "\(key).50"
        try number.withUTF8 { try writer.append(numeric: $0) }
        writer.append(timestamptz: key)
        writer.append(uuid: PostgreSQLUUID(high: UInt64(key), low: .max))
        try writer.endRow()
      }
      #expect(try writer.finish() == Int(count))
      let sums = try connection.query("SELECT sum(k)::bigint, sum(n), count(v), sum(d)::text FROM t")
      #expect(try sums.int() == count * (count - 1) / 2)
      #expect(try sums.numeric(0, 1) == "5000000000.00")
      #expect(try sums.int(0, 2) == count / 5 * 4)
      try readAll(count)
    }

    private func readAll(_ count: Int64) throws {
      let reader = try connection.copyOut("COPY (SELECT * FROM t ORDER BY k) TO STDOUT (FORMAT binary)")
      var key: Int64 = 0
      var (wrong, number) = (0, [UInt8]())
      while try reader.next() {
        number.removeAll(keepingCapacity: true)
        try reader.field(7).appendNumeric(to: &number)
        let text = reader.field(5).isNull ? nil : try reader.field(5).string()
        let isRight =
          try reader.field(0).int8() == key && reader.field(1).int4() == Int32(truncatingIfNeeded: -key)
          && reader.field(2).int2() == Int16(truncatingIfNeeded: key)
          && reader.field(3).float8() == Double(key) / 4 && reader.field(4).bool() == (key % 3 == 0)
          && text == (key % 5 == 0 ? nil : "😀 \(key)")
          && reader.field(6).bytes().elementsEqual([UInt8(truncatingIfNeeded: key)])
          && number.elementsEqual("\(key).50".utf8) && reader.field(8).timestamptz() == key
          && reader.field(9).uuid() == PostgreSQLUUID(high: UInt64(key), low: .max)
        if !isRight || reader.columnCount != 10 { wrong += 1 }
        key += 1
      }
      #expect(wrong == 0 && key == count && reader.rowCount == Int(count))
      #expect(try !reader.next())
      #expect(try connection.query("SELECT 1").int() == 1)
    }

    @Test func emptyAndLarge() throws {
      try connection.execute("CREATE TABLE t (x bytea)")
      #expect(try connection.copyIn(Self.copy).finish() == 0)
      let empty = try connection.copyOut("COPY t TO STDOUT (FORMAT binary)")
      #expect(try !empty.next())
      let writer = try connection.copyIn(Self.copy)
      for length in [0, 20_000_000, 3, 300_000] {
        writer.beginRow()
        try [UInt8](repeating: 9, count: length).withUnsafeBytes { try writer.append(bytea: $0) }
        try writer.endRow()
      }
      #expect(try writer.finish() == 4)
      let reader = try connection.copyOut("COPY t TO STDOUT (FORMAT binary)")
      var lengths: [Int] = []
      while try reader.next() {
        let bytes = try reader.field(0).bytes()
        #expect(bytes.allSatisfy { $0 == 9 })
        lengths.append(bytes.count)
      }
      #expect(lengths == [0, 20_000_000, 3, 300_000])
    }

    @Test func abort() throws {
      try connection.execute("CREATE TABLE t (k bigint)")
      func fill(_ writer: PostgreSQLCopyWriter) throws {
        for key in 0..<50_000 as Range<Int64> {
          writer.beginRow()
          writer.append(int8: key)
          try writer.endRow()
        }
      }
      let writer = try connection.copyIn(Self.copy)
      try fill(writer)
      writer.abort("no more")
      #expect(connection.transactionStatus == .idle)
      #expect(throws: PostgreSQLError.self) { try writer.finish() }
      do { try fill(connection.copyIn(Self.copy)) }
      #expect(try connection.query("SELECT count(*) FROM t").int() == 0)
      try connection.execute("BEGIN")
      try connection.copyIn(Self.copy).abort("no more")
      #expect(connection.transactionStatus == .inFailedTransaction)
    }

    @Test func rowsThatTheServerRefuses() throws {
      try connection.execute("CREATE TABLE t (k bigint PRIMARY KEY, v text)")
      let writer = try connection.copyIn(Self.copy)
      let error = try postgreSQLError {
        for key in [1, 2, 1] as [Int64] {
          writer.beginRow()
          writer.append(int8: key)
          writer.appendNull()
          try writer.endRow()
        }
        _ = try writer.finish()
      }
      #expect(error.isUniqueViolation)
      let short = try connection.copyIn(Self.copy)
      short.beginRow()
      short.append(int8: 1)
      try short.endRow()
      #expect(try postgreSQLError { _ = try short.finish() }.sqlState == "22P04")
      let zero = try connection.copyIn(Self.copy)
      zero.beginRow()
      zero.append(int8: 1)
      try append("a\0", to: zero)
      try zero.endRow()
      #expect(try postgreSQLError { _ = try zero.finish() }.isUnrepresentableText)
      #expect(try connection.query("SELECT count(*) FROM t").int() == 0)
    }

    @Test func rowsThatAreNotEnded() throws {
      try connection.execute("CREATE TABLE t (n numeric)")
      let writer = try connection.copyIn(Self.copy)
      for text in ["1.10", "x", "2"] {
        writer.beginRow()
        var text = text
        do {
          try text.withUTF8 { try writer.append(numeric: $0) }
          try writer.endRow()
        } catch PostgreSQLDataError.notNumeric {
          #expect(text == "x")
        }
      }
      writer.beginRow()
      #expect(try writer.finish() == 2)
      #expect(try connection.query("SELECT string_agg(n::text, ' ' ORDER BY n) FROM t").string() == "1.10 2")
    }

    @Test func misuse() throws {
      try connection.execute("CREATE TABLE t (k bigint)")
      #expect(throws: PostgreSQLError.self) { try connection.copyIn("COPY t FROM STDIN") }
      #expect(throws: PostgreSQLError.self) { try connection.copyIn("COPY t TO STDOUT (FORMAT binary)") }
      #expect(throws: PostgreSQLError.self) { try connection.copyOut(Self.copy) }
      #expect(throws: PostgreSQLError.self) { try connection.copyOut("SELECT 1") }
      #expect(throws: PostgreSQLError.self) {
        try connection.copyOut("COPY no_such TO STDOUT (FORMAT binary)")
      }
      #expect(try connection.query("SELECT 1").int() == 1)
    }

    @Test func readerThatFailsOrIsLeft() throws {
      let reader = try connection.copyOut(
        "COPY (SELECT 10 / (5000 - i) FROM generate_series(1, 10000) i) TO STDOUT (FORMAT binary)")
      #expect(try postgreSQLError { while try reader.next() {} }.sqlState == "22012")
      #expect(reader.rowCount == 4999)
      do {
        let left = try connection.copyOut(
          "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 1000000)) TO STDOUT (FORMAT binary)")
        #expect(try left.next())
      }
      #expect(try connection.query("SELECT 1").int() == 1)
    }
  }
#endif
