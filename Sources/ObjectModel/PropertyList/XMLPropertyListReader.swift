/// Reads the XML form of property lists.
///
/// It knows no entities but the five of XML and the numbers of characters, and loads nothing. What is open is on a stack
/// of its own, so that nesting costs as much as it takes to write.
struct XMLPropertyListReader {
  /// A container whose end has not come.
  private struct Open {
    let isDictionary: Bool
    /// The index of its first element among those that wait.
    let start: Int
    let offset: Int
  }

  private var scanner: XMLPropertyListScanner
  private var nodes: [PropertyListNode] = []
  private var references: [UInt32] = []
  private var texts: [UInt8] = []
  private var open: [Open] = []
  /// The elements of all open containers.
  private var waiting: [UInt32] = []
  private var top: UInt32?

  static func table(of bytes: [UInt8]) throws(PropertyListError) -> PropertyListTable {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .expected("the binary form, or XML in UTF-8", found: "bytes that are neither")
    }
    var reader = XMLPropertyListReader(scanner: XMLPropertyListScanner(bytes))
    let top = try reader.read()
    return PropertyListTable(
      bytes: reader.texts, nodes: reader.nodes, references: reader.references, top: top)
  }

  private init(scanner: XMLPropertyListScanner) {
    self.scanner = scanner
  }

  private mutating func read() throws(PropertyListError) -> Int {
    var isInList = false
    while let tag = try scanner.nextTag() {
      if tag.name == "plist" {
        let isStart = !tag.isEnd && !tag.isEmpty && !isInList && top == nil
        guard isStart || (tag.isEnd && isInList && open.isEmpty) else { throw unexpected(tag) }
        isInList = !tag.isEnd
      } else if tag.isEnd {
        try close(tag)
      } else {
        try begin(tag)
      }
    }
    guard open.isEmpty, !isInList else {
      throw .expected("an end tag", found: "the end of the file", at: scanner.place)
    }
    guard let top else { throw .expected("a value", found: "the end of the file", at: scanner.place) }
    return Int(top)
  }

  private func unexpected(_ tag: XMLPropertyListScanner.Tag) -> PropertyListError {
    .expected("an element of a property list", found: tag.shown, at: tag.offset)
  }

  private mutating func begin(_ tag: XMLPropertyListScanner.Tag) throws(PropertyListError) {
    guard !open.isEmpty || top == nil else {
      throw .expected("one value", found: "another: \(tag.shown)", at: tag.offset)
    }
    let isKey = tag.name == "key"
    if let dictionary = open.last, dictionary.isDictionary {
      let wantsKey = (waiting.count - dictionary.start).isMultiple(of: 2)
      guard wantsKey == isKey else {
        throw .expected(wantsKey ? "a <key>" : "the value of a key", found: tag.shown, at: tag.offset)
      }
    } else if isKey {
      throw .expected("a value", found: tag.shown, at: tag.offset)
    }
    switch tag.name {
    case "dict", "array":
      open.append(Open(isDictionary: tag.name == "dict", start: waiting.count, offset: tag.offset))
      if tag.isEmpty { try closeContainer() }
    case "true", "false":
      try add(PropertyListNode(tag.name == "true" ? .true : .false))
      if !tag.isEmpty { _ = try scanner.text(of: tag) }
    case "string", "key", "integer", "real", "date", "data":
      try add(scalar(tag, text: tag.isEmpty ? [] : scanner.text(of: tag)))
    default: throw unexpected(tag)
    }
  }

  private mutating func scalar(
    _ tag: XMLPropertyListScanner.Tag, text: [UInt8]
  ) throws(PropertyListError) -> PropertyListNode {
    switch tag.name {
    case "string", "key": return stored(.utf8, text)
    case "data":
      guard let data = PropertyListText.data(text) else { throw wrong(text, "Base64", tag) }
      return stored(.data, data)
    case "integer":
      guard let node = PropertyListText.integer(text) else { throw wrong(text, "an integer of 64 bits", tag) }
      return node
    case "date":
      guard let seconds = PropertyListText.date(text) else {
        throw wrong(text, "a date such as 2001-01-01T00:00:00Z", tag)
      }
      return PropertyListNode(.date, payload: seconds.bitPattern)
    default:
      guard let number = PropertyListText.real(text) else { throw wrong(text, "a number", tag) }
      return PropertyListNode(.real, payload: number.bitPattern)
    }
  }

  private func wrong(
    _ text: [UInt8], _ expected: String, _ tag: XMLPropertyListScanner.Tag
  ) -> PropertyListError {
    let found = String(decoding: text.prefix(100), as: UTF8.self)
    return .expected(expected, found: PropertyListError.shown(found), at: tag.offset)
  }

  private mutating func stored(_ kind: PropertyListNode.Kind, _ bytes: [UInt8]) -> PropertyListNode {
    let start = texts.count
    texts += bytes
    return PropertyListNode(kind, payload: UInt64(start), count: UInt32(truncatingIfNeeded: bytes.count))
  }

  private mutating func add(_ node: PropertyListNode) throws(PropertyListError) {
    let index = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(node)
    if open.isEmpty { top = index } else { waiting.append(index) }
  }

  private mutating func close(_ tag: XMLPropertyListScanner.Tag) throws(PropertyListError) {
    guard let container = open.last else { throw unexpected(tag) }
    let name = container.isDictionary ? "dict" : "array"
    guard tag.name == name else { throw .expected("</\(name)>", found: tag.shown, at: tag.offset) }
    try closeContainer()
  }

  private mutating func closeContainer() throws(PropertyListError) {
    guard let container = open.popLast() else { return }
    let elements = waiting[container.start...]
    let first = UInt64(references.count)
    if let uid = container.isDictionary ? uid(elements) : nil {
      waiting.removeSubrange(container.start...)
      return try add(PropertyListNode(.uid, payload: uid))
    }
    var count = elements.count
    if container.isDictionary {
      guard count.isMultiple(of: 2) else {
        throw .expected("a value for each key", found: "a key at the end", at: container.offset)
      }
      count /= 2
      references += elements.indices.filter { ($0 - container.start).isMultiple(of: 2) }.map { elements[$0] }
      references += elements.indices.filter { !($0 - container.start).isMultiple(of: 2) }.map { elements[$0] }
    } else {
      references += elements
    }
    waiting.removeSubrange(container.start...)
    let kind: PropertyListNode.Kind = container.isDictionary ? .dictionary : .array
    try add(PropertyListNode(kind, payload: first, count: UInt32(truncatingIfNeeded: count)))
  }

  /// The reference that a dictionary with the only member `CF$UID` is: XML has no element for references.
  private func uid(_ elements: ArraySlice<UInt32>) -> UInt64? {
    guard elements.count == 2, let key = elements.first, let value = elements.last else { return nil }
    let (name, number) = (nodes[Int(key)], nodes[Int(value)])
    let start = Int(name.payload)
    guard texts[start..<start + Int(name.count)].elementsEqual("CF$UID".utf8), number.kind == .integer,
      Int64(bitPattern: number.payload) >= 0
    else { return nil }
    return number.payload
  }
}

/// Goes through the tags of an XML property list, and the text between two of them.
struct XMLPropertyListScanner {
  struct Tag {
    let name: String
    let isEnd: Bool
    /// Whether it is an element of its own: `<true/>`.
    let isEmpty: Bool
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
