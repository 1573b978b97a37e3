import Bytes
import ObjectModel

/// The keys of the rows of a batch, which other rows refer to.
extension RowWriter {
  /// The part of another row's key that a cell stands for; absent if that row is not to be.
  func resolved(_ cell: Cell, of batch: borrowing RowBatch) -> Cell {
    guard cell.kind == .row else { return cell }
    return keyCell(of: Int(cell.bits), part: Int(cell.count), of: batch)
  }

  /// A part of a row's key; absent if the row was skipped without its key being known.
  func keyCell(of row: Int, part: Int, of batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard header.state != .skipped || isSkippedReference(row, batch) else { return .absent }
    let layout = transaction.layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return .integer(header.rowID) }
    var cell = batch[row, layout.keySlots[part]]
    if header.state == .object || header.isDuplicate { cell.link = .exists }
    return cell
  }

  /// Whether a row is an object that was skipped, though its key is known: then it is as good as a reference.
  func isSkippedReference(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    let header = batch.rows[row]
    guard header.state == .skipped else { return false }
    let slots = transaction.layout.entities[header.entity].keySlots
    for slot in slots where batch[row, slot].kind == .absent || batch[row, slot].kind == .null {
      return false
    }
    return !slots.isEmpty
  }

  /// A part of the key of a row whose object is in the JSON, be it usable or not.
  func knownKeyCell(of row: Int, part: Int, of batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard header.state == .skipped else { return keyCell(of: row, part: part, of: batch) }
    return batch[row, transaction.layout.entities[header.entity].keySlots[part]]
  }

  /// The key of a row whose object is in the JSON, be it usable or not.
  func knownKey(of row: Int, _ batch: borrowing RowBatch) -> [Cell] {
    let slots = transaction.layout.entities[batch.rows[row].entity].keySlots
    var key: [Cell] = []
    for slot in slots { key.append(batch[row, slot]) }
    return key
  }

  /// A row's whole key; nil if the row was skipped.
  func key(of row: Int, _ batch: borrowing RowBatch) -> [Cell]? {
    let header = batch.rows[row]
    guard header.state != .skipped else { return nil }
    let layout = transaction.layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return [.integer(header.rowID)] }
    var key: [Cell] = []
    key.reserveCapacity(layout.keySlots.count)
    for part in layout.keySlots.indices { key.append(keyCell(of: row, part: part, of: batch)) }
    return key
  }
}
