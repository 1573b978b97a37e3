import ObjectModel

/// Conditions on JSON that the store keeps: elements of lists, and members of objects.
extension PredicateSQL {
  /// The condition that a list has an element; nil if neither side is an attribute, or a member of one, that may be a list.
  mutating func elementCondition(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String? {
    let (list, element): (PredicateExpression, PredicateExpression)
    switch comparison.operation {
    case .contains: (list, element) = (comparison.left, comparison.right)
    case .in: (list, element) = (comparison.right, comparison.left)
    default: return nil
    }
    guard let found = try jsonPart(list, scope) else { return nil }
    let wanted = try operand(element, scope)
    let isElement = try anyElement(
      of: found, PredicateComparison(list, .equal, element, comparison.options), wanted)
    // Whether a member is a list or a text is told by each object.
    guard comparison.operation == .contains, found.mayBeText, wanted.mayBeText else { return isElement }
    let isPart = try compare(
      OperandComparison(operand(list, scope), .contains, wanted, comparison.options))
    return "(\(isElement) OR \(isPart))"
  }

  /// The condition on some, all or none of the elements of a list; nil if there is no list.
  mutating func quantifiedElements(
    _ quantifier: Quantifier, _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String? {
    guard let list = try jsonPart(comparison.left, scope) else { return nil }
    let right = try operand(comparison.right, scope)
    switch quantifier {
    case .any: return try anyElement(of: list, comparison, right)
    case .none:
      let condition = try anyElement(of: list, comparison, right)
      return negated(condition)
    case .all:
      let (source, holds) = try element(of: list.place, comparison, right)
      return "NOT EXISTS (SELECT 1 FROM \(source) WHERE (\(holds)) IS NOT TRUE)"
    }
  }

  /// The condition that elements of a list, each of which a variable stands for, fulfil another; nil if there is no list.
  mutating func existsElement(
    _ path: PredicatePath, _ variable: String, _ node: PredicateNode, _ scope: Scope
  ) throws(ObjectPredicateError) -> String? {
    let list = PredicateExpression(.path(path), path.place)
    guard let place = try jsonPart(list, scope)?.place else { return nil }
    return "EXISTS \(try selection("1", of: place, variable, node, scope))"
  }

  /// How many elements of a list fulfil a condition; nil if there is no list.
  mutating func elementCount(
    _ path: PredicatePath, _ variable: String, _ node: PredicateNode, _ scope: Scope
  ) throws(ObjectPredicateError) -> SQLPart? {
    let list = PredicateExpression(.path(path), path.place)
    guard let place = try jsonPart(list, scope)?.place else { return nil }
    return SQLPart(sql: try selection("count(*)", of: place, variable, node, scope), type: .integer)
  }

  private mutating func selection(
    _ result: String, of list: JSONPlace, _ variable: String, _ node: PredicateNode, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    let alias = "e\(newAlias())"
    let holds = try condition(node, scope.inside(JSONPlace(element: alias), as: variable))
    return "(SELECT \(result) FROM \(list.elements(alias)) WHERE \(holds))"
  }

  /// How many elements a list has; nil if there is no list.
  mutating func elementCount(_ path: PredicatePath, _ scope: Scope) throws(ObjectPredicateError) -> SQLPart? {
    let list = PredicateExpression(.path(path), path.place)
    return try jsonPart(list, scope).map { SQLPart(sql: $0.place.elementCount, type: .integer) }
  }

  /// An expression that may be a list.
  private struct JSONPart {
    let place: JSONPlace
    /// Whether it may be a text as well.
    let mayBeText: Bool
    /// The index of its elements, with the alias of its table.
    var elements: (index: ElementIndexSQL, alias: String)?
  }

  /// The JSON of an attribute, or of a member of one; nil for whatever else an expression is.
  private mutating func jsonPart(
    _ expression: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> JSONPart? {
    guard case .path(let path) = expression.kind, try !route(path, scope).isToMany,
      case .parts(let parts) = try operand(expression, scope).kind, let part = parts.first, parts.count == 1
    else { return nil }
    if let place = part.json { return JSONPart(place: place, mayBeText: true) }
    guard part.type == .json else { return nil }
    _ = exactly(dialect.readsJSON ? part.sql : nil)
    return JSONPart(place: JSONPlace(column: part.sql), mayBeText: false, elements: part.elements)
  }

  private mutating func anyElement(
    of list: JSONPart, _ comparison: PredicateComparison, _ right: Operand
  ) throws(ObjectPredicateError) -> String {
    let (source, holds) = try element(of: list.place, comparison, right)
    let condition = "EXISTS (SELECT 1 FROM \(source) WHERE \(holds))"
    guard comparison.operation == .equal, comparison.options.isEmpty, !isPointLookup,
      let (index, alias) = list.elements,
      let value = try indexedValue(of: right)
    else { return condition }
    return "(\(index.condition(alias, try bind(value, .text, at: right.place))) AND \(condition))"
  }

  /// A value as the index of elements has it; nil if it is not looked for there.
  private mutating func indexedValue(of operand: Operand) throws(ObjectPredicateError) -> SQLValue? {
    guard case .constant(let constant) = operand.kind, let type = try jsonType(beside: operand) else {
      return nil
    }
    switch type {
    case .text, .integer, .real: return type.value(of: constant)?.value
    default: return nil
    }
  }

  /// The elements of a list: the table that they are in, and the condition on each.
  private mutating func element(
    of list: JSONPlace, _ comparison: PredicateComparison, _ right: Operand
  ) throws(ObjectPredicateError) -> (source: String, holds: String) {
    let alias = "e\(newAlias())"
    let place = JSONPlace(element: alias)
    let text = "an element of \(PredicateText.of(comparison.left))"
    let element = Operand(kind: .parts([SQLPart(json: place)]), place: comparison.left.place, text: text)
    let holds = try compare(
      OperandComparison(element, comparison.operation, right, comparison.options))
    // A value of another type exists all the same: it differs, and is not equal to null.
    guard comparison.operation != .notEqual, let type = try jsonType(beside: right) else {
      return (list.elements(alias), holds)
    }
    return (list.elements(alias), "\(place.isOf(type)) AND \(holds)")
  }

  // MARK: - Types

  /// An operand as one of the type of what it is compared with, if the store does not know its type.
  mutating func typed(_ operand: Operand, beside other: Operand) throws(ObjectPredicateError) -> Operand {
    guard let json = operand.json else { return operand }
    // Of two values of unknown types, both are compared as they are. Null has no type.
    guard other.json == nil, let type = try jsonType(beside: other) else { return operand }
    return Operand(kind: .parts([json.part(as: type)]), place: operand.place, text: operand.text)
  }

  /// How JSON compares with a value; nil for null. JSON knows texts, numbers and truth only, and dates and UUIDs are texts.
  private mutating func jsonType(beside other: Operand) throws(ObjectPredicateError) -> ComparedType? {
    switch other.kind {
    case .constant(.null): return nil
    case .constant(.number(let digits)): return NumberText(digits)?.integer != nil ? .integer : .real
    case .constant(let constant): return Self.jsonType(ComparedType(constant))
    case .parts(let parts): return Self.jsonType(parts.first?.type ?? .text)
    case .list(let elements, let scope):
      var types: Set<ComparedType> = []
      for element in elements {
        if let type = try jsonType(beside: operand(element, scope)) { types.insert(type) }
      }
      return types.contains(.real) ? .real : types.first ?? .text
    }
  }

  private static func jsonType(_ type: ComparedType) -> ComparedType {
    switch type {
    case .real, .decimal: .real
    case .integer, .boolean, .date, .uuid: type
    case .text, .blob, .json: .text
    }
  }
}

extension Operand {
  /// Where a value whose type the store does not know is.
  fileprivate var json: JSONPlace? {
    guard case .parts(let parts) = kind, parts.count == 1 else { return nil }
    return parts[0].json
  }

  /// Whether it can be looked for in a text.
  fileprivate var mayBeText: Bool {
    switch kind {
    case .constant(let constant): ComparedType(constant) == .text && constant != .null
    case .parts(let parts): parts.count == 1 && [.text, .json].contains(parts[0].type)
    case .list: false
    }
  }
}

/// Where a value is in JSON that the store keeps: an attribute, a member of one, or an element of a list.
///
/// Its type differs from object to object, so it is compared as what the other side of a comparison is, and is null where
/// it is of another type.
struct JSONPlace {
  /// The value: a text, a number, 0 or 1 for truth, the JSON of lists and objects.
  let value: String
  /// The name that `json_type` gives it; null where there is nothing.
  let type: String
  /// The JSON that members are looked for in, with their names so far.
  private let document: String
  private let names: [String]

  /// The JSON in a column.
  init(column: String) {
    document = "CASE WHEN json_valid(\(column)) THEN \(column) END"
    names = []
    value = column
    type = "json_type(\(document))"
  }

  /// An element, of the rows that `json_each` gives.
  init(element alias: String) {
    document = "CASE WHEN \(alias).type IN ('object', 'array') THEN \(alias).value END"
    names = []
    value = "\(alias).value"
    type = "\(alias).type"
  }

  private init(document: String, names: [String]) {
    self.document = document
    self.names = names
    let path = SQL.literal("$" + names.map { ".\"\($0)\"" }.joined())
    value = names.isEmpty ? document : "json_extract(\(document), \(path))"
    type = "json_type(\(document), \(path))"
  }

  /// The member at the end of keys, from here on.
  func member(_ keys: [String]) -> JSONPlace { JSONPlace(document: document, names: names + keys) }

  /// The same of an object at the end of a path, from a sub-select for a value of it.
  func selected(_ select: (String) -> String) -> JSONPlace {
    JSONPlace(document: select(document), names: names)
  }

  /// The elements, if it is a list: the table that they are in.
  func elements(_ alias: String) -> String {
    "json_each(CASE WHEN \(type) = 'array' THEN \(value) END) \(alias)"
  }

  /// How many elements it has; null if it is no list.
  var elementCount: String { "json_array_length(CASE WHEN \(type) = 'array' THEN \(value) END)" }

  /// The condition that it is of a type.
  func isOf(_ compared: ComparedType?) -> String {
    switch compared {
    case nil: "\(type) = 'null'"
    case .boolean: "\(type) IN ('true', 'false')"
    case .integer, .real: "\(type) IN ('integer', 'real')"
    case .date: "\(type) IN ('text', 'integer', 'real')"
    default: "\(type) = 'text'"
    }
  }

  /// The value as one of a type, null if it is of another.
  func part(as compared: ComparedType) -> SQLPart {
    let sql =
      switch compared {
      case .uuid: "lower(\(value))"
      case .date: "\(StoreFunctions.date)(\(value))"
      default: value
      }
    return SQLPart(sql: "CASE WHEN \(isOf(compared)) THEN \(sql) END", type: compared)
  }
}
