import Foundation
import ObjectModel

/// Turns a predicate into a condition of SQL.
///
/// What a path passes becomes sub-selects, so that nothing is joined and no row can come twice. Values are
/// bound; only the layout's names and signs of the language's own become part of the text.
///
/// SQL has three truths, and a predicate two: a comparison with null is false, unless null is what it asks
/// for. `AND` and `OR` keep that up, as nobody can tell SQL's unknown from its false there; whatever turns a
/// condition around uses `IS NOT TRUE`.
struct PredicateSQL {
  let format: String
  let layout: Layout
  /// What is bound to `?1` and so on, with what was there before.
  private(set) var arguments: [SQLValue]
  /// What `NOW()` is, the same wherever it stands.
  let now = Date().timeIntervalSinceReferenceDate
  private var aliases = 0

  /// Where the names of a condition begin.
  struct Scope {
    var object: ObjectSource
    var variables: [String: ObjectSource] = [:]
  }

  /// SQLite takes more; a predicate this long was not meant.
  private static let argumentLimit = 30_000
  /// So many values of a list are arguments of their own.
  static let longList = 1_000

  /// The condition that objects of an entity, whose table has the alias `alias`, fulfil a predicate.
  ///
  /// - Parameter arguments: The arguments that the statement has already; those of the condition are added.
  static func condition(
    _ predicate: ObjectPredicate, of entity: SchemaEntity, alias: String, _ layout: Layout,
    _ arguments: inout [SQLValue]
  ) throws(ObjectPredicateError) -> String {
    var builder = PredicateSQL(format: predicate.format, layout: layout, arguments: arguments)
    let source = ObjectSource(alias: alias, entity: entity)
    let sql = try builder.condition(predicate.root, Scope(object: source))
    arguments = builder.arguments
    return sql
  }

  private init(format: String, layout: Layout, arguments: [SQLValue]) {
    self.format = format
    self.layout = layout
    self.arguments = arguments
  }

  // MARK: - Conditions

  mutating func condition(_ node: PredicateNode, _ scope: Scope) throws(ObjectPredicateError) -> String {
    switch node {
    case .always(let isTrue): return isTrue ? "1" : "0"
    case .not(.exists(let path, let variable, let inner)):
      return "NOT " + (try exists(path, variable, inner, scope))
    case .not(let inner): return "((\(try condition(inner, scope))) IS NOT TRUE)"
    case .and(let parts): return SQL.joined(try conditions(parts, scope), by: "AND")
    case .or(let parts): return SQL.joined(try conditions(parts, scope), by: "OR")
    case .comparison(let comparison): return try condition(comparison, scope)
    case .exists(let path, let variable, let inner): return try exists(path, variable, inner, scope)
    }
  }

  private mutating func exists(
    _ path: PredicatePath, _ variable: String, _ inner: PredicateNode, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    let (selection, holds) = try subquery(path, variable, inner, scope)
    return selection.exists(inner == .always(true) ? nil : holds)
  }

  private mutating func conditions(
    _ nodes: [PredicateNode], _ scope: Scope
  ) throws(ObjectPredicateError) -> [String] {
    var conditions: [String] = []
    for node in nodes { conditions.append(try condition(node, scope)) }
    return conditions
  }

  private mutating func condition(
    _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    if let quantifier = comparison.quantifier { return try quantified(quantifier, comparison, scope) }
    let (left, right) = (comparison.left, comparison.right)
    if comparison.operation == .in, let elements = try manyValues(right, scope) {
      return try membership(of: left, in: elements, comparison.options, scope)
    }
    if comparison.operation == .contains, let elements = try manyValues(left, scope) {
      return try membership(of: right, in: elements, comparison.options, scope)
    }
    return try compare(
      operand(left, scope), comparison.operation, comparison.options, operand(right, scope))
  }

  /// The route of a path that leads to many values; nil for anything else.
  private func manyValues(
    _ expression: PredicateExpression, _ scope: Scope
  ) throws(ObjectPredicateError) -> PredicateRoute? {
    guard case .path(let path) = expression.kind else { return nil }
    let route = try route(path, scope)
    return route.isToMany ? route : nil
  }

  private mutating func quantified(
    _ quantifier: Quantifier, _ comparison: PredicateComparison, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    guard case .path(let path) = comparison.left.kind else {
      throw error(
        "\(quantifier.rawValue) goes with a key path, such as albums.year.", at: comparison.left.place)
    }
    let route = try route(path, scope)
    guard route.isToMany else {
      throw error("\(path.text) leads to one value: leave \(quantifier.rawValue) out.", at: path.place)
    }
    let selection = selection(of: route)
    let holds = try compare(
      element(of: route, selection, comparison.left.place), comparison.operation, comparison.options,
      operand(comparison.right, scope))
    switch quantifier {
    case .any: return selection.exists(holds)
    case .none: return "NOT " + selection.exists(holds)
    case .all: return "NOT " + selection.exists("(\(holds)) IS NOT TRUE")
    }
  }

  private mutating func membership(
    of value: PredicateExpression, in route: PredicateRoute, _ options: TextOptions, _ scope: Scope
  ) throws(ObjectPredicateError) -> String {
    let selection = selection(of: route)
    let element = try element(of: route, selection, route.path.place)
    return selection.exists(try compare(element, .equal, options, operand(value, scope)))
  }

  // MARK: - Parts

  func error(_ message: String, at place: Place) -> ObjectPredicateError {
    ObjectPredicateError(message, at: place, in: format)
  }

  /// Binds a value and returns its parameter.
  mutating func bind(_ value: SQLValue, at place: Place) throws(ObjectPredicateError) -> String {
    guard arguments.count < Self.argumentLimit else {
      throw error("A predicate can have \(Self.argumentLimit) values and no more.", at: place)
    }
    arguments.append(value)
    return "?\(arguments.count)"
  }

  /// An alias that nothing else has.
  mutating func newAlias() -> String {
    aliases += 1
    return "p\(aliases)"
  }
}

extension SQL {
  /// Conditions joined by `AND` or `OR`, in pairs of pairs, since SQLite limits how deep an expression is.
  static func joined(_ conditions: [String], by word: String) -> String {
    joined(conditions[...], " \(word) ")
  }

  private static func joined(_ conditions: ArraySlice<String>, _ word: String) -> String {
    guard conditions.count > 1 else { return conditions.first ?? "1" }
    let middle = conditions.startIndex + conditions.count / 2
    return "(" + joined(conditions[..<middle], word) + word + joined(conditions[middle...], word) + ")"
  }
}
