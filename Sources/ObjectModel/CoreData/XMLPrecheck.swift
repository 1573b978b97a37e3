import Foundation

/// Refuses, before any parser sees them, files that could do harm or be read in two ways.
struct XMLPrecheck {
  private let data: Data

  init(_ data: Data) {
    self.data = data
  }

  func check() throws {
    if data.isEmpty { throw ModelError(.empty) }
    // Before the encoding: UTF-16 and UTF-32 are full of NUL.
    if data.contains(0) {
      let isUTF16 = data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE])
      throw ModelError(isUTF16 ? .notUTF8 : .nulCharacter)
    }
    guard String(validating: data, as: UTF8.self) != nil else { throw ModelError(.notUTF8) }
    for name in ["DOCTYPE", "ENTITY"] {
      if let range = data.range(of: Data("<!\(name)".utf8)) {
        throw ModelError(.declaration(name), line: line(of: range.lowerBound))
      }
    }
    if let encoding = declaredEncoding, encoding.lowercased() != "utf-8" {
      throw ModelError(.encoding(encoding), line: 1)
    }
  }

  /// The encoding that the XML declaration names.
  private var declaredEncoding: String? {
    let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
    let start = data.starts(with: byteOrderMark) ? data.dropFirst(3) : data
    guard start.starts(with: Data("<?xml".utf8)), let end = start.range(of: Data("?>".utf8)) else {
      return nil
    }
    let declaration = String(decoding: start[..<end.lowerBound], as: UTF8.self)
    guard let word = declaration.range(of: "encoding") else { return nil }
    let value = declaration[word.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return String(value) }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  private func line(of index: Data.Index) -> Int {
    1 + data[..<index].count { $0 == UInt8(ascii: "\n") }
  }
}

/// Looks at the bytes of an XML file for what Foundation's parser cannot take.
///
/// It knows as much of XML as it needs to tell tags, comments, instructions and text from each other.
struct XMLScan {
  /// Elements of models have some twenty attributes. The parser compares each attribute with all before it.
  private static let attributeLimit = 1_000

  private(set) var bytes: [UInt8]
  private var place = 0

  init(_ data: Data) {
    bytes = Array(data)
  }

  /// The bytes with blanks for processing instructions, which models do not have, and one of which without data
  /// ends the process.
  ///
  /// - Throws: ``ModelError`` for an element with too many attributes.
  static func cleaned(_ data: Data) throws(ModelError) -> Data {
    var scan = XMLScan(data)
    try scan.run()
    return Data(scan.bytes)
  }

  private mutating func run() throws(ModelError) {
    if begins("\u{FEFF}") { place = 3 }
    // The declaration is no instruction.
    if begins("<?xml"), place + 5 < bytes.count, Self.isSpace(bytes[place + 5]) { skip(to: "?>") }
    while place < bytes.count {
      if bytes[place] != UInt8(ascii: "<") {
        place += 1
      } else if begins("<!--") {
        skip(to: "-->")
      } else if begins("<![CDATA[") {
        skip(to: "]]>")
      } else if begins("<?") {
        blankInstruction()
      } else {
        try skipTag()
      }
    }
  }

  private func begins(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func skip(to end: String) {
    while place < bytes.count, !begins(end) { place += 1 }
    place = min(bytes.count, place + end.utf8.count)
  }

  private mutating func blankInstruction() {
    let start = place
    skip(to: "?>")
    // Lines stay where they are, since messages name them.
    for index in start..<place where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
  }

  /// Goes behind a tag, counting what is in quotes.
  private mutating func skipTag() throws(ModelError) {
    var attributes = 0
    var quote: UInt8?
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        attributes += 1
        guard attributes <= Self.attributeLimit else {
          let line = 1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") }
          throw ModelError(.tooManyAttributes(limit: Self.attributeLimit), line: line)
        }
      } else if byte == UInt8(ascii: ">") {
        return
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
