import Bytes
import ObjectModel
package import ObjectStore

/// Writes the records of batches one after another into the state of a transaction. It follows the same rules as the
/// engine of SQLite, row by row and by recursion, for which deep records get stacks of their own (``DeepRecursion``).
package final class WorkingWriter: BatchWriter {
  let transaction: any WorkingTransaction
  let state: IdentityMap
  package let layout: Layout
  package let policy: WritePolicy
  /// The state that goes from one transaction of an import to the next.
  var kept: WorkingWriterState
  /// The problems since this was last asked.
  package var problems: [RowProblem] = []
  /// Values of uniqueness constraints, and required links, that are looked at in the end.
  var uniqueValues: [DeferredValues] = []
  var missingLinks: [MissingLink] = []
  private(set) lazy var deleter = ObjectDeleter(self, layout, continuing: kept.deleted)
  /// The objects that a program gave values which others had.
  var uncheckedValues: [(ticket: Int, place: RowLocation)] = []
  /// The links that wait and that this import has noted.
  var ownWaiting: Set<Int64> = []
  var folder: RecordFolder
  /// Knows which values are one, where a program writes.
  let equality: (any ValueEquality)?
  /// By entity, whether and how its rows can go in bulk.
  var bulkEligibilities: [BulkEligibility?] = []
  /// The changes of a program that an import has to leave as they are; nil if there are none.
  var unsent: UnsyncedChanges?
  /// The entities that the transaction was told to lock.
  var locked: Set<Int> = []
  /// By entity, once it is needed; in memory of its own, since it is looked at for each row.
  private let models: UnsafeMutableBufferPointer<EntityModel?>
  /// The rules of each relationship, once they are needed.
  private var listRules: [ListRules?]
  /// Nested objects that are told again with the same values, and by table, what was changed when that was last looked at.
  let repetitions: Repetitions
  var knownChanges: [Int]
  package var wantedBatchSize: BatchSize?
  /// How many rows are being written now, each nested in the one before.
  var depth = 0
  /// Why a row was not written for which no stack was to be had. Whoever writes records ends with it.
  var stackFailure: SystemError?

  package init(
    _ transaction: any WorkingTransaction, _ policy: WritePolicy,
    continuing former: WorkingWriterState? = nil,
    equality: (any ValueEquality)? = nil
  ) {
    self.transaction = transaction
    state = transaction.state
    self.policy = policy
    self.equality = equality
    layout = transaction.layout
    models = .allocate(capacity: transaction.layout.entities.count)
    models.initialize(repeating: nil)
    listRules = Array(repeating: nil, count: transaction.layout.schema.relationships.count)
    repetitions = Repetitions(transaction.layout)
    knownChanges = Array(repeating: 0, count: transaction.layout.tables.count)
    kept = former ?? WorkingWriterState(layout)
    folder = RecordFolder(transaction.layout, policy)
    if former != nil { keepNotedNumbers() }
  }

  deinit { models.deinitialize().deallocate() }

  /// Former transactions of the import have noted links by their numbers, some of which may be gone.
  private func keepNotedNumbers() {
    for noted in kept.references {
      if case .inverse = layout.relationships[noted.relationship], case .row(let row) = noted.holder {
        state.waiting.number(after: row)
      }
    }
  }

  // MARK: - What has happened

  package var hasLeftOutObjects: Bool {
    get { kept.hasLeftOutObjects }
    set { kept.hasLeftOutObjects = newValue }
  }

  package var counts: WriteCounts {
    WriteCounts(entities: kept.tally.counts, duplicates: kept.tally.duplicates)
  }

  package var deletedObjects: [(entity: String, key: String)] { deleter.deleted }

  package func takeProblems() -> [RowProblem] {
    defer { problems = [] }
    return problems
  }

  /// The objects that lists have named.
  var claims: OwnershipClaims<RowKey> { kept.claims }

  func add(_ reason: RowProblem.Reason, row: Int) { problems.append(RowProblem(row: row, reason: reason)) }

  /// Notes that a row may turn out to have a problem, and returns the ticket by which the end tells which.
  func addDeferred(row: Int) -> Int {
    let ticket = takeTicket()
    add(.deferred(ticket: ticket), row: row)
    return ticket
  }

  /// Counts a change of an object that came about through another's relationship.
  package func noteChange(of place: RowLocation) {
    guard let object = state.object(place) else { return }
    kept.tally.countChange(row: place.row, entity: object.entity, table: place.table)
  }

  func rules(ofList relationship: Int) -> ListRules {
    if let known = listRules[relationship] { return known }
    let rules = ListRules(layout.schema.relationships[relationship], layout, policy)
    listRules[relationship] = rules
    return rules
  }

  func model(of entity: Int) -> EntityModel {
    if let known = models[entity] { return known }
    let model = EntityModel(entity, layout)
    models[entity] = model
    return model
  }
}

/// The state that the writer of one transaction leaves to the next.
package struct WorkingWriterState: ChunkState {
  var tally: WriteCounter
  var nextTicket = 0
  var hasLeftOutObjects = false
  var releases: [DeferredRelease] = []
  var references: [UnresolvedReference] = []
  var deleted: [(entity: String, key: String)] = []
  let claims: OwnershipClaims<RowKey>
  var before: (any ObjectSetSnapshot)?
  /// The entities of the rows that have come.
  var entities: Set<Int> = []

  init(_ layout: Layout) {
    tally = WriteCounter(entities: layout.entities.count, tables: layout.tables.count)
    claims = OwnershipClaims(layout)
  }
}

/// A row that is to be written.
struct RowStep {
  var row: Int
  /// For an entity without identity, the row of the object to update.
  var existing: Int64?
  /// Whether it takes the place of that object, rather than tell more of it.
  var isReplacement = false
  /// Of the objects without identity that its foreign keys lead to, those that it loses and those that were made for it.
  var released: [RowLocation] = []
  var inserted: [(entity: Int, row: Int64)] = []
}

/// The rules of the model and of an import for the lists of a relationship.
struct ListRules {
  let meaning: ToManyPolicy
  /// Whether lists of several owners may name one object.
  let hasClaims: Bool
  /// Whether the owner of a list is a part of its children's identity.
  let isIdentity: Bool
  /// Of how many values the key of a target is.
  let keyWidth: Int
  /// Whether a value of the keys at its ends may be a text.
  let hasTextKeys: Bool

  init(_ relationship: SchemaRelationship, _ layout: Layout, _ policy: WritePolicy) {
    meaning = policy.meaning(ofList: relationship)
    isIdentity = relationship.inverse.map { layout.schema.relationships[$0].isIdentity } ?? false
    hasClaims =
      !policy.isLocal && layout.schema.entities[relationship.destination].hasIdentity && !isIdentity
    let ends = [relationship.owner, relationship.destination].map { layout.table(of: $0) }
    keyWidth = ends[1].key.count
    hasTextKeys = ends.contains { $0.hasText(in: $0.key) }
  }
}

/// The rules of the model for the rows of an entity.
final class EntityModel {
  let layout: EntityLayout
  let foreignKeys: [ForeignKey]
  let hasIdentity: Bool
  let keySlots: [Int]
  let onlyKeySlot: Int?
  /// The slots of attributes that must have a value and have no default.
  let required: [Int]
  /// The slots of uniqueness constraints, those of the identity aside.
  let unique: [Int]
  /// The columns of each uniqueness constraint, and their slots.
  let constraints: [(columns: [Int], slots: [Int])]
  let version: Int?
  let defaults: DefaultCells

  /// A class, since foreign keys are gone through for each row.
  final class ForeignKey {
    let relationship: SchemaRelationship
    /// The slots of the target's key, and of the place in the target's list.
    let slots: [Int]
    let order: Int?
    let hasText: Bool
    /// Whether the target has no identity.
    let leadsToPart: Bool

    init(_ relationship: SchemaRelationship, slots: [Int], order: Int?, hasText: Bool, leadsToPart: Bool) {
      (self.relationship, self.slots, self.order) = (relationship, slots, order)
      (self.hasText, self.leadsToPart) = (hasText, leadsToPart)
    }
  }

  /// The slots of values that may have to be cut, dates, or left out.
  let dates: [(attribute: Int, slot: Int)]
  let texts: [(attribute: Int, slot: Int)]
  /// Whether a value of the key may be a text.
  let hasTextKey: Bool

  init(_ index: Int, _ whole: Layout) {
    let layout = whole.entities[index]
    let entity = layout.entity
    let defaults = DefaultCells(layout)
    (self.layout, self.defaults) = (layout, defaults)
    (hasIdentity, keySlots) = (entity.hasIdentity, layout.keySlots)
    onlyKeySlot = layout.keySlots.count == 1 ? layout.keySlots[0] : nil
    let table = whole.tables[layout.table]
    hasTextKey = table.hasText(in: layout.keySlots.map { layout.slots[$0] })
    foreignKeys = entity.relationships.compactMap { index in
      guard case .foreignKey(let columns) = whole.relationships[index] else { return nil }
      let relationship = whole.schema.relationships[index]
      var order: Int?
      if let inverse = relationship.inverse, case .inverse(_, let column?) = whole.relationships[inverse] {
        order = layout.slotOfColumn[column]
      }
      return ForeignKey(
        relationship, slots: layout.slots(of: columns), order: order, hasText: table.hasText(in: columns),
        leadsToPart: !whole.schema.entities[relationship.destination].hasIdentity)
    }
    required = entity.attributes.indices.filter {
      !entity.attributes[$0].isOptional && !entity.identityAttributes.contains($0)
        && defaults.cells[layout.attributeSlots[$0]].kind == .absent
    }.map { layout.attributeSlots[$0] }
    let indexes = whole.tables[layout.table].indexes.filter { $0.uniqueFor?.contains(index) ?? false }
    let limited = layout.attributeSlots.enumerated().map { (attribute: $0, slot: $1) }
      .filter { StorageType(entity.attributes[$0.attribute].type) == .text }
    dates = limited.filter { entity.attributes[$0.attribute].type == .date }
    texts = limited.filter { entity.attributes[$0.attribute].type != .date }
    constraints = indexes.map { index in
      let columns = index.columns.map(\.column)
      return (columns, columns.map { layout.slotOfColumn[$0] })
    }.filter { $0.slots.allSatisfy { $0 >= 0 } }
    unique = Set(indexes.flatMap { $0.columns.map(\.column) }).map { layout.slotOfColumn[$0] }
      .filter { $0 >= 0 && !layout.keySlots.contains($0) }.sorted()
    version = entity.ancestry.compactMap { whole.schema.model.entities[$0].annotations.versionAttribute }
      .first
      .flatMap { entity.attribute($0) }.map { layout.attributeSlots[$0] }
  }

  func attribute(of slot: Int) -> Int { layout.attributeSlots.firstIndex(of: slot) ?? 0 }
}

extension Table {
  /// Whether a value of some columns may be a text.
  fileprivate func hasText(in columns: [Int]) -> Bool {
    columns.contains { self.columns[$0].storage == .text || self.columns[$0].holdsMixedKeys }
  }
}

// MARK: - The keys of a batch's rows

extension WorkingWriter {
  func cells(_ row: Int, _ slots: [Int], _ batch: borrowing RowBatch) -> [Cell] {
    var result: [Cell] = []
    for slot in slots { result.append(batch[row, slot]) }
    return result
  }

  // Most keys are one value, and take the short way.

  func values(_ cells: [Cell], _ batch: borrowing RowBatch) -> RowKey {
    if cells.count == 1 { return RowKey(Value(cells[0], batch)) }
    var result: RowKey = []
    for cell in cells { result.append(Value(cell, batch)) }
    return result
  }

  func values(_ row: Int, _ slots: [Int], _ batch: borrowing RowBatch) -> RowKey {
    if slots.count == 1 { return RowKey(Value(batch[row, slots[0]], batch)) }
    var result: RowKey = []
    for slot in slots { result.append(Value(batch[row, slot], batch)) }
    return result
  }

  /// The values of a row's key, null where it lacks one.
  func keyValues(_ row: Int, _ batch: borrowing RowBatch) -> RowKey {
    let model = model(of: batch.rows[row].entity)
    if let slot = model.onlyKeySlot { return RowKey(Value(batch.resolved(batch[row, slot], layout), batch)) }
    var result: RowKey = []
    for slot in model.keySlots { result.append(Value(batch.resolved(batch[row, slot], layout), batch)) }
    return result
  }

  /// The values of a row's key as its cells say it, be the row usable or not.
  func declaredKeyValues(_ row: Int, _ batch: borrowing RowBatch) -> RowKey {
    let header = batch.rows[row]
    let isNumbered = header.state != .skipped && !model(of: header.entity).hasIdentity
    return isNumbered ? [.integer(header.rowID)] : keyValues(row, batch)
  }

  func has(_ row: Int, _ slot: Int, _ batch: borrowing RowBatch) -> Bool {
    batch[row, slot].kind != .absent && batch[row, slot].kind != .null
  }

  /// Whether a row was skipped though its key is known: then it is as good as a reference.
  func isSkippedReference(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    guard batch.rows[row].state == .skipped, !model(of: batch.rows[row].entity).layout.keySlots.isEmpty
    else { return false }
    for cell in batch.key(of: row, layout) where cell.kind == .absent || cell.kind == .null { return false }
    return true
  }

  /// Whether a row stands for no object: it was skipped, and its key is not known.
  func isUnknown(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    batch.rows[row].state == .skipped && !isSkippedReference(row, batch)
  }

  /// A part of the key of a row; absent if that was skipped without its key being known.
  func keyCell(_ row: Int, _ part: Int, _ batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard !isUnknown(row, batch) else { return .absent }
    let model = model(of: header.entity)
    guard model.hasIdentity else { return .integer(header.rowID) }
    var cell = batch.resolved(batch[row, model.keySlots[part]], layout)
    if header.state == .object || header.isDuplicate { cell.link = .exists }
    return cell
  }

  /// A row's key as its cells say it, be the row usable or not.
  func declaredKey(_ row: Int, _ batch: borrowing RowBatch) -> [Cell] {
    let model = model(of: batch.rows[row].entity)
    if batch.rows[row].state == .skipped { return batch.key(of: row, layout) }
    var key: [Cell] = []
    for part in 0..<max(1, model.keySlots.count) { key.append(keyCell(row, part, batch)) }
    return key
  }

  /// A row's key; nil if the row was skipped.
  func key(_ row: Int, _ batch: borrowing RowBatch) -> [Cell]? {
    batch.rows[row].state == .skipped ? nil : declaredKey(row, batch)
  }

  /// The value of a cell, with the key of another row in its place.
  func resolved(_ cell: Cell, _ batch: borrowing RowBatch) -> Cell {
    cell.kind == .row ? keyCell(Int(cell.bits), Int(cell.count), batch) : cell
  }

  /// The lists of a row, the last first.
  func lists(_ row: Int, _ batch: borrowing RowBatch) -> [LinkList] {
    var result: [LinkList] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      result.append(batch.lists[next])
      next = batch.lists[next].next
    }
    return result
  }

  /// The targets of a list: rows of the batch, or keys.
  enum Target {
    case row(Int)
    case key([Cell])
  }

  func targets(_ list: LinkList, _ batch: borrowing RowBatch) -> [Target] {
    let width = rules(ofList: list.relationship).keyWidth
    var result: [Target] = []
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row {
        result.append(.row(Int(cell.bits)))
        index += 1
      } else {
        var key: [Cell] = []
        for part in 0..<width { key.append(batch.targets[index + part]) }
        result.append(.key(key))
        index += width
      }
    }
    return result
  }
}

extension ValueLimit {
  /// The most bytes of the texts of an identity that an index of a server takes.
  package static let longestIdentity = 2_600
}

/// Values that a database cannot keep as they are: they are left out or cut before the record is written, and told.
extension WorkingWriter {
  func applyLimits(to records: [Int], _ batch: inout RowBatch) {
    // One look at all bytes of a batch saves a look at each text.
    let mayHaveZero = records.count * 4 < batch.roots.count || batch.bytes.elements.hasZero
    for record in records {
      for row in batch.roots[record]..<batch.end(ofRecord: record) where batch.rows[row].state != .skipped {
        applyLimits(toRow: row, &batch, mayHaveZero: mayHaveZero)
      }
    }
  }

  private func applyLimits(toRow row: Int, _ batch: inout RowBatch, mayHaveZero: Bool) {
    let model = model(of: batch.rows[row].entity)
    for (index, slot) in model.dates
    where batch[row, slot].kind == .text && batch[row, slot].count > Self.dateLength {
      batch[row, slot] = cut(batch[row, slot], batch)
      add(.attributeNotKept(attribute: index, .fraction), row: row)
    }
    if mayHaveZero { leaveOutTextsWithZero(ofRow: row, model, &batch) }
    if model.hasTextKey { applyLimit(toKeyOf: row, model, &batch) }
    for key in model.foreignKeys where key.hasText && !key.relationship.isIdentity {
      applyLimits(to: key, row, &batch)
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      if rules(ofList: batch.lists[next].relationship).hasTextKeys { applyLimits(toList: next, row, &batch) }
      next = batch.lists[next].next
    }
  }

  private func leaveOutTextsWithZero(ofRow row: Int, _ model: EntityModel, _ batch: inout RowBatch) {
    for (index, slot) in model.texts
    where batch[row, slot].kind == .text && batch.bytes(of: batch[row, slot]).hasZero {
      batch[row, slot] = .absent
      add(.attributeNotKept(attribute: index, .zero), row: row)
      if model.keySlots.contains(slot) { batch.rows[row].state = .skipped }
    }
  }

  private func applyLimit(toKeyOf row: Int, _ model: EntityModel, _ batch: inout RowBatch) {
    var bytes = 0
    for slot in model.keySlots where batch[row, slot].kind == .text {
      bytes += Int(batch[row, slot].count)
    }
    guard bytes > ValueLimit.longestIdentity else { return }
    for slot in model.layout.keySlots { batch[row, slot] = .absent }
    batch.rows[row].state = .skipped
    let attribute = model.layout.entity.identityAttributes.first ?? 0
    add(.attributeNotKept(attribute: attribute, .identity(bytes: bytes)), row: row)
  }

  private func applyLimits(to key: EntityModel.ForeignKey, _ row: Int, _ batch: inout RowBatch) {
    guard has(row, key.slots[0], batch), let limit = limit(ofKey: cells(row, key.slots, batch), batch) else {
      return
    }
    for slot in key.slots { batch[row, slot] = .absent }
    add(.linkNotKept(relationship: key.relationship.index, limit), row: row)
  }

  /// A list that names what cannot be kept is not used; the objects in it are written all the same.
  private func applyLimits(toList index: Int, _ row: Int, _ batch: inout RowBatch) {
    let list = batch.lists[index]
    var ownerBytes = 0
    // A link has the keys of both its ends in one index.
    if case .join = layout.relationships[list.relationship] { ownerBytes = textBytes(ofKeyOf: row, batch) }
    for target in targets(list, batch) {
      var found: ValueLimit?
      switch target {
      case .key(let key): found = limit(ofKey: key, batch, beside: ownerBytes)
      case .row(let row) where ownerBytes > 0:
        let bytes = ownerBytes + textBytes(ofKeyOf: row, batch)
        if bytes > ValueLimit.longestIdentity { found = .identity(bytes: bytes) }
      case .row: break
      }
      guard let found else { continue }
      batch.lists[index].isRejected = true
      return add(.linkNotKept(relationship: list.relationship, found), row: row)
    }
  }

  private func textBytes(ofKeyOf row: Int, _ batch: borrowing RowBatch) -> Int {
    var bytes = 0
    for slot in model(of: batch.rows[row].entity).keySlots where batch[row, slot].kind == .text {
      bytes += Int(batch[row, slot].count)
    }
    return bytes
  }

  private func limit(
    ofKey cells: [Cell], _ batch: borrowing RowBatch, beside others: Int = 0
  ) -> ValueLimit? {
    var bytes = others
    for cell in cells where cell.kind == .text {
      if batch.bytes(of: cell).hasZero { return .zero }
      bytes += Int(cell.count)
    }
    return bytes > ValueLimit.longestIdentity ? .identity(bytes: bytes) : nil
  }

  /// The length of `1981-11-13 20:15:00.123456`.
  private static var dateLength: Int { 26 }

  /// A moment without the digits of the second behind the sixth, and without zeros at the end.
  private func cut(_ cell: Cell, _ batch: borrowing RowBatch) -> Cell {
    var cell = cell
    cell.count = UInt32(Self.dateLength)
    let bytes = batch.bytes(of: cell)
    while let last = bytes.prefix(Int(cell.count)).last,
      last == UInt8(ascii: "0") || last == UInt8(ascii: ".")
    {
      cell.count -= 1
      if last == UInt8(ascii: ".") { break }
    }
    return cell
  }
}

/// Runs what is written by recursion on threads that wait for each other, each for some levels, so that the depth of a record
/// does not use up the stack of a thread. A level takes up to 13 kB in a debug build.
enum DeepRecursion {
  /// For how many levels of nested rows any thread has room, one with 512 kB too.
  private static let levelsOfAny = 20
  private static let levels = 1_000
  private static let size = levels * 20 << 10

  /// Whether a row goes to a new thread that is nested in so many others.
  static func isNeeded(at depth: Int) -> Bool {
    depth == levelsOfAny || depth > levelsOfAny && (depth - levelsOfAny).isMultiple(of: levels)
  }

  /// Runs `body` on a new thread, and waits for it.
  ///
  /// - Throws: ``SystemError`` if the system gives no thread.
  static func run(_ body: () -> Void) throws(SystemError) { try StackThread.run(stackSize: size, body) }
}
