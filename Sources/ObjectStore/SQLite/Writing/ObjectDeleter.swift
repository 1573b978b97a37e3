import ObjectModel

/// Deletes objects by their delete rules.
final class ObjectDeleter {
  /// What stands against a deletion.
  struct Refusal {
    enum Kind {
      /// A rule.
      case denied
      /// An object that would be left without what it requires, by its entity and key.
      case required(entity: Int, key: String)
      /// It would take objects along which the import has come across.
      case takesListed
      /// It would take objects along that a program has changed and the server has not been told of.
      case takesUnsent
    }

    var kind = Kind.denied
    var relationship: Int
    /// The identity of the object that cannot be deleted.
    var key: String

    /// Whether other deletions may take away what stands against it.
    var mayEnd: Bool {
      switch kind {
      case .denied, .required: true
      case .takesListed, .takesUnsent: false
      }
    }

    /// The problem that it is.
    var reason: RowProblem.Reason {
      switch kind {
      case .denied: .deletionDenied(relationship: relationship, key: key)
      case .required(let entity, let holder):
        .deletionLeavesWithout(relationship: relationship, key: key, entity: entity, holder: holder)
      case .takesListed: .deletionTakesListed(relationship: relationship, key: key)
      case .takesUnsent: .deletionTakesUnsent(relationship: relationship, key: key)
      }
    }
  }

  /// What a deletion heeds besides the rules of the model.
  struct Care: OptionSet {
    let rawValue: Int
    /// Objects that the import has come across stay.
    static let sparesListed = Care(rawValue: 1)
    /// No object is left without what it requires.
    static let keepsRequired = Care(rawValue: 2)
  }

  /// What came of a deletion.
  enum Outcome {
    case deleted
    /// There is no such row.
    case missing
    case refused(Refusal)

    var refusal: Refusal? {
      guard case .refused(let refusal) = self else { return nil }
      return refusal
    }
  }

  struct Place: Hashable {
    var table: Int
    var row: Int64
  }

  private let transaction: StoreTransaction
  let layout: Layout
  /// By entity.
  private var plans: [DeletionPlan?]
  /// The statements that tell the entity of a row, by table.
  private var kinds: [PreparedStatement?]
  /// Statements that are seldom needed, by their SQL.
  private var others: [String: PreparedStatement] = [:]
  /// The objects that were deleted, the first of them by name.
  private(set) var deleted: [(entity: String, key: String)] = []
  static let mostNames = 10_000

  init(_ transaction: StoreTransaction) {
    self.transaction = transaction
    layout = transaction.layout
    plans = Array(repeating: nil, count: layout.entities.count)
    kinds = Array(repeating: nil, count: layout.tables.count)
  }

  /// Deletes a row and what its cascades reach, or nothing if something stands against it.
  func delete(_ row: Int64, ofTable table: Int, _ care: Care = [], _ writer: RowWriter) throws -> Outcome {
    let start = Place(table: table, row: row)
    guard let plan = try plan(for: start) else { return .missing }
    if plan.cascading.isEmpty, plan.denying.isEmpty, !care.contains(.keepsRequired) || !plan.isRequired {
      try remove(start, plan, writer)
      return .deleted
    }
    let (order, reached) = try collect(from: start)
    for (place, plan) in order {
      for holder in try holders(of: place, plan, care) where !reached.contains(holder.place) {
        guard try isLeftWithout(holder, reached) else { continue }
        return .refused(try refusal(of: place, plan, holder))
      }
      guard place != start, let kind = kindOfSpared(place, plan, care, writer) else { continue }
      return .refused(try refusal(of: start, kind))
    }
    for (place, plan) in order { try remove(place, plan, writer) }
    return .deleted
  }

  func remove(_ place: Place, _ plan: DeletionPlan, _ writer: RowWriter) throws {
    try note(place, plan, writer)
    for statement in plan.unlinking { try run(statement, place.row) }
    try run(plan.removal, place.row)
    writer.tally.countDeleted(row: place.row, entity: plan.entity.index, table: place.table)
    writer.dropClaims(ofDeleted: place.row, inTable: place.table)
    writer.forgetRepetitions(inTable: place.table)
  }

  private func run(_ statement: PreparedStatement, _ row: Int64) throws {
    statement.bind(row, at: 1)
    try statement.run()
  }

  func statement(_ sql: String) throws -> PreparedStatement {
    let statement = try others[sql] ?? transaction.prepare(sql)
    others[sql] = statement
    return statement
  }

  // MARK: - Names

  /// Notes who goes, and forgets what waits for others on its behalf.
  private func note(_ place: Place, _ plan: DeletionPlan, _ writer: RowWriter) throws {
    guard plan.entity.hasIdentity else { return }
    // A program knows what it deletes; the names are for the reports of imports.
    let isNamed = writer.policy.namesAllDeleted || !writer.policy.isLocal && deleted.count < Self.mostNames
    guard isNamed || writer.pending.hasStored else { return }
    let key = try key(of: place, plan)
    if isNamed { deleted.append((plan.entity.name, key)) }
    guard writer.pending.hasStored else { return }
    for relationship in plan.entity.relationships {
      try writer.pending.forget(layout.schema.relationships[relationship], owner: key)
    }
  }

  func key(of place: Place, _ plan: DeletionPlan) throws -> String {
    plan.key.bind(place.row, at: 1)
    guard try plan.key.step() else { return "" }
    defer { plan.key.reset() }
    return KeyText.ofColumns(0..<plan.key.columnCount, plan.key)
  }

  /// Forgets the names of objects whose deletion was undone.
  func forgetNames(after count: Int) { deleted.removeSubrange(count...) }

  // MARK: - Cascades

  /// All that goes with an object, itself first.
  private func collect(from start: Place) throws -> (order: [(Place, DeletionPlan)], reached: Set<Place>) {
    var reached: Set<Place> = []
    var order: [(Place, DeletionPlan)] = []
    var waiting = [start]
    while let place = waiting.popLast() {
      guard reached.insert(place).inserted, let plan = try plan(for: place) else { continue }
      order.append((place, plan))
      for link in plan.cascading { waiting += try targets(of: link, place.row) }
    }
    return (order, reached)
  }

  /// The rows that a relationship of a row leads to.
  func targets(of link: DeletionPlan.Link, _ row: Int64) throws -> [Place] {
    link.targets.bind(row, at: 1)
    var result: [Place] = []
    while try link.targets.step() {
      result.append(Place(table: link.table, row: link.targets.integer(0)))
    }
    return result
  }

  // MARK: - Plans

  /// The plan for the entity that a row is of; nil if there is no such row.
  func plan(for place: Place) throws -> DeletionPlan? {
    let table = layout.tables[place.table]
    let sql = DeletionSQL(layout: layout, table: table)
    let kind = try kinds[place.table] ?? transaction.prepare(sql.kind)
    kinds[place.table] = kind
    kind.bind(place.row, at: 1)
    guard try kind.step() else { return nil }
    defer { kind.reset() }
    let named = table.kindColumn == nil ? nil : layout.schema.entity(kind.string(0))
    let entity = named ?? layout.schema.entities[table.root]
    if let known = plans[entity.index] { return known }
    let plan = try DeletionPlan(entity, transaction)
    plans[entity.index] = plan
    return plan
  }
}

// MARK: - Rows that change without a deletion

extension ObjectDeleter {
  /// Removes the row of an object that should not have been inserted. What refers to it waits for it.
  ///
  /// - Parameter lists: The relationships whose lists have it.
  func deleteInserted(_ row: Int64, ofTable table: Int, listedBy lists: [Int], _ writer: RowWriter) throws {
    let place = Place(table: table, row: row)
    guard let plan = try plan(for: place) else { return }
    try dropLinks(of: row, a: plan.entity, keeping: nil, writer)
    if writer.pending.hasStored {
      let key = try key(of: place, plan)
      for relationship in plan.entity.relationships {
        try writer.pending.forget(layout.schema.relationships[relationship], owner: key)
      }
    }
    let sql = DeletionSQL(layout: layout, table: layout.tables[table])
    for relationship in layout.schema.relationships
    where plan.entity.ancestry.contains(relationship.destination) {
      if lists.contains(relationship.index),
        case .inverse(let columns, let order) = layout.relationships[relationship.index]
      {
        try keepWaiting(for: place, plan, relationship, columns, order, writer)
      }
      guard let links = sql.linksFromOwners(of: relationship) else { continue }
      let statement = try statement(links)
      statement.bind(row, at: 1)
      while try statement.step() { writer.pending.noteMissing(relationship, row: statement.integer(0)) }
    }
    try run(plan.removal, row)
    writer.dropClaims(ofDeleted: row, inTable: table)
    writer.forgetRepetitions(inTable: table)
  }

  /// Has the owner of a list, which is told by columns of a row that goes, wait for it.
  private func keepWaiting(
    for place: Place, _ plan: DeletionPlan, _ relationship: SchemaRelationship, _ columns: [Int],
    _ order: Int?,
    _ writer: RowWriter
  ) throws {
    let table = layout.tables[place.table]
    let names = (columns + (order.map { [$0] } ?? [])).map { table.columns[$0].name }
    let link = try statement("SELECT \(SQL.list(names)) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    link.bind(place.row, at: 1)
    guard try link.step() else { return }
    defer { link.reset() }
    guard !columns.indices.contains(where: { link.isNull($0) }) else { return }
    try writer.pending.store(
      relationship, owner: KeyText.ofColumns(0..<columns.count, link), target: key(of: place, plan),
      position: order == nil || link.isNull(columns.count) ? nil : link.integer(columns.count))
  }

  /// Takes away the links that start at a row by relationships which another entity does not have, and the
  /// parts that they lead to.
  func dropLinks(
    of row: Int64, a entity: SchemaEntity, keeping other: SchemaEntity?, _ writer: RowWriter
  ) throws {
    let sql = DeletionSQL(layout: layout, table: layout.table(of: entity.index))
    for index in entity.relationships where !(other?.relationships.contains(index) ?? false) {
      let relationship = layout.schema.relationships[index]
      if layout.leadsToParts(relationship) {
        let link = DeletionPlan.Link(
          relationship: relationship, table: layout.entities[relationship.destination].table,
          targets: try statement(sql.targets(of: relationship)))
        for part in try targets(of: link, row) { _ = try delete(part.row, ofTable: part.table, [], writer) }
      }
      // Whoever is taken back leaves the foreign keys that lead to it: they wait for it.
      if other != nil, case .inverse(let columns, _) = layout.relationships[index] {
        try run(statement(sql.clearing(columns, of: layout.table(of: relationship.destination))), row)
      }
      for removal in sql.removingLinks(of: relationship, fromOwner: true) {
        try run(statement(removal), row)
      }
    }
  }
}
