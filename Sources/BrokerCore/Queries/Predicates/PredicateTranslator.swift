import Foundation
import ObjectStore

/// Translates Swift's predicates into the store's.
///
/// Foundation keeps a predicate as a tree of generic types. Each of these that the store can express has a
/// translation, see ``Translatable``. This type keeps the meaning of Swift's variables.
struct PredicateTranslator {
  /// The meaning of the variables in scope.
  private var variables: [PredicateExpressions.VariableID: Translation] = [:]
  private var listCount = 0
  private var depth = 0

  /// Expressions are translated by recursion, so there is a limit to their depth.
  private static let depthLimit = 128
  /// SQLite's parser holds 100 symbols. The rest is for what is around the condition, and for its innermost values.
  private static let parserDepthLimit = 64

  private static var tooDeep: QueryError {
    QueryError("too many expressions stand in each other; give the query several filters")
  }

  /// - Throws: ``QueryError`` for what the store cannot express.
  static func translate<Root: Storable>(_ predicate: Predicate<Root>) throws -> ObjectPredicate {
    try checked(node(of: predicate))
  }

  /// - Throws: ``QueryError`` for what the store cannot express.
  static func translate<Root: Storable>(any predicates: [Predicate<Root>]) throws -> ObjectPredicate {
    let nodes = try predicates.map { try node(of: $0) }
    return try checked(nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .always(false) : .or(nodes))
  }

  /// - Throws: ``QueryError`` for what the store cannot express.
  static func translate<Root: Storable>(not predicate: Predicate<Root>) throws -> ObjectPredicate {
    try checked(.not(node(of: predicate)))
  }

  private static func checked(_ root: PredicateNode) throws -> ObjectPredicate {
    guard root.parserDepth <= parserDepthLimit else { throw tooDeep }
    return ObjectPredicate(root)
  }

  private static func node<Root: Storable>(of predicate: Predicate<Root>) throws -> PredicateNode {
    var translator = PredicateTranslator()
    let object = Translation.object(PredicatePath(), Root.self)
    return try translator.binding(predicate.variable.key, to: object) {
      try $0.condition($0.translate(predicate.expression))
    }
  }

  // MARK: - Expressions

  /// The translation of an expression.
  mutating func translate(_ expression: some Foundation.PredicateExpression) throws -> Translation {
    guard let translatable = expression as? any Translatable else {
      throw QueryError.unsupported(Unsupported.name(of: type(of: expression)))
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw Self.tooDeep }
    return try translatable.translation(&self)
  }

  /// The translation of an expression as a condition.
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

  /// The translation of an expression as a value.
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

  /// Runs code in which a variable has a meaning.
  mutating func binding<Result>(
    _ variable: PredicateExpressions.VariableID, to translation: Translation,
    _ body: (inout PredicateTranslator) throws -> Result
  ) throws -> Result {
    let outer = variables.updateValue(translation, forKey: variable)
    defer { variables[variable] = outer }
    return try body(&self)
  }

  /// The objects at the end of a path, with a variable for each.
  mutating func list(_ path: PredicatePath, of type: any Storable.Type) -> ObjectList {
    listCount += 1
    return ObjectList(path: path, type: type, variable: "v\(listCount)")
  }

  /// The elements of a property that is a list of values, with a variable for each; nil for other values.
  mutating func elements(of list: StoreExpression) -> ElementList? {
    guard case .path(let path) = list.kind else { return nil }
    listCount += 1
    return ElementList(path: path, variable: "v\(listCount)")
  }
}

/// An expression of Swift's that the store can express.
protocol Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation
}

/// Foundation has a type of the same name.
typealias StoreExpression = ObjectStore.PredicateExpression
