import Foundation
import ObjectStore

extension PredicateExpressions.Variable: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    try translator.value(of: key)
  }
}

extension PredicateExpressions.Value: Translatable {
  func translation(_ translator: inout PredicateTranslator) -> Translation { .captured(value) }
}

extension PredicateExpressions.NilLiteral: Translatable {
  func translation(_ translator: inout PredicateTranslator) -> Translation { .value(.null) }
}

// MARK: - Key paths

extension PredicateExpressions.KeyPath: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    let found: Translation?
    switch try translator.translate(root) {
    case .captured(let value): found = (value as? Root.Output).map { .captured($0[keyPath: keyPath]) }
    case .object(let path, let type): found = type.step(keyPath, from: path, &translator)
    case .link(let path, let type): found = type.step(keyPath, fromLink: path, &translator)
    case .list(let list): found = try step(from: list)
    case .value(let value): found = step(from: value)
    case .condition, .range: found = nil
    }
    guard let found else { throw unknown() }
    return found
  }

  private func step(from list: ObjectList) throws -> Translation? {
    let paths = list.type.listPaths
    if keyPath == paths.first || kind == .collectionFirst { throw QueryError.unsupported("first of a list") }
    if keyPath == paths.last || kind == .bidirectionalCollectionLast {
      throw QueryError.unsupported("last of a list")
    }
    if keyPath == paths.count || kind == .collectionCount { return .value(list.count) }
    if keyPath == paths.isEmpty || kind == .collectionIsEmpty { return .condition(list.exists().negated) }
    return nil
  }

  private func step(from value: StoreExpression) -> Translation? {
    switch keyPath as AnyKeyPath {
    case \String.count: return .value(StoreExpression(.characterCount(value)))
    case \String.isEmpty: return .condition(.comparison(PredicateComparison(value, .equal, .text(""))))
    case \URL.absoluteString: return .value(value)
    default:
      if kind == .collectionCount || kind == .collectionIsEmpty { return elements(of: value) }
      if let type = Root.Output.self as? any RawRepresentable.Type, isRawValue(type) { return .value(value) }
      return member(of: value)
    }
  }

  /// How many elements a list of values has, or whether it is empty.
  private func elements(of value: StoreExpression) -> Translation? {
    guard case .path(let path) = value.kind, Root.Output.self is any ListValue.Type else { return nil }
    let count = StoreExpression(.aggregate(.count, path))
    guard kind == .collectionIsEmpty else { return .value(count) }
    return .condition(
      .comparison(PredicateComparison(count, .equal, StoreExpression(.constant(.number("0"))))))
  }

  /// A member of a `Codable` value, which the store keeps as JSON.
  private func member(of value: StoreExpression) -> Translation? {
    guard case .path(let path) = value.kind, let type = Root.Output.self as? any Codable.Type,
      let key = MemberKeys.key(of: keyPath, in: type)
    else { return nil }
    return .value(StoreExpression(.path(path.appending(key))))
  }

  /// Whether the key path is `rawValue`. The key path here is for any type with a raw value, and does not equal the
  /// one for a concrete type. So both are applied to each case and the results compared.
  private func isRawValue<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool {
    guard let cases = (type as? any CaseIterable.Type)?.everyCase as? [Raw], !cases.isEmpty,
      let path = keyPath as? Swift.KeyPath<Raw, Raw.RawValue>
    else { return false }
    return cases.allSatisfy { "\($0[keyPath: path])" == "\($0.rawValue)" }
  }

  private func unknown() -> QueryError {
    let (type, name) = (Root.Output.self, keyPath.debugDescription)
    if let storable = type as? any Storable.Type {
      return QueryError(
        "\(name) is no stored property of \(type), or not known as its id\(storable.identityHint)")
    }
    if type is any RawRepresentable.Type {
      return QueryError(
        "\(name) of \(type) is not in the store, which has the raw value; compare whole values, or make"
          + " \(type) CaseIterable to compare raw values")
    }
    return .unsupported("\(name) of \(type)")
  }
}

extension CaseIterable {
  fileprivate static var everyCase: [Any] { allCases.map { $0 } }
}

extension Storable {
  /// The text to write instead of `id`, for messages.
  fileprivate static var identityHint: String {
    identityName.map { "; if its id is meant, that is \($0)" } ?? ""
  }
}

extension StoreExpression {
  static func text(_ text: String) -> StoreExpression {
    StoreExpression(.constant(.stored(.text(text), .string)))
  }
}
