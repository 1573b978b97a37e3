import Foundation
import ObjectStore

/// From Swift's predicates to the store's.
enum PredicateTranslator {
  /// - Throws: ``QueryError`` for what has no counterpart in the store.
  static func translate<Root: Storable>(
    _ predicate: Predicate<Root>, _ type: Root.Type, _ layout: Layout
  ) throws -> ObjectPredicate {
    throw QueryError("predicates are to come")
  }
}
