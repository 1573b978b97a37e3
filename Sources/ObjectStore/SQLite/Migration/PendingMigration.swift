import ObjectModel

/// Takes links that wait for their targets from one version of a model to another.
///
/// Where a list keeps its links in the rows of its targets, the store remembers those to targets that are not there in a
/// table of its own. Elsewhere they stand where the others do. So a link may come out of that table, or into it.
struct PendingMigration {
  let sources: MigrationSources
  let connection: OpaquePointer
  private let keys: KeyMigration
  private let name = SQL.quoted(StoreTable.pending)
  private let oldName = SQL.quoted(Migrator.oldPrefix + "pending")

  private var old: Schema { sources.old }
  private var new: Schema { sources.new }
  private var layout: Layout { sources.newLayout }

  init(_ sources: MigrationSources, _ connection: OpaquePointer) {
    self.sources = sources
    self.connection = connection
    keys = KeyMigration(sources: sources, connection: connection)
  }

  func run() throws {
    if try !isUnchanged() { try moveAll() }
    for relationship in new.relationships {
      guard case .inverse = layout.relationships[relationship.index] else { continue }
      try remember(relationship)
    }
  }

  /// The remembered links under their new names, as a view for who only reads; nil if they have these already. Links whose
  /// keys are others now are left out.
  func view() throws -> String? {
    if try isUnchanged() { return nil }
    var (names, entities, all): ([String], [String], [String]) = ([], [], [])
    for former in old.relationships {
      guard let successor = successor(of: former), case .inverse = layout.relationships[successor.index],
        keys.isSame(former.owner, in: successor.owner),
        keys.isSame(former.destination, in: successor.destination)
      else { continue }
      let before = SQL.literal(Self.name(former, old))
      all.append(before)
      names.append("WHEN \(before) THEN \(SQL.literal(Self.name(successor, new)))")
      entities.append("WHEN \(before) THEN \(SQL.literal(rootName(of: successor)))")
    }
    guard !all.isEmpty else { return nil }
    return """
      CREATE TEMP VIEW \(name) ("entity", "relationship", "owner", "target", "position") AS
      SELECT CASE "relationship" \(entities.joined(separator: " ")) END,
        CASE "relationship" \(names.joined(separator: " ")) END, "owner", "target", "position"
      FROM main.\(name) WHERE "relationship" IN (\(all.joined(separator: ", ")))
      """
  }

  private func execute(_ sql: String) throws { try PreparedStatement(sql, on: connection).run() }

  // MARK: - Remembered links

  private static func name(_ relationship: SchemaRelationship, _ schema: Schema) -> String {
    "\(schema.entities[relationship.owner].name).\(relationship.name)"
  }

  private func isUnchanged() throws -> Bool {
    let statement = try PreparedStatement(
      "SELECT DISTINCT \"relationship\", \"entity\" FROM \(name)", on: connection)
    while try statement.step() {
      let name = statement.string(0)
      guard let former = old.relationships.first(where: { Self.name($0, old) == name }),
        let successor = successor(of: former), Self.name(successor, new) == name,
        case .inverse = layout.relationships[successor.index],
        rootName(of: successor) == statement.string(1),
        keys.isSame(former.owner, in: successor.owner),
        keys.isSame(former.destination, in: successor.destination)
      else {
        statement.reset()
        return false
      }
    }
    return true
  }

  private func rootName(of relationship: SchemaRelationship) -> String {
    new.entities[new.entities[relationship.destination].root].name
  }

  /// The relationship that one of the old version is now.
  private func successor(of relationship: SchemaRelationship) -> SchemaRelationship? {
    new.relationships.first { candidate in
      sources.sources(of: candidate.index, reversing: false).keys.contains {
        $0.relationship == relationship.index
      }
    }
  }

  private func moveAll() throws {
    let definitions = TableDefinitions(layout: layout)
    try execute("DROP INDEX IF EXISTS \(SQL.quoted(StoreTable.pending + "_owner_index"))")
    try execute("ALTER TABLE \(name) RENAME TO \(oldName)")
    for statement in definitions.pendingTable { try execute(statement) }
    let byName = Dictionary(
      old.relationships.map { (Self.name($0, old), $0) }, uniquingKeysWith: { first, _ in first })
    let statement = try PreparedStatement(
      "SELECT \"relationship\", \"owner\", \"target\", \"position\" FROM \(oldName) ORDER BY rowid",
      on: connection)
    while try statement.step() {
      guard let former = byName[statement.string(0)], let relationship = successor(of: former),
        let owner = try keys.key(statement.string(1), of: former.owner, in: relationship.owner),
        let target = try keys.key(statement.string(2), of: former.destination, in: relationship.destination)
      else { continue }
      try put(relationship, owner, target, statement.isNull(3) ? nil : statement.integer(3))
    }
    try execute("DROP TABLE \(oldName)")
  }

  /// Puts a link to where the new version keeps it.
  private func put(
    _ relationship: SchemaRelationship, _ owner: String, _ target: String, _ place: Int64?
  ) throws {
    switch layout.relationships[relationship.index] {
    case .inverse:
      let statement = try PreparedStatement(
        "INSERT OR IGNORE INTO \(name) VALUES (?1, ?2, ?3, ?4, ?5)", on: connection)
      statement.bind(rootName(of: relationship), at: 1)
      statement.bind(Self.name(relationship, new), at: 2)
      statement.bind(owner, at: 3)
      statement.bind(target, at: 4)
      if let place { statement.bind(place, at: 5) } else { statement.bindNull(at: 5) }
      try statement.run()
    case .join(let index, let isForward):
      let join = layout.joins[index]
      let ends = JoinEnds(join, isForward: isForward)
      try insert(owner, target, at: place, join, ends)
      if join.isSymmetric { try insert(target, owner, at: nil, join, ends) }
    case .foreignKey(let columns):
      let table = layout.table(of: relationship.owner)
      let names = columns.map { table.columns[$0].name }
      guard let targets = KeyText.split(target, count: columns.count),
        let owners = KeyText.split(owner, count: table.key.count)
      else { return }
      let statement = try PreparedStatement(
        "UPDATE \(SQL.quoted(table.name)) SET (\(SQL.list(names))) = (\(SQL.parameters(names.count)))"
          + " WHERE \(SQL.equal(table.key.map { table.columns[$0].name }, from: names.count + 1))"
          + " AND \(SQL.quoted(names[0])) IS NULL", on: connection)
      for (index, part) in (targets + owners).enumerated() { statement.bind(part, at: index + 1) }
      try statement.run()
    }
  }

  private func insert(
    _ owner: String, _ target: String, at place: Int64?, _ join: JoinTable, _ ends: JoinEnds
  ) throws {
    guard let owners = KeyText.split(owner, count: ends.ownerColumns.count),
      let targets = KeyText.split(target, count: ends.targetColumns.count)
    else { return }
    var names = (ends.ownerColumns + ends.targetColumns).map(\.name)
    if place != nil, let order = ends.targetOrder { names.append(order) }
    let statement = try PreparedStatement(
      "INSERT OR IGNORE INTO \(SQL.quoted(join.name)) (\(SQL.list(names))) VALUES (\(SQL.parameters(names.count)))",
      on: connection)
    for (index, part) in (owners + targets).enumerated() { statement.bind(part, at: index + 1) }
    if let place, ends.targetOrder != nil { statement.bind(place, at: names.count) }
    try statement.run()
  }

  // MARK: - Links that have to be remembered from now on

  /// Remembers the links of a list to targets that are not there, which had stood in the owner's row or in a join table.
  private func remember(_ relationship: SchemaRelationship) throws {
    for (source, members) in sources.sources(of: relationship.index, reversing: false) {
      switch sources.oldLayout.relationships[source.relationship] {
      case .inverse: continue
      case .foreignKey, .join: break
      }
      guard let links = sources.links(source, relationship, members) else { continue }
      let target = layout.table(of: relationship.destination)
      let owners = layout.table(of: relationship.owner).key.indices.map { "o\($0)" }
      let targets = target.key.indices.map { "t\($0)" }
      let isThere = zip(target.key, targets).map { "n.\(SQL.quoted(target.columns[$0].name)) = \($1)" }
      try execute(
        """
        INSERT OR IGNORE INTO \(name)
        SELECT \(SQL.literal(rootName(of: relationship))), \(SQL.literal(Self.name(relationship, new))),
          \(MigrationFunctions.joined(owners)), \(MigrationFunctions.joined(targets)), place
        FROM (\(links)) WHERE NOT EXISTS
          (SELECT 1 FROM \(SQL.quoted(target.name)) n WHERE \(isThere.joined(separator: " AND ")))
        """)
    }
  }
}
