import Foundation
import ObjectModel
import ObjectStore

/// The query in the form that the store takes.
extension Query {
  /// - Throws: ``QueryError`` for a condition or an order that the store cannot express.
  func stored(_ layout: Layout) throws -> StoredQuery {
    var query = try start(layout)
    for condition in conditions {
      switch condition {
      case .predicate(let predicate): query.predicates.append(try PredicateTranslator.translate(predicate))
      case .any(let predicates): query.predicates.append(try PredicateTranslator.translate(any: predicates))
      case .not(let predicate): query.predicates.append(try PredicateTranslator.translate(not: predicate))
      case .format(let predicate): query.predicates.append(predicate)
      case .keys(let keys): query.choices.append(.keys(keys.map { [$0] }))
      case .search(let text, let paths):
        query.search.append(SearchCondition(text, in: try paths.map(searchedName)))
      case .identities(let ids): query.choices.append(.identities(ids.map { Result.storedParts(of: $0) }))
      }
    }
    query.sort = try orders.map(sort)
    (query.limit, query.offset) = (limit, offset)
    return query
  }

  /// The key path of a searched attribute.
  private func searchedName(_ key: PathKey) throws -> String {
    guard let name = Result.properties.name(of: key.path) else {
      throw QueryError(
        "\(Result.self) cannot be searched in \(key.path.debugDescription), which is no stored property of it or of an"
          + " object that one leads to")
    }
    return name
  }

  private func start(_ layout: Layout) throws -> StoredQuery {
    guard let scope else { return StoredQuery(Result.entityName) }
    guard let owner = layout.schema.entity(scope.entity),
      let relationship = owner.relationships.map({ layout.schema.relationships[$0] })
        .first(where: { $0.name == scope.relationship })
    else {
      throw QueryError("the relationship was not read from a store, so it has no objects there")
    }
    return StoredQuery(RelatedObjects(relationship, of: .key(scope.key)), layout.schema)
  }

  private func sort(_ order: Order) throws -> StoredQuery.Sort {
    switch order {
    case .rank: return .rank
    case .name(let name, let isAscending): return StoredQuery.Sort(name, isAscending: isAscending)
    case .unknown:
      throw QueryError("a sort descriptor has no key path, so the store does not know its order")
    case .path(let key, let isAscending):
      guard let name = Result.properties.name(of: key.path) else {
        throw QueryError(
          "\(Result.self) cannot be ordered by \(key.path.debugDescription), which is no stored property of it or"
            + " of an object that one leads to")
      }
      return StoredQuery.Sort(name, isAscending: isAscending)
    }
  }
}

/// A query in the form that the store takes: with entities and names, not types and key paths.
typealias StoredQuery = ObjectStore.Query

extension StoreTransaction {
  /// Runs a read of objects of a type. If a condition in Swift does not fit the model, that is a ``QueryError``,
  /// since there is no format whose place could be shown.
  func translatingErrors<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as ObjectPredicateError where error.format.isEmpty {
      let message = error.message
      throw QueryError(message.hasSuffix(".") ? String(message.dropLast()) : message)
    }
  }
}

/// A query that the store cannot express.
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
  let message: String

  init(_ message: String) { self.message = message }

  public var description: String { "The query cannot be run: \(message)." }
}

// MARK: - Telling queries apart

/// The content of a query, as a value that can be compared: two queries of a type with the same key have the same objects in the same
/// order.
package struct QueryKey: Hashable, Sendable {
  fileprivate enum Part: Hashable, Sendable {
    case condition(ObjectPredicate)
    /// A condition that the store cannot express; the error says why.
    case mistake(String)
    case identities([[SQLValue]])
    case keys([SQLValue])
    case search(String, in: [PathKey])
    case order(PathKey, isAscending: Bool)
    case orderByName(String, isAscending: Bool)
    case rank
    case unknownOrder
    case prefetch(PathKey)
  }

  fileprivate var scope: ListOwner?
  fileprivate var limit: Int?
  fileprivate var offset: Int?
  fileprivate var parts: [Part] = []
}

extension Query {
  /// The key. Prefetched objects of prefetched objects are not looked at.
  package var key: QueryKey {
    var key = QueryKey(scope: scope, limit: limit, offset: offset)
    key.parts = conditions.map { condition in
      switch condition {
      case .predicate(let predicate): Self.part { try PredicateTranslator.translate(predicate) }
      case .any(let predicates): Self.part { try PredicateTranslator.translate(any: predicates) }
      case .not(let predicate): Self.part { try PredicateTranslator.translate(not: predicate) }
      case .format(let predicate): .condition(predicate)
      case .identities(let ids): .identities(ids.map { Result.storedParts(of: $0) })
      case .keys(let keys): .keys(keys)
      case .search(let text, let paths): .search(text, in: paths)
      }
    }
    key.parts += orders.map { order in
      switch order {
      case .path(let path, let isAscending): .order(path, isAscending: isAscending)
      case .name(let name, let isAscending): .orderByName(name, isAscending: isAscending)
      case .rank: .rank
      case .unknown: .unknownOrder
      }
    }
    key.parts += prefetches.map { .prefetch($0.path) }
    return key
  }

  private static func part(_ translated: () throws -> ObjectPredicate) -> QueryKey.Part {
    do {
      return .condition(try translated())
    } catch {
      return .mistake("\(error)")
    }
  }
}
