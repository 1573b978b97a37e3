/// Which objects, and in which order.
package struct Query: Sendable {
  /// A key path to order by.
  package struct Sort: Sendable, Hashable {
    package var keyPath: String
    package var isAscending: Bool

    package init(_ keyPath: String, isAscending: Bool = true) {
      self.keyPath = keyPath
      self.isAscending = isAscending
    }
  }

  package var entity: String
  /// Only the object with this identity; the values of a composite one joined by commas.
  package var identity: String?
  /// Only objects that fulfil this.
  package var predicate: ObjectPredicate?
  /// Words that the objects have. Unless another order is asked for, those that they fit best come first.
  package var search: [SearchCondition] = []
  package var sort: [Sort] = []
  package var limit: Int?
  /// How many of the first are left out.
  package var offset: Int?

  package init(_ entity: String) {
    self.entity = entity
  }
}
