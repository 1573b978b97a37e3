import ObjectModel

/// Finds the table of a many-to-many relationship by its columns.
///
/// A column is called `Z_3ARTWORKS`: the number of the entity that is pointed at, and the relationship that leads there.
/// A digit follows where the name was used in another table. The name of the table may be that of either side. The owners'
/// column of a relationship that is its own inverse is called `REFLEXIVE`.
struct CoreDataJoinSearch {
  private let tables: CoreDataTables
  private let numbers: [String: Int64]
  private let schema: Schema

  init(_ tables: CoreDataTables, _ numbers: [String: Int64], _ schema: Schema) {
    self.tables = tables
    self.numbers = numbers
    self.schema = schema
  }

  func join(of relationship: SchemaRelationship) -> CoreDataBinding.Join? {
    relationship.inverse == nil
      ? columnOfTargets(relationship) ?? table(of: relationship) : table(of: relationship)
  }

  /// The column in the targets' rows that has the owner of a list without an inverse: `Z3PHOTOS`, with the number of the
  /// owner's entity.
  private func columnOfTargets(_ relationship: SchemaRelationship) -> CoreDataBinding.Join? {
    let root = schema.entities[schema.entities[relationship.destination].root].name
    guard let table = tables.table(ofRoot: root),
      let number = numbers[schema.entities[relationship.owner].name],
      let column = tables.column("Z\(number)\(relationship.name)", of: table)
    else { return nil }
    let order = tables.column("Z_FOK_\(column.dropFirst())", of: table)
    return CoreDataBinding.Join(table: table, owner: column, target: "Z_PK", order: order)
  }

  private func table(of relationship: SchemaRelationship) -> CoreDataBinding.Join? {
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    let found = candidates.compactMap { table -> (join: CoreDataBinding.Join, rank: Int)? in
      let columns = (tables.columns[table] ?? []).map(\.name).filter { Self.isLink($0) }
      guard columns.count == 2 else { return nil }
      return pair(columns, relationship, inverse).map { owner, target, rank in
        let order = Self.order(of: target, in: table, tables)
        return (CoreDataBinding.Join(table: table, owner: owner, target: target, order: order), rank)
      }
    }
    let best = found.map(\.rank).min()
    let all = found.filter { $0.rank == best }
    // Two tables that fit alike are told apart by the table's own name.
    return all.first { isNamed($0.join.table, after: relationship, inverse) }?.join ?? all.first?.join
  }

  private var candidates: [String] {
    tables.columns.keys.filter { name in
      let rest = name.uppercased()
      return rest.hasPrefix("Z_") && (rest.dropFirst(2).first?.isNumber ?? false)
    }.sorted()
  }

  /// The column of the places of targets.
  static func order(of column: String, in table: String, _ tables: CoreDataTables) -> String? {
    tables.column("Z_FOK_\(column.dropFirst(2))", of: table)
  }

  static let reflexive = "REFLEXIVE"

  private static func isLink(_ column: String) -> Bool {
    let rest = column.uppercased()
    return rest == reflexive || rest.hasPrefix("Z_") && (rest.dropFirst(2).first?.isNumber ?? false)
  }

  private typealias Pair = (owner: String, target: String, rank: Int)

  /// Which of two columns points at the owner, and how well they fit: 0 if all is as expected, more where numbers of
  /// entities differ, as those of sub-entities do.
  private func pair(
    _ columns: [String], _ relationship: SchemaRelationship, _ inverse: SchemaRelationship?
  ) -> Pair? {
    let ways = [(columns[0], columns[1]), (columns[1], columns[0])].compactMap { owner, target -> Pair? in
      guard let toTarget = fit(target, relationship.name, relationship.destination) else { return nil }
      if relationship.isItsOwnInverse, owner.uppercased() == Self.reflexive {
        return (owner, target, toTarget)
      }
      guard let inverse else {
        // Without an inverse, the owner's column has a name of Core Data's own.
        return (owner, target, toTarget + 1)
      }
      guard let toOwner = fit(owner, inverse.name, inverse.destination) else { return nil }
      return (owner, target, toTarget + toOwner)
    }
    return ways.min { $0.2 < $1.2 }
  }

  /// How well the name of a column fits a relationship to an entity; nil if it does not.
  private func fit(_ column: String, _ relationship: String, _ destination: Int) -> Int? {
    let rest = column.uppercased().dropFirst(2)
    let digits = rest.prefix { $0.isNumber }
    let name = rest.dropFirst(digits.count)
    let wanted = relationship.uppercased()
    guard name.hasPrefix(wanted), name.dropFirst(wanted.count).allSatisfy(\.isNumber) else { return nil }
    let suffix = name.count > wanted.count ? 1 : 0
    guard let number = Int64(digits) else { return nil }
    let expected = numbers[schema.entities[destination].name]
    return (number == expected ? 0 : 4) + suffix
  }

  private func isNamed(
    _ table: String, after relationship: SchemaRelationship, _ inverse: SchemaRelationship?
  ) -> Bool {
    func name(_ relationship: SchemaRelationship) -> String? {
      numbers[schema.entities[relationship.owner].name].map { "Z_\($0)\(relationship.name.uppercased())" }
    }
    return [name(relationship), inverse.flatMap(name)].contains(table.uppercased())
  }
}
