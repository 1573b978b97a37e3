/// Archived predicates and expressions as the text that `NSPredicate` has for them, as far as they are simple.
enum ArchivedPredicate {
  /// How deep they are read, and how many parts they may have. What is larger has no text.
  private static let deepest = 8
  private static let mostParts = 200

  /// The text of a predicate; nil if it has something in it that is not known here.
  static func text(of predicate: ArchivedObject) throws(PropertyListError) -> String? {
    var parts = 0
    return try text(of: predicate, depth: 0, &parts)
  }

  /// The text of an expression; nil if it has something in it that is not known here.
  static func text(ofExpression expression: ArchivedObject) throws(PropertyListError) -> String? {
    var parts = 0
    return try text(ofExpression: expression, depth: 0, &parts)
  }

  // MARK: - Predicates

  private static func text(
    of predicate: ArchivedObject, depth: Int, _ parts: inout Int
  ) throws(PropertyListError) -> String? {
    parts += 1
    guard depth < deepest, parts <= mostParts else { return nil }
    if predicate.isKind(of: "NSTruePredicate") { return "TRUEPREDICATE" }
    if predicate.isKind(of: "NSFalsePredicate") { return "FALSEPREDICATE" }
    if predicate.isKind(of: "NSCompoundPredicate") { return try compound(predicate, depth, &parts) }
    guard predicate.isKind(of: "NSComparisonPredicate"), let operation = try operation(of: predicate),
      operation.hasNoOptions, let word = operation.word,
      let left = try predicate.value("NSLeftExpression").object,
      let right = try predicate.value("NSRightExpression").object,
      let first = try text(ofExpression: left, depth: depth + 1, &parts),
      let second = try text(ofExpression: right, depth: depth + 1, &parts)
    else { return nil }
    return "\(first) \(word) \(second)"
  }

  private static func compound(
    _ predicate: ArchivedObject, _ depth: Int, _ parts: inout Int
  ) throws(PropertyListError) -> String? {
    guard let type = try predicate.value("NSCompoundPredicateType").value?.integer, (0...2).contains(type),
      let list = try predicate.value("NSSubpredicates").object, let elements = ArchivedElements(of: list),
      elements.count > 0, elements.count <= mostParts
    else { return nil }
    var texts: [String] = []
    for index in 0..<elements.count {
      guard let part = try predicate.archive.resolved(elements[index]).object,
        let text = try text(of: part, depth: depth + 1, &parts)
      else { return nil }
      texts.append(part.isKind(of: "NSCompoundPredicate") ? "(\(text))" : text)
    }
    if type == 0 { return texts.count == 1 ? "NOT \(texts[0])" : nil }
    return texts.joined(separator: type == 1 ? " AND " : " OR ")
  }

  struct Operation {
    let number: Int64
    let hasNoOptions: Bool

    var word: String? {
      switch number {
      case 0: "<"
      case 1: "<="
      case 2: ">"
      case 3: ">="
      case 4: "=="
      case 5: "!="
      case 6: "MATCHES"
      case 7: "LIKE"
      case 8: "BEGINSWITH"
      case 9: "ENDSWITH"
      case 10: "IN"
      case 99: "CONTAINS"
      default: nil
      }
    }
  }

  static func operation(of predicate: ArchivedObject) throws(PropertyListError) -> Operation? {
    guard let object = try predicate.value("NSPredicateOperator").object,
      let number = try object.value("NSOperatorType").value?.integer
    else { return nil }
    // A modifier is ALL or ANY, an option that case or accents do not matter.
    let others = ["NSModifier", "NSOptions", "NSFlags"].compactMap { object.fields[$0]?.integer }
    return Operation(number: number, hasNoOptions: others.allSatisfy { $0 == 0 })
  }

  // MARK: - Expressions

  private static func text(
    ofExpression expression: ArchivedObject, depth: Int, _ parts: inout Int
  ) throws(PropertyListError) -> String? {
    parts += 1
    guard depth < deepest, parts <= mostParts else { return nil }
    // The class of a key path is below that of functions.
    for name in expression.classNames {
      switch name {
      case "NSSelfExpression": return "SELF"
      case "NSKeyPathSpecifierExpression": return try expression.value("NSKeyPath").value?.text
      case "NSVariableExpression": return try expression.value("NSVariable").value?.text.map { "$\($0)" }
      case "NSConstantValueExpression": return constant(try expression.value("NSConstantValue"))
      case "NSKeyPathExpression": return try keyPath(expression, depth, &parts)
      case "NSFunctionExpression": return try function(expression, depth, &parts)
      default: continue
      }
    }
    return nil
  }

  private static func arguments(
    of expression: ArchivedObject, _ depth: Int, _ parts: inout Int
  ) throws(PropertyListError) -> [String]? {
    guard let list = try expression.value("NSArguments").object, let elements = ArchivedElements(of: list)
    else { return [] }
    guard elements.count <= mostParts else { return nil }
    var texts: [String] = []
    for index in 0..<elements.count {
      guard let part = try expression.archive.resolved(elements[index]).object,
        let text = try text(ofExpression: part, depth: depth + 1, &parts)
      else { return nil }
      texts.append(text)
    }
    return texts
  }

  private static func keyPath(
    _ expression: ArchivedObject, _ depth: Int, _ parts: inout Int
  ) throws(PropertyListError) -> String? {
    guard let path = try arguments(of: expression, depth, &parts), path.count == 1 else { return nil }
    guard let operand = try expression.value("NSOperand").object else { return path[0] }
    guard let owner = try text(ofExpression: operand, depth: depth + 1, &parts) else { return nil }
    return owner == "SELF" ? path[0] : "\(owner).\(path[0])"
  }

  /// A function by its selector: `canonical:(name)`, `now()`.
  private static func function(
    _ expression: ArchivedObject, _ depth: Int, _ parts: inout Int
  ) throws(PropertyListError) -> String? {
    guard let selector = try expression.value("NSSelectorName").value?.text,
      selector.utf8.count(where: { $0 == UInt8(ascii: ":") }) <= 1,
      let arguments = try arguments(of: expression, depth, &parts)
    else { return nil }
    return "\(selector)(\(arguments.joined(separator: ", ")))"
  }

  private static func constant(_ value: ArchivedValue) -> String? {
    switch value {
    case .null: "nil"
    case .value(.string(let text)): quoted(text)
    default: ArchivedNumber(value)?.text
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
