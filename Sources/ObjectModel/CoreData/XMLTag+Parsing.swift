import Foundation

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
    // What it returns says little: it can be true although there were errors.
    _ = parser.parse()
    if let error = builder.error { throw error }
    guard parser.parserError == nil, let root = builder.root else {
      throw ModelError(.malformedXML("it can't be parsed"), line: max(1, parser.lineNumber))
    }
    self = root
  }

  /// What a code of libxml2 means. On Linux its errors carry no words.
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
