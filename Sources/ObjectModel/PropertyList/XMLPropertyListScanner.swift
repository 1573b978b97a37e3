/// Goes through the tags of an XML property list, and the text between two of them.
struct XMLPropertyListScanner {
  struct Tag {
    let name: String
    /// Whether it ends an element.
    let isEnd: Bool
    /// Whether it is an element of its own: `<true/>`.
    let isEmpty: Bool
    /// Where it begins.
    let offset: Int

    var shown: String { "<\(isEnd ? "/" : "")\(ModelError.shortened(name, to: 30))\(isEmpty ? "/" : "")>" }
  }

  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if begins("\u{FEFF}") { place = 3 }
  }

  /// The next tag; nil at the end. Comments, instructions and the document's type are passed over.
  mutating func nextTag() throws(PropertyListError) -> Tag? {
    while place < bytes.count {
      if PropertyListText.isSpace(bytes[place]) {
        place += 1
      } else if bytes[place] == UInt8(ascii: "<"), !isDeclaration {
        return try tag()
      } else if begins("<!--") {
        try skip(to: "-->")
      } else if begins("<?") {
        try skip(to: "?>")
      } else if begins("<!DOCTYPE") {
        try skipDocumentType()
      } else if begins("<!") {
        throw .expected("the name of an element", found: "something else", at: place + 1)
      } else {
        throw .expected("a tag", found: "something else", at: place)
      }
    }
    return nil
  }

  /// The text of an element whose start tag came last, to behind its end tag.
  mutating func text(of start: Tag) throws(PropertyListError) -> [UInt8] {
    var text: [UInt8] = []
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "&"): try appendEntity(to: &text)
      case UInt8(ascii: "<"):
        if isDeclaration, begins("<![CDATA[") {
          let first = place + 9
          try skip(to: "]]>")
          text += bytes[first..<place - 3]
        } else if isDeclaration, begins("<!--") {
          try skip(to: "-->")
        } else {
          let end = try tag()
          guard end.isEnd, end.name == start.name else {
            throw .expected("</\(start.name)>", found: end.shown, at: end.offset)
          }
          return text
        }
      default:
        text.append(bytes[place])
        place += 1
      }
    }
    throw .expected("</\(start.name)>", found: "the end of the file", at: place)
  }

  /// Whether what begins here is no tag: a comment, an instruction, the document's type.
  private var isDeclaration: Bool {
    place + 1 < bytes.count
      && (bytes[place + 1] == UInt8(ascii: "!") || bytes[place + 1] == UInt8(ascii: "?"))
  }

  private func begins(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func skip(to end: String) throws(PropertyListError) {
    let start = place
    while place < bytes.count, !begins(end) { place += 1 }
    guard place < bytes.count else {
      throw .expected("“\(end)”", found: "the end of the file", at: start)
    }
    place += end.utf8.count
  }

  /// The type is named, but may declare nothing.
  private mutating func skipDocumentType() throws(PropertyListError) {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: ">") {
      if bytes[place] == UInt8(ascii: "[") {
        throw PropertyListError("its document type has declarations, which are not read", at: place)
      }
      place += 1
    }
    guard place < bytes.count else {
      throw .expected("“>”", found: "the end of the file", at: start)
    }
    place += 1
  }

  /// A tag without its attributes.
  private mutating func tag() throws(PropertyListError) -> Tag {
    let offset = place
    place += 1
    let isEnd = place < bytes.count && bytes[place] == UInt8(ascii: "/")
    if isEnd { place += 1 }
    let first = place
    while place < bytes.count, Self.isName(bytes[place]) { place += 1 }
    guard place > first, place - first <= 100 else {
      throw .expected("the name of an element", found: "something else", at: first)
    }
    let name = String(decoding: bytes[first..<place], as: UTF8.self)
    var quote: UInt8?
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        let isEmpty = bytes[place - 2] == UInt8(ascii: "/") && !isEnd
        return Tag(name: name, isEnd: isEnd, isEmpty: isEmpty, offset: offset)
      } else if byte == UInt8(ascii: "<") {
        break
      }
    }
    throw .expected("“>” at the end of <\(name)", found: "something else", at: offset)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte >= 0x80
  }

  private static let entities: [(name: String, character: Character)] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
  ]

  private mutating func appendEntity(to text: inout [UInt8]) throws(PropertyListError) {
    let start = place
    // The longest is that of a character by its number.
    let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    guard let end else { throw .expected("an entity that ends in “;”", found: "none", at: start) }
    let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
    place = end + 1
    if let entity = Self.entities.first(where: { $0.name == name }) {
      text += String(entity.character).utf8
      return
    }
    let number =
      name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else {
      throw .expected("an entity of XML", found: PropertyListError.shown("&\(name);"), at: start)
    }
    text += String(Character(scalar)).utf8
  }
}
