import Bytes
import ObjectModel

/// Writes the rows of one entity: finds, inserts, updates.
///
/// One of two ways is tried first, whichever was right for the row before: to insert, where the table has
/// nothing under that key, or to look the row up and compare. Both end in the same state; the guess only
/// decides how many statements it takes.
final class EntityWriter {
  let layout: EntityLayout
  let table: Table
  /// The slots that hold foreign keys, by relationship.
  let foreignKeys: [ForeignKey]
  let oneToOneLinks: [OneToOneLinks]
  /// The relationships that new objects must have.
  let requiredLinks: [RequiredLink]
  private let transaction: StoreTransaction
  private let sql: EntitySQL
  private let insertion: PreparedStatement
  let lookup: RowLookup
  /// The slot of the attribute that says how old an object's JSON is.
  let versionSlot: Int?
  /// What the last row that was written was before it turned into another kind.
  private(set) var formerKind: String?
  /// What the list that names the last row that was written did to its owner; see ``OwnershipClaims``.
  private(set) var ownerChange = OwnerChange.none
  /// The foreign keys whose targets know the rows that lead to them.
  private let ownerKeys: [ForeignKey]
  /// Sets all slots of a row.
  private let replacement: PreparedStatement
  private var updates: [SlotSet: PreparedStatement] = [:]
  private let defaults: DefaultCells
  /// Slots of attributes that must have a value and have no default.
  private let required: [Int]
  private let familyNames: Set<String>
  /// The slots of uniqueness constraints, those of the identity aside.
  let uniqueSlots: [Int]
  /// Whether a new row may lack what is required, since that comes in the end.
  var allowsMissing = false
  private var expectsExisting: Bool
  /// Who says which values are one, where a program writes.
  var equality: (any ValueEquality)?

  struct RequiredLink {
    let relationship: Int
    /// The first slot of its foreign key; nil if its links are kept elsewhere.
    let slot: Int?
  }

  struct ForeignKey {
    let relationship: Int
    let destination: Int
    let targetHasIdentity: Bool
    /// Whether the target has a list of those that lead to it.
    let isFromList: Bool
    let slots: [Int]
    /// The slot of the place in the target's list; nil if that is not ordered.
    let order: Int?
  }

  init(_ entity: Int, _ transaction: StoreTransaction) throws {
    let whole = transaction.layout
    layout = whole.entities[entity]
    table = whole.tables[layout.table]
    self.transaction = transaction
    sql = EntitySQL(layout: layout, table: table)
    insertion = try transaction.cached(sql.insertion)
    var all = SlotSet()
    for slot in layout.slots.indices { all.insert(slot) }
    replacement = try transaction.cached(
      layout.slots.isEmpty ? "SELECT ?1" : sql.update(all))
    lookup = try RowLookup(sql, keySlots: layout.keySlots, transaction)
    defaults = DefaultCells(layout)
    let defaults = defaults
    let layout = layout
    versionSlot = layout.entity.ancestry
      .compactMap { whole.schema.model.entities[$0].annotations.versionAttribute }.first
      .flatMap { layout.entity.attribute($0) }.map { layout.attributeSlots[$0] }
    required = layout.entity.attributes.indices.filter { index in
      !layout.entity.attributes[index].isOptional && !layout.entity.identity.contains(index)
        && defaults.cells[layout.attributeSlots[index]].kind == .absent
    }.map { layout.attributeSlots[$0] }
    foreignKeys = layout.entity.relationships.compactMap { index in
      guard case .foreignKey(let columns) = whole.relationships[index] else { return nil }
      let relationship = whole.schema.relationships[index]
      var order: Int?
      if let inverse = relationship.inverse, case .inverse(_, let column?) = whole.relationships[inverse] {
        order = layout.slotOfColumn[column]
      }
      return ForeignKey(
        relationship: index, destination: relationship.destination,
        targetHasIdentity: whole.schema.entities[relationship.destination].hasIdentity,
        isFromList: relationship.inverse.map { whole.schema.relationships[$0].isToMany } ?? false,
        slots: layout.slots(of: columns), order: order)
    }
    ownerKeys = foreignKeys.filter { whole.schema.relationships[$0.relationship].inverse != nil }
    requiredLinks = layout.entity.relationships.compactMap { index in
      guard !whole.schema.relationships[index].isOptional else { return nil }
      if case .foreignKey(let columns) = whole.relationships[index] {
        return RequiredLink(relationship: index, slot: layout.slots(of: columns).first)
      }
      return RequiredLink(relationship: index, slot: nil)
    }
    oneToOneLinks = try foreignKeys.compactMap { try OneToOneLinks($0, entity, transaction) }
    familyNames = Set(whole.schema.family(of: entity).map { whole.schema.entities[$0].name })
    expectsExisting = false
    let unique = Set(
      table.indexes.filter { $0.uniqueFor?.contains(entity) ?? false }.flatMap { $0.columns.map(\.column) })
    uniqueSlots = unique.map { layout.slotOfColumn[$0] }
      .filter { $0 >= 0 && !layout.keySlots.contains($0) }.sorted()
  }

  /// Where the slots begin in the columns of a row that was looked up.
  var firstSlotColumn: Int { sql.firstSlotColumn }

  /// What became of a row.
  enum Result {
    case written(Tally.Outcome, rowID: Int64)
    case problem(RowProblem.Reason)
  }

  // MARK: - Objects with an identity

  /// Inserts or updates the row whose key the identity's cells say.
  func upsert(_ row: Int, of batch: borrowing RowBatch) throws -> Result {
    ownerChange = .none
    let first = batch.rows.base[row].firstCell
    if !layout.entity.isAbstract, !expectsExisting, missing(first, batch) == nil {
      bind(first, batch)
      do {
        try insertion.run()
      } catch let error as StoreError where error.isUniquenessViolation {
        return .problem(.notUnique(error.constraint))
      }
      if insertion.changes > 0 { return .written(.inserted, rowID: insertion.lastInsertedRowID) }
      expectsExisting = true
    }
    if let found = try lookup.find(first, batch) { return try update(found, first, batch) }
    expectsExisting = false
    if layout.entity.isAbstract { return .problem(.unknownKind) }
    if let slot = missing(first, batch) { return .problem(.missing(attribute: attribute(of: slot))) }
    return try insert(first, batch)
  }

  /// Inserts a row with a key and the defaults, and returns its row id; nil if the key is taken.
  func insertStub(_ key: [Cell], _ batch: borrowing RowBatch) throws -> Int64? {
    var stored: [SQLValue] = []
    if layout.entity.isIdentifiedBelowRoot { for cell in key { stored.append(batch.value(of: cell)) } }
    let identity = transaction.layout.identity(ofKey: stored, of: layout.entity)
    for slot in 0..<layout.slots.count {
      if let part = layout.keySlots.firstIndex(of: slot) {
        insertion.bind(key[part], of: batch, at: slot + 1)
      } else if let part = layout.identitySlots.firstIndex(of: slot) {
        // The key is made of the identity.
        insertion.bind(identity[part], at: slot + 1)
      } else {
        defaults.bind(slot, to: insertion, at: slot + 1)
      }
    }
    do {
      try insertion.run()
    } catch let error as StoreError where error.isUniquenessViolation {
      return nil
    }
    return insertion.changes > 0 ? insertion.lastInsertedRowID : nil
  }

  // MARK: - Objects without an identity

  /// Inserts a row, or updates the one with the row id.
  ///
  /// - Parameter isReplacement: Whether the row takes the place of another object, so that what its JSON does
  ///   not say is not what was there.
  func write(
    _ row: Int, over existing: Int64?, isReplacement: Bool, of batch: borrowing RowBatch
  ) throws -> Result {
    let first = batch.rows.base[row].firstCell
    if let existing, let found = try lookup.find(rowID: existing) {
      guard isReplacement else { return try update(found, first, batch) }
      if let slot = missing(first, batch) {
        lookup.leave(found)
        return .problem(.missing(attribute: attribute(of: slot)))
      }
      if isDefaulted(found, first, batch) { return try update(found, first, batch) }
      // Its defaults are not in its cells; a row of its own has them.
      lookup.leave(found)
      return try replace(existing, first, batch)
    }
    if let slot = missing(first, batch) { return .problem(.missing(attribute: attribute(of: slot))) }
    return try insert(first, batch)
  }

  /// Whether what a row's cells do not say is in the store as the defaults have it.
  private func isDefaulted(
    _ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch
  ) -> Bool {
    for slot in layout.attributeSlots where batch.cells.base[first + slot].kind == .absent {
      if !defaults.equals(slot, found, column: sql.firstSlotColumn + slot) { return false }
    }
    return true
  }

  /// Puts a row, defaults and all, in the place of another, under the same row id.
  private func replace(_ rowID: Int64, _ first: Int, _ batch: borrowing RowBatch) throws -> Result {
    replacement.bind(rowID, at: 1)
    for slot in 0..<layout.slots.count {
      let cell = batch.cells.base[first + slot]
      if cell.kind == .absent {
        defaults.bind(slot, to: replacement, at: slot + 2)
      } else {
        replacement.bind(cell, of: batch, at: slot + 2)
      }
    }
    try replacement.run()
    return .written(.updated, rowID: rowID)
  }

  // MARK: - Steps

  private func insert(_ first: Int, _ batch: borrowing RowBatch) throws -> Result {
    bind(first, batch)
    do {
      try insertion.run()
    } catch let error as StoreError where error.isUniquenessViolation {
      return .problem(.notUnique(error.constraint))
    }
    return .written(.inserted, rowID: insertion.lastInsertedRowID)
  }

  private func bind(_ first: Int, _ batch: borrowing RowBatch) {
    for slot in 0..<layout.slots.count {
      let cell = batch.cells.base[first + slot]
      if cell.kind == .absent {
        defaults.bind(slot, to: insertion, at: slot + 1)
      } else {
        insertion.bind(cell, of: batch, at: slot + 1)
      }
    }
  }

  /// Updates what differs in the row that a statement of ``lookup`` stands on.
  private func update(
    _ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch
  ) throws -> Result {
    let rowID = found.integer(0)
    var changed = SlotSet()
    let offset = sql.firstSlotColumn
    for slot in 0..<layout.slots.count {
      let cell = batch.cells.base[first + slot]
      if cell.kind != .absent, !found.column(offset + slot, equals: cell, of: batch) {
        changed.insert(slot)
      }
    }
    if let equality, !changed.isEmpty { removeSame(from: &changed, found, first, batch, equality) }
    // Who leaves a list leaves its place in it; an absent cell is bound as null.
    for key in foreignKeys {
      if let order = key.order, batch.cells.base[first + order].kind == .absent,
        key.slots.contains(where: changed.contains)
      {
        changed.insert(order)
      }
    }
    ownerChange = leaveOwner(found, first, &changed, batch)
    let changesKind = table.kindColumn != nil && !familyNames.contains(found.string(1))
    if changesKind {
      // An object that turns into another kind needs what that kind needs.
      for slot in required where batch.cells.base[first + slot].kind == .absent && found.isNull(offset + slot)
      {
        lookup.leave(found)
        return .problem(.missing(attribute: attribute(of: slot)))
      }
      let former = transaction.layout.schema.index(of: found.string(1)).map {
        transaction.layout.entities[$0]
      }
      for slot in layout.attributeSlots
      where batch.cells.base[first + slot].kind == .absent && defaults.cells[slot].kind != .absent
        && former?.slotOfColumn[layout.slots[slot]] ?? -1 < 0
      {
        // What its former kind had not, has its default.
        changed.insert(slot)
      }
      // What told the former kind does not tell this one.
      if let slot = layout.kindValueSlot { changed.insert(slot) }
    }
    formerKind = changesKind ? found.string(1) : nil
    lookup.leave(found)
    guard changesKind || !changed.isEmpty else { return .written(.unchanged, rowID: rowID) }
    // A slot that no entity has stands for the kind.
    if changesKind { changed.insert(layout.slots.count) }
    return try apply(changed, first, batch, rowID)
  }

  /// Takes values out of the changes that are to a program what they were.
  private func removeSame(
    from changed: inout SlotSet, _ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch,
    _ equality: any ValueEquality
  ) {
    for slot in layout.attributeSlots where changed.contains(slot) {
      let stored = found.value(sql.firstSlotColumn + slot)
      let new = batch.value(of: batch.cells.base[first + slot])
      if equality.isSame(layout, slot: slot, stored: stored, new: new) { changed.remove(slot) }
    }
  }

  /// Takes a change of owner that a list claims, and another list of the import may claim too, out of the changes.
  private func leaveOwner(
    _ found: PreparedStatement, _ first: Int, _ changed: inout SlotSet, _ batch: borrowing RowBatch
  ) -> OwnerChange {
    var change = OwnerChange.none
    for key in ownerKeys {
      guard let slot = key.slots.first, key.slots.contains(where: changed.contains),
        batch.cells.base[first + slot].link.isFromList, !found.isNull(sql.firstSlotColumn + slot)
      else { continue }
      change = .made
      guard batch.cells.base[first + slot].link == .claimedByList else { continue }
      for slot in key.slots { changed.remove(slot) }
      if let order = key.order { changed.remove(order) }
      change = .left
    }
    return change
  }

  private func apply(
    _ changed: SlotSet, _ first: Int, _ batch: borrowing RowBatch, _ rowID: Int64
  ) throws -> Result {
    let statement = try updateStatement(for: changed)
    statement.bind(rowID, at: 1)
    for slot in 0..<layout.slots.count where changed.contains(slot) {
      let cell = batch.cells.base[first + slot]
      if cell.kind == .absent {
        defaults.bind(slot, to: statement, at: slot + 2)
      } else {
        statement.bind(cell, of: batch, at: slot + 2)
      }
    }
    do {
      try statement.run()
    } catch let error as StoreError where error.isUniquenessViolation {
      return .problem(.notUnique(error.constraint))
    }
    return .written(.updated, rowID: rowID)
  }

  private func updateStatement(for changed: SlotSet) throws -> PreparedStatement {
    if let known = updates[changed] { return known }
    // Input decides which sets come up, so their number is limited.
    if updates.count >= 256 { updates.removeAll() }
    let statement = try transaction.cached(sql.update(changed))
    updates[changed] = statement
    return statement
  }

  /// The first required slot that a new row would leave without value.
  private func missing(_ first: Int, _ batch: borrowing RowBatch) -> Int? {
    if allowsMissing { return nil }
    for slot in required {
      let kind = batch.cells.base[first + slot].kind
      if kind == .absent || kind == .null { return slot }
    }
    return nil
  }

  private func attribute(of slot: Int) -> Int {
    layout.attributeSlots.firstIndex(of: slot) ?? 0
  }

  // MARK: - Looking up

  /// Whether the row with a row id has all values that the cells of a row say, those of nested objects aside.
  func matches(_ row: Int, _ rowID: Int64, _ batch: borrowing RowBatch) throws -> Bool {
    guard let found = try lookup.find(rowID: rowID) else { return false }
    defer { lookup.leave(found) }
    let first = batch.rows.base[row].firstCell
    for slot in 0..<layout.slots.count {
      let cell = batch.cells.base[first + slot]
      guard cell.kind != .absent, cell.kind != .row else { continue }
      if !found.column(sql.firstSlotColumn + slot, equals: cell, of: batch) { return false }
    }
    return true
  }

  /// A statement that stands on the stored row that a row is about: the one with its identity, or for an entity
  /// without one the one that it is to take the place of; nil if there is none. The lookup must leave it.
  func find(_ row: Int, over existing: Int64?, _ batch: borrowing RowBatch) throws -> PreparedStatement? {
    if layout.entity.hasIdentity { return try lookup.find(batch.rows[row].firstCell, batch) }
    return try existing.flatMap { try lookup.find(rowID: $0) }
  }

  /// The foreign key, a row id, that the row of an object holds now; nil if it has none.
  func currentReference(
    of row: Int, existing: Int64?, slot: Int, in batch: borrowing RowBatch
  ) throws -> Int64? {
    guard let found = try find(row, over: existing, batch) else { return nil }
    defer { lookup.leave(found) }
    let column = sql.firstSlotColumn + slot
    // A text is the key of an object with an identity, which is no part of another.
    return found.storage(column) == .integer ? found.integer(column) : nil
  }
}

extension StoreError {
  var isUniquenessViolation: Bool {
    // SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
    sqliteCode == 1555 || sqliteCode == 2067
  }

  /// The columns that SQLite says are not unique, as it writes them.
  var constraint: String {
    guard case .sqlite(_, let message, _) = kind else { return "" }
    return message.split(separator: ": ").last.map(String.init) ?? message
  }
}
