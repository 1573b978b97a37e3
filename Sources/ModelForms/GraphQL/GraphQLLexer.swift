/// Takes a GraphQL document apart.
struct GraphQLLexer {
  enum Token: Equatable {
    case name(String)
    case text(String)
    case number
    /// `{`, `!`, `...`
    case sign(Character)
    case end
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var lineStart = 0
  /// Where the last token begins.
  private var place = (line: 1, column: 1)

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func next() throws(SchemaFileError) -> Token {
    skipSpace()
    place = (line, position - lineStart + 1)
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "\""): return .text(try text())
    case _ where Self.isName(byte) && !Self.isDigit(byte):
      let start = position
      while let byte = peek(), Self.isName(byte) { position += 1 }
      return .name(String(decoding: bytes[start..<position], as: UTF8.self))
    case UInt8(ascii: "-"),
      _ where Self.isDigit(byte):
      position += 1
      while let byte = peek(), Self.isName(byte) || "+-.".utf8.contains(byte) { position += 1 }
      return .number
    case UInt8(ascii: "."):
      position += bytes[position...].prefix(3).count { $0 == byte }
      return .sign(".")
    case _ where "{}()[]:=!|&@$".utf8.contains(byte):
      position += 1
      return .sign(Character(Unicode.Scalar(byte)))
    default: throw error("a character that no GraphQL schema has here")
    }
  }

  /// An error at the last token.
  func error(_ message: String) -> SchemaFileError {
    SchemaFileError("\(place.line):\(place.column)", message)
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  /// Passes over white space, commas, comments and a byte order mark.
  private mutating func skipSpace() {
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\n"):
        position += 1
        beginLine()
      case 0x20, 0x09, 0x0D, UInt8(ascii: ","), 0xEF, 0xBB, 0xBF: position += 1
      case UInt8(ascii: "#"): while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
      default: return
      }
    }
  }

  private mutating func beginLine() {
    line += 1
    lineStart = position
  }

  private var isAtBlockEnd: Bool {
    peek() == UInt8(ascii: "\"") && peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
  }

  private mutating func text() throws(SchemaFileError) -> String {
    let isBlock = isAtBlockEnd
    position += isBlock ? 3 : 1
    let first = position
    while let byte = peek() {
      if isBlock ? isAtBlockEnd : byte == UInt8(ascii: "\"") {
        let text = String(decoding: bytes[first..<position], as: UTF8.self)
        position += isBlock ? 3 : 1
        return Self.trimmed(text)
      }
      if !isBlock, byte == UInt8(ascii: "\n") { break }
      position += byte == UInt8(ascii: "\\") && position + 1 < bytes.count ? 2 : 1
      if byte == UInt8(ascii: "\n") { beginLine() }
    }
    throw error("a text without an end")
  }

  /// The lines without the white space around them.
  private static func trimmed(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { ShortText.trimmed($0) }.filter { !$0.isEmpty }.joined(
      separator: "\n")
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || isDigit(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

enum ShortText {
  /// A text without the white space around it.
  static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(String(start.reversed().drop { $0.isWhitespace }).reversed())
  }
}
