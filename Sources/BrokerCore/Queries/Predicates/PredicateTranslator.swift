import Foundation
import ObjectStore

/// From Swift's predicates to the store's.
///
/// Foundation keeps a predicate as a tree of generic types. Each of those that the store has words for says what
/// it becomes, see ``Translatable``; what a variable of Swift's stands for is kept here.
struct PredicateTranslator {
  /// What the variables in sight stand for.
  private var variables: [PredicateExpressions.VariableID: Translation] = [:]
  private var listCount = 0
  private var depth = 0

  /// What goes through an expression calls itself, so there has to be an end.
  private static let depthLimit = 128
  /// SQLite holds 100 symbols; the rest is for what is around the condition, and for its innermost values.
  private static let parserDepthLimit = 64

  private static var tooDeep: QueryError {
    QueryError("too many expressions stand in each other; give the query several filters")
  }

  /// - Throws: ``QueryError`` for what has no counterpart in the store.
  static func translate<Root: Storable>(_ predicate: Predicate<Root>) throws -> ObjectPredicate {
    var translator = PredicateTranslator()
    let object = Translation.object(PredicatePath(), Root.self)
    let root = try translator.binding(predicate.variable.key, to: object) {
      try $0.condition($0.translate(predicate.expression))
    }
    guard root.parserDepth <= parserDepthLimit else { throw tooDeep }
    return ObjectPredicate(root)
  }

  // MARK: - Expressions

  /// What an expression is in the store's words.
  mutating func translate(_ expression: some Foundation.PredicateExpression) throws -> Translation {
    guard let translatable = expression as? any Translatable else {
      throw QueryError.unsupported(Unsupported.name(of: type(of: expression)))
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw Self.tooDeep }
    return try translatable.translation(&self)
  }

  /// An expression as a condition.
  mutating func condition(_ expression: some Foundation.PredicateExpression<Bool>) throws -> PredicateNode {
    try condition(translate(expression))
  }

  private func condition(_ translation: Translation) throws -> PredicateNode {
    switch translation {
    case .condition(let node): return node
    case .captured(let value):
      guard let isTrue = value as? Bool else { return .always(false) }
      return .always(isTrue)
    default: return .comparison(PredicateComparison(try translation.expression(), .equal, .boolean(true)))
    }
  }

  /// An expression as a value.
  mutating func value(_ expression: some Foundation.PredicateExpression) throws -> StoreExpression {
    try translate(expression).expression()
  }

  // MARK: - Variables

  func value(of variable: PredicateExpressions.VariableID) throws -> Translation {
    guard let value = variables[variable] else {
      throw QueryError("the predicate has a variable that is not its own")
    }
    return value
  }

  /// Does something while a variable stands for something.
  mutating func binding<Result>(
    _ variable: PredicateExpressions.VariableID, to translation: Translation,
    _ body: (inout PredicateTranslator) throws -> Result
  ) throws -> Result {
    let outer = variables.updateValue(translation, forKey: variable)
    defer { variables[variable] = outer }
    return try body(&self)
  }

  /// The objects at the end of a path, under a name of their own.
  mutating func list(_ path: PredicatePath, of type: any Storable.Type) -> ObjectList {
    listCount += 1
    return ObjectList(path: path, type: type, variable: "v\(listCount)")
  }

  /// The elements of a property that is a list of values, under a name of their own; nil for other values.
  mutating func elements(of list: StoreExpression) -> ElementList? {
    guard case .path(let path) = list.kind else { return nil }
    listCount += 1
    return ElementList(path: path, variable: "v\(listCount)")
  }
}

/// An expression of Swift's that the store has words for.
protocol Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation
}

/// The store's values have the name that Foundation has for expressions of any kind.
typealias StoreExpression = ObjectStore.PredicateExpression
