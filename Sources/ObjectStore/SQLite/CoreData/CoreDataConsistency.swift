import ObjectModel

/// Finds what contradicts itself in a Core Data store: rows of entities that their table is not for, and one-to-one
/// relationships whose two ends disagree, since Core Data keeps both, and nothing keeps them alike.
struct CoreDataConsistency {
  private let binding: CoreDataBinding
  private let handle: OpaquePointer
  private let names: CoreDataNames

  /// How many of a relationship are told.
  private static let most = 100

  init(_ binding: CoreDataBinding, _ handle: OpaquePointer, _ names: CoreDataNames) {
    self.binding = binding
    self.handle = handle
    self.names = names
  }

  /// One-to-one relationships whose ends disagree.
  func problems() throws -> [SourceProblem] {
    var problems: [SourceProblem] = []
    for relationship in binding.schema.relationships where !relationship.isToMany {
      guard let index = relationship.inverse, index != relationship.index else { continue }
      let inverse = binding.schema.relationships[index]
      guard !inverse.isToMany else { continue }
      problems += try self.problems(of: relationship, inverse)
    }
    return problems
  }

  /// The objects whose end of a relationship leads to one that does not lead back.
  private func problems(
    of relationship: SchemaRelationship, _ inverse: SchemaRelationship
  ) throws -> [SourceProblem] {
    guard let (table, column) = place(of: relationship), let (other, back) = place(of: inverse) else {
      return []
    }
    let numbers = binding.numbers(of: relationship.owner).map(String.init).joined(separator: ", ")
    let (own, far) = (SQL.quoted(column), SQL.quoted(back))
    let statement = try PreparedStatement(
      """
      SELECT a.Z_PK, a.Z_ENT, a.\(own), b.Z_ENT, b.\(far) FROM \(SQL.quoted(table)) a
      JOIN \(SQL.quoted(other)) b ON b.Z_PK = a.\(own)
      WHERE a.Z_ENT IN (\(numbers)) AND b.\(far) IS NOT a.Z_PK LIMIT \(Self.most)
      """, on: handle)
    let owner = binding.schema.entities[relationship.owner].name
    let target = binding.schema.entities[relationship.destination].name
    var problems: [SourceProblem] = []
    while try statement.step() {
      let object = names.objectName(names.entity(statement.integer(1)) ?? owner, statement.integer(0))
      let found = names.objectName(names.entity(statement.integer(3)) ?? target, statement.integer(2))
      let led = statement.isNull(4) ? "nothing" : names.objectName(owner, statement.integer(4))
      problems.append(
        SourceProblem(
          object: object, entity: owner, property: relationship.name,
          expected: "\(found), whose \(inverse.name) leads back",
          found: "one whose \(inverse.name) is \(led)",
          action: "one of them was taken"))
    }
    return problems
  }

  // MARK: - Rows of no entity

  /// Rows whose entity is none of those that their table is for.
  func strayRows() throws -> [SourceProblem] {
    var problems: [SourceProblem] = []
    for root in binding.schema.entities where root.root == root.index {
      guard let table = binding.rootTable(of: root.index) else { continue }
      let numbers = binding.numbers(of: root.index).map(String.init).joined(separator: ", ")
      let statement = try PreparedStatement(
        """
        SELECT Z_ENT, count(*) FROM \(SQL.quoted(table)) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))
        GROUP BY Z_ENT LIMIT \(Self.most)
        """, on: handle)
      while try statement.step() {
        let count = statement.integer(1)
        let number = statement.isNull(0) ? "no entity" : "the entity \(statement.string(0))"
        problems.append(
          SourceProblem(
            object: table, entity: root.name, property: nil, expected: "rows of \(root.name) or a sub-entity",
            found:
              "\(count) \(count == 1 ? "row" : "rows") of \(number), which the model does not have there",
            action: "objects left out"))
      }
    }
    return problems
  }

  private func place(of relationship: SchemaRelationship) -> (table: String, column: String)? {
    guard let place = binding.place(inFamilyOf: relationship.owner),
      let column = place.toOnes[relationship.name]
    else { return nil }
    return (place.table, column)
  }
}

/// The rules of a model that the objects of a Core Data store do not keep: bounds, patterns, counts of relationships, and
/// targets that are required. Core Data checks them when it saves, not when they change.
struct CoreDataRules {
  /// A broken rule, with the number of objects or values that break it.
  enum Breach {
    case values(entity: Int, attribute: Int, count: Int)
    case pattern(entity: Int, attribute: Int, count: Int)
    case links(entity: Int, relationship: Int, count: Int64)
  }

  private let model: Model
  private let binding: CoreDataBinding
  private let handle: OpaquePointer

  init(_ model: Model, _ binding: CoreDataBinding, _ handle: OpaquePointer) {
    (self.model, self.binding, self.handle) = (model, binding, handle)
  }

  func breaches() throws -> [Breach] {
    var result: [Breach] = []
    for entity in model.entities.indices {
      guard let place = binding.place(inFamilyOf: entity), !binding.numbers(of: entity).isEmpty else {
        continue
      }
      for (index, attribute) in model.entities[entity].attributes.enumerated() {
        guard let column = place.attributes[attribute.name] else { continue }
        result += try breaches(of: attribute, column, place.table, entity, index)
      }
      for (index, relationship) in model.entities[entity].relationships.enumerated() {
        let count = try brokenLinks(of: relationship, entity, place)
        if count > 0 { result.append(.links(entity: entity, relationship: index, count: count)) }
      }
    }
    return result
  }

  private func numbers(_ entity: Int) -> String {
    binding.numbers(of: entity).map(String.init).joined(separator: ", ")
  }

  // MARK: - Values

  private func breaches(
    of attribute: Attribute, _ column: String, _ table: String, _ entity: Int, _ index: Int
  ) throws -> [Breach] {
    guard let rule = try ValueRule(attribute) else { return [] }
    let statement = try PreparedStatement(
      "SELECT \(SQL.quoted(column)), count(*) FROM \(SQL.quoted(table)) WHERE Z_ENT IN (\(numbers(entity)))"
        + " AND \(SQL.quoted(column)) IS NOT NULL GROUP BY 1", on: handle)
    var (outside, unmatched) = (0, 0)
    var budget = MatchBudget()
    while try statement.step() {
      let (value, count) = (statement.value(0), Int(statement.integer(1)))
      if !rule.isInside(value) { outside += count }
      if !rule.matches(value, &budget) { unmatched += count }
    }
    return (outside > 0 ? [.values(entity: entity, attribute: index, count: outside)] : [])
      + (unmatched > 0 ? [.pattern(entity: entity, attribute: index, count: unmatched)] : [])
  }

  // MARK: - Links

  /// How many objects have other links than a relationship demands.
  private func brokenLinks(
    of relationship: Relationship, _ entity: Int, _ place: CoreDataBinding.EntityPlace
  ) throws -> Int64 {
    let described = binding.schema.relationships.first { $0.owner == entity && $0.name == relationship.name }
    guard let described else { return 0 }
    guard relationship.isToMany else {
      guard !relationship.isOptional, let column = place.toOnes[relationship.name],
        let target = binding.rootTable(of: described.destination)
      else { return 0 }
      // A required target may be there no more.
      return try count(
        "FROM \(SQL.quoted(place.table)) o WHERE o.Z_ENT IN (\(numbers(entity))) AND o.\(SQL.quoted(column)) IS NOT NULL"
          + " AND NOT EXISTS (SELECT 1 FROM \(SQL.quoted(target)) t WHERE t.Z_PK = o.\(SQL.quoted(column)) AND t.Z_ENT IN"
          + " (\(numbers(described.destination))))")
    }
    let least = relationship.leastCount
    let most = relationship.maximumCount.flatMap { $0 > 0 ? $0 : nil }
    guard least > 0 || most != nil, let links = links(of: described) else { return 0 }
    let number = "(SELECT count(*) FROM \(links) = o.Z_PK)"
    let conditions = [least > 0 ? "\(number) < \(least)" : nil, most.map { "\(number) > \($0)" }]
      .compactMap(\.self)
    return try count(
      "FROM \(SQL.quoted(place.table)) o WHERE o.Z_ENT IN (\(numbers(entity))) AND (\(conditions.joined(separator: " OR ")))"
    )
  }

  /// The table of the links of a list, up to the column that has the owner.
  private func links(of relationship: SchemaRelationship) -> String? {
    if let join = binding.joins[relationship.index] {
      return "\(SQL.quoted(join.table)) l WHERE l.\(SQL.quoted(join.owner))"
    }
    guard let inverse = relationship.inverse.map({ binding.schema.relationships[$0] }), !inverse.isToMany,
      let place = binding.place(inFamilyOf: relationship.destination),
      let column = place.toOnes[inverse.name]
    else { return nil }
    return
      "\(SQL.quoted(place.table)) l WHERE l.Z_ENT IN (\(numbers(relationship.destination))) AND l.\(SQL.quoted(column))"
  }

  private func count(_ rest: String) throws -> Int64 {
    let statement = try PreparedStatement("SELECT count(*) \(rest)", on: handle)
    return try statement.step() ? statement.integer(0) : 0
  }
}
