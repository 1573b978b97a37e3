public import Foundation
public import ObjectStore

/// Which objects of a type, in which order, and with what of their relationships.
///
/// ```swift
/// let query = Band.filter(#Predicate { $0.formed < 1980 }).sorted(by: \.name).limit(10)
/// let bands = try await store.fetch(query)
/// ```
///
/// A query is a value: making one asks nothing of a store, and it can be kept, passed on and used with several.
public struct Query<Result: Storable>: Sendable {
  /// The relationship whose objects are meant, if not all of the entity.
  var scope: ListOwner?
  var conditions: [Condition] = []
  var orders: [Order] = []
  var limit: Int?
  var offset: Int?
  var prefetches: [Prefetch<Result>] = []

  enum Condition: Sendable {
    case predicate(Predicate<Result>)
    case format(ObjectPredicate)
    case identities([Result.ID])
    /// By the keys that the store has.
    case keys([SQLValue])
    /// By words, in some attributes or in all.
    case search(String, in: [PathKey])
  }

  enum Order: Sendable {
    case path(PathKey, isAscending: Bool)
    case name(String, isAscending: Bool)
    /// By how well what is searched for is found.
    case rank
    /// That of a descriptor that goes by no key path.
    case unknown
  }

  /// All objects of the type.
  public init() {}

  init(scope: ListOwner?) { self.scope = scope }

  // MARK: - Conditions

  // One method only takes a single argument without a label: with more, the compiler does not say which member of
  // `#Predicate { $0.nmae == "Japan" }` there is not.

  /// Only objects that fulfil a condition, besides those before.
  public func filter(_ predicate: Predicate<Result>) -> Self {
    adding { $0.conditions.append(.predicate(predicate)) }
  }

  /// Only objects that fulfil conditions in the words of `NSPredicate`, besides those before.
  public func filter(matching predicate: ObjectPredicate, _ more: ObjectPredicate...) -> Self {
    adding { $0.conditions += ([predicate] + more).map { .format($0) } }
  }

  /// Only objects that fulfil a condition in the words of `NSPredicate`, besides those before.
  ///
  /// - Throws: ``ObjectPredicateError`` if the format cannot be read.
  public func filter(format: String, _ arguments: PredicateArgument...) throws -> Self {
    filter(matching: try ObjectPredicate(format: format, arguments))
  }

  /// Only the objects with these identities, besides the conditions before.
  public func filter(ids: some Sequence<Result.ID>, _ more: Result.ID...) -> Self {
    let ids = Array(ids) + more
    return adding { $0.conditions.append(.identities(ids)) }
  }

  // MARK: - Order

  /// Ordered by a property, after the orders before. Nothing comes before everything.
  ///
  /// The path may lead through relationships to one object: `\.band.name`.
  public func sorted<Value>(by path: any KeyPath<Result, Value> & Sendable, _ order: SortOrder = .forward)
    -> Self
  {
    let key = PathKey(path)
    return adding { $0.orders.append(.path(key, isAscending: order == .forward)) }
  }

  /// Ordered as sort descriptors say, after the orders before. What they say of comparing texts, by the language of
  /// a user for example, is not followed: texts are ordered by their characters' codes.
  public func sorted(using descriptors: SortDescriptor<Result>...) -> Self {
    let orders = descriptors.map { descriptor in
      let isAscending = descriptor.order == .forward
      return descriptor.keyPath.map { Order.path(PathKey($0), isAscending: isAscending) } ?? .unknown
    }
    return adding { $0.orders += orders }
  }

  /// Ordered by a key path of the model's names, after the orders before: `"band.label.name"`.
  public func sorted(byName keyPath: String, _ order: SortOrder = .forward) -> Self {
    adding { $0.orders.append(.name(keyPath, isAscending: order == .forward)) }
  }

  // MARK: - Range

  /// At most so many.
  public func limit(_ count: Int) -> Self { adding { $0.limit = max(0, count) } }

  /// Without the first so many.
  public func offset(_ count: Int) -> Self { adding { $0.offset = max(0, count) } }

  func adding(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Storable {
  /// All objects of the type.
  public static var all: Query<Self> { Query() }

  /// The objects that fulfil a condition.
  public static func filter(_ predicate: Predicate<Self>) -> Query<Self> { all.filter(predicate) }

  /// The objects that fulfil conditions in the words of `NSPredicate`.
  public static func filter(matching predicate: ObjectPredicate, _ more: ObjectPredicate...) -> Query<Self> {
    more.reduce(all.filter(matching: predicate)) { $0.filter(matching: $1) }
  }

  /// The objects that fulfil a condition in the words of `NSPredicate`.
  ///
  /// - Throws: ``ObjectPredicateError`` if the format cannot be read.
  public static func filter(format: String, _ arguments: PredicateArgument...) throws -> Query<Self> {
    all.filter(matching: try ObjectPredicate(format: format, arguments))
  }

  /// The objects with these identities.
  public static func filter(ids: some Sequence<ID>, _ more: ID...) -> Query<Self> {
    all.filter(ids: Array(ids) + more)
  }

  /// All objects of the type, ordered by a property.
  public static func sorted<Value>(
    by path: any KeyPath<Self, Value> & Sendable, _ order: SortOrder = .forward
  ) -> Query<Self> {
    all.sorted(by: path, order)
  }
}

extension ToMany {
  /// The objects of the relationship, to be filtered, ordered and fetched.
  ///
  /// They are those that the store has. Of a relationship that was not read from a store, nothing can be fetched: read
  /// its object again once it is saved.
  public var query: Query<Target> {
    Query(scope: owner ?? ListOwner(entity: "", relationship: "", key: []))
  }

  /// The objects of the relationship that fulfil a condition.
  public func filter(_ predicate: Predicate<Target>) -> Query<Target> { query.filter(predicate) }

  /// The objects of the relationship, ordered by a property.
  public func sorted<Value>(
    by path: any KeyPath<Target, Value> & Sendable, _ order: SortOrder = .forward
  ) -> Query<Target> {
    query.sorted(by: path, order)
  }
}
