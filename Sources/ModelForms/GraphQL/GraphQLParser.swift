/// Reads the types of a schema in GraphQL's own language.
///
/// Arguments, directives and default values are passed over. Nothing recurses.
struct GraphQLParser {
  private var lexer: GraphQLLexer
  private var token = GraphQLLexer.Token.end
  private var schema = GraphQLSchema()
  /// The place of each type in the schema.
  private var indices: [String: Int] = [:]

  private static let deepestList = 32

  static func parse(_ text: String) throws(SchemaFileError) -> GraphQLSchema {
    var parser = GraphQLParser(lexer: GraphQLLexer(text))
    try parser.advance()
    while parser.token != .end { try parser.definition() }
    return parser.schema
  }

  /// Whether a text begins as a schema does: with a definition, behind comments and descriptions.
  static func mayBegin(_ text: String) -> Bool {
    var lexer = GraphQLLexer(text)
    // try?: what the language does not have is no schema.
    return (try? isDefinition(&lexer)) ?? false
  }

  private static let definitions: Set<String> = [
    "type", "interface", "input", "enum", "union", "scalar", "directive", "schema", "extend",
  ]

  private static func isDefinition(_ lexer: inout GraphQLLexer) throws -> Bool {
    var token = try lexer.next()
    if case .text = token { token = try lexer.next() }
    guard case .name(let word) = token, definitions.contains(word) else { return false }
    switch try lexer.next() {
    case .name: return try lexer.next() != .sign(":")
    case .sign(let sign): return sign == "{" || sign == "@"
    case .text, .number, .end: return false
    }
  }

  private init(lexer: GraphQLLexer) {
    self.lexer = lexer
  }

  private mutating func advance() throws(SchemaFileError) { token = try lexer.next() }

  // MARK: - Definitions

  private mutating func definition() throws(SchemaFileError) {
    let documentation = try text()
    try skip("extend")
    switch try name("a definition, as type or interface") {
    case "schema": try roots()
    case "type": try type(.object, documentation)
    case "interface": try type(.interface, documentation)
    case "input": try type(.input, documentation)
    case "enum": try enumeration(documentation)
    case "union": try union(documentation)
    case "scalar":
      try add(GraphQLSchema.TypeDefinition(kind: .scalar, name: name("a name")))
      try directives()
    case "directive": try directiveDefinition()
    case let word: throw lexer.error("“\(word)” begins no definition of a GraphQL schema")
    }
  }

  /// Adds a type, or what an extension says to the type that it extends.
  private mutating func add(_ type: GraphQLSchema.TypeDefinition) {
    guard let index = indices[type.name] else {
      indices[type.name] = schema.types.count
      schema.types.append(type)
      return
    }
    schema.types[index].fields += type.fields
    schema.types[index].interfaces += type.interfaces
    schema.types[index].members += type.members
  }

  private mutating func roots() throws(SchemaFileError) {
    try directives()
    guard try take("{") else { return }
    while try !take("}") {
      _ = try text()
      _ = try name("query, mutation or subscription")
      try expect(":")
      schema.roots.insert(try name("a type"))
    }
  }

  private mutating func type(_ kind: GraphQLSchema.Kind, _ documentation: String?) throws(SchemaFileError) {
    var type = GraphQLSchema.TypeDefinition(
      kind: kind, name: try name("a name"), documentation: documentation)
    if token == .name("implements") {
      try advance()
      _ = try take("&")
      while case .name(let interface) = token {
        type.interfaces.append(interface)
        try advance()
        _ = try take("&")
      }
    }
    try directives()
    if try take("{") {
      while try !take("}") { type.fields.append(try field()) }
    }
    add(type)
  }

  private mutating func field() throws(SchemaFileError) -> GraphQLSchema.Field {
    let documentation = try text()
    let name = try name("a field")
    try skipParentheses()
    try expect(":")
    let type = try reference()
    if try take("=") { try skipValue() }
    try directives()
    return GraphQLSchema.Field(name: name, type: type, documentation: documentation)
  }

  private mutating func reference() throws(SchemaFileError) -> GraphQLSchema.TypeReference {
    var depth = 0
    while try take("[") { depth += 1 }
    guard depth <= Self.deepestList else {
      throw lexer.error("a list of more than \(Self.deepestList) lists")
    }
    var result = GraphQLSchema.TypeReference(name: try name("a type"), isList: depth > 0)
    result.isRequired = try take("!")
    for _ in 0..<depth {
      try expect("]")
      result.isRequired = try take("!")
    }
    return result
  }

  private mutating func enumeration(_ documentation: String?) throws(SchemaFileError) {
    var type = GraphQLSchema.TypeDefinition(
      kind: .enumeration, name: try name("a name"), documentation: documentation)
    try directives()
    if try take("{") {
      while try !take("}") {
        _ = try text()
        type.members.append(try name("a value"))
        try directives()
      }
    }
    add(type)
  }

  private mutating func union(_ documentation: String?) throws(SchemaFileError) {
    var type = GraphQLSchema.TypeDefinition(
      kind: .union, name: try name("a name"), documentation: documentation)
    try directives()
    if try take("=") {
      _ = try take("|")
      repeat { type.members.append(try name("a type")) } while try take("|")
    }
    add(type)
  }

  private mutating func directiveDefinition() throws(SchemaFileError) {
    try expect("@")
    _ = try name("a name")
    try skipParentheses()
    try skip("repeatable")
    try skip("on")
    _ = try take("|")
    repeat { _ = try name("a place") } while try take("|")
  }

  // MARK: - What is passed over

  private mutating func directives() throws(SchemaFileError) {
    while try take("@") {
      _ = try name("a directive")
      try skipParentheses()
    }
  }

  private mutating func skipParentheses() throws(SchemaFileError) {
    guard token == .sign("(") else { return }
    try skipBrackets()
  }

  private mutating func skipValue() throws(SchemaFileError) {
    switch token {
    case .sign("["), .sign("{"): try skipBrackets()
    case .sign("$"):
      try advance()
      try advance()
    default: try advance()
    }
  }

  /// Passes over everything from an opening bracket to its closing one.
  private mutating func skipBrackets() throws(SchemaFileError) {
    let start = lexer
    var depth = 0
    repeat {
      switch token {
      case .sign("("), .sign("["), .sign("{"): depth += 1
      case .sign(")"), .sign("]"), .sign("}"): depth -= 1
      case .end: throw start.error("a bracket that is not closed")
      default: break
      }
      try advance()
    } while depth > 0
  }

  // MARK: - Tokens

  private mutating func text() throws(SchemaFileError) -> String? {
    guard case .text(let text) = token else { return nil }
    try advance()
    return text.isEmpty ? nil : text
  }

  private mutating func name(_ expected: String) throws(SchemaFileError) -> String {
    guard case .name(let name) = token else { throw lexer.error("expected \(expected)") }
    try advance()
    return name
  }

  private mutating func skip(_ word: String) throws(SchemaFileError) {
    if token == .name(word) { try advance() }
  }

  private mutating func take(_ sign: Character) throws(SchemaFileError) -> Bool {
    guard token == .sign(sign) else {
      if token == .end, "})]".contains(sign) { throw lexer.error("the schema ends before “\(sign)”") }
      return false
    }
    try advance()
    return true
  }

  private mutating func expect(_ sign: Character) throws(SchemaFileError) {
    guard try take(sign) else { throw lexer.error("expected “\(sign)”") }
  }
}

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
  /// The beginning of the last token.
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
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      let start = line.drop { $0.isWhitespace }
      return String(String(start.reversed().drop { $0.isWhitespace }).reversed())
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || isDigit(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
