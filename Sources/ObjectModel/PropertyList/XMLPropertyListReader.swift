/// Reads the XML form of property lists.
///
/// It knows no entities but the five of XML and the numbers of characters, and loads nothing. What is open is on a stack
/// of its own, so that nesting costs as much as it takes to write.
struct XMLPropertyListReader {
  /// A container whose end has not come.
  private struct Open {
    let isDictionary: Bool
    /// Where its elements begin among those that wait.
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

  /// What a dictionary with the only member `CF$UID` refers to: XML has no element for references.
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
