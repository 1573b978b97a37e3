import ObjectStore

/// What stands on one side of a comparison: a value, or the parts of a key.
struct Term {
  var parts: [Value] = []
  var types: [ComparedType] = []
  /// What the predicate says itself, which is of the type of the other side.
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
