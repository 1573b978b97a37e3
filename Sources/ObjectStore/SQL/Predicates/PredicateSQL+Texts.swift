/// Comparisons of texts.
extension PredicateSQL {
  mutating func compareTexts(_ comparison: OperandComparison) throws(ObjectPredicateError) -> String {
    let (left, operation) = (comparison.left, comparison.operation)
    let (options, right) = (comparison.options, comparison.right)
    let text = try text(left)
    let wanted = try wantedText(right, beside: left)
    if operation == .matches { return try matches(text, options, wanted, right) }
    if operation == .finds { return try finds(text, wanted, right) }
    if operation == .like, case .text(let pattern) = wanted,
      let one = isOneOfTexts(text, TextCondition(.like, pattern, options))
    {
      return one
    }
    let begin = try range(text, wanted, comparison)
    if let begin, operation == .beginsWith { return begin }
    let sql = foldedText(text.sql, options)
    let other =
      switch wanted {
      case .text(let wanted): try bind(.text(TextFolding.folded(wanted, options)), .text, at: right.place)
      case .sql(let other): foldedText(other, options)
      }
    switch operation {
    case .beginsWith: return dialect.begins(sql, with: other)
    case .endsWith: return dialect.ends(sql, with: other)
    case .contains: return dialect.contains(sql, other)
    default:
      let like = exactly(dialect.isLike(sql, other))
      return begin.map { "(\($0) AND \(like))" } ?? like
    }
  }

  /// The text that is looked for.
  private enum WantedText {
    case text(String)
    case sql(String)
  }

  private mutating func text(_ operand: Operand) throws(ObjectPredicateError) -> SQLPart {
    switch operand.kind {
    case .constant(let constant):
      guard let text = ComparedType.text(constant) else { throw noText(operand) }
      return SQLPart(sql: try bind(.text(text), .text, at: operand.place), type: .text)
    case .parts(let parts):
      guard let part = parts.first, parts.count == 1 else { throw noText(operand) }
      switch part.type {
      case .text, .json, .uuid, .date, .decimal, .integer:
        let sql = exactly(dialect.text(part.sql, of: part.type))
        if sql == part.sql { return part }
        return SQLPart(sql: sql, type: .text)
      case .boolean, .real, .blob: throw noText(operand)
      }
    case .list: throw noText(operand)
    }
  }

  private mutating func wantedText(
    _ operand: Operand, beside left: Operand
  ) throws(ObjectPredicateError) -> WantedText {
    guard case .constant(let constant) = operand.kind else { return .sql(try text(operand).sql) }
    guard let text = ComparedType.text(constant) else { throw noText(operand) }
    // UUIDs are kept in small letters.
    if case .parts(let parts) = left.kind, parts.first?.type == .uuid { return .text(text.lowercased()) }
    return .text(text)
  }

  private func noText(_ operand: Operand) -> ObjectPredicateError {
    error("\(operand.text) is no text to search in or for.", at: operand.place)
  }

  private mutating func foldedText(_ sql: String, _ options: TextOptions) -> String {
    folded(sql, .text, options)
  }

  private mutating func matches(
    _ text: SQLPart, _ options: TextOptions, _ wanted: WantedText, _ right: Operand
  ) throws(ObjectPredicateError) -> String {
    switch wanted {
    case .text(let pattern):
      guard (try? WholeMatch(pattern, options)) != nil else {
        throw error("'\(Excerpt.of(pattern))' is not a regular expression.", at: right.place)
      }
      if let one = isOneOfTexts(text, TextCondition(.matches, pattern, options)) { return one }
      return exactly(dialect.matches(text.sql, try bind(.text(pattern), .text, at: right.place), options))
    case .sql(let other): return exactly(dialect.matches(text.sql, other, options))
    }
  }

  private mutating func finds(
    _ text: SQLPart, _ wanted: WantedText, _ right: Operand
  ) throws(ObjectPredicateError) -> String {
    guard case .text(let pattern) = wanted, (try? Regex(pattern)) != nil else {
      throw error("\(right.text) is not a regular expression of Swift.", at: right.place)
    }
    if let one = isOneOfTexts(text, TextCondition(.finds, pattern, [])) { return one }
    return exactly(dialect.finds(text.sql, try bind(.text(pattern), .text, at: right.place)))
  }

  /// The range of texts that begin as wanted, which an index can find; nil if it would be of no use.
  private mutating func range(
    _ part: SQLPart, _ wanted: WantedText, _ comparison: OperandComparison
  ) throws(ObjectPredicateError) -> String? {
    guard comparison.options.isEmpty, let column = part.column, case .text(let wanted) = wanted else {
      return nil
    }
    let prefix: String
    switch comparison.operation {
    case .beginsWith: prefix = wanted
    case .like: prefix = Wildcards.prefix(of: wanted)
    default: return nil
    }
    guard !prefix.isEmpty, let end = Self.successor(of: prefix) else { return nil }
    let place = comparison.right.place
    let (first, last) = (try bind(.text(prefix), .text, at: place), try bind(.text(end), .text, at: place))
    let range = "\(column) >= \(first) AND \(column) < \(last)"
    return "(\(range)\(part.arrived.map { " AND " + $0 } ?? ""))"
  }

  /// The least text that comes after all that begin with `prefix`; nil if nothing does.
  private static func successor(of prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Behind U+D7FF come surrogates, which are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        var result = String.UnicodeScalarView(scalars)
        result.append(scalar)
        return String(result)
      }
    }
    return nil
  }
}

/// A condition on texts that not every database can say.
package struct TextCondition: Hashable, Sendable {
  package let operation: ComparisonOperator
  /// A pattern of `LIKE`, or a regular expression.
  package let pattern: String
  package let options: TextOptions

  init(_ operation: ComparisonOperator, _ pattern: String, _ options: TextOptions) {
    (self.operation, self.pattern, self.options) = (operation, pattern, options)
  }
}

/// Finds which texts of a column fulfil a condition that the database cannot say, so that a statement can ask for these; nil if
/// they are too many, or cannot be found: then the objects are looked at.
///
/// Each text is looked at once, however many objects lead to it.
package typealias TextEvaluation = (
  _ column: Column, _ table: Table, _ condition: TextCondition
) -> [SQLValue]?
