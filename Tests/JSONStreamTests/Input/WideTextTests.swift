import Testing

@testable import JSONStream

@Suite struct WideTextTests {
  private static let encodings: [WideEncoding] = [
    .utf16(isBigEndian: false), .utf16(isBigEndian: true), .utf32(isBigEndian: false),
    .utf32(isBigEndian: true),
  ]

  /// A text with its byte order mark.
  private func bytes(_ text: String, _ encoding: WideEncoding) -> [UInt8] {
    let text = "\u{FEFF}" + text
    let units: [UInt32] =
      encoding.width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
    return units.flatMap { bytes($0, encoding) }
  }

  private func bytes(_ unit: UInt32, _ encoding: WideEncoding) -> [UInt8] {
    let bytes = (0..<encoding.width).map { UInt8(truncatingIfNeeded: unit >> ($0 * 8)) }
    return encoding.isBigEndian ? bytes.reversed() : bytes
  }

  @Test(arguments: 0..<4, [1, 2, 3, 5, 64, .max])
  func isReadAsUTF8(_ index: Int, _ step: Int) throws {
    let encoding = Self.encodings[index]
    let texts = [
      "", "{}", #"[{"name": "前田あゆみ 😋✨", "é": "\#u{7FF}\#u{800}\#u{FFFF}\#u{10FFFF}\#u{FEFF}"}]"#,
      String(repeating: "😀a", count: 30_000),
    ]
    for text in texts where step > 8 || text.utf8.count < 1000 {
      let input = bytes(text, encoding)
      guard input.count >= 4 || encoding.width == 2 else { continue }
      #expect(try decoded(input, step: step) == Array(text.utf8))
    }
  }

  @Test(arguments: 0..<4)
  func isRecognisedInsideGzip(_ index: Int) throws {
    let input = bytes("[1]", Self.encodings[index])
    #expect(try decoded(gzip(input)) == Array("[1]".utf8))
  }

  @Test(arguments: [1, 2, .max])
  func halvesOfPairsAreErrorsWithAPlace(_ step: Int) {
    for encoding in Self.encodings {
      for unit in [0xD800, 0xDBFF, 0xDC00] as [UInt32] {
        let input = bytes("[\n\"é", encoding) + bytes(unit, encoding) + bytes(0x22, encoding)
        do {
          _ = try decoded(input, step: step)
          Issue.record("\(encoding) takes \(unit)")
        } catch {
          #expect(error.message.hasPrefix("found half of a surrogate pair without the other half at line 2"))
          #expect(error.place?.line == 2)
        }
      }
    }
  }

  @Test func anEndInsideACharacterIsAnError() {
    for encoding in Self.encodings {
      let whole = bytes("ab", encoding)
      let message = message(Array(whole.dropLast()))
      #expect(message?.hasPrefix("it ends inside a character") ?? false)
    }
    let input = bytes("a", Self.encodings[0]) + bytes(0xD800, Self.encodings[0])
    #expect(message(input)?.hasPrefix("it ends inside a character") ?? false)
  }

  @Test func aNumberThatIsNoCharacterIsAnError() {
    let input = bytes("a", Self.encodings[2]) + bytes(0x11_0000, Self.encodings[2])
    #expect(
      message(input)?.hasPrefix("found a number that is no character of Unicode at line 1, column 2") ?? false
    )
  }
}
