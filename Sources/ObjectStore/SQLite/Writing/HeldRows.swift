import Bytes
import ObjectModel

/// Why an object is not written though nothing is wrong with it.
enum HoldReason {
  /// What the store has is newer.
  case outdated
  /// The import may not insert, or not update.
  case excluded
  /// A program has changed it, and the server has not been told yet.
  case unsent
}

extension RowWriter {
  /// Whether rows of an entity may have to be held back.
  func isGated(_ writer: EntityWriter) -> Bool {
    (writer.versionSlot != nil && !policy.isLocal) || !policy.operations.isSuperset(of: [.insert, .update])
  }

  /// Holds a row back if the store has a newer one, or if it is not to be inserted or updated. False if it may
  /// be written.
  ///
  /// What it nests and has an identity of its own is looked at all the same.
  func holdBack(
    _ row: Int, over existing: Int64?, _ writer: EntityWriter, of batch: inout RowBatch
  ) throws -> Bool {
    let current = try writer.current(row, over: existing, of: batch)
    let reason: HoldReason
    switch current {
    case nil where !policy.operations.contains(.insert): reason = .excluded
    case .some where !policy.operations.contains(.update): reason = .excluded
    case (_, isNewer: true)?: reason = .outdated
    default: return false
    }
    batch.rows[row].isHeld = true
    // An object that is there can be referred to; one that is not counts as one that was skipped.
    batch.rows[row].state = current == nil || !writer.layout.entity.hasIdentity ? .skipped : .reference
    if let current { batch.rows[row].rowID = current.rowID }
    tally.count(
      reason, row: current?.rowID, entity: writer.layout.entity.index, table: writer.layout.table)
    scheduleIndependentParts(of: row, writer, &batch)
    return true
  }
}

extension EntityWriter {
  /// The row id of the object that a row is about, and whether the store's version of it is newer; nil if it is
  /// not there.
  func current(
    _ row: Int, over existing: Int64?, of batch: borrowing RowBatch
  ) throws -> (rowID: Int64, isNewer: Bool)? {
    guard let found = try find(row, over: existing, batch) else { return nil }
    defer { lookup.leave(found) }
    let isNewer = versionSlot.map { slot in
      found.column(
        firstSlotColumn + slot, isGreaterThan: batch[row, slot],
        isDecimal: table.columns[layout.slots[slot]].type == .decimal, of: batch)
    }
    return (found.integer(0), isNewer ?? false)
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
