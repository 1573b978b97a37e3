import Foundation

/// An element of an XML file, without its text: model files say everything in attributes.
struct XMLTag {
  var name: String
  var attributes: [String: String]
  var children: [XMLTag] = []
  /// The line on which its start tag ends.
  var line: Int

  func all(_ name: String) -> [XMLTag] {
    children.filter { $0.name == name }
  }

  /// A copy of the attributes from which a reader takes what it knows; what is left is kept as it is.
  func fields(of owner: String) -> XMLFields {
    XMLFields(tag: self, owner: owner)
  }
}

/// The attributes of an element, taken one by one.
struct XMLFields {
  let tag: XMLTag
  /// The element, for messages: “an entity”.
  let owner: String
  /// The attributes that nobody has taken.
  private(set) var rest: [String: String]

  init(tag: XMLTag, owner: String) {
    self.tag = tag
    self.owner = owner
    self.rest = tag.attributes
  }

  mutating func text(_ name: String) -> String? {
    rest.removeValue(forKey: name)
  }

  /// The text, or `nil` where the attribute is absent or empty.
  mutating func nonEmpty(_ name: String) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func required(_ name: String) throws -> String {
    guard let text = nonEmpty(name) else { throw error(.missing(name, of: owner)) }
    return text
  }

  /// `YES` or `NO`, which some models write `true` or `false`. Absent means `NO`.
  mutating func flag(_ name: String) throws -> Bool {
    guard let text = text(name) else { return false }
    switch text.lowercased() {
    case "yes", "true", "1": return true
    case "no", "false", "0", "": return false
    default: throw unexpected(text, of: name, expected: "YES or NO")
    }
  }

  mutating func integer(_ name: String) throws -> Int? {
    guard let text = nonEmpty(name) else { return nil }
    guard let number = Int(text) else { throw unexpected(text, of: name, expected: "a whole number") }
    return number
  }

  mutating func number(_ name: String) throws -> Double? {
    guard let text = nonEmpty(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw unexpected(text, of: name, expected: "a number")
    }
    return number
  }

  func unexpected(
    _ value: String, of name: String, expected: String, nearest: String? = nil
  ) -> ModelError {
    error(.unexpected(value: value, of: name, expected: expected, nearest: nearest))
  }

  func error(_ reason: ModelError.Reason) -> ModelError {
    ModelError(reason, line: tag.line)
  }
}

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

extension XMLTag {
  /// Models are four deep. The limit keeps deep nesting from exhausting the stack.
  static let depthLimit = 64

  /// The outermost element of an XML file.
  ///
  /// The bytes must be UTF-8 without any DOCTYPE: there are no entities to expand and nothing else is read.
  init(parsing data: Data) throws {
    try XMLPrecheck(data).check()
    let parser = XMLParser(data: try XMLScan.cleaned(data))
    let builder = XMLTreeBuilder()
    parser.delegate = builder
    parser.shouldResolveExternalEntities = false
    // The returned value says little: it can be true although there were errors.
    _ = parser.parse()
    if let error = builder.error { throw error }
    guard parser.parserError == nil, let root = builder.root else {
      throw ModelError(.malformedXML("it can't be parsed"), line: max(1, parser.lineNumber))
    }
    self = root
  }

  /// The meaning of a code of libxml2. On Linux its errors carry no words.
  fileprivate static func cause(of error: any Error) -> String {
    switch (error as NSError).code {
    case 5: "the file breaks off, or goes on after the outermost element"
    case 9: "a character that XML does not allow"
    case 23: "an entity reference without “;”"
    case 26: "an entity that XML does not define"
    case 38: "“<” in the value of an attribute"
    case 39, 40: "the value of an attribute is not in quotes"
    case 41: "an attribute without “=”"
    case 42: "an attribute written twice"
    case 65: "a space is missing between attributes"
    case 68: "a name is expected"
    case 73: "“>” is expected"
    case 76: "an end tag that does not match its start tag"
    case 77: "a start tag without its end tag"
    case let code: "error \(code)"
    }
  }
}

/// Builds the tree from the parser's events.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
  private var open: [XMLTag] = []
  private(set) var root: XMLTag?
  /// The first error: those that follow are mostly its consequences.
  private(set) var error: ModelError?

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard error == nil else { return }
    guard open.count < XMLTag.depthLimit else {
      error = ModelError(.tooDeep(limit: XMLTag.depthLimit), line: parser.lineNumber)
      parser.abortParsing()
      return
    }
    open.append(XMLTag(name: name, attributes: attributes, line: parser.lineNumber))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard error == nil, let tag = open.popLast() else { return }
    if open.isEmpty {
      root = tag
    } else {
      open[open.count - 1].children.append(tag)
    }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    guard error == nil else { return }
    error = ModelError(.malformedXML(XMLTag.cause(of: parseError)), line: max(1, parser.lineNumber))
  }
}

/// Writes the elements of a Core Data file, as Xcode indents them.
struct XMLText {
  private(set) var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
  private var depth = 0

  /// Writes an element, and within it what `children` writes.
  mutating func element(
    _ name: String, _ attributes: XMLAttributes, children: ((inout XMLText) -> Void)? = nil
  ) {
    let margin = String(repeating: "    ", count: depth)
    text += margin + "<" + name + attributes.text
    guard let children else {
      text += "/>\n"
      return
    }
    text += ">\n"
    let start = text.utf8.count
    depth += 1
    children(&self)
    depth -= 1
    if text.utf8.count == start {
      text.removeLast(2)
      text += "/>\n"
    } else {
      text += margin + "</" + name + ">\n"
    }
  }
}

/// Attributes in the order in which they are added.
struct XMLAttributes {
  private(set) var text = ""
  private var written: Set<String> = []

  mutating func add(_ name: String, _ value: String?) {
    // Something kept for a round trip must not repeat what was written already.
    guard let value, Self.isName(name), written.insert(name).inserted else { return }
    text += " " + name + "=\"" + Self.escaped(value) + "\""
  }

  mutating func add(_ name: String, _ number: Int?) {
    add(name, number.map(String.init))
  }

  mutating func add(_ name: String, _ flag: Bool) {
    if flag { add(name, "YES") }
  }

  mutating func add(_ other: [String: String]) {
    for (name, value) in other.sorted(by: { $0.key < $1.key }) { add(name, value) }
  }

  /// Names in `other` can come from JSON and be anything; what XML can't say is left out.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
      return false
    }
    return name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" || $0 == "."
        || $0 == ":"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\r": "&#13;"
      case "\t": "&#9;"
      // XML has no way to write these.
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: nil
      }
    }
  }
}
