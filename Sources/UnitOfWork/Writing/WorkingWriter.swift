import Bytes
package import ObjectModel
package import ObjectStore

/// Writes the records of batches one after another into the state of a transaction.
///
/// The front of engines with an identity map. Records are written by ``RecordWriter`` over ``WorkingRows``; the code
/// here locks, fetches together what that will look for, leaves out what a database cannot keep, and lets rows of which
/// nothing has to be decided go in bulk.
package final class WorkingWriter: BatchWriter {
  let transaction: any WorkingTransaction
  let state: IdentityMap
  package let layout: Layout
  let rows: WorkingRows
  package let records: RecordWriter<WorkingRows>
  /// By entity, whether and how its rows can go in bulk.
  var bulkEligibilities: [BulkEligibility?] = []
  /// The entities that the transaction was told to lock.
  var locked: Set<Int> = []
  /// The entities of the rows that have come.
  var entities: Set<Int>
  /// By relationship, whether a value of the keys at its ends may be a text.
  private let hasTextKeys: [Bool]
  package var wantedBatchSize: BatchSize?

  package init(
    _ transaction: any WorkingTransaction, _ policy: WritePolicy,
    continuing former: WorkingWriterState? = nil,
    equality: ValueEquality? = nil
  ) {
    let layout = transaction.layout
    self.transaction = transaction
    self.layout = layout
    state = transaction.state
    let context = WriteContext(layout, policy, continuing: former?.context)
    rows = WorkingRows(transaction, context, equality: equality, continuing: former)
    records = RecordWriter(rows, ObjectDeleter(rows, layout, continuing: former?.deleted ?? []))
    entities = former?.entities ?? []
    hasTextKeys = layout.schema.relationships.map { relationship in
      [relationship.owner, relationship.destination].map { layout.table(of: $0) }
        .contains { $0.hasText(in: $0.key) }
    }
  }

  // MARK: - Renaming

  package func rename(_ row: Int64, of entity: SchemaEntity, to identity: [SQLValue]) throws -> RenameOutcome
  {
    try transaction.lock([entity.index])
    try settleBulkRows()
    return try Renaming(rows, records.pendingLinks).rename(row, of: entity, to: identity)
  }

  package func merge(
    _ row: Int64, of entity: SchemaEntity, into identity: [SQLValue], taking properties: Set<String>
  ) throws {
    try Renaming(rows, records.pendingLinks).merge(row, of: entity, into: identity, taking: properties)
    try transaction.recordsWereWritten()
  }
}

/// The state that the writer of one transaction leaves to the next.
package struct WorkingWriterState: ChunkState {
  var context: WriteContext.State
  var references: [UnresolvedReference]
  var deleted: [(entity: String, key: String)]
  var before: ObjectSetSnapshot?
  /// The entities of the rows that have come.
  var entities: Set<Int>
}

/// The columns of an entity's rows whose values a database may not keep, and those by which rows are looked for.
final class EntityModel {
  let layout: EntityLayout
  /// The columns of each uniqueness constraint, and their slots.
  let constraints: [(columns: [Int], slots: [Int])]
  /// The slots of values that may have to be cut, dates, or left out.
  let dates: [(attribute: Int, slot: Int)]
  let texts: [(attribute: Int, slot: Int)]
  /// Whether a value of the key, or of a foreign key, may be a text.
  let hasTextKey: Bool
  let hasTextReferences: Bool

  init(_ index: Int, _ whole: Layout) {
    let layout = whole.entities[index]
    let entity = layout.entity
    self.layout = layout
    let table = whole.tables[layout.table]
    hasTextKey = table.hasText(in: layout.keySlots.map { layout.slots[$0] })
    hasTextReferences = entity.relationships.contains { index in
      guard case .foreignKey(let columns) = whole.relationships[index] else { return false }
      return table.hasText(in: columns)
    }
    let limited = layout.attributeSlots.enumerated().map { (attribute: $0, slot: $1) }
      .filter { StorageType(entity.attributes[$0.attribute].type) == .text }
    dates = limited.filter { entity.attributes[$0.attribute].type == .date }
    texts = limited.filter { entity.attributes[$0.attribute].type != .date }
    let indexes = table.indexes.filter { $0.uniqueFor?.contains(index) ?? false }
    constraints = indexes.map { index in
      let columns = index.columns.map(\.column)
      return (columns, columns.map { layout.slotOfColumn[$0] })
    }.filter { $0.slots.allSatisfy { $0 >= 0 } }
  }
}

extension Table {
  /// Whether a value of some columns may be a text.
  fileprivate func hasText(in columns: [Int]) -> Bool {
    columns.contains { self.columns[$0].storage == .text || self.columns[$0].holdsMixedKeys }
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
    let model = rows.model(of: batch.rows[row].entity)
    for (index, slot) in model.dates
    where batch[row, slot].kind == .text && batch[row, slot].count > Self.dateLength {
      batch[row, slot] = cut(batch[row, slot], batch)
      context.problems.add(.attributeNotKept(attribute: index, .fraction), row: row)
    }
    if mayHaveZero { leaveOutTextsWithZero(ofRow: row, model, &batch) }
    if model.hasTextKey { applyLimit(toKeyOf: row, model, &batch) }
    if model.hasTextReferences {
      for key in records.rules(ofEntity: batch.rows[row].entity).foreignKeys
      where !key.relationship.isIdentity {
        applyLimits(to: key, row, &batch)
      }
    }
    var next = batch.rows[row].firstList
    while next >= 0 {
      if hasTextKeys[batch.lists[next].relationship] { applyLimits(toList: next, row, &batch) }
      next = batch.lists[next].next
    }
  }

  private func leaveOutTextsWithZero(ofRow row: Int, _ model: EntityModel, _ batch: inout RowBatch) {
    for (index, slot) in model.texts
    where batch[row, slot].kind == .text && batch.bytes(of: batch[row, slot]).hasZero {
      batch[row, slot] = .absent
      context.problems.add(.attributeNotKept(attribute: index, .zero), row: row)
      if model.layout.keySlots.contains(slot) { batch.rows[row].state = .skipped }
    }
  }

  private func applyLimit(toKeyOf row: Int, _ model: EntityModel, _ batch: inout RowBatch) {
    var bytes = 0
    for slot in model.layout.keySlots where batch[row, slot].kind == .text {
      bytes += Int(batch[row, slot].count)
    }
    guard bytes > ValueLimit.longestIdentity else { return }
    for slot in model.layout.keySlots { batch[row, slot] = .absent }
    batch.rows[row].state = .skipped
    let attribute = model.layout.entity.identityAttributes.first ?? 0
    context.problems.add(.attributeNotKept(attribute: attribute, .identity(bytes: bytes)), row: row)
  }

  private func applyLimits(to key: ForeignKey, _ row: Int, _ batch: inout RowBatch) {
    var cells: [Cell] = []
    for slot in key.slots { cells.append(batch[row, slot]) }
    guard cells[0].hasValue, let limit = limit(ofKey: cells, batch) else { return }
    for slot in key.slots { batch[row, slot] = .absent }
    context.problems.add(.linkNotKept(relationship: key.relationship.index, limit), row: row)
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
      return context.problems.add(.linkNotKept(relationship: list.relationship, found), row: row)
    }
  }

  private func textBytes(ofKeyOf row: Int, _ batch: borrowing RowBatch) -> Int {
    var bytes = 0
    for slot in layout.entities[batch.rows[row].entity].keySlots where batch[row, slot].kind == .text {
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

extension WorkingWriter {
  /// The targets of a list: rows of the batch, or keys.
  enum Target {
    case row(Int)
    case key([Cell])
  }

  func targets(_ list: LinkList, _ batch: borrowing RowBatch) -> [Target] {
    let width = records.rules(ofList: list.relationship).keyWidth
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
