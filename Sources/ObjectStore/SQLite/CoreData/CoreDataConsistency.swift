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
