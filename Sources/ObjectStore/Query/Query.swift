package import ObjectModel

/// Which objects, and in which order, in words that every engine understands.
package struct Query: Sendable {
  /// An order of the objects.
  package struct Sort: Sendable, Hashable {
    package enum Key: Sendable, Hashable {
      case path(String)
      /// How well objects fit what is searched for, the best first.
      case rank
    }

    package var key: Key
    package var isAscending: Bool

    package init(_ keyPath: String, isAscending: Bool = true) {
      key = .path(keyPath)
      self.isAscending = isAscending
    }

    private init(key: Key) {
      self.key = key
      isAscending = true
    }

    package static let rank = Sort(key: .rank)
  }

  /// What the objects are chosen from.
  package enum Source: Sendable {
    /// All objects of the entity, its sub-entities' included.
    case all
    /// Objects that an export of a whole store lists under the entity: of no sub-entity, and nested in no other object.
    ///
    /// - Parameter nestedBy: The relationships by which owners nest their parts.
    case listed(nestedBy: Set<Int>)
    /// Those that a relationship leads to, in its own order unless another is asked for.
    case related(RelatedObjects)
  }

  /// Objects that are named one by one.
  package enum Choice: Sendable {
    /// Those with these identities, of which there may be any number.
    case identities([[SQLValue]])
    /// Those with these keys, as the store has them.
    case keys([[SQLValue]])
    case rows([Int64])
    /// The one whose key the cursor is told when it begins.
    case givenKey
    /// The one whose row the cursor is told when it begins.
    case givenRow
  }

  package var source = Source.all
  package var entity: String
  /// Only the object with this identity; the values of a composite one joined by commas.
  package var identity: String?
  package var choices: [Choice] = []
  /// Only objects that fulfil all of these.
  package var predicates: [ObjectPredicate] = []
  /// Words that the objects have. Unless another order is asked for, those that they fit best come first.
  package var search: [SearchCondition] = []
  package var sort: [Sort] = []
  package var limit: Int?
  /// How many of the first are left out.
  package var offset: Int?
  /// Whether it is about few objects, though it does not show: then an engine had better look at each of them than at
  /// all that its conditions lead to.
  package var isPointLookup = false

  package init(_ entity: String) {
    self.entity = entity
  }

  /// The objects that a relationship leads to.
  package init(_ related: RelatedObjects, _ schema: Schema) {
    entity = schema.entities[related.relationship.destination].name
    source = .related(related)
  }

  package init(_ entity: String, _ choice: Choice) {
    self.entity = entity
    choices = [choice]
  }

  /// Only objects that fulfil this; nil for no condition.
  package var predicate: ObjectPredicate? {
    get { predicates.first }
    set { predicates = newValue.map { [$0] } ?? [] }
  }

  /// Whether only some of the objects are meant, by their order.
  var hasRange: Bool { limit != nil || offset != nil }

  /// Whether how well objects fit says in which order they come.
  var isRanked: Bool {
    !search.isEmpty && (sort.isEmpty || sort.contains(.rank))
  }
}
