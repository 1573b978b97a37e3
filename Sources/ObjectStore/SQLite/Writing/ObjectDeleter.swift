import ObjectModel

/// Deletes objects by their delete rules.
final class ObjectDeleter {
  /// What stands against a deletion.
  struct Refusal {
    var relationship: Int
    /// The key of the object that cannot be deleted.
    var key: String
  }

  private struct Place: Hashable {
    var table: Int
    var row: Int64
  }

  private let transaction: StoreTransaction
  private let layout: Layout
  private var statements: [String: PreparedStatement] = [:]

  init(_ transaction: StoreTransaction) {
    self.transaction = transaction
    layout = transaction.layout
  }

  /// Deletes a row and what its cascades reach, or nothing if a rule denies it.
  func delete(_ row: Int64, ofTable table: Int, _ writer: RowWriter) throws -> Refusal? {
    var reached: Set<Place> = []
    var order: [(place: Place, entity: SchemaEntity)] = []
    try collect(Place(table: table, row: row), &reached, &order)
    if let refusal = try refusal(among: order, reached) { return refusal }
    for (place, entity) in order {
      try note(place, entity, writer)
      try unlink(place, entity)
      try statement("DELETE FROM \(SQL.quoted(layout.tables[place.table].name)) WHERE rowid = ?1", place.row)
        .run()
      writer.tally.countDeleted(entity: entity.index)
      writer.forgetRepetitions(inTable: place.table)
    }
    return nil
  }

  /// The objects that were deleted, the first of them by name.
  private(set) var deleted: [(entity: String, key: String)] = []
  private static let mostNames = 10_000

  private func note(_ place: Place, _ entity: SchemaEntity, _ writer: RowWriter) throws {
    guard entity.hasIdentity else { return }
    let table = layout.tables[place.table]
    let isNamed = deleted.count < Self.mostNames
    guard isNamed || writer.pending.hasStored else { return }
    let key = try KeyText.ofRow(place.row, in: table, transaction)
    if isNamed { deleted.append((entity.name, key)) }
    guard writer.pending.hasStored else { return }
    for relationship in entity.relationships {
      try writer.pending.forget(layout.schema.relationships[relationship], owner: key)
    }
  }

  /// Forgets the names of objects whose deletion was undone.
  func forgetNames(after count: Int) { deleted.removeSubrange(count...) }

  // MARK: - Without a deletion

  /// Removes the row of an object that should not have been inserted. What refers to it waits for it.
  func takeBack(_ row: Int64, ofTable table: Int, _ writer: RowWriter) throws {
    let place = Place(table: table, row: row)
    guard let entity = try entity(of: place) else { return }
    try strip(row, ofTable: table, of: entity, sparing: nil, writer)
    for relationship in layout.schema.relationships where entity.ancestry.contains(relationship.destination) {
      guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { continue }
      let owner = layout.table(of: relationship.owner)
      let names = columns.map { owner.columns[$0].name }
      let statement = try statement(
        "SELECT rowid FROM \(SQL.quoted(owner.name)) WHERE \(matches(names, layout.tables[table]))", row)
      while try statement.step() { writer.pending.noteMissing(relationship, row: statement.integer(0)) }
    }
    try statement("DELETE FROM \(SQL.quoted(layout.tables[table].name)) WHERE rowid = ?1", row).run()
    writer.forgetRepetitions(inTable: table)
  }

  /// Takes away the links that start at a row by relationships which another entity does not have, and the
  /// parts that they lead to.
  func strip(
    _ row: Int64, ofTable table: Int, of entity: SchemaEntity, sparing other: SchemaEntity?,
    _ writer: RowWriter
  ) throws {
    let place = Place(table: table, row: row)
    for index in entity.relationships where !(other?.relationships.contains(index) ?? false) {
      let relationship = layout.schema.relationships[index]
      if !layout.schema.entities[relationship.destination].hasIdentity, layout.isPart(relationship) {
        for part in try targets(of: relationship, place) {
          _ = try delete(part.row, ofTable: part.table, writer)
        }
      }
      switch layout.relationships[index] {
      case .foreignKey: break
      case .inverse(let columns, _) where other != nil:
        try clear(
          columns, of: layout.table(of: relationship.destination), where: layout.tables[table], row)
      case .inverse: break
      case .join(let join, let isForward):
        let sql = JoinSQL(join: layout.joins[join], isForward: isForward)
        try removeLinks(layout.joins[join].name, sql.owner, layout.tables[table], row)
      }
    }
  }

  // MARK: - Cascades

  private func collect(
    _ start: Place, _ reached: inout Set<Place>, _ order: inout [(place: Place, entity: SchemaEntity)]
  ) throws {
    var waiting = [start]
    while let place = waiting.popLast() {
      guard reached.insert(place).inserted, let entity = try entity(of: place) else { continue }
      order.append((place, entity))
      for index in entity.relationships {
        let relationship = layout.schema.relationships[index]
        let isOwned = !layout.schema.entities[relationship.destination].hasIdentity
        guard relationship.relationship.deleteRule == .cascade || (isOwned && layout.isPart(relationship))
        else {
          continue
        }
        waiting += try targets(of: relationship, place)
      }
    }
  }

  private func refusal(
    among order: [(place: Place, entity: SchemaEntity)], _ reached: Set<Place>
  ) throws -> Refusal? {
    for (place, entity) in order {
      for index in entity.relationships {
        let relationship = layout.schema.relationships[index]
        guard relationship.relationship.deleteRule == .deny else { continue }
        if try targets(of: relationship, place).contains(where: { !reached.contains($0) }) {
          let key = try KeyText.ofRow(place.row, in: layout.tables[place.table], transaction)
          return Refusal(relationship: index, key: key)
        }
      }
    }
    return nil
  }

  private func entity(of place: Place) throws -> SchemaEntity? {
    let table = layout.tables[place.table]
    let column = table.kindColumn.map(SQL.quoted) ?? "1"
    let statement = try statement(
      "SELECT \(column) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1", place.row)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    if table.kindColumn == nil { return layout.schema.entities[table.root] }
    return layout.schema.entity(statement.string(0))
  }

  /// The rows that a relationship of a row leads to.
  private func targets(of relationship: SchemaRelationship, _ place: Place) throws -> [Place] {
    let owner = layout.tables[place.table]
    let tableIndex = layout.entities[relationship.destination].table
    let target = layout.tables[tableIndex]
    let sql = RelationshipSQL(layout: layout, relationship: relationship)
    let statement = try statement(sql.targetRows(from: owner, to: target), place.row)
    var result: [Place] = []
    while try statement.step() { result.append(Place(table: tableIndex, row: statement.integer(0))) }
    return result
  }

  // MARK: - Links

  /// Takes away all links that lead to a row, but for those that the rule says to leave.
  private func unlink(_ place: Place, _ entity: SchemaEntity) throws {
    let table = layout.tables[place.table]
    for relationship in layout.schema.relationships {
      let leadsHere = entity.ancestry.contains(relationship.destination)
      let startsHere = entity.relationships.contains(relationship.index)
      let rule = relationship.inverse.map { layout.schema.relationships[$0].relationship.deleteRule }
      if leadsHere, rule != .noAction,
        case .foreignKey(let columns) = layout.relationships[relationship.index]
      {
        try clear(columns, of: layout.table(of: relationship.owner), where: table, place.row)
      }
      if leadsHere || startsHere,
        case .join(let index, let isForward) = layout.relationships[relationship.index]
      {
        let sql = JoinSQL(join: layout.joins[index], isForward: isForward)
        if startsHere { try removeLinks(layout.joins[index].name, sql.owner, table, place.row) }
        if leadsHere { try removeLinks(layout.joins[index].name, sql.target, table, place.row) }
      }
    }
  }

  private func clear(_ columns: [Int], of owner: Table, where target: Table, _ row: Int64) throws {
    let settings = columns.map { "\(SQL.quoted(owner.columns[$0].name)) = NULL" }
    try statement(
      "UPDATE \(SQL.quoted(owner.name)) SET \(settings.joined(separator: ", "))"
        + " WHERE \(matches(columns.map { owner.columns[$0].name }, target))", row
    ).run()
  }

  private func removeLinks(_ join: String, _ columns: [String], _ target: Table, _ row: Int64) throws {
    try statement("DELETE FROM \(SQL.quoted(join)) WHERE \(matches(columns, target))", row).run()
  }

  /// `"band" = (SELECT "name" FROM "Band" WHERE rowid = ?1)`
  private func matches(_ columns: [String], _ target: Table) -> String {
    zip(columns, target.key).map { column, key in
      "\(SQL.quoted(column)) = (SELECT \(SQL.quoted(target.columns[key].name))"
        + " FROM \(SQL.quoted(target.name)) WHERE rowid = ?1)"
    }.joined(separator: " AND ")
  }

  private func statement(_ sql: String, _ row: Int64) throws -> PreparedStatement {
    let statement = try statements[sql] ?? transaction.prepare(sql)
    statements[sql] = statement
    statement.bind(row, at: 1)
    return statement
  }
}
