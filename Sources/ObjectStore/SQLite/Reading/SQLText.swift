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

  /// What a statement uses that only the connections of a store have.
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
  package static func filled(_ statement: BoundSQL, sign: Character) -> String {
    let arguments = statement.arguments.all
    var result = ""
    var rest = statement.sql[...]
    var quote: Character?
    while let character = rest.first {
      rest.removeFirst()
      if quote == nil, character == sign, let (number, end) = number(at: rest),
        arguments.indices ~= number - 1
      {
        result += literal(arguments[number - 1])
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
