import Bytes
import ObjectModel

/// The keys of the rows of a batch, which other rows refer to.
extension WriteContext {
  /// The part of another row's key that a cell stands for; absent if that row is not to be.
  func resolved(_ cell: Cell, of batch: borrowing RowBatch) -> Cell {
    guard cell.kind == .row else { return cell }
    return keyCell(of: Int(cell.bits), part: Int(cell.count), of: batch)
  }

  /// A part of a row's key; absent if the row was skipped without its key being known.
  func keyCell(of row: Int, part: Int, of batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard header.state != .skipped || isSkippedReference(row, batch) else { return .absent }
    let layout = layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return .integer(header.rowID) }
    var cell = batch[row, layout.keySlots[part]]
    // Asked first, since to pass the layout on counts references.
    if cell.kind == .row { cell = batch.resolved(cell, self.layout) }
    if header.state == .object || header.isDuplicate { cell.link = .exists }
    return cell
  }

  /// A row's whole key; nil if the row was skipped.
  func key(of row: Int, _ batch: borrowing RowBatch) -> [Cell]? {
    let header = batch.rows[row]
    guard header.state != .skipped else { return nil }
    let layout = layout.entities[header.entity]
    guard layout.entity.hasIdentity else { return [.integer(header.rowID)] }
    var key: [Cell] = []
    key.reserveCapacity(layout.keySlots.count)
    for part in layout.keySlots.indices { key.append(keyCell(of: row, part: part, of: batch)) }
    return key
  }

  // MARK: - Rows that were skipped

  /// Whether a row is an object that was skipped, though its key is known: then it is as good as a reference.
  func isSkippedReference(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    let header = batch.rows[row]
    guard header.state == .skipped else { return false }
    let slots = layout.entities[header.entity].keySlots
    for slot in slots {
      let kind = batch.resolved(batch[row, slot], layout).kind
      if kind == .absent || kind == .null { return false }
    }
    return !slots.isEmpty
  }

  /// Whether a row stands for no object: it was skipped, and its key is not known.
  func isUnknown(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
    batch.rows[row].state == .skipped && !isSkippedReference(row, batch)
  }

  /// A part of the key that a row's cells say, be the row usable or not.
  func declaredKeyCell(of row: Int, part: Int, of batch: borrowing RowBatch) -> Cell {
    let header = batch.rows[row]
    guard header.state == .skipped else { return keyCell(of: row, part: part, of: batch) }
    return batch.resolved(batch[row, layout.entities[header.entity].keySlots[part]], layout)
  }

  /// The key that a row's cells say, be the row usable or not.
  func declaredKey(of row: Int, _ batch: borrowing RowBatch) -> [Cell] { batch.key(of: row, layout) }

  /// The keys of the owners of a part that come before the owner by a relationship, as its cells say them; empty
  /// if they name none.
  func precedingOwnerKey(
    of row: Int, _ relationship: SchemaRelationship, _ batch: borrowing RowBatch
  ) -> String {
    let preceding = layout.precedingOwners(of: relationship)
    guard !preceding.isEmpty else { return "" }
    let entity = layout.entities[batch.rows[row].entity]
    var parts: [String] = []
    for columns in preceding {
      for column in columns where entity.slotOfColumn[column] >= 0 {
        let cell = resolved(batch[row, entity.slotOfColumn[column]], of: batch)
        parts.append(KeyText.text(of: cell, batch))
      }
    }
    return parts.allSatisfy(\.isEmpty) ? "" : KeyText.joined(parts)
  }
}
