import Bytes
import ObjectModel
package import ObjectStore

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
