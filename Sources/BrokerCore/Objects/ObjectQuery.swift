public import Foundation
import ObjectModel
public import ObjectStore

/// Which objects of an entity to read, by the names of the model.
///
/// ```swift
/// let query = try ObjectQuery("Band").filter(format: "formed > %d", 1970).sorted(by: "name")
///   .including("albums")
/// let bands = try await store.fetch(query)
/// ```
public struct ObjectQuery: Sendable, Hashable {
  /// The entity. Objects of its sub-entities belong to it too.
  public let entity: String
  var predicates: [ObjectPredicate] = []
  var searches: [SearchCondition] = []
  var identity: String?
  var orders: [Order] = []
  var limit: Int?
  var offset: Int?
  var lists: [String] = []

  struct Order: Sendable, Hashable {
    var keyPath: String
    var isAscending: Bool
  }

  /// All objects of an entity.
  public init(_ entity: String) { self.entity = entity }

  /// Only the object with this identity. The values of a composite one are joined by commas.
  public func filter(identity: String) -> Self { adding { $0.identity = identity } }

  /// Only objects that fulfil conditions, in addition to earlier ones.
  public func filter(matching predicate: ObjectPredicate, _ more: ObjectPredicate...) -> Self {
    adding { $0.predicates += [predicate] + more }
  }

  /// Only objects that fulfil a condition in the language of `NSPredicate`, in addition to earlier ones.
  ///
  /// - Throws: ``ObjectPredicateError`` if the format cannot be read.
  public func filter(format: String, _ arguments: PredicateArgument...) throws -> Self {
    filter(matching: try ObjectPredicate(format: format, arguments))
  }

  /// Only objects in which words are found: in the searched attributes that are named, or if none is named, in all.
  /// The best matches come first, unless another order is asked for.
  ///
  /// ``Query/matching(_:)`` describes what can be written.
  public func matching(_ text: String, in attributes: String...) -> Self {
    adding { $0.searches.append(SearchCondition(text, in: attributes)) }
  }

  /// Sorted by a key path, after earlier orders: `"band.name"`.
  public func sorted(by keyPath: String, _ order: SortOrder = .forward) -> Self {
    adding { $0.orders.append(Order(keyPath: keyPath, isAscending: order == .forward)) }
  }

  /// At most this number of objects.
  public func limit(_ count: Int) -> Self { adding { $0.limit = max(0, count) } }

  /// Without this number of objects at the beginning.
  public func offset(_ count: Int) -> Self { adding { $0.offset = max(0, count) } }

  /// With the identities of the targets of to-many relationships. Each takes one more statement.
  public func including(_ relationships: String...) -> Self { adding { $0.lists += relationships } }

  private func adding(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// The query in the form that the store takes.
  var stored: StoredQuery {
    var query = StoredQuery(entity)
    query.identity = identity
    query.predicates = predicates
    query.search = searches
    query.sort = orders.map { StoredQuery.Sort($0.keyPath, isAscending: $0.isAscending) }
    query.limit = limit
    query.offset = offset
    return query
  }
}
