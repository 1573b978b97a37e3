import Foundation
import ObjectModel
import ObjectStore

/// How a query becomes a statement.
extension Query {
  /// - Parameter isAboutFew: Whether the caller adds which few objects are meant.
  /// - Throws: ``QueryError`` for a condition or an order that cannot be put in the store's words.
  func builder(_ layout: Layout, isAboutFew: Bool = false) throws -> QueryBuilder {
    var builder = try start(layout)
    builder.isAboutFew = builder.isAboutFew || isAboutFew
    for condition in conditions {
      switch condition {
      case .predicate(let predicate): try add(predicate, to: &builder)
      case .format(let predicate): try builder.add(predicate)
      case .keys(let keys): try builder.add(keys: keys.map { [$0] })
      case .search(let text, let paths):
        try builder.add(SearchCondition(text, in: paths.map(searchedName)))
      case .identities(let ids): try builder.add(identities: ids.map { Result.storedParts(of: $0) })
      }
    }
    var query = ObjectStore.Query(Result.entityName)
    query.limit = limit
    query.offset = offset
    for order in orders {
      if case .rank = order { try builder.addRankOrder() } else { try builder.add(sort(order)) }
    }
    try builder.add(query)
    return builder
  }

  /// The key path of an attribute that words are looked for in.
  private func searchedName(_ key: PathKey) throws -> String {
    guard let name = Result.properties.name(of: key.path) else {
      throw QueryError(
        "\(Result.self) cannot be searched in \(key.path.debugDescription), which is no stored property of it or of an"
          + " object that one leads to")
    }
    return name
  }

  private func add(_ predicate: Predicate<Result>, to builder: inout QueryBuilder) throws {
    let translated = try PredicateTranslator.translate(predicate)
    do throws(ObjectPredicateError) {
      try builder.add(translated)
    } catch {
      // It has no place in a format that could be shown.
      let message = error.message
      throw QueryError(message.hasSuffix(".") ? String(message.dropLast()) : message)
    }
  }

  private func start(_ layout: Layout) throws -> QueryBuilder {
    guard let scope else { return try QueryBuilder(Result.entityName, layout) }
    guard let owner = layout.schema.entity(scope.entity),
      let relationship = owner.relationships.map({ layout.schema.relationships[$0] })
        .first(where: { $0.name == scope.relationship })
    else {
      throw QueryError("the relationship was not read from a store, so it has no objects there")
    }
    return QueryBuilder(RelatedObjects(relationship, of: .key(scope.key)), layout)
  }

  private func sort(_ order: Order) throws -> ObjectStore.Query.Sort {
    switch order {
    case .name(let name, let isAscending): return ObjectStore.Query.Sort(name, isAscending: isAscending)
    case .rank, .unknown:
      throw QueryError("a sort descriptor has no key path, so the store does not know its order")
    case .path(let key, let isAscending):
      guard let name = Result.properties.name(of: key.path) else {
        throw QueryError(
          "\(Result.self) cannot be ordered by \(key.path.debugDescription), which is no stored property of it or"
            + " of an object that one leads to")
      }
      return ObjectStore.Query.Sort(name, isAscending: isAscending)
    }
  }
}

/// A query that cannot be put in the store's words.
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
  let message: String

  init(_ message: String) { self.message = message }

  public var description: String { "The query cannot be run: \(message)." }
}
