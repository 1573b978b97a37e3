import Bytes
import ObjectModel

/// The store's table of links that wait for their targets.
final class PendingLinkStore {
  private let layout: Layout
  private let emptiness: PreparedStatement
  private let insertion: PreparedStatement
  private let known: PreparedStatement
  private let removal: PreparedStatement
  private let waiting: PreparedStatement
  private let removalOfRow: PreparedStatement
  private let removalOfLink: PreparedStatement
  private let lookup: PreparedStatement
  private let others: PreparedStatement
  private let arrival: PreparedStatement
  private let byName: [String: Int]

  init(_ transaction: SQLiteTransaction) throws {
    layout = transaction.layout
    let name = SQL.quoted(StoreTable.pending)
    emptiness = try transaction.cached("SELECT 1 FROM \(name) LIMIT 1")
    insertion = try transaction.cached(
      """
      INSERT INTO \(name) ("entity", "relationship", "owner", "target", "position")
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT DO UPDATE SET "position" = excluded."position"
      WHERE "position" IS NOT excluded."position" AND NOT ?6 RETURNING rowid
      """)
    known = try transaction.cached(
      """
      SELECT rowid FROM \(name)
      WHERE "entity" = ?1 AND "relationship" = ?2 AND "owner" = ?3 AND "target" = ?4
      """)
    removal = try transaction.cached("DELETE FROM \(name) WHERE \"relationship\" = ?1 AND \"owner\" = ?2")
    waiting = try transaction.cached(
      """
      SELECT "target", "position" FROM \(name) WHERE "relationship" = ?1 AND "owner" = ?2
      ORDER BY coalesce("position", 0), "target"
      """)
    removalOfRow = try transaction.cached("DELETE FROM \(name) WHERE rowid = ?1")
    removalOfLink = try transaction.cached(
      """
      DELETE FROM \(name)
      WHERE "entity" = ?1 AND "relationship" = ?2 AND "owner" = ?3 AND "target" = ?4
      """)
    lookup = try transaction.cached(
      """
      SELECT "relationship", "owner", "position", rowid FROM \(name)
      WHERE "entity" = ?1 AND "target" = ?2 ORDER BY rowid
      """)
    others = try transaction.cached(
      """
      DELETE FROM \(name)
      WHERE "entity" = ?1 AND "target" = ?2 AND "relationship" = ?3 AND "owner" <> ?4 RETURNING rowid
      """)
    arrival = try transaction.cached("DELETE FROM \(name) WHERE \"entity\" = ?1 AND \"target\" = ?2")
    let relationships = layout.schema.relationships
    let layout = layout
    byName = Dictionary(
      relationships.map { (Self.name(of: $0, layout), $0.index) }, uniquingKeysWith: { first, _ in first })
  }

  func isEmpty() throws -> Bool {
    guard try emptiness.step() else { return true }
    emptiness.reset()
    return false
  }

  /// Adds a link, or gives one that is there its position, and returns its row id. A link that is as it should be is
  /// not written.
  ///
  /// - Parameter keepsPosition: Whether a link that is there keeps the position that it has.
  func add(
    _ relationship: SchemaRelationship, owner: String, target: String, position: Int64?, keepsPosition: Bool
  ) throws -> Int64 {
    bind(relationship, owner: owner, target: target, to: insertion)
    if let position { insertion.bind(position, at: 5) } else { insertion.bindNull(at: 5) }
    insertion.bind(Int64(keepsPosition ? 1 : 0), at: 6)
    if let row = try rowID(insertion) { return row }
    bind(relationship, owner: owner, target: target, to: known)
    return try rowID(known) ?? 0
  }

  private func bind(
    _ relationship: SchemaRelationship, owner: String, target: String, to statement: PreparedStatement
  ) {
    statement.bind(rootName(of: layout.schema.entities[relationship.destination]), at: 1)
    statement.bind(Self.name(of: relationship, layout), at: 2)
    statement.bind(owner, at: 3)
    statement.bind(target, at: 4)
  }

  /// Runs a statement to its end and returns the row id that it gives; nil if it gives none.
  private func rowID(_ statement: PreparedStatement) throws -> Int64? {
    var row: Int64?
    while try statement.step() { row = statement.integer(0) }
    return row
  }

  /// Forgets the links of all other owners to a target, and returns their row ids.
  func forgetOthers(
    _ relationship: SchemaRelationship, than owner: String, target: String
  ) throws -> [Int64] {
    others.bind(rootName(of: layout.schema.entities[relationship.destination]), at: 1)
    others.bind(target, at: 2)
    others.bind(Self.name(of: relationship, layout), at: 3)
    others.bind(owner, at: 4)
    var rows: [Int64] = []
    while try others.step() { rows.append(others.integer(0)) }
    return rows
  }

  func forget(_ relationship: SchemaRelationship, owner: String) throws {
    removal.bind(Self.name(of: relationship, layout), at: 1)
    removal.bind(owner, at: 2)
    try removal.run()
  }

  /// The keys of what an owner waits for and their places, in the order of the list.
  ///
  /// No row ids: while a list is written, links come and go, and SQLite gives the row id of one that went to the next
  /// that comes.
  func targets(
    of relationship: SchemaRelationship, owner: String
  ) throws -> [(key: String, place: Int64?)] {
    var targets: [(key: String, place: Int64?)] = []
    waiting.bind(Self.name(of: relationship, layout), at: 1)
    waiting.bind(owner, at: 2)
    while try waiting.step() {
      targets.append((waiting.string(0), waiting.isNull(1) ? nil : waiting.integer(1)))
    }
    return targets
  }

  /// Forgets a link.
  func forget(_ relationship: SchemaRelationship, owner: String, target: String) throws {
    bind(relationship, owner: owner, target: target, to: removalOfLink)
    try removalOfLink.run()
  }

  private func forget(row: Int64) throws {
    removalOfRow.bind(row, at: 1)
    try removalOfRow.run()
  }

  /// Whether an owner waits for anything.
  func isWaiting(_ relationship: SchemaRelationship, owner: String) throws -> Bool {
    waiting.bind(Self.name(of: relationship, layout), at: 1)
    waiting.bind(owner, at: 2)
    guard try waiting.step() else { return false }
    waiting.reset()
    return true
  }

  /// Removes and returns the links that waited for a target. Those to entities that its own does not inherit from wait on.
  func take(for entity: SchemaEntity, target: String) throws -> [ArrivedLink] {
    let root = rootName(of: entity)
    lookup.bind(root, at: 1)
    lookup.bind(target, at: 2)
    var links: [ArrivedLink] = []
    var areAllMeant = true
    while try lookup.step() {
      guard let relationship = byName[lookup.string(0)] else { continue }
      guard entity.ancestry.contains(layout.schema.relationships[relationship].destination) else {
        areAllMeant = false
        continue
      }
      links.append(
        ArrivedLink(
          number: lookup.integer(3), relationship: relationship, owner: lookup.string(1),
          place: lookup.isNull(2) ? nil : lookup.integer(2)))
    }
    guard !links.isEmpty else { return [] }
    guard areAllMeant else {
      for link in links { try forget(row: link.number) }
      return links
    }
    arrival.bind(root, at: 1)
    arrival.bind(target, at: 2)
    try arrival.run()
    return links
  }

  private func rootName(of entity: SchemaEntity) -> String { layout.schema.entities[entity.root].name }

  static func name(of relationship: SchemaRelationship, _ layout: Layout) -> String {
    "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
  }
}
