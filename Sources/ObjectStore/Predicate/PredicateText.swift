/// Writes a predicate as a format that reads as the same predicate.
enum PredicateText {
  static func of(_ node: PredicateNode) -> String {
    switch node {
    case .always(let isTrue): isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let inner): "NOT \(group(inner))"
    case .and(let parts): parts.map(group).joined(separator: " AND ")
    case .or(let parts): parts.map(group).joined(separator: " OR ")
    case .comparison(let comparison): of(comparison)
    case .exists(let path, let variable, let node):
      "SUBQUERY(\(of(path)), $\(variable), \(of(node))).@count > 0"
    }
  }

  private static func group(_ node: PredicateNode) -> String {
    switch node {
    case .always, .comparison, .exists: of(node)
    case .not, .and, .or: "(\(of(node)))"
    }
  }

  private static func of(_ comparison: PredicateComparison) -> String {
    let quantifier = comparison.quantifier.map { $0.rawValue + " " } ?? ""
    let operation = comparison.operation.rawValue + comparison.options.text
    return "\(quantifier)\(of(comparison.left)) \(operation) \(of(comparison.right))"
  }

  static func of(_ expression: PredicateExpression) -> String {
    switch expression.kind {
    case .constant(let constant): of(constant)
    case .list(let elements): "{\(elements.map(of).joined(separator: ", "))}"
    case .path(let path): of(path)
    case .aggregate(.count, let path): of(path) + ".@count"
    case .aggregate(let aggregate, let path):
      of(path.prefix(path.names.count - 1)) + ".@\(aggregate.rawValue)."
        + path.names.suffix(1).map { name($0.text) }.joined()
    case .subqueryCount(let path, let variable, let node):
      "SUBQUERY(\(of(path)), $\(variable), \(of(node))).@count"
    case .negated(let inner): "-\(operand(inner))"
    case .calculation(let left, let operation, let right):
      "\(operand(left)) \(operation.rawValue) \(operand(right))"
    case .now: "NOW()"
    case .cast(let inner, let type): "CAST(\(of(inner)), '\(type.rawValue)')"
    case .condition(let node): "(\(of(node)))"
    case .choice(let test, let first, let second): "(\(group(test)) ? \(of(first)) : \(of(second)))"
    case .coalesced(let first, let second): "(\(of(first)) ?? \(of(second)))"
    case .characterCount(let inner): "\(operand(inner)).count"
    case .single(let inner): of(inner)
    }
  }

  private static func operand(_ expression: PredicateExpression) -> String {
    switch expression.kind {
    case .calculation, .negated: "(\(of(expression)))"
    default: of(expression)
    }
  }

  private static func of(_ path: PredicatePath) -> String {
    let start = path.variable.map { "$" + $0 } ?? (path.names.isEmpty ? "SELF" : nil)
    return ([start].compactMap { $0 } + path.names.map { name($0.text) }).joined(separator: ".")
  }

  private static func name(_ name: String) -> String {
    ReservedWord.isReserved(name) ? "#" + name : name
  }

  /// A constant as a predicate writes it.
  static func of(_ constant: PredicateConstant) -> String {
    switch constant {
    case .null: "nil"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .number(let digits): digits
    case .string(let text): quoted(text)
    case .moment(let seconds): "CAST(\(seconds), 'NSDate')"
    // There are no literals for bytes; where they are compared, a string is Base64.
    case .data(let bytes): quoted(Base64.text(of: bytes))
    case .stored(let value, _): of(value)
    case .identity(let parts): parts.count == 1 ? of(parts[0]) : "(\(parts.map(of).joined(separator: ", ")))"
    }
  }

  private static func of(_ value: SQLValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let integer): String(integer)
    case .real(let number): String(number)
    case .text(let text): quoted(text)
    case .blob(let bytes): quoted(Base64.text(of: bytes))
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }
}

extension PredicatePath {
  /// The path without the names behind the first few.
  func prefix(_ count: Int) -> PredicatePath {
    PredicatePath(variable: variable, names: Array(names.prefix(count)), place: place)
  }
}
