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

  /// The source of the objects.
  package enum Source: Sendable {
    /// All objects of the entity, its sub-entities' included.
    case all
    /// Objects that an export of a whole store lists under the entity: of no sub-entity, and nested in no other object.
    ///
    /// - Parameter nestedBy: The relationships by which owners nest their parts.
    case listed(nestedBy: Set<Int>)
    /// The targets of a relationship, in its own order unless another is asked for.
    case related(RelatedObjects)
  }

  /// Objects that are named one by one.
  package enum Choice: Sendable {
    /// The objects with these identities, of which there may be any number.
    case identities([[SQLValue]])
    /// The objects with these keys, as the store has them.
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

/// A selected value of each object of a query. Some are several columns; see ``width(_:of:)``.
package enum SelectedColumn: Sendable {
  /// The number of the object's row.
  case row
  /// The name of the object's entity; null where all objects of the table are of one.
  case kind
  /// The object's key, as the store has it.
  case key
  /// All columns of the table, in their order.
  case stored
  /// The value, or the parts of the identity, at the end of a path to one; null where that is an object that has not
  /// arrived.
  case value(ResolvedPath)
  /// As ``value(_:)``, but references to objects that have not arrived too.
  case reference(ResolvedPath)
  /// The row of the object that a path to one leads to; null if it is not there.
  case targetRow(ResolvedPath)
  /// The row of the object whose relationship led to this one, in a query of related objects.
  case ownerRow
  /// How well the object fits what is searched for, the least the best.
  case rank

  /// How many columns it is.
  package func width(_ layout: Layout, of entity: SchemaEntity) -> Int {
    switch self {
    case .row, .kind, .targetRow, .ownerRow, .rank: 1
    case .key: layout.table(of: entity.index).key.count
    case .stored: layout.table(of: entity.index).columns.count
    case .value(let path), .reference(let path): path.types(layout, from: entity).count
    }
  }
}

/// An aggregate of the values of many objects.
package struct Aggregation: Sendable {
  package enum Function: Sendable {
    case count, sum, minimum, maximum, average
  }

  package let function: Function
  /// Whether the values are decimals, which a store may keep in a form of their own.
  package let isDecimal: Bool

  package init(_ function: Function, isDecimal: Bool = false) {
    self.function = function
    self.isDecimal = isDecimal
  }
}

/// The objects that a relationship leads to from some objects.
package struct RelatedObjects: Sendable {
  package enum Owners: Sendable {
    /// The one with this key, as the store keeps it.
    case key([SQLValue])
    /// The objects in these rows.
    case rows([Int64])
  }

  package let relationship: SchemaRelationship
  package let owners: Owners

  package init(_ relationship: SchemaRelationship, of owners: Owners) {
    self.relationship = relationship
    self.owners = owners
  }
}

/// Words that the objects of a query have, and that say how well each fits.
package struct SearchCondition: Sendable, Hashable {
  /// The words of the search, as people type them.
  package var text: String
  /// The key paths of the attributes to look in; none for all of the object.
  package var attributes: [String]

  package init(_ text: String, in attributes: [String] = []) {
    self.text = text
    self.attributes = attributes
  }
}

/// How the place that was found is shown.
package struct SnippetStyle: Sendable, Hashable {
  package var start: String
  package var end: String
  package var ellipsis: String
  /// How many words there are at most; FTS5 shows 64.
  package var wordCount: Int

  package init(start: String, end: String, ellipsis: String, wordCount: Int) {
    self.start = start
    self.end = end
    self.ellipsis = ellipsis
    self.wordCount = min(64, max(1, wordCount))
  }
}

/// Gives the places of texts where what was searched for is.
package final class SnippetReader {
  /// Gives the place of the object whose row it is told; nil if nothing can be found.
  private let places: (any Cursor)?

  init(_ places: (any Cursor)?) { self.places = places }

  /// The place in the texts of the object in a row.
  package func snippet(ofRow row: Int64) throws -> String {
    guard let places else { return "" }
    places.bind(row, at: 1)
    defer { places.reset() }
    return try places.step() ? places.string(0) : ""
  }
}

/// Steps through the rows that a store gives for a query, and lends the values of the row that it stands on.
///
/// A cursor belongs to its transaction, or to the connection if it is kept for that, and must be used and let go of
/// where that is accessed. It reads straight from the engine: nothing is allocated for a value that is a number.
package protocol Cursor: AnyObject {
  // MARK: - Parameters, counted from 1

  /// Says which object a query is about that leaves it open; see ``Query/Choice``.
  func bind(_ value: Int64, at index: Int)
  /// Says a part of the key of the object that a query leaves open.
  func bind(_ value: SQLValue, at index: Int)

  // MARK: - Rows

  /// Goes on to the next row. False when there is none; then the cursor is ready to begin again.
  func step() throws -> Bool
  /// Ends early, so that the cursor can begin again.
  func reset()

  // MARK: - Columns of the row, counted from 0

  var columnCount: Int { get }
  func isNull(_ column: Int) -> Bool
  /// How the store holds a value, nil for null.
  func storage(_ column: Int) -> StorageType?
  func integer(_ column: Int) -> Int64
  func double(_ column: Int) -> Double
  /// The UTF-8 of a value, until the next step.
  func text(_ column: Int) -> UnsafeBufferPointer<UInt8>
  /// The bytes of a value, until the next step.
  func blob(_ column: Int) -> UnsafeRawBufferPointer
  /// A copy of a text.
  func string(_ column: Int) -> String
}

extension Cursor {
  /// A copy of the value of a column.
  package func value(_ column: Int) -> SQLValue { SQLValue(self, column) }

  /// Says the key of the object that a query leaves open, part by part.
  package func bind(key: [SQLValue]) {
    for (index, part) in key.enumerated() { bind(part, at: index + 1) }
  }

  /// The first column of the only row; nil if there is no row.
  func onlyInteger() throws -> Int64? {
    guard try step() else { return nil }
    defer { reset() }
    return integer(0)
  }
}

extension SQLValue {
  /// A value of the row that a cursor stands on.
  package init(_ cursor: some Cursor, _ column: Int) {
    switch cursor.storage(column) {
    case nil: self = .null
    case .integer: self = .integer(cursor.integer(column))
    case .real: self = .real(cursor.double(column))
    case .text: self = .text(cursor.string(column))
    case .blob: self = .blob(Array(cursor.blob(column)))
    }
  }
}
