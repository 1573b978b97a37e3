import ObjectModel

/// Takes links that wait for their targets from one version of a model to another.
///
/// Where a list keeps its links in the rows of its targets, the store remembers those to targets that are not there in a
/// table of its own. Elsewhere they stand where the others do. So a link may come out of that table, or into it.
package struct PendingMigration {
  let sources: MigrationSources
  let keys: KeyMigration
  let name: String
  private var engine: any MigrationEngine { sources.engine }

  var old: Schema { sources.old }
  var new: Schema { sources.new }
  var layout: Layout { sources.newLayout }

  package init(_ sources: MigrationSources) {
    self.sources = sources
    name = sources.engine.tableName(StoreTable.pending)
    keys = KeyMigration(sources: sources)
  }

  package func run() throws {
    if try !isUnchanged() { try moveAll() }
    for relationship in new.relationships {
      guard case .inverse = layout.relationships[relationship.index] else { continue }
      try remember(relationship)
    }
  }

  private func execute(_ sql: String) throws { try engine.execute(sql) }

  // MARK: - Remembered links

  static func name(_ relationship: SchemaRelationship, _ schema: Schema) -> String {
    "\(schema.entities[relationship.owner].name).\(relationship.name)"
  }

  func isUnchanged() throws -> Bool {
    var isUnchanged = true
    try engine.forEach("SELECT DISTINCT \"relationship\", \"entity\" FROM \(name)", columns: 2) { cursor in
      let name = cursor.string(0)
      guard let former = old.relationships.first(where: { Self.name($0, old) == name }),
        let successor = successor(of: former), Self.name(successor, new) == name,
        case .inverse = layout.relationships[successor.index],
        rootName(of: successor) == cursor.string(1),
        keys.isSame(former.owner, in: successor.owner),
        keys.isSame(former.destination, in: successor.destination)
      else {
        isUnchanged = false
        return
      }
    }
    return isUnchanged
  }

  func rootName(of relationship: SchemaRelationship) -> String {
    new.entities[new.entities[relationship.destination].root].name
  }

  /// The relationship that one of the old version is now.
  func successor(of relationship: SchemaRelationship) -> SchemaRelationship? {
    new.relationships.first { candidate in
      sources.sources(of: candidate.index, reversing: false).keys.contains {
        $0.relationship == relationship.index
      }
    }
  }

  private func moveAll() throws {
    let aside = try engine.setPendingLinksAside()
    let byName = Dictionary(
      old.relationships.map { (Self.name($0, old), $0) }, uniquingKeysWith: { first, _ in first })
    var rows: [String] = []
    try engine.forEach(
      "SELECT \"relationship\", \"owner\", \"target\", \"position\" FROM \(aside)"
        + " ORDER BY \(engine.linkNumber(aside))",
      columns: 4
    ) { cursor in
      guard let former = byName[cursor.string(0)], let relationship = successor(of: former),
        let owner = try keys.key(cursor.string(1), of: former.owner, in: relationship.owner),
        let target = try keys.key(cursor.string(2), of: former.destination, in: relationship.destination)
      else { return }
      let place = cursor.isNull(3) ? nil : cursor.integer(3)
      guard case .inverse = layout.relationships[relationship.index] else {
        return try put(relationship, owner, target, place)
      }
      rows.append(row(relationship, owner, target, place))
      if rows.count == 500 { try remember(&rows) }
    }
    try remember(&rows)
    try engine.removePendingLinksAside()
  }

  // MARK: - Where the new version keeps them

  /// A link that is remembered, as values in SQL.
  private func row(
    _ relationship: SchemaRelationship, _ owner: String, _ target: String, _ place: Int64?
  ) -> String {
    let texts = [rootName(of: relationship), Self.name(relationship, new), owner, target].map(SQL.literal)
    return "(\((texts + [place.map(String.init) ?? "CAST(NULL AS bigint)"]).joined(separator: ", ")))"
  }

  private func remember(_ rows: inout [String]) throws {
    guard !rows.isEmpty else { return }
    try execute("\(insertion) SELECT * FROM (VALUES \(rows.joined(separator: ", "))) AS v \(leavingOut)")
    rows = []
  }

  private var insertion: String {
    "INSERT INTO \(name) (\"entity\", \"relationship\", \"owner\", \"target\", \"position\")"
  }

  /// The clause that leaves existing rows as they are. `WHERE` keeps SQLite from reading `ON` as that of a join.
  private var leavingOut: String { "WHERE TRUE ON CONFLICT DO NOTHING" }

  /// Puts a link to where the new version keeps it, if that is not the table of those that wait.
  private func put(
    _ relationship: SchemaRelationship, _ owner: String, _ target: String, _ place: Int64?
  ) throws {
    switch layout.relationships[relationship.index] {
    case .inverse: return
    case .join(let index, let isForward):
      let join = layout.joins[index]
      let ends = JoinEnds(join, isForward: isForward)
      try insert(owner, target, at: place, join, ends)
      if join.isSymmetric { try insert(target, owner, at: nil, join, ends) }
    case .foreignKey(let columns):
      let table = layout.table(of: relationship.owner)
      let links = columns.map { table.columns[$0] }
      let key = table.key.map { table.columns[$0] }
      guard let targets = literals(target, links), let owners = literals(owner, key) else { return }
      let values = zip(links, targets).map { "\(SQL.quoted($0.name)) = \($1)" }
      let conditions =
        zip(key, owners).map { "\(SQL.quoted($0.name)) = \($1)" } + ["\(SQL.quoted(links[0].name)) IS NULL"]
      try execute(
        "UPDATE \(table.sqlName) SET \(values.joined(separator: ", "))"
          + " WHERE \(conditions.joined(separator: " AND "))")
    }
  }

  /// The parts of a key as values in SQL; nil if the columns cannot hold them.
  private func literals(_ key: String, _ columns: [Column]) -> [String]? {
    guard let parts = KeyText.split(key, count: columns.count) else { return nil }
    let values = zip(parts, columns).compactMap { engine.literal(ofKeyPart: $0, in: $1) }
    return values.count == columns.count ? values : nil
  }

  private func insert(
    _ owner: String, _ target: String, at place: Int64?, _ join: JoinTable, _ ends: JoinEnds
  ) throws {
    guard let owners = literals(owner, ends.ownerColumns), let targets = literals(target, ends.targetColumns)
    else { return }
    var names = (ends.ownerColumns + ends.targetColumns).map(\.name)
    var values = owners + targets
    if let place, let order = ends.targetOrder {
      names.append(order)
      values.append(String(place))
    }
    try engine.insertLink(values, into: join, names)
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
      let owner = layout.table(of: relationship.owner)
      let owners = owner.key.enumerated().map { KeyPart("o\($0)", owner.columns[$1]) }
      let targets = target.key.enumerated().map { KeyPart("t\($0)", target.columns[$1]) }
      let isThere = zip(target.key, targets).map { "n.\(SQL.quoted(target.columns[$0].name)) = \($1.sql)" }
      try execute(
        """
        \(insertion)
        SELECT \(SQL.literal(rootName(of: relationship))), \(SQL.literal(Self.name(relationship, new))),
          \(engine.joinedKey(owners)), \(engine.joinedKey(targets)), place
        FROM (\(links)) AS links WHERE NOT EXISTS
          (SELECT 1 FROM \(target.sqlName) n WHERE \(isThere.joined(separator: " AND ")))
        ORDER BY number ON CONFLICT DO NOTHING
        """)
    }
  }
}

/// Keys as text, as reports and what the store remembers have them, from one version of a model to another.
struct KeyMigration {
  let sources: MigrationSources

  private var old: Layout { sources.oldLayout }

  /// The key in the new version of an object of an old entity or its sub-entities.
  ///
  /// - Parameter family: The entity of the new version that it has to be of.
  /// - Returns: Nil if there is no such object, and the key does not follow from the old one alone.
  func key(_ text: String, of entity: Int, in family: Int) throws -> String? {
    let allowed = self.allowed(entity, family)
    guard !allowed.isEmpty else { return nil }
    guard let parts = sources.directKey(allowed) else { return try found(text, entity, allowed) }
    if isSame(parts, entity) { return text }
    guard let values = ComparedType.identity(text, of: sources.old.entities[entity]) else { return nil }
    let converted = parts.map { part in
      // try?: the program's conversion refuses the value, which is then converted as any other.
      sources.options.conversions[part.name].flatMap { try? $0(values[part.position]) }
        ?? ValueConversion(part.old, to: part.new).convert(values[part.position])
    }
    let known = converted.compactMap { $0 == .null ? nil : $0 }
    return known.count == parts.count ? KeyText.text(of: known) : nil
  }

  private func allowed(_ entity: Int, _ family: Int) -> [Int] {
    let members = sources.new.family(of: family)
    return sources.concrete(entity).filter { member in
      sources.successor(of: member).map(members.contains) ?? false
    }
  }

  /// Whether the keys of objects stay as they are.
  func isSame(_ entity: Int, in family: Int) -> Bool {
    let allowed = self.allowed(entity, family)
    guard allowed.count == sources.concrete(entity).count, let parts = sources.directKey(allowed) else {
      return false
    }
    return isSame(parts, entity)
  }

  private func isSame(_ parts: [MigrationSources.DirectPart], _ entity: Int) -> Bool {
    let count = old.table(of: entity).key.count
    return parts.count == count
      && parts.enumerated().allSatisfy { $1.position == $0 && $1.isPlain(sources.options) }
  }

  /// The new key of an object that is there.
  private func found(_ text: String, _ entity: Int, _ allowed: [Int]) throws -> String? {
    let index = old.entities[entity].table
    let table = old.tables[index]
    guard let parts = KeyText.split(text, count: table.key.count) else { return nil }
    let key = sources.newKey("y", ofOldTable: index, allowed)
    let columns = table.key.map { table.columns[$0] }
    let conditions = zip(columns, parts).compactMap { column, part in
      sources.engine.literal(ofKeyPart: part, in: column).map { "y.\(SQL.quoted(column.name)) = \($0)" }
    }
    guard conditions.count == parts.count else { return nil }
    var result: String?
    try sources.engine.forEach(
      "SELECT \(key.joined(separator: ", ")) FROM \(sources.tableNames[index]) y"
        + " WHERE \(conditions.joined(separator: " AND "))", columns: key.count
    ) { cursor in
      guard (0..<key.count).allSatisfy({ !cursor.isNull($0) }) else { return }
      result = KeyText.ofColumns(0..<key.count, cursor)
    }
    return result
  }
}
