import ObjectModel

/// How SQLite says it.
struct SQLiteDialect: SQLDialect {
  // MARK: - Statements

  func parameter(_ number: Int) -> String { "?\(number)" }
  func holds(_ value: SQLValue, as form: SQLForm) -> Bool { true }
  func nearest(
    _ value: SQLValue, as form: SQLForm, _ operation: ComparisonOperator
  ) -> (value: SQLValue, operation: ComparisonOperator) { (value, operation) }
  func rowColumn(of table: Table) -> String { "rowid" }
  func truth(_ isTrue: Bool) -> String { isTrue ? "1" : "0" }
  var queryAlias: String { "" }
  var noLimit: String { "-1" }
  // Without a limit, SQLite may leave out the order.
  var keepingOrder: String { " LIMIT -1" }
  var onlyRow: String { "" }

  func isOne(
    _ names: [String], of rows: [[SQLValue]], _ forms: [SQLForm], _ arguments: inout SQLArguments
  ) -> String? {
    if names.count == 1, let list = ListedValues.list(rows.flatMap { $0 }) {
      arguments.append(list, .text)
      return "\(names[0]) IN (SELECT value FROM json_each(?\(arguments.count)))"
    }
    guard let list = ListedValues.list(rows) else { return nil }
    arguments.append(list, .text)
    let parts = names.indices.map { "json_extract(value, '$[\($0)]')" }.joined(separator: ", ")
    return "(\(names.joined(separator: ", "))) IN (SELECT \(parts) FROM json_each(?\(arguments.count)))"
  }

  // MARK: - Orders

  func keyTerm(_ sql: String, _ column: Column) -> String { sql }

  func sortTerm(_ sql: String, _ form: SQLForm, isAscending: Bool) -> String {
    // Decimals are kept as texts, which do not sort as numbers do.
    (form == .decimal ? collated(sql) : sql) + (isAscending ? "" : " DESC")
  }

  private func collated(_ sql: String) -> String { "\(sql) COLLATE \(DecimalOrder.collation)" }

  // MARK: - Comparisons

  func same(_ left: String, _ right: String) -> String { "\(left) IS \(right)" }
  func different(_ left: String, _ right: String) -> String { "\(left) IS NOT \(right)" }

  func ordered(_ sql: String, _ type: ComparedType) -> String { type == .decimal ? collated(sql) : sql }

  func converted(_ part: SQLPart, to type: ComparedType) -> String? {
    switch (part.type, type) {
    case (.integer, .decimal), (.boolean, .decimal): "CAST(\(part.sql) AS TEXT)"
    case (.decimal, .real): "CAST(\(part.sql) AS REAL)"
    case (.text, .uuid): "lower(\(part.sql))"
    default: part.sql
    }
  }

  var looksFromFew: Bool { true }
  var alwaysLooksFromFarEnd: Bool { false }
  var joinsContraries: Bool { false }
  var readsTablesAlone: Bool { false }
  var readsJSON: Bool { true }

  // MARK: - Values

  func value(of aggregate: Aggregate, _ sql: String, _ type: ComparedType) -> String? {
    switch (aggregate, type) {
    case (.count, _): "count(*)"
    // Decimals are texts, which SQLite's own functions would compare as such and make doubles of.
    case (.min, .decimal), (.max, .decimal): "\(aggregate.rawValue)(\(collated(sql)))"
    case (.min, _), (.max, _): "\(aggregate.rawValue)(\(sql))"
    case (.sum, .decimal): "coalesce(\(DecimalSum.sum)(\(sql)), '0')"
    case (.sum, _): "coalesce(sum(\(sql)), 0)"
    case (.average, .decimal): "\(DecimalSum.average)(\(sql))"
    case (.average, _): "avg(\(sql))"
    }
  }

  func value(of aggregation: Aggregation, _ sql: String, _ form: SQLForm) -> String {
    let aggregate: Aggregate =
      switch aggregation.function {
      case .count: .count
      case .minimum: .min
      case .maximum: .max
      case .sum: .sum
      case .average: .average
      }
    return value(of: aggregate, sql, aggregation.isDecimal ? .decimal : .real) ?? ""
  }

  func calculation(_ left: SQLPart, _ operation: ArithmeticOperator, _ right: SQLPart) -> String? {
    "(\(left.sql) \(operation.rawValue) \(right.sql))"
  }

  func identityPart(_ index: Int, ofKey key: String, _ storage: StorageType) -> String {
    let text = "\(StoreFunctions.keyPart)(\(key), \(index))"
    switch storage {
    case .integer: return "CAST(\(text) AS INTEGER)"
    case .real: return "CAST(\(text) AS REAL)"
    case .text, .blob: return text
    }
  }

  // MARK: - Texts

  func text(_ sql: String, of type: ComparedType) -> String? {
    type == .integer ? "CAST(\(sql) AS TEXT)" : sql
  }

  func folded(_ sql: String, _ options: TextOptions) -> String? {
    "\(StoreFunctions.fold)(\(sql), \(options.rawValue))"
  }

  func begins(_ text: String, with other: String) -> String { "instr(\(text), \(other)) = 1" }
  func ends(_ text: String, with other: String) -> String { "\(StoreFunctions.ends)(\(text), \(other))" }
  func contains(_ text: String, _ other: String) -> String { "instr(\(text), \(other)) > 0" }

  func mayBeLike(_ text: String, _ pattern: String, _ options: TextOptions) -> String? { nil }

  func isLike(_ text: String, _ pattern: String) -> String? {
    "\(StoreFunctions.like)(\(text), \(pattern))"
  }

  func matches(_ text: String, _ pattern: String, _ options: TextOptions) -> String? {
    "\(StoreFunctions.matches)(\(text), \(pattern), \(options.rawValue))"
  }

  func finds(_ text: String, _ pattern: String) -> String? {
    "\(StoreFunctions.finds)(\(text), \(pattern))"
  }

  func characterCount(_ text: String) -> String? { "\(StoreFunctions.characterCount)(\(text))" }
  func single(_ number: String) -> String? { "\(StoreFunctions.single)(\(number))" }
}

/// SQL as people read it.
package enum SQLText {
  /// A statement with its arguments in the places of `?1`, `?2` …, and what it needs that other tools lack.
  static func of(_ statement: BoundSQL) -> String {
    let functions = functions(in: statement.sql)
    var text = filled(statement, sign: "?")
    if !functions.isEmpty {
      text += "\n-- only in a store's own connections: \(functions.joined(separator: ", "))"
    }
    if SQL.searches(statement.sql) { text += "\n-- needs SQLite's extension FTS5" }
    return text
  }

  /// The functions of a statement that only the connections of a store have.
  private static func functions(in sql: String) -> [String] {
    let functions = [
      StoreFunctions.fold, StoreFunctions.ends, StoreFunctions.like, StoreFunctions.matches,
      StoreFunctions.finds,
      StoreFunctions.characterCount, StoreFunctions.single, StoreFunctions.keyPart, DecimalSum.sum,
      DecimalSum.average,
    ]
    let used = functions.filter { sql.contains("\($0)(") }
    return used + (sql.contains("COLLATE \(DecimalOrder.collation)") ? [DecimalOrder.collation] : [])
  }

  /// A statement with its arguments in the places of its parameters, which begin with a sign.
  ///
  /// - Parameter isShortened: Whether long arguments are shortened, for people who look at the statement.
  package static func filled(_ statement: BoundSQL, sign: Character, isShortened: Bool = false) -> String {
    let arguments = statement.arguments.all
    var result = ""
    var rest = statement.sql[...]
    var quote: Character?
    while let character = rest.first {
      rest.removeFirst()
      if quote == nil, character == sign, let (number, end) = number(at: rest),
        arguments.indices ~= number - 1
      {
        let argument = arguments[number - 1]
        result += isShortened ? shortLiteral(argument) : literal(argument)
        rest = rest[end...]
        continue
      }
      if character == quote {
        quote = nil
      } else if quote == nil, "\"'".contains(character) {
        quote = character
      }
      result.append(character)
    }
    return result
  }

  private static func number(at text: Substring) -> (Int, Substring.Index)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return Int(digits).map { ($0, digits.endIndex) }
  }

  private static func literal(_ argument: SQLArgument) -> String {
    switch argument {
    case .one(let value, _): literal(value)
    case .list(let values, _): "ARRAY[\(values.map(literal).joined(separator: ", "))]"
    }
  }

  /// How many characters of a text, bytes of data and values of a list are shown.
  private static let (mostCharacters, mostBytes, mostValues) = (60, 16, 5)

  private static func shortLiteral(_ argument: SQLArgument) -> String {
    switch argument {
    case .one(let value, _): return shortLiteral(value)
    case .list(let values, _):
      let shown = values.prefix(mostValues).map(shortLiteral).joined(separator: ", ")
      let rest = values.count > mostValues ? ", … /* \(values.count) values */" : ""
      return "ARRAY[\(shown)\(rest)]"
    }
  }

  private static func shortLiteral(_ value: SQLValue) -> String {
    switch value {
    case .text(let text) where text.count > mostCharacters:
      return SQL.literal(text.prefix(mostCharacters) + "…") + " /* \(text.count) characters */"
    case .blob(let bytes) where bytes.count > mostBytes:
      return String(literal(.blob(Array(bytes.prefix(mostBytes)))).dropLast())
        + "…' /* \(bytes.count) bytes */"
    default: return literal(value)
    }
  }

  private static func literal(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let number): number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : String(number)
    case .text(let text): SQL.literal(text)
    case .blob(let bytes): "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
    }
  }
}
