#if PostgreSQL
  import Testing

  @testable import PostgreSQLClient

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// What a server could send and PostgreSQL's own does not: rows in several pieces, lengths that lie.
  struct CopyInputTests {
    private static let header = CopyForm.signature + [0, 0, 0, 0, 0, 0, 0, 0]
    private static let rows: [UInt8] =
      [0, 2, 0, 0, 0, 3, 1, 2, 3, 255, 255, 255, 255] + [0, 0] + [0, 1, 0, 0, 0, 0]
      + [0, 1, 0, 0, 0, 20] + Array(repeating: 7, count: 20)
    private static let end: [UInt8] = [255, 255]

    /// The rows that are read from pieces of at most a length.
    private func read(_ bytes: [UInt8], pieces length: Int) throws -> (rows: [[[UInt8]?]], isAtEnd: Bool) {
      var input = CopyInput()
      defer { input.release() }
      var (rows, fields): ([[[UInt8]?]], [PostgreSQLField]) = ([], [])
      for start in stride(from: 0, to: bytes.count, by: length) {
        let piece = bytes[start..<min(bytes.count, start + length)]
        let memory = try #require(malloc(piece.count)).assumingMemoryBound(to: CChar.self)
        for (index, byte) in piece.enumerated() { memory[index] = CChar(bitPattern: byte) }
        input.take(memory, piece.count)
        while case .row = try input.nextRow(into: &fields) {
          rows.append(try fields.map { $0.isNull ? nil : try Array($0.bytes()) })
        }
      }
      return (rows, input.isAtEnd)
    }

    @Test(arguments: 1...80)
    func pieces(_ length: Int) throws {
      let (rows, isAtEnd) = try read(Self.header + Self.rows + Self.end, pieces: length)
      #expect(rows == [[[1, 2, 3], nil], [], [[]], [Array(repeating: 7, count: 20)]])
      #expect(isAtEnd)
    }

    @Test(arguments: 1...64)
    func endsInTheMiddle(_ missing: Int) throws {
      let bytes = (Self.header + Self.rows + Self.end).dropLast(missing)
      #expect(try !read(Array(bytes), pieces: 1000).isAtEnd)
    }

    @Test(
      arguments: [
        [0, 1, 255, 255, 255, 254], [0, 1, 0x7F, 255, 255, 255], [0, 1, 0x80, 0, 0, 0], [255, 254],
        [0x80, 0],
      ] as [[UInt8]])
    func lengthsThatCannotBe(_ row: [UInt8]) {
      #expect(throws: PostgreSQLDataError.malformed(type: "binary COPY")) {
        try read(Self.header + row, pieces: 1000)
      }
    }

    @Test func lengthsThatLie() throws {
      // They wait for more, and read nothing beyond what was sent.
      #expect(try read(Self.header + [0, 1, 0x3F, 255, 255, 255, 1, 2], pieces: 1000).rows.isEmpty)
      #expect(try read(Self.header + [0x7F, 255, 0, 0, 0, 1, 2], pieces: 1000).rows.isEmpty)
    }

    @Test func otherHeaders() throws {
      var flags = Self.header
      flags[11] = 1
      var name = Self.header
      name[0] = 0
      for header in [flags, name] {
        #expect(throws: PostgreSQLDataError.self) { try read(header + Self.rows, pieces: 1000) }
      }
      let extended = CopyForm.signature + [0, 0, 0, 0, 0, 0, 0, 2, 8, 8] + Self.rows + Self.end
      for length in [1, 5, 1000] { #expect(try read(extended, pieces: length).rows.count == 4) }
    }
  }
#endif
