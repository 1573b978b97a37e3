import JSONStream
import ObjectModel
import ObjectStore

/// Conditions on JSON that the store keeps: elements of lists, and members of objects.
extension PredicateScan {
  /// Whether a list has an element; nil if neither side is an attribute, or a member of one, that may be a list.
  func elementCondition(_ comparison: PredicateComparison, _ starts: Starts) throws -> Bool? {
    let (list, element): (PredicateExpression, PredicateExpression)
    switch comparison.operation {
    case .contains: (list, element) = (comparison.left, comparison.right)
    case .in: (list, element) = (comparison.right, comparison.left)
    default: return nil
    }
    guard let found = try jsonTerm(list, starts) else { return nil }
    let wanted = try term(element, starts)
    let elements = Self.item(found).elements ?? []
    if try elements.contains(where: { try isElement($0, .equal, comparison.options, wanted) }) { return true }
    // Whether a member is a list or a text is told by each object.
    guard comparison.operation == .contains, found.json != nil, wanted.mayBeText else { return false }
    return try compare(found, .contains, comparison.options, wanted)
  }

  func quantifiedElements(
    _ quantifier: Quantifier, _ comparison: PredicateComparison, _ starts: Starts
  ) throws -> Bool {
    guard let list = try jsonTerm(comparison.left, starts) else {
      throw UnsupportedOperation.error("\(quantifier.rawValue) here")
    }
    let elements = Self.item(list).elements ?? []
    let test: (JSONItem) throws -> Bool = { item in
      guard case .list(let values) = comparison.right.kind else {
        let right = try term(comparison.right, starts)
        return try isElement(item, comparison.operation, comparison.options, right)
      }
      let type = Term.jsonType(beside: try values.map { try term($0, starts) })
      return try item.isOf(type ?? .text) && relate(Term(item), comparison, starts)
    }
    switch quantifier {
    case .any: return try elements.contains(where: test)
    case .none: return try !elements.contains(where: test)
    case .all: return try elements.allSatisfy(test)
    }
  }

  private func isElement(
    _ item: JSONItem, _ operation: ComparisonOperator, _ options: TextOptions, _ wanted: Term
  ) throws -> Bool {
    guard try compare(Term(item), operation, options, wanted) else { return false }
    // A value of another type exists all the same: it differs, and is not equal to null.
    if operation == .notEqual { return true }
    if wanted.constant == .null { return item.isOf(nil) }
    return Term.jsonType(beside: [wanted]).map(item.isOf) ?? true
  }

  /// The JSON of a list that a term is.
  static func item(_ term: Term) -> JSONItem { term.json ?? JSONItem(column: term.parts.first ?? .null) }

  /// The JSON of an attribute, or of a member of one; nil for whatever else an expression is.
  func jsonTerm(_ expression: PredicateExpression, _ starts: Starts) throws -> Term? {
    guard case .path(let path) = expression.kind else { return nil }
    if case .object(let start) = try variable(path, starts),
      try steps(path, start.entity).contains(where: \.isToMany)
    {
      return nil
    }
    let found = try term(expression, starts)
    return found.json != nil || found.types == [.json] ? found : nil
  }
}

extension Term {
  /// Whether it can be looked for in a text.
  fileprivate var mayBeText: Bool {
    if let constant { return ComparedType(constant) == .text && constant != .null }
    return types.count == 1 && [.text, .json].contains(types[0])
  }
}

/// A value in JSON that the store keeps, whose type differs from object to object; nil where there is none.
struct JSONItem {
  let value: JSONValue?

  init(_ value: JSONValue?) { self.value = value }

  /// The JSON in a column.
  init(column: Value) {
    guard case .text(let bytes) = column else {
      value = nil
      return
    }
    value = JSONValue(text: String(decoding: bytes, as: UTF8.self))
  }

  /// The member at the end of keys.
  func member(_ keys: some Sequence<String>) -> JSONItem {
    JSONItem(keys.reduce(value) { value, key in value?[key] })
  }

  /// The elements; nil if it is no list.
  var elements: [JSONItem]? {
    guard case .array(let elements)? = value else { return nil }
    return elements.map(JSONItem.init)
  }

  /// The value whatever its type, lists and objects as JSON.
  var plain: Value {
    switch value {
    case nil, .null: .null
    case .bool(let isTrue): .integer(isTrue ? 1 : 0)
    case .number(let digits): Self.number(digits)
    case .string(let text): Value(text: text)
    case .array, .object: Value(text: value?.text ?? "")
    }
  }

  private static func number(_ digits: String) -> Value {
    // Whole numbers of more than 64 bits are reals too.
    if let integer = Int64(digits) { return .integer(integer) }
    return .real(Double(digits) ?? 0)
  }

  /// Whether it is of a type; nil stands for null.
  func isOf(_ type: ComparedType?) -> Bool {
    switch (value, type) {
    case (.null?, nil): true
    case (.bool?, .boolean?): true
    case (.number?, .integer?), (.number?, .real?), (.number?, .date?): true
    case (.string?, let type?): ![.boolean, .integer, .real].contains(type)
    default: false
    }
  }

  /// The value as one of a type, null if it is of another.
  func value(as type: ComparedType) -> Value {
    guard isOf(type) else { return .null }
    switch (type, value) {
    case (.uuid, .string(let text)?): return Value(text: text.asciiLowercased)
    case (.date, .string(let text)?): return Self.date(.string(text))
    case (.date, .number?):
      let secondsFrom1970To2001 = 978_307_200.0
      return DateText(secondsSince2001: plain.number - secondsFrom1970To2001).map { Value(text: $0.text) }
        ?? .null
    default: return plain
    }
  }

  private static func date(_ constant: PredicateConstant) -> Value {
    ComparedType.date.value(of: constant).map { Value($0.value) } ?? .null
  }
}

extension String {
  /// The text with small letters for the capitals of ASCII.
  var asciiLowercased: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// One side of a comparison: a value, or the parts of a key.
struct Term {
  var parts: [Value] = []
  var types: [ComparedType] = []
  /// A constant of the predicate, which is of the type of the other side.
  var constant: PredicateConstant?
  /// A value of JSON, which is of the type of the other side too.
  var json: JSONItem?

  init(_ value: Value, _ type: ComparedType) { (parts, types) = ([value], [type]) }

  init(parts: [Value], types: [ComparedType]) { (self.parts, self.types) = (parts, types) }

  init(_ constant: PredicateConstant) { self.constant = constant }

  init(_ json: JSONItem) {
    self.init(json.plain, .json)
    self.json = json
  }

  var isNull: Bool { constant == .null || parts.contains(.null) }

  /// The text to search in or for; nil for null.
  var text: String? {
    if let constant { return ComparedType.text(constant) }
    guard let value = parts.first, parts.count == 1, !value.isNull else { return nil }
    return value.text
  }

  /// A value of JSON as one of the type of what it is compared with. Null has no type, and of two values of unknown types
  /// both are compared as they are.
  func typed(beside others: [Term]) -> Term {
    guard let json, let type = Self.jsonType(beside: others) else { return self }
    return Term(json.value(as: type), type)
  }

  /// How JSON compares with values; nil for null, and for other JSON.
  static func jsonType(beside others: [Term]) -> ComparedType? {
    let types = others.compactMap(\.jsonType)
    return types.contains(.real) ? .real : types.first
  }

  private var jsonType: ComparedType? {
    switch constant {
    case .null?: return nil
    case .number?:
      return constant.flatMap { ComparedType.integer.value(of: $0)?.type } == .integer ? .integer : .real
    case let constant?: return Self.jsonType(ComparedType(constant))
    case nil: return json == nil ? Self.jsonType(types.first ?? .text) : nil
    }
  }

  private static func jsonType(_ type: ComparedType) -> ComparedType {
    switch type {
    case .real, .decimal: .real
    case .integer, .boolean, .date, .uuid: type
    case .text, .blob, .json: .text
    }
  }

  /// A constant as a value of the types of the other side, an identity in quotes as its parts; nil if it is none.
  func converted(beside other: Term) -> Term? {
    guard let constant else { return self }
    var types = other.types
    if let second = other.constant {
      // A text beside something else may be the text of such a thing.
      types = [ComparedType(constant) == .text ? ComparedType(second) : ComparedType(constant)]
    }
    var constants = [constant]
    if types.count > 1 {
      if case .identity(let values) = constant {
        constants = values.map { .identity([$0]) }
      } else {
        let parts = ComparedType.text(constant).flatMap { KeyText.split($0, count: types.count) }
        constants = parts?.map { .string($0) } ?? constants
      }
    }
    var result = Term(parts: [], types: [])
    for (type, constant) in zip(types, constants) {
      guard let value = type.value(of: constant) else { return nil }
      result.parts.append(Value(value.value))
      result.types.append(value.type)
    }
    return result
  }
}

extension Value {
  /// The value for a comparison as one of another type.
  func converted(from type: ComparedType, to other: ComparedType) -> Value {
    switch (type, other, self) {
    case (_, _, .null): .null
    case (.decimal, .real, _): .real(Double(text) ?? 0)
    case (.text, .uuid, .text): Value(text: text.asciiLowercased)
    default: self
    }
  }
}
