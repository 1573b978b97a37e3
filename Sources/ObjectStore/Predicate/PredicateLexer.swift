import Bytes

/// Takes a format apart into words, signs and literals.
struct PredicateLexer {
  private let format: String
  private let bytes: [UInt8]
  private var index = 0

  init(_ format: String) {
    self.format = format
    bytes = Array(format.utf8)
  }

  /// All tokens, the end among them.
  mutating func tokens() throws(ObjectPredicateError) -> [PredicateToken] {
    var tokens: [PredicateToken] = []
    while true {
      skipSpace()
      let start = index
      let kind = try next(after: tokens.last?.kind)
      tokens.append(PredicateToken(kind: kind, place: Place(start: start, end: index)))
      if kind == .end { return tokens }
    }
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) { index += 1 }
  }

  private func error(_ message: String, at start: Int) -> ObjectPredicateError {
    ObjectPredicateError(message, at: Place(start: start, end: start), in: format)
  }

  // MARK: - One token

  private mutating func next(after last: PredicateToken.Kind?) throws(ObjectPredicateError)
    -> PredicateToken.Kind
  {
    guard let byte = peek() else { return .end }
    let start = index
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string(byte))
    case UInt8(ascii: "%"): return .argument(try specifier())
    case UInt8(ascii: "#"): return .word(try name("#", "a name"), isEscaped: true)
    case UInt8(ascii: "@"): return .collectionOperator(try name("@", "an operator such as count"))
    case UInt8(ascii: "$"): return .variable(try name("$", "a variable's name"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: ".") where startsNumber(after: last): return .number(try number())
    default:
      let word = word()
      if !word.isEmpty { return .word(word, isEscaped: false) }
      if let sign = sign() { return .sign(sign) }
      throw unexpected(at: start)
    }
  }

  /// Whether a point begins a number, rather than standing between two names.
  private func startsNumber(after last: PredicateToken.Kind?) -> Bool {
    guard let digit = peek(1), TextCursor.isDigit(digit) else { return false }
    switch last {
    case nil, .sign: return last != .sign(")")
    case .word(let word, false): return ReservedWord.isReserved(word)
    default: return false
    }
  }

  private static let signs = [
    "**", "==", "=<", "=>", "!=", "<>", "<=", ">=", "&&", "||", ":=", "=", "<", ">", "!", "(", ")", "{", "}",
    "[", "]", ",", ".", "+", "-", "*", "/",
  ]

  private mutating func sign() -> String? {
    let rest = bytes[index...]
    guard let sign = Self.signs.first(where: { rest.starts(with: $0.utf8) }) else { return nil }
    index += sign.utf8.count
    return sign
  }

  private func unexpected(at start: Int) -> ObjectPredicateError {
    let character = Substring(format)[format.utf8.index(format.utf8.startIndex, offsetBy: start)...].first
    switch character {
    case "‘", "’", "“", "”", "„", "‚", "«", "»":
      return error("Texts stand in straight quotes, ' or \".", at: start)
    case let character?
    where character.isLetter || character.isNumber || character.isPunctuation || character.isSymbol:
      return error("\(character) means nothing in a predicate.", at: start)
    default:
      return error("There is a character here that means nothing in a predicate.", at: start)
    }
  }

  // MARK: - Words

  private mutating func name(_ sign: String, _ expected: String) throws(ObjectPredicateError) -> String {
    let start = index
    index += 1
    let word = word()
    guard !word.isEmpty else { throw error("Expected \(expected) behind \(sign).", at: start) }
    return word
  }

  /// The word that comes next; empty if none does.
  private mutating func word() -> String {
    let start = index
    while let byte = peek() {
      if byte < 0x80 {
        let isPart = TextCursor.isLetter(byte) || byte == UInt8(ascii: "_")
        guard isPart || (index > start && TextCursor.isDigit(byte)) else { break }
        index += 1
      } else {
        guard let scalar = scalar(), scalar.properties.isXIDContinue else { break }
        index += UTF8.width(scalar)
      }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// The scalar that comes next.
  private func scalar() -> Unicode.Scalar? {
    String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
  }

  private static let specifiers = [
    "@", "K", "d", "D", "i", "u", "U", "f", "e", "g", "ld", "lu", "lf", "li", "lld", "llu", "lli", "zd", "zu",
  ]

  private mutating func specifier() throws(ObjectPredicateError) -> String {
    let start = index
    index += 1
    if peek() == UInt8(ascii: "%") {
      throw error(
        "%% stands for a % in a text, and texts stand in quotes, where a single % means itself.", at: start)
    }
    let end = min(index + 3, bytes.count)
    let rest = String(decoding: bytes[index..<end], as: UTF8.self)
    guard let found = Self.specifiers.filter({ rest.hasPrefix($0) }).max(by: { $0.count < $1.count }) else {
      throw error("Behind a % comes what its argument is: %@, %K, %d, %ld, %f …", at: start)
    }
    index += found.utf8.count
    if let after = peek(), TextCursor.isLetter(after) || TextCursor.isDigit(after) {
      throw error("%\(found) runs into what follows it: put a space between them.", at: start)
    }
    return found
  }

  // MARK: - Numbers

  private mutating func number() throws(ObjectPredicateError) -> String {
    let start = index
    if peek() == UInt8(ascii: "0"), let radix = radix(peek(1)) {
      index += 2
      let digits = lettersAndDigits()
      guard let value = Int64(digits, radix: radix) else {
        throw error("This is no whole number of base \(radix) with at most 64 bits.", at: start)
      }
      return String(value)
    }
    skipDigits()
    if peek() == UInt8(ascii: "."), let digit = peek(1), TextCursor.isDigit(digit) {
      index += 1
      skipDigits()
    }
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") { try skipExponent(start) }
    if let byte = peek(), TextCursor.isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 {
      throw error("A number runs into a word. A text needs quotes around it.", at: start)
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private func radix(_ letter: UInt8?) -> Int? {
    switch letter.map({ $0 | 0x20 }) {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private mutating func lettersAndDigits() -> String {
    let start = index
    while let byte = peek(), TextCursor.isDigit(byte) || TextCursor.isLetter(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipDigits() {
    while let byte = peek(), TextCursor.isDigit(byte) { index += 1 }
  }

  private mutating func skipExponent(_ start: Int) throws(ObjectPredicateError) {
    index += 1
    if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { index += 1 }
    let digits = index
    skipDigits()
    guard index > digits, index - digits <= 6 else {
      throw error("This is no number: digits belong behind the e.", at: start)
    }
  }
}

// MARK: - Strings

extension PredicateLexer {
  /// Reads a text in quotes. A backslash before what needs none stays, so that patterns can be written plainly.
  private mutating func string(_ quote: UInt8) throws(ObjectPredicateError) -> String {
    let start = index
    index += 1
    var content: [UInt8] = []
    while let byte = peek() {
      index += 1
      if byte == quote { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        try appendEscaped(to: &content)
      } else {
        content.append(byte)
      }
    }
    let sign = quote == UInt8(ascii: "'") ? "'" : "\""
    throw error("The text that begins here has no end: a \(sign) is missing.", at: start)
  }

  private mutating func appendEscaped(to content: inout [UInt8]) throws(ObjectPredicateError) {
    let start = index - 1
    guard let byte = peek() else { return }
    index += 1
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): content.append(byte)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
      guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(code)
      else {
        throw error("Behind \\u come the four hexadecimal digits of a character.", at: start)
      }
      index += 4
      content += Array(String(scalar).utf8)
    default: content += [UInt8(ascii: "\\"), byte]
    }
  }
}

/// A word, sign or literal of a format.
struct PredicateToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A name or a key word; behind `#`, always a name.
    case word(String, isEscaped: Bool)
    /// `@count` and its like, without the sign.
    case collectionOperator(String)
    /// `$name`, without the sign.
    case variable(String)
    case string(String)
    case number(String)
    /// `%@`, `%ld` …, without the sign.
    case argument(String)
    case sign(String)
    case end
  }

  var kind: Kind
  var place: Place

  /// The word in capitals, if it may be a key word.
  var keyword: String? {
    // Capitals of other letters may be plain ones: that of the dotless i is I.
    guard case .word(let word, false) = kind, word.utf8.count <= 20, word.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    return word.uppercased()
  }

  func isKeyword(_ word: String) -> Bool { keyword == word }
  func isSign(_ sign: String) -> Bool { kind == .sign(sign) }

  /// The token for a message to a person.
  var name: String {
    switch kind {
    case .word(let word, let isEscaped): Excerpt.of((isEscaped ? "#" : "") + word)
    case .collectionOperator(let name): Excerpt.of("@" + name)
    case .variable(let name): Excerpt.of("$" + name)
    case .string(let text): "'\(Excerpt.of(text))'"
    case .number(let digits): Excerpt.of(digits)
    case .argument(let specifier): "%" + specifier
    case .sign(let sign): sign
    case .end: "the end"
    }
  }
}

/// Words that cannot be names without a `#` before them.
enum ReservedWord {
  private static let all: Set<String> = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES",
    "MATCHES_TEXT", "ANY",
    "ALL",
    "NONE", "SOME", "TRUE", "FALSE", "YES", "NO", "NIL", "NULL", "SELF", "TRUEPREDICATE", "FALSEPREDICATE",
    "SUBQUERY", "CAST",
  ]

  static func isReserved(_ word: String) -> Bool { all.contains(word.uppercased()) }
}

/// Shortens what a user wrote, so that it can be shown.
enum Excerpt {
  static func of(_ text: String) -> String {
    let start = text.prefix(41)
    return start.count <= 40 ? text : start.prefix(39) + "…"
  }
}

/// A number in digits, and what can be made of it.
struct NumberText {
  let text: String
  /// In the form that the store has for decimals; nil if that would be too long.
  let decimal: String?

  /// Nil if the text is no number.
  init?(_ text: String) {
    var text = text
    let parsed: (isNumber: Bool, decimal: String?) = text.withUTF8 { bytes in
      guard let number = DecimalNumber(bytes) else { return (false, nil) }
      var buffer = ByteBuffer()
      guard number.append(to: &buffer) else { return (true, nil) }
      return (true, String(decoding: buffer.elements, as: UTF8.self))
    }
    guard parsed.isNumber else { return nil }
    self.text = text
    decimal = parsed.decimal
  }

  /// The whole number that it is, if it is one of 64 bits.
  var integer: Int64? { decimal.flatMap { Int64($0) } }

  var double: Double? { Double(decimal ?? text) }
}
