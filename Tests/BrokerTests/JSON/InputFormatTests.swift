import Broker
import Foundation
import Testing

@Entity struct Fare {
  var id: Int
  var name: String?
  var amount: Double?
}

/// What else than JSON in UTF-8 a program may import.
@Suite struct InputFormatTests {
  /// `[{"id": 1, "name": "One"}]`
  private static let compressed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8B, 0xAE, 0x56, 0xCA, 0x4C, 0x51, 0xB2,
    0x52, 0x30, 0xD4, 0x51, 0x50, 0xCA, 0x4B, 0xCC, 0x4D, 0x05, 0x32, 0x95, 0xFC, 0xF3, 0x52, 0x95, 0x6A,
    0x63, 0x01, 0x6C, 0x5F, 0x8F, 0x53, 0x1A, 0x00, 0x00, 0x00,
  ]

  private func store() async throws -> Store { try await Store(at: .scratch, for: Fare.self) }

  @Test func compressedBytesAndPieces() async throws {
    let store = try await store()
    try await store.import(Data(Self.compressed), as: Fare.self)
    #expect(try await store.fetch(Fare.all).map(\.name) == ["One"])
    let pieces = AsyncStream { continuation in
      for byte in Self.compressed { continuation.yield([byte]) }
      continuation.finish()
    }
    let report = try await store.import(pieces: pieces, as: Fare.self)
    #expect(report.unchanged == ["Fare": 1])
    #expect(report.bytes == 26)
  }

  @Test func aTableThatIsToldToBeOne() async throws {
    let store = try await store()
    let source = ImportSource.string("id;name;amount\n1;One;2.5\n2;;\n").formatted(as: .csv)
    let report = try await store.import(source, as: Fare.self)
    #expect(report.issues.isEmpty)
    #expect(try await store.fetch(Fare.all).map(\.amount) == [2.5, nil])
    // In pieces, with brackets that no JSON has.
    var options = ImportOptions()
    options.format = .csv
    let pieces = AsyncStream { continuation in
      for byte in "id,name\n1,]}\n".utf8 { continuation.yield([byte]) }
      continuation.finish()
    }
    try await store.import(pieces: pieces, as: Fare.self, options: options)
    #expect(try await store.fetch(Fare.all).map(\.name) == ["]}", nil])
  }

  @Test func limits() async throws {
    let store = try await store()
    var options = ImportOptions()
    options.maximumSize = 25
    await #expect(throws: ImportError.self) {
      try await store.import(Data(Self.compressed), as: Fare.self, options: options)
    }
    options.maximumSize = 26
    try await store.import(Data(Self.compressed), as: Fare.self, options: options)
  }
}
