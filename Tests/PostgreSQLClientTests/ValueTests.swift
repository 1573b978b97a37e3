#if PostgreSQL
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct ValueTests {
    private let database: TestDatabase
    private var connection: PostgreSQLConnection { database.connection }

    init() throws { database = try TestDatabase() }

    @Test(arguments: [0, 1, -1, .max, .min, 4_294_967_296] as [Int64])
    func integers(_ value: Int64) throws {
      let rows = try connection.query("SELECT $1::bigint, $1::text", .int8(value))
      #expect(try rows.field(0, 0).int8() == value)
      #expect(try rows.string(0, 1) == "\(value)")
    }

    @Test func smallIntegers() throws {
      let rows = try connection.query("SELECT (-2)::smallint, 70000::integer, 7::bigint")
      #expect(try (0..<3).map { try rows.int(0, $0) } == [-2, 70_000, 7])
      #expect(try rows.field(0, 0).int2() == -2)
      #expect(throws: PostgreSQLDataError.malformed(type: "int8")) { try rows.field(0, 0).int8() }
    }

    @Test(arguments: [0, -0.0, 1.5, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func doubles(_ value: Double) throws {
      let rows = try connection.query("SELECT $1", .float8(value))
      #expect(try rows.field(0, 0).float8().bitPattern == value.bitPattern)
    }

    @Test func notANumber() throws {
      let rows = try connection.query("SELECT $1, $1::text", .float8(.nan))
      #expect(try rows.field(0, 0).float8().isNaN)
      #expect(try rows.string(0, 1) == "NaN")
    }

    @Test func booleansAndNull() throws {
      let rows = try connection.query(
        "SELECT $1, $2, $3::text, $4::bigint", .bool(true), .bool(false), .null, .null)
      #expect(try rows.field(0, 0).bool())
      #expect(try !rows.field(0, 1).bool())
      #expect(rows.field(0, 2).isNull && rows.field(0, 3).isNull)
      #expect(throws: PostgreSQLDataError.unexpectedNull) { try rows.field(0, 2).text() }
      // Outside of the rows there is nothing, and no crash.
      #expect(rows.field(1, 0).isNull && rows.field(0, 4).isNull && rows.field(-1, -1).isNull)
    }

    @Test(arguments: [
      "", "a", "é", "e\u{301}", "😀🇨🇭", "line\nbreak\t\"'\\", String(repeating: "x", count: 100_000),
    ])
    func texts(_ value: String) throws {
      let rows = try connection.query("SELECT $1, octet_length($1)", .text(value))
      #expect(try Array(rows.field(0, 0).text()) == Array(value.utf8))
      #expect(try rows.int(0, 1) == Int64(value.utf8.count))
    }

    @Test func textWithZeroIsRefused() throws {
      let error = try postgreSQLError { try connection.query("SELECT $1", .text("a\0b")) }
      #expect(error.isUnrepresentableText)
    }

    @Test(arguments: [[], [0], [0, 255, 1, 92, 39], Array(repeating: 7, count: 70_000)] as [[UInt8]])
    func bytes(_ value: [UInt8]) throws {
      let rows = try connection.query("SELECT $1, octet_length($1)", .bytea(value))
      #expect(try Array(rows.field(0, 0).bytes()) == value)
      #expect(try rows.int(0, 1) == Int64(value.count))
    }

    @Test(
      arguments: [
        (0, "2000-01-01 00:00:00+00"),
        (-1, "1999-12-31 23:59:59.999999+00"),
        (-211_813_488_000_000_000, "4714-11-24 00:00:00+00 BC"),
        (9_223_371_331_199_999_999, "294276-12-31 23:59:59.999999+00"),
        (.max, "infinity"), (.min, "-infinity"),
      ] as [(Int64, String)])
    func timestamps(_ value: Int64, _ text: String) throws {
      try connection.execute("SET TimeZone = 'UTC'")
      let rows = try connection.query("SELECT $1, $1::text", .timestamptz(value))
      #expect(try rows.field(0, 0).timestamptz() == value)
      #expect(try rows.string(0, 1) == text)
    }

    @Test func dates() throws {
      let rows = try connection.query("SELECT $1, $1::text", .date(-1))
      #expect(try rows.field(0, 0).date() == -1)
      #expect(try rows.string(0, 1) == "1999-12-31")
    }

    @Test func uuids() throws {
      let text = "0123ABCD-ffff-4000-8000-00000000cafe"
      let uuid = try #require(Array(text.utf8).withUnsafeBufferPointer { PostgreSQLUUID(text: $0) })
      let rows = try connection.query("SELECT $1, $1::text", .uuid(uuid))
      #expect(try rows.field(0, 0).uuid() == uuid)
      var written: [UInt8] = []
      uuid.append(to: &written)
      #expect(try rows.string(0, 1) == String(decoding: written, as: UTF8.self))
      #expect(try rows.string(0, 1) == text.lowercased())
      for wrong in ["", text + "0", text.replacing("f", with: "g"), "0123ABCDffff-4000-8000-00000000cafe00"] {
        #expect(Array(wrong.utf8).withUnsafeBufferPointer { PostgreSQLUUID(text: $0) } == nil)
      }
    }

    @Test func otherTypesAreRefusedByTheDecoders() throws {
      let rows = try connection.query("SELECT 'abc'::text")
      let field = rows.field(0, 0)
      #expect(throws: PostgreSQLDataError.self) { try field.int8() }
      #expect(throws: PostgreSQLDataError.self) { try field.float8() }
      #expect(throws: PostgreSQLDataError.self) { try field.bool() }
      #expect(throws: PostgreSQLDataError.self) { try field.uuid() }
      var text: [UInt8] = []
      #expect(throws: PostgreSQLDataError.self) { try field.appendNumeric(to: &text) }
    }
  }
#endif
