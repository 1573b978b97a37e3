import Testing

@testable import JSONStream

@Suite struct CompressionTests {
  private static let text = Array(
    (0..<200).map { #"{"id": \#($0), "name": "Band \#($0 * 7919 % 1000)"}"# }.joined(separator: "\n").utf8)

  @Test(arguments: [1, 2, 3, 7, 1000, .max])
  func gzipIsRecognisedAndRead(_ step: Int) throws {
    #expect(try decoded(gzip(Self.text), step: step) == Self.text)
    #expect(try decoded(gzip([]), step: step) == [])
  }

  @Test(arguments: [1, 5, .max])
  func severalMembersAreOneText(_ step: Int) throws {
    let bytes = gzip(Self.text) + gzip([]) + gzip(Array("{}".utf8)) + [0, 0, 0]
    #expect(try decoded(bytes, step: step) == Self.text + Array("{}".utf8))
  }

  @Test func whatIsNotCompressedStaysAsItIs() throws {
    for bytes in [Self.text, [], [0x1F], [0x7B]] {
      #expect(try decoded(bytes) == bytes)
      #expect(try DecodedInput(MemorySource(bytes)).isUnchanged)
    }
  }

  @Test func aTruncatedFileIsAnErrorWhereverItIsCut() {
    let bytes = gzip(Self.text)
    for count in 2..<bytes.count {
      let message = message(Array(bytes[..<count]), step: 13)
      #expect(message == "its gzip data ends too early, after \(count) bytes")
    }
  }

  /// The header has bytes that mean nothing to the text.
  @Test func aWrongByteIsAnErrorOrChangesNothing() throws {
    let bytes = gzip(Self.text)
    for index in 2..<bytes.count {
      var broken = bytes
      broken[index] ^= 0x55
      guard message(broken) == nil else { continue }
      #expect(index < 10)
      #expect(try decoded(broken) == Self.text)
    }
    var broken = bytes
    broken[bytes.count - 8] ^= 1
    let count = bytes.count
    #expect(message(broken)?.hasPrefix("its gzip data is broken at byte \(count - 4)") ?? false)
  }

  @Test func somethingElseBehindItIsAnError() {
    let bytes = gzip(Self.text)
    #expect(
      message(bytes + Array("{}".utf8))
        == "there is something else behind its gzip data, at byte \(bytes.count)")
  }

  @Test func aSmallInputThatBecomesHugeIsStopped() {
    let bytes = gzip([UInt8](repeating: 0x20, count: 30 << 20))
    #expect(bytes.count < 100_000)
    #expect(message(bytes)?.contains("that is the limit (maximumRatio, --max-ratio)") ?? false)
    #expect(message(bytes, limits: InputLimits(maximumRatio: 2_000)) == nil)
    // So much may come of any input.
    #expect(message(gzip([UInt8](repeating: 0x20, count: 9 << 20))) == nil)
  }

  @Test func theSizeOfAnyInputCanBeLimited() {
    let limits = InputLimits(maximumSize: Self.text.count)
    for bytes in [Self.text, gzip(Self.text)] {
      #expect(message(bytes, limits: limits) == nil)
      let message = message(bytes, limits: InputLimits(maximumSize: Self.text.count - 1))
      #expect(
        message
          == "it has more than \(Self.text.count - 1) bytes of text; that is the limit (maximumSize, --max-input)"
      )
    }
  }

  @Test func theMeterCountsBoth() throws {
    let input = try DecodedInput(MemorySource(gzip(Self.text)))
    _ = try read(input.source)
    #expect(input.meter.text == Self.text.count)
    #expect(input.meter.received == gzip(Self.text).count)
  }

  // MARK: - zstd

  /// A frame with one block that is not compressed, of fewer than 256 bytes.
  private func frame(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    let header = [0x28, 0xB5, 0x2F, 0xFD, 0x20, UInt8(count)] as [UInt8]
    return header + [UInt8((count << 3 | 1) & 0xFF), UInt8(count >> 5), 0] + Array(text.utf8)
  }

  @Test(arguments: [1, 3, .max])
  func zstdIsReadWhereItsLibraryIsThere(_ step: Int) throws {
    let bytes = frame(#"{"id": 1}"#) + frame(#"{"id": 2}"#)
    guard ZstdLibrary.shared != nil else {
      #expect(message(bytes)?.contains("libzstd, is not there; decompress it first") ?? false)
      return
    }
    #expect(try decoded(bytes, step: step) == Array(#"{"id": 1}{"id": 2}"#.utf8))
    #expect(
      message(Array(bytes.dropLast()), step: step)
        == "its zstd data ends too early, after \(bytes.count - 1) bytes")
    var broken = bytes
    broken[6] |= 6
    #expect(message(broken)?.hasPrefix("its zstd data is broken before byte") ?? false)
  }
}
