import ObjectModel
import ObjectStore

/// Where objects without identity stand in an export of a whole store: each in one place, since an import makes an object
/// of each.
///
/// An object that one owner has stands in it, one that nobody has in the list of its entity. Where several owners have the
/// same object, it stands in the one that no key can name, or else in the first of them; see ``ObjectExporter/rank(_:)``. The
/// others have an identity and are named by their keys in the object, and their JSON says nothing of the relationship, so
/// that an import leaves it as these keys say.
struct PartPlaces {
  /// The relationships by which owners nest their parts.
  var nesting: Set<Int> = []
  /// Relationships of which the owners write nothing, since their parts name the owners.
  var told: Set<Int> = []
  /// Relationships whose parts other owners have too, though no key can name any of these. A part stands in the first that is
  /// written.
  var disputed: Set<Int> = []
  /// The relationships of ``told`` whose order cannot be told.
  var unordered: Set<Int> = []
}

extension ObjectExporter {
  /// The objects that stand under an entity.
  func listing(of entity: SchemaEntity) throws -> Query {
    if !knowsPlaces {
      places = try partPlaces()
      knowsPlaces = true
    }
    var query = Query(entity.name)
    query.source = .listed(nestedBy: places.nesting)
    return query
  }

  private func partPlaces() throws -> PartPlaces {
    var places = PartPlaces(nesting: nestingRelationships())
    for entity in layout.schema.entities where !entity.isAbstract && !entity.hasIdentity {
      let owning = places.nesting.map { layout.schema.relationships[$0] }
        .filter { entity.ancestry.contains($0.destination) }
        .sorted { rank($0) < rank($1) }
      try tellShared(owning, entity, &places)
      try tellRivals(owning.filter { places.nesting.contains($0.index) }, entity, &places)
    }
    return places
  }

  /// The relationships by which owners nest their parts, if each part has one owner.
  ///
  /// A relationship of which some owner writes nothing is none of them: it is ignored, or cannot be used, or another
  /// property has its key. Its parts stand under their own entity.
  private func nestingRelationships() -> Set<Int> {
    var result = Set(layout.schema.relationships.filter(layout.leadsToParts).map(\.index))
    for entity in layout.schema.entities
    where !entity.isAbstract && !result.isDisjoint(with: entity.relationships) {
      result.subtract(Set(entity.relationships).subtracting(plan(for: entity).relationships))
    }
    return result
  }

  /// The order of the relationships in which an object that several owners have stands in one: those that its keys cannot
  /// tell come first, then those whose order matters, then those that delete it with the owner.
  private func rank(_ relationship: SchemaRelationship) -> RelationshipRank {
    let isRequired = relationship.inverse.map { layout.schema.relationships[$0].requiresTarget } ?? false
    return RelationshipRank(
      isTold: inverse(telling: relationship) != nil, isUnordered: !relationship.isOrdered,
      isLoose: relationship.relationship.deleteRule != .cascade, isOptional: !isRequired,
      index: relationship.index)
  }

  /// The relationship by which the parts of owners name these by their keys; nil if they do not.
  private func inverse(telling relationship: SchemaRelationship) -> SchemaRelationship? {
    let schema = layout.schema
    guard let inverse = relationship.inverse, schema.entities[relationship.owner].hasIdentity,
      inverse != relationship.index
    else { return nil }
    let parts = schema.entities.filter { !$0.isAbstract && $0.ancestry.contains(relationship.destination) }
    guard parts.allSatisfy({ plan(for: $0).members.tells(inverse) }) else { return nil }
    return schema.relationships[inverse]
  }

  /// Has the parts of a relationship name their owners where several have the same part by it.
  private func tellShared(
    _ owning: [SchemaRelationship], _ entity: SchemaEntity, _ places: inout PartPlaces
  ) throws {
    for relationship in owning where places.nesting.contains(relationship.index) {
      guard let inverse = inverse(telling: relationship), inverse.isToMany else { continue }
      var shared = Query(entity.name)
      shared.predicate = try ObjectPredicate(format: "%K.@count > 1", [PredicateArgument(inverse.name)])
      shared.limit = 1
      if try links.count(shared) > 0 { places.tell(relationship) }
    }
  }

  /// Has parts name their owners by relationships that lead to some that others nest already.
  private func tellRivals(
    _ owning: [SchemaRelationship], _ entity: SchemaEntity, _ places: inout PartPlaces
  ) throws {
    guard owning.count > 1, try mayHaveRivals(owning, entity) else { return }
    let total = try count(entity, notOwnedBy: [])
    func owned(_ relationships: [SchemaRelationship]) throws -> Int {
      total - (try count(entity, notOwnedBy: Set(relationships.map(\.index))))
    }
    var counts: [Int: Int] = [:]
    for relationship in owning { counts[relationship.index] = try owned([relationship]) }
    guard try owned(owning) < counts.values.reduce(0, +) else { return }
    var homes: [SchemaRelationship] = []
    for relationship in owning {
      let rivals = try homes.filter { home in
        let sum = counts[home.index, default: 0] + counts[relationship.index, default: 0]
        return try owned([home, relationship]) < sum
      }
      if rivals.isEmpty || (rivals + [relationship]).allSatisfy(keepsPlaces) {
        homes.append(relationship)
      } else if inverse(telling: relationship) != nil {
        places.tell(relationship)
      } else {
        places.disputed.formUnion((rivals + [relationship]).map(\.index))
        homes.append(relationship)
      }
    }
  }

  /// Whether some object may have owners by two relationships, which is seen at once where all are kept in its row.
  private func mayHaveRivals(_ owning: [SchemaRelationship], _ entity: SchemaEntity) throws -> Bool {
    let owners = owning.compactMap { relationship -> PredicateArgument? in
      guard case .inverse = layout.relationships[relationship.index], let inverse = relationship.inverse
      else {
        return nil
      }
      return PredicateArgument(layout.schema.relationships[inverse].name)
    }
    guard owners.count == owning.count, owners.count <= Self.mostCompared else { return true }
    var pairs: [PredicateArgument] = []
    for (place, owner) in owners.enumerated() { for other in owners[..<place] { pairs += [owner, other] } }
    let pair = "(%K != NIL AND %K != NIL)"
    var rivals = Query(entity.name)
    rivals.predicate = try ObjectPredicate(
      format: Array(repeating: pair, count: pairs.count / 2).joined(separator: " OR "), pairs)
    rivals.limit = 1
    return try links.count(rivals) > 0
  }

  /// How many owners are compared in pairs at once.
  private static let mostCompared = 8

  private func count(_ entity: SchemaEntity, notOwnedBy relationships: Set<Int>) throws -> Int {
    var query = Query(entity.name)
    query.source = .listed(nestedBy: relationships)
    return try links.count(query)
  }

  /// Whether parts stand in the lists of a relationship even where they stand in other such lists: an import finds them
  /// there by the other owner's key, and their places in all of them count.
  private func keepsPlaces(_ relationship: SchemaRelationship) -> Bool {
    guard case .inverse = layout.relationships[relationship.index], relationship.isToMany else {
      return false
    }
    return relationship.isOrdered && inverse(telling: relationship) != nil
  }

  /// Whether the object of a row stands in another owner already, and cannot stand in this one. That is noted.
  func isElsewhere(_ row: any Cursor, _ relationship: SchemaRelationship) -> Bool {
    guard !places.disputed.isEmpty, places.disputed.contains(relationship.index) else { return false }
    let table = layout.entities[relationship.destination].table
    guard written[table]?.contains(row.integer(0)) ?? false else { return false }
    lostLinks[relationship.index, default: 0] += 1
    return true
  }

  /// Compares what was written with what the store has.
  ///
  /// - Throws: ``ExportError`` if objects without identity were not reached. Those that own each other in a circle have
  ///   no place in a document.
  func checkAllAreWritten() throws {
    for (table, rows) in written.enumerated() {
      guard let rows else { continue }
      let root = layout.schema.entities[layout.tables[table].root]
      let missing = try links.count(Query(root.name)) - rows.count
      if missing > 0 { throw ExportError(.notReached(root.name, count: missing)) }
    }
  }
}

extension ObjectExporter {
  /// Links and orders that the store has and the export lacks.
  var losses: [ExportLoss] {
    func loss(_ index: Int, _ links: Int?) -> ExportLoss {
      let relationship = layout.schema.relationships[index]
      let (owner, part) = (relationship.owner, relationship.destination)
      return ExportLoss(
        relationship: "\(layout.schema.entities[owner].name).\(relationship.name)",
        part: layout.schema.entities[part].name, links: links)
    }
    return lostLinks.sorted { $0.key < $1.key }.map { loss($0.key, $0.value) }
      + places.unordered.sorted().map { loss($0, nil) }
  }
}

/// A link or an order that an export of a whole store lacks, since objects without identity stand in one owner only.
package struct ExportLoss: Sendable, Hashable, CustomStringConvertible {
  /// The relationship: `Season.races`.
  package let relationship: String
  /// The entity of the objects.
  package let part: String
  /// How many of its links are not there; nil if only the order is not.
  package let links: Int?

  package var description: String {
    let rest = "stand in other owners, and have no identity. Give \(part) one to have all."
    guard let links else { return "The order of \(relationship) is left out: its objects \(rest)" }
    let count = links == 1 ? "1 link of \(relationship) is" : "\(links) links of \(relationship) are"
    return "\(count) left out: the objects \(rest)"
  }
}

extension PartPlaces {
  fileprivate mutating func tell(_ relationship: SchemaRelationship) {
    nesting.remove(relationship.index)
    told.insert(relationship.index)
    if relationship.isOrdered { unordered.insert(relationship.index) }
  }
}

/// See ``ObjectExporter/rank(_:)``.
private struct RelationshipRank: Comparable {
  let isTold: Bool
  let isUnordered: Bool
  let isLoose: Bool
  let isOptional: Bool
  let index: Int

  static func < (left: Self, right: Self) -> Bool {
    left.places.lexicographicallyPrecedes(right.places)
  }

  private var places: [Int] { [isTold, isUnordered, isLoose, isOptional].map { $0 ? 1 : 0 } + [index] }
}

/// The rows of a table that an export has written.
struct WrittenRows {
  private var marks = RowMarks()
  private(set) var count = 0

  mutating func add(_ row: Int64) {
    if !marks.add(.written, to: row).contains(.written) { count += 1 }
  }

  func contains(_ row: Int64) -> Bool { marks.marks(of: row).contains(.written) }
}

extension ExportPlan.Members {
  /// Whether the keys of a relationship's targets are among what is written.
  fileprivate func tells(_ relationship: Int) -> Bool {
    list.contains { member in
      switch member.content {
      case .relationship(let index, let keys): index == relationship && keys.plain != nil
      case .object(let inner), .wholeObject(_, _, let inner): inner.tells(relationship)
      case .polymorphic(let links), .polymorphicList(let links, _):
        links.parts.contains { $0.relationship == relationship }
      case .value, .links, .gathered, .gap, .linkKind, .kind: false
      }
    }
  }
}
