public import Foundation
public import ObjectStore

/// Which objects of a type to read, in which order, and which of their relationships to prefetch.
///
/// ```swift
/// let query = Band.filter(#Predicate { $0.formed < 1980 }).sorted(by: \.name).limit(10)
/// let bands = try await store.fetch(query)
/// ```
///
/// A query is a value. Making one does not read anything; it can be kept, passed on and used with several stores.
public struct Query<Result: Storable>: Sendable {
  /// The relationship whose objects are meant; nil for all objects of the entity.
  var scope: ListOwner?
  var conditions: [Condition] = []
  var orders: [Order] = []
  var limit: Int?
  var offset: Int?
  var prefetches: [Prefetch<Result>] = []

  enum Condition: Sendable {
    case predicate(Predicate<Result>)
    /// One at least holds.
    case any([Predicate<Result>])
    case not(Predicate<Result>)
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
    /// By how well the objects match the search.
    case rank
    /// The order of a descriptor that has no key path.
    case unknown
  }

  /// All objects of the type.
  public init() {}

  init(scope: ListOwner?) { self.scope = scope }

  // MARK: - Conditions

  // There is only one method with a single unlabelled argument. If there were more, the compiler would not say which
  // member is missing in `#Predicate { $0.nmae == "Japan" }`.

  /// Only objects that fulfil a condition, in addition to earlier ones.
  public func filter(_ predicate: Predicate<Result>) -> Self {
    adding { $0.conditions.append(.predicate(predicate)) }
  }

  /// Only objects that fulfil one at least of some conditions, in addition to earlier ones.
  ///
  /// ```swift
  /// let bands = Band.filter(any: [#Predicate { $0.formed < 1970 }, #Predicate { $0.albums.isEmpty }])
  /// ```
  ///
  /// The conditions may be put together at run time. Of no conditions none is fulfilled, so there are no objects then.
  public func filter(any predicates: [Predicate<Result>]) -> Self {
    adding { $0.conditions.append(.any(predicates)) }
  }

  /// Only objects that do not fulfil a condition, in addition to earlier ones.
  ///
  /// ```swift
  /// let bands = Band.filter(not: #Predicate { $0.formed < 1970 })
  /// ```
  public func filter(not predicate: Predicate<Result>) -> Self {
    adding { $0.conditions.append(.not(predicate)) }
  }

  /// Only objects that fulfil conditions in the language of `NSPredicate`, in addition to earlier ones.
  public func filter(matching predicate: ObjectPredicate, _ more: ObjectPredicate...) -> Self {
    adding { $0.conditions += ([predicate] + more).map { .format($0) } }
  }

  /// Only objects that fulfil a condition in the language of `NSPredicate`, in addition to earlier ones.
  ///
  /// - Throws: ``ObjectPredicateError`` if the format cannot be read.
  public func filter(format: String, _ arguments: PredicateArgument...) throws -> Self {
    filter(matching: try ObjectPredicate(format: format, arguments))
  }

  /// Only the objects with these identities, in addition to earlier conditions.
  public func filter(ids: some Sequence<Result.ID>, _ more: Result.ID...) -> Self {
    let ids = Array(ids) + more
    return adding { $0.conditions.append(.identities(ids)) }
  }

  // MARK: - Order

  /// Sorted by a property, after earlier orders. Null comes before every value.
  ///
  /// The path may lead through relationships to one object: `\.band.name`.
  public func sorted<Value>(by path: any KeyPath<Result, Value> & Sendable, _ order: SortOrder = .forward)
    -> Self
  {
    ordered(by: PathKey(path), order)
  }

  /// Lists have no order among them: the query throws ``StoreError`` when it is fetched. The compiler warns.
  // A declaration that is not available would give way to the general one.
  @available(
    *, deprecated, message: "objects cannot be sorted by a list; sort by a property that has one value"
  )
  public func sorted<Target>(
    by path: any KeyPath<Result, ToMany<Target>> & Sendable, _ order: SortOrder = .forward
  ) -> Self {
    ordered(by: PathKey(path), order)
  }

  fileprivate func ordered(by key: PathKey, _ order: SortOrder) -> Self {
    adding { $0.orders.append(.path(key, isAscending: order == .forward)) }
  }

  /// Sorted by sort descriptors, after earlier orders. Their ways to compare texts, for example by the language of a
  /// user, are not used: texts are sorted by the codes of their characters.
  public func sorted(using descriptors: SortDescriptor<Result>...) -> Self {
    let orders = descriptors.map { descriptor in
      let isAscending = descriptor.order == .forward
      return descriptor.keyPath.map { Order.path(PathKey($0), isAscending: isAscending) } ?? .unknown
    }
    return adding { $0.orders += orders }
  }

  /// Sorted by a key path of the model's names, after earlier orders: `"band.label.name"`.
  public func sorted(byName keyPath: String, _ order: SortOrder = .forward) -> Self {
    adding { $0.orders.append(.name(keyPath, isAscending: order == .forward)) }
  }

  // MARK: - Range

  /// At most this number of objects.
  public func limit(_ count: Int) -> Self { adding { $0.limit = max(0, count) } }

  /// Without this number of objects at the beginning.
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

  /// The objects that fulfil one at least of some conditions; see ``Query/filter(any:)``.
  public static func filter(any predicates: [Predicate<Self>]) -> Query<Self> { all.filter(any: predicates) }

  /// The objects that do not fulfil a condition.
  public static func filter(not predicate: Predicate<Self>) -> Query<Self> { all.filter(not: predicate) }

  /// The objects that fulfil conditions in the language of `NSPredicate`.
  public static func filter(matching predicate: ObjectPredicate, _ more: ObjectPredicate...) -> Query<Self> {
    more.reduce(all.filter(matching: predicate)) { $0.filter(matching: $1) }
  }

  /// The objects that fulfil a condition in the language of `NSPredicate`.
  ///
  /// - Throws: ``ObjectPredicateError`` if the format cannot be read.
  public static func filter(format: String, _ arguments: PredicateArgument...) throws -> Query<Self> {
    all.filter(matching: try ObjectPredicate(format: format, arguments))
  }

  /// The objects with these identities.
  public static func filter(ids: some Sequence<ID>, _ more: ID...) -> Query<Self> {
    all.filter(ids: Array(ids) + more)
  }

  /// All objects of the type, sorted by a property.
  public static func sorted<Value>(
    by path: any KeyPath<Self, Value> & Sendable, _ order: SortOrder = .forward
  ) -> Query<Self> {
    all.sorted(by: path, order)
  }

  /// Lists have no order among them: the query throws ``StoreError`` when it is fetched. The compiler warns.
  @available(
    *, deprecated, message: "objects cannot be sorted by a list; sort by a property that has one value"
  )
  public static func sorted<Target>(
    by path: any KeyPath<Self, ToMany<Target>> & Sendable, _ order: SortOrder = .forward
  ) -> Query<Self> {
    all.ordered(by: PathKey(path), order)
  }
}

extension ToMany {
  /// The objects of the relationship, to be filtered, sorted and fetched.
  ///
  /// They are the ones in the store. If the relationship was not read from a store, it cannot be fetched: save its
  /// object and read that again.
  public var query: Query<Target> {
    Query(scope: owner ?? ListOwner(entity: "", relationship: "", key: []))
  }

  /// The objects of the relationship that fulfil a condition.
  public func filter(_ predicate: Predicate<Target>) -> Query<Target> { query.filter(predicate) }

  /// The objects of the relationship, sorted by a property.
  public func sorted<Value>(
    by path: any KeyPath<Target, Value> & Sendable, _ order: SortOrder = .forward
  ) -> Query<Target> {
    query.sorted(by: path, order)
  }
}
