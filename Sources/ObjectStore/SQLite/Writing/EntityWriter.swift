import Bytes
import ObjectModel

/// Writes the rows of one entity: finds, inserts, updates.
///
/// One of two ways is tried first, whichever was right for the row before: to insert, where the table has
/// nothing under that key, or to look the row up and compare. Both end in the same state; the guess only
/// decides how many statements it takes.
final class EntityWriter {
  let rules: EntityRules
  let layout: EntityLayout
  let table: Table
  let defaults: DefaultCells
  /// Whether keys have values of other rows in them until these are written.
  private let isIdentifiedByOthers: Bool
  /// The names of the entity and its sub-entities.
  private let familyNames: Set<String>
  private let transaction: SQLiteTransaction
  private let sql: EntitySQL
  private let lookup: RowLookup
  /// Knows which values are one, where a program writes.
  private let equality: ValueEquality?
  /// Whether a new row may lack what is required, since that comes in the end.
  var allowsMissing = false
  /// The statements that set some slots of a row.
  private var updates: [SlotSet: PreparedStatement] = [:]
  private let insertion: PreparedStatement
  /// Sets all slots of a row.
  private let replacement: PreparedStatement
  private var expectsExisting = false

  init(
    _ rules: EntityRules, _ transaction: SQLiteTransaction, _ equality: ValueEquality?
  ) throws {
    let (layout, schema) = (rules.layout, transaction.layout.schema)
    self.rules = rules
    self.layout = layout
    table = transaction.layout.tables[layout.table]
    self.transaction = transaction
    self.equality = equality
    defaults = rules.defaults
    isIdentifiedByOthers = layout.entity.isIdentifiedByOthers
    familyNames = Set(schema.family(of: layout.entity.index).map { schema.entities[$0].name })
    sql = EntitySQL(layout: layout, table: table)
    insertion = try transaction.cached(sql.insertion)
    replacement = try transaction.cached(sql.replacement)
    lookup = try RowLookup(sql, keySlots: layout.keySlots, transaction)
  }

  /// Inserts or updates a row: the one whose key the identity's cells say, or without an identity the one that the step
  /// names.
  func write(_ step: RowStep, of batch: borrowing RowBatch) throws -> WriteResult {
    let first = batch.rows.base[step.row].firstCell
    if layout.entity.hasIdentity { return try upsert(first, batch) }
    if let existing = step.existing, let found = try lookup.find(rowID: existing) {
      guard step.isReplacement else { return try update(found, first, batch) }
      return try replace(existing, found, first, batch)
    }
    if let slot = missing(first, batch) { return .problem(.missing(attribute: rules.attribute(of: slot))) }
    return try insert(first, batch)
  }

  // MARK: - Objects with an identity

  private func upsert(_ first: Int, _ batch: borrowing RowBatch) throws -> WriteResult {
    if !layout.entity.isAbstract, !expectsExisting, missing(first, batch) == nil {
      bind(first, batch)
      do {
        try insertion.run()
      } catch let error as StoreError where error.isUniquenessViolation {
        return .problem(.notUnique(error.constraint))
      }
      if insertion.changes > 0 {
        return .written(WrittenRow(.inserted, row: insertion.lastInsertedRowID))
      }
      expectsExisting = true
    }
    if let found = try lookup.find(first, batch) { return try update(found, first, batch) }
    expectsExisting = false
    if layout.entity.isAbstract { return .problem(.unknownKind) }
    if let slot = missing(first, batch) { return .problem(.missing(attribute: rules.attribute(of: slot))) }
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

  private func insert(_ first: Int, _ batch: borrowing RowBatch) throws -> WriteResult {
    bind(first, batch)
    do {
      try insertion.run()
    } catch let error as StoreError where error.isUniquenessViolation {
      return .problem(.notUnique(error.constraint))
    }
    return .written(WrittenRow(.inserted, row: insertion.lastInsertedRowID))
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

  // MARK: - Objects without an identity

  /// Puts a row, defaults and all, in the place of another, under the same row id.
  private func replace(
    _ rowID: Int64, _ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch
  ) throws -> WriteResult {
    if let slot = missing(first, batch) {
      lookup.endReading(found)
      return .problem(.missing(attribute: rules.attribute(of: slot)))
    }
    if hasDefaults(found, first, batch) { return try update(found, first, batch) }
    // Its defaults are not in its cells; a row of its own has them.
    lookup.endReading(found)
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
    return .written(WrittenRow(.updated, row: rowID))
  }

  /// Whether what a row's cells do not say is in the store as the defaults have it.
  private func hasDefaults(
    _ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch
  ) -> Bool {
    for slot in layout.attributeSlots where batch.cells.base[first + slot].kind == .absent {
      if !defaults.equals(slot, found, column: sql.firstSlotColumn + slot) { return false }
    }
    return true
  }

  // MARK: - Required values

  /// The first required slot that a new row would leave without value.
  private func missing(_ first: Int, _ batch: borrowing RowBatch) -> Int? {
    if allowsMissing { return nil }
    for slot in rules.required {
      let kind = batch.cells.base[first + slot].kind
      if kind == .absent || kind == .null { return slot }
    }
    return nil
  }
}

extension StoreError {
  var isUniquenessViolation: Bool {
    // SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
    sqliteCode == 1555 || sqliteCode == 2067
  }

  /// Whether a table cannot be changed since a cursor of the same connection is being read: SQLITE_LOCKED.
  var isLockedByOwnCursor: Bool { sqliteCode == 6 }

  /// The columns that SQLite says are not unique, as it writes them.
  var constraint: String {
    guard case .sqlite(_, let message, _) = kind else { return "" }
    return message.split(separator: ": ").last.map(String.init) ?? message
  }
}

/// Looking at what is stored of a row's object.
extension EntityWriter {
  /// A statement that stands on the stored row that a row is about: the one with its identity, or for an entity
  /// without one the one that it is to take the place of; nil if there is none. ``lookup`` has to be told when it is
  /// not read any more.
  private func find(_ row: Int, over existing: Int64?, _ batch: borrowing RowBatch) throws
    -> PreparedStatement?
  {
    if isIdentifiedByOthers { return try lookup.find(batch.key(of: row, transaction.layout), batch) }
    if layout.entity.hasIdentity { return try lookup.find(batch.rows[row].firstCell, batch) }
    return try existing.flatMap { try lookup.find(rowID: $0) }
  }

  /// The object that a row is about, as it is stored; nil if it is not there.
  func storedVersion(of step: RowStep, _ batch: borrowing RowBatch) throws -> StoredVersion? {
    guard let found = try find(step.row, over: step.existing, batch) else { return nil }
    defer { lookup.endReading(found) }
    var isNewer = false
    if let slot = rules.versionSlot {
      isNewer = found.column(
        sql.firstSlotColumn + slot, isGreaterThan: batch[step.row, slot],
        isDecimal: table.columns[layout.slots[slot]].type == .decimal, of: batch)
    }
    return StoredVersion(row: found.integer(0), isNewer: isNewer)
  }

  /// The values of slots of the object that a row is about; nulls if it is not there.
  func storedValues(of step: RowStep, slots: [Int], _ batch: borrowing RowBatch) throws -> [SQLValue] {
    guard let found = try find(step.row, over: step.existing, batch) else { return slots.map { _ in .null } }
    defer { lookup.endReading(found) }
    return slots.map { found.value(sql.firstSlotColumn + $0) }
  }

  /// The foreign key, a row id, that the row of an object holds now; nil if it has none.
  func storedReference(of step: RowStep, slot: Int, _ batch: borrowing RowBatch) throws -> Int64? {
    guard let found = try find(step.row, over: step.existing, batch) else { return nil }
    defer { lookup.endReading(found) }
    let column = sql.firstSlotColumn + slot
    // A text is the key of an object with an identity, which is no part of another.
    return found.storage(column) == .integer ? found.integer(column) : nil
  }

  /// Whether the row with a row id has all values that the cells of a row say, those of nested objects aside.
  func matches(_ row: Int, _ rowID: Int64, _ batch: borrowing RowBatch) throws -> Bool {
    guard let found = try lookup.find(rowID: rowID) else { return false }
    defer { lookup.endReading(found) }
    let first = batch.rows.base[row].firstCell
    for slot in 0..<layout.slots.count {
      let cell = batch.cells.base[first + slot]
      guard cell.kind != .absent, cell.kind != .row else { continue }
      if !found.column(sql.firstSlotColumn + slot, equals: cell, of: batch) { return false }
    }
    return true
  }
}

extension PreparedStatement {
  /// Whether a column of the current row comes after what a cell says; false if either says nothing, or if they
  /// cannot be compared.
  fileprivate func column(
    _ column: Int, isGreaterThan cell: Cell, isDecimal: Bool, of batch: borrowing RowBatch
  ) -> Bool {
    switch (storage(column), cell.kind) {
    case (.integer, .integer): return integer(column) > cell.integerValue
    case (.real, .real): return double(column) > cell.realValue
    case (.text, .text):
      let (stored, new) = (text(column), batch.bytes(of: cell))
      if isDecimal { return DecimalOrder.compare(new, stored) < 0 }
      return new.lexicographicallyPrecedes(stored)
    default: return false
    }
  }
}

/// Updating rows that are there: only what differs is written.
extension EntityWriter {
  /// Updates what differs in the row that a statement of ``lookup`` stands on.
  func update(_ found: PreparedStatement, _ first: Int, _ batch: borrowing RowBatch) throws -> WriteResult {
    let rowID = found.integer(0)
    let stored = FoundStatement(statement: found, firstSlotColumn: sql.firstSlotColumn)
    let change = RowChange(first, of: batch, over: stored, formerly: formerKind(found), rules, equality)
    lookup.endReading(found)
    if let slot = change.missing { return .problem(.missing(attribute: rules.attribute(of: slot))) }
    guard !change.isEmpty else {
      return .written(
        WrittenRow(.unchanged, row: rowID, ownerChange: change.ownerChange, compared: change.compared))
    }
    if let reason = try apply(change, rowID, first, batch) { return .problem(reason) }
    return .written(
      WrittenRow(
        .updated, row: rowID, ownerChange: change.ownerChange, replacesValues: change.replacesValues,
        compared: change.compared, formerKind: change.formerKind))
  }

  /// The entity of a stored object that turns into another kind.
  private func formerKind(_ found: PreparedStatement) -> EntityLayout? {
    guard table.kindColumn != nil else { return nil }
    let name = found.string(1)
    if familyNames.contains(name) { return nil }
    // A kind that is not known has what the root has.
    return transaction.layout.entities[transaction.layout.schema.index(of: name) ?? table.root]
  }

  // MARK: - Statements

  /// Sets the slots that changed. Returns what stands against it.
  private func apply(
    _ change: RowChange, _ rowID: Int64, _ first: Int, _ batch: borrowing RowBatch
  ) throws -> RowProblem.Reason? {
    var changed = change.slots
    // A slot that no entity has stands for the kind.
    if change.formerKind != nil { changed.insert(layout.slots.count) }
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
      return nil
    } catch let error as StoreError where error.isUniquenessViolation {
      return .notUnique(error.constraint)
    }
  }

  private func updateStatement(for changed: SlotSet) throws -> PreparedStatement {
    if let known = updates[changed] { return known }
    // Input decides which sets come up, so their number is limited.
    if updates.count >= 256 { updates.removeAll() }
    let statement = try transaction.cached(sql.update(changed))
    updates[changed] = statement
    return statement
  }
}

/// The stored row that a statement stands on.
private struct FoundStatement: FoundRow {
  let statement: PreparedStatement
  let firstSlotColumn: Int

  @inline(__always)
  func isNull(_ slot: Int) -> Bool { statement.isNull(firstSlotColumn + slot) }

  @inline(__always)
  func equals(_ slot: Int, _ cell: Cell, _ batch: borrowing RowBatch) -> Bool {
    statement.column(firstSlotColumn + slot, equals: cell, of: batch)
  }

  func value(_ slot: Int) -> SQLValue { statement.value(firstSlotColumn + slot) }
}
