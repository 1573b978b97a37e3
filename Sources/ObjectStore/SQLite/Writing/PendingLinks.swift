import Bytes
import ObjectModel

/// Links whose targets are not there, where the link is kept in the target's row: the store remembers them in a table of
/// its own until the target comes.
///
/// A reference that is a foreign key, or a link in a join table, needs no such care: its target only has to come.
final class PendingLinks {
  private let context: WriteContext
  private let claims: ListClaims
  private let references: PendingReferences
  /// Nil while the store remembers nothing.
  private var table: PendingLinkStore?
  /// The rows of the table that this import has written.
  private var ownRows: Set<Int64> = []

  init(_ context: WriteContext, _ claims: ListClaims, _ references: PendingReferences) throws {
    self.context = context
    self.claims = claims
    self.references = references
    let table = try PendingLinkStore(context.transaction)
    if try !table.isEmpty() { self.table = table }
  }

  /// Whether the store remembers links that new objects may complete.
  var hasStored: Bool { table != nil }

  // MARK: - Remembering

  /// A link to a target that is not there.
  struct NewLink {
    let relationship: SchemaRelationship
    let owner: [Cell]
    let target: [Cell]
    let place: Int?
    /// Whether the list adds to the links that are there, so that one the store remembers keeps its place.
    let isMerged: Bool
  }

  /// Remembers that an owner wants a target that is not there.
  ///
  /// - Parameter waiting: What the store remembers of the owner; what the list still names is taken from it.
  /// - Returns: Whether the list of another owner of this import wanted the target, which may have one owner only:
  ///   the last has it.
  func store(
    _ link: NewLink, _ waiting: inout Set<ExactText>, _ batch: borrowing RowBatch
  ) throws -> Bool {
    let table = try table ?? PendingLinkStore(context.transaction)
    self.table = table
    let (owner, target) = (KeyText.text(of: link.owner, batch), KeyText.text(of: link.target, batch))
    let others = try table.forgetOthers(link.relationship, than: owner, target: target)
    let isDisputed = others.contains(where: ownRows.contains)
    waiting.remove(ExactText(target))
    let row = try table.add(
      link.relationship, owner: owner, target: target, position: link.place, keepsPosition: link.isMerged)
    ownRows.subtract(others)
    ownRows.insert(row)
    references.add(stored: link.relationship, row: row)
    return isDisputed
  }

  /// Remembers a link by keys as text.
  func store(
    _ relationship: SchemaRelationship, owner: String, target: String, place: Int64?
  ) throws {
    let table = try table ?? PendingLinkStore(context.transaction)
    self.table = table
    let row = try table.add(relationship, owner: owner, target: target, position: place.map(Int.init))
    references.add(stored: relationship, row: row)
  }

  /// The keys, as text, of what an owner waits for.
  func waiting(
    _ relationship: SchemaRelationship, owner: [Cell], _ batch: borrowing RowBatch
  ) throws -> Set<ExactText> {
    let links = try table?.waiting(relationship, owner: KeyText.text(of: owner, batch)) ?? []
    return Set(links.map { ExactText($0.target) })
  }

  /// Whether the owner with a key, as text, waits for any target of a relationship.
  func isWaiting(_ relationship: SchemaRelationship, owner: String) throws -> Bool {
    try table?.isWaiting(relationship, owner: owner) ?? false
  }

  // MARK: - Forgetting

  /// Forgets what an owner waited for and its list no longer has.
  func forget(
    _ targets: Set<ExactText>, _ relationship: SchemaRelationship, owner: [Cell], _ batch: borrowing RowBatch
  ) throws {
    guard !targets.isEmpty else { return }
    let owner = KeyText.text(of: owner, batch)
    for target in targets { try table?.forget(relationship, owner: owner, target: target.text) }
  }

  /// Forgets what the owner with a key, as text, wanted.
  func forget(_ relationship: SchemaRelationship, owner: String) throws {
    try table?.forget(relationship, owner: owner)
  }

  /// Forgets all that the owner of an entity with a key, as text, wanted.
  func forgetAll(of entity: SchemaEntity, owner: String) throws {
    for relationship in entity.relationships {
      try forget(context.layout.schema.relationships[relationship], owner: owner)
    }
  }

  // MARK: - Arrivals

  /// An object that links may wait for.
  private struct Arrival {
    let key: String
    let rowID: Int64
    let layout: EntityLayout
    /// Its row in the batch; nil if it has none.
    var row: Int?
    /// The owners that its row says, by the columns of their foreign keys.
    var owners: [[Int]: DeclaredOwner] = [:]
  }

  /// The owner that an object's own row declares by one of its relationships.
  private struct DeclaredOwner {
    var key: String
    /// Whether it is a list that says it, and not the object itself.
    var isFromList: Bool
  }

  /// Gives a new object, a row of the batch, the links that waited for it.
  func connect(_ row: Int, _ layout: EntityLayout, _ batch: borrowing RowBatch) throws {
    guard table != nil else { return }
    var key: [Cell] = []
    for slot in layout.keySlots { key.append(batch[row, slot]) }
    var arrival = Arrival(
      key: KeyText.text(of: key, batch), rowID: batch.rows[row].rowID, layout: layout, row: row)
    for relationship in context.layout.schema.relationships
    where layout.entity.ancestry.contains(relationship.destination) {
      guard case .inverse(let columns, _) = context.layout.relationships[relationship.index] else { continue }
      let slots = layout.slots(of: columns)
      guard slots.allSatisfy({ $0 >= 0 && batch[row, $0].kind != .absent }) else { continue }
      var owner: [Cell] = []
      for slot in slots { owner.append(batch[row, slot]) }
      arrival.owners[columns] = DeclaredOwner(
        key: KeyText.text(of: owner, batch), isFromList: batch[row, slots[0]].link.isFromList)
    }
    try connect(arrival)
  }

  /// Gives an object, which has a new key, the links that waited for it.
  func connect(arrived key: String, _ rowID: Int64, _ layout: EntityLayout) throws {
    try connect(Arrival(key: key, rowID: rowID, layout: layout))
  }

  private func connect(_ arrival: Arrival) throws {
    guard let table else { return }
    for link in try table.take(for: arrival.layout.entity, target: arrival.key) {
      guard case .inverse(let columns, let order) = context.layout.relationships[link.relationship],
        let owner = KeyText.split(link.owner, count: columns.count)
      else { continue }
      let relationship = context.layout.schema.relationships[link.relationship]
      let isOfThisImport = ownRows.remove(link.row) != nil && !context.policy.isLocal
      // What the object's own row says of its owner counts more than what another owner said before.
      if let said = arrival.owners[columns], said.key != link.owner {
        if isOfThisImport, said.isFromList, let row = arrival.row {
          context.noteDispute(of: relationship, claims, row: row)
        }
        continue
      }
      if isOfThisImport { claims.noteNamed(arrival.rowID, by: relationship) }
      let target = context.layout.tables[arrival.layout.table]
      try link.set(arrival.rowID, to: owner, columns, order, of: target, context.transaction)
    }
  }
}

/// The store's table of links that wait for their targets.
final class PendingLinkStore {
  struct Link {
    var row: Int64
    var relationship: Int
    var owner: String
    var position: Int64?
  }

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
    _ relationship: SchemaRelationship, owner: String, target: String, position: Int?,
    keepsPosition: Bool = false
  ) throws -> Int64 {
    bind(relationship, owner: owner, target: target, to: insertion)
    if let position { insertion.bind(Int64(position), at: 5) } else { insertion.bindNull(at: 5) }
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
  func waiting(
    _ relationship: SchemaRelationship, owner: String
  ) throws -> [(target: String, place: Int64?)] {
    var links: [(target: String, place: Int64?)] = []
    waiting.bind(Self.name(of: relationship, layout), at: 1)
    waiting.bind(owner, at: 2)
    while try waiting.step() {
      links.append((waiting.string(0), waiting.isNull(1) ? nil : waiting.integer(1)))
    }
    return links
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
  func take(for entity: SchemaEntity, target: String) throws -> [Link] {
    let root = rootName(of: entity)
    lookup.bind(root, at: 1)
    lookup.bind(target, at: 2)
    var links: [Link] = []
    var areAllMeant = true
    while try lookup.step() {
      guard let relationship = byName[lookup.string(0)] else { continue }
      guard entity.ancestry.contains(layout.schema.relationships[relationship].destination) else {
        areAllMeant = false
        continue
      }
      links.append(
        Link(
          row: lookup.integer(3), relationship: relationship, owner: lookup.string(1),
          position: lookup.isNull(2) ? nil : lookup.integer(2)))
    }
    guard !links.isEmpty else { return [] }
    guard areAllMeant else {
      for link in links { try forget(row: link.row) }
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

extension PendingLinkStore.Link {
  /// Sets the owner of a row, and its place in the owner's list where the link has one.
  func set(
    _ row: Int64, to owner: [String], _ columns: [Int], _ order: Int?, of table: Table,
    _ transaction: SQLiteTransaction
  ) throws {
    let order = position == nil ? nil : order
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let settings = names.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }
    let statement = try transaction.cached(
      "UPDATE \(SQL.quoted(table.name)) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    for (index, part) in owner.enumerated() { statement.bind(part, at: index + 2) }
    if order != nil, let position { statement.bind(position, at: columns.count + 2) }
    try statement.run()
  }
}
