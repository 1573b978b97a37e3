#if PostgreSQL
  import PostgreSQLClient
  import PostgreSQLServer
  import TestSettings
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct NumericTests {
    private let connection: PostgreSQLConnection

    init() throws { connection = try TestDatabase().connection }

    /// The server reads the binary form and writes text; the decoder reads the server's binary form.
    private func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let rows = try connection.query(
        "SELECT $1, $1::text, $2::numeric::text, $2::numeric", .numeric(text), .text(text))
      let expected = try rows.string(0, 2)
      #expect(try rows.string(0, 1) == expected, sourceLocation: sourceLocation)
      #expect(try rows.numeric(0, 0) == expected, sourceLocation: sourceLocation)
      #expect(try rows.numeric(0, 3) == expected, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
      "0", "-0", "0.0", "0.00000", "1", "-1", "1.10", "1.1", "10", "100", "1000", "10000", "100000000",
      "9999",
      "12345", "0.1", "0.01", "0.001", "0.0001", "0.00001", "0.00012", "0.123456789", "10000.0001",
      "-12345.6789",
      "00012.500", "1e3", "1.5e3", "1.5E+10", "1e-5", "12.34e-7", "0e10", "0.00e1", ".5", "5.", "+7", "1e100",
      "1e-100", "99999999999999999999.99999999999999999999", "NaN", "Infinity", "-Infinity", "-inf",
    ])
    func digits(_ text: String) throws { try check(text) }

    @Test func allLengths() throws {
      for length in [1, 2, 3, 4, 5, 8, 9, 100, 999, 1000] {
        let digits = String((0..<length).map { Character("\(($0 * 7 + 1) % 10)") })
        for point in Set([0, 1, 2, 3, 4, length / 2, length]) where point <= length {
          try check("-" + digits.prefix(point) + "." + digits.dropFirst(point))
        }
      }
    }

    @Test func randomNumbers() throws {
      var generator = Seeded(state: 7)
      for _ in 0..<300 {
        let digits = String(
          (0..<Int.random(in: 1...24, using: &generator)).map { _ in
            Character(
              "\(Int.random(in: 0...9, using: &generator) * Int.random(in: 0...1, using: &generator))")
          })
        let point = Int.random(in: 0...digits.count, using: &generator)
        try check(
          digits.prefix(point) + "." + digits.dropFirst(point)
            + "e\(Int.random(in: -20...20, using: &generator))")
      }
    }

    @Test(arguments: [
      "", "-", ".", "+.", "e5", "1e", "1e+", "1.2.3", "12a", " 1", "1 ", "0x10", "--1", "nano", "-NaN",
      "infinit",
      "1e200000", "1e-20000", "1e99999999999999999999", "1e131072",
    ])
    func textsThatAreNoNumbers(_ text: String) throws {
      #expect(throws: PostgreSQLDataError.notNumeric) { try connection.query("SELECT $1", .numeric(text)) }
      // Nothing of it was appended, and the connection goes on.
      #expect(try connection.query("SELECT $1::numeric", .numeric("2.50")).numeric() == "2.50")
    }

    @Test func largest() throws {
      #expect(try connection.query("SELECT length($1::text)", .numeric("1e131071")).int() == 131_072)
      let rows = try connection.query("SELECT $1", .numeric("1e-16383"))
      #expect(try rows.numeric().count == 16_385)
    }

    @Test(
      arguments: [
        [], [0, 1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10], [0, 0, 0, 0, 0, 1, 0, 0],
        [0xFF, 0xFF, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
      ] as [[UInt8]])
    func bytesThatAreNoNumber(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { bytes in
        let empty: StaticString = ""
        let field = PostgreSQLField(
          start: bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start), count: bytes.count)
        var text: [UInt8] = []
        #expect(throws: PostgreSQLDataError.malformed(type: "numeric")) { try field.appendNumeric(to: &text) }
      }
    }
  }
#endif
