import Bytes
import ObjectModel

/// Looking at what is stored of a row's object.
extension EntityWriter {
  /// A statement that stands on the stored row that a row is about: the one with its identity, or for an entity
  /// without one the one that it is to take the place of; nil if there is none. ``lookup`` has to be told when it is
  /// not read any more.
  func find(_ row: Int, over existing: Int64?, _ batch: borrowing RowBatch) throws -> PreparedStatement? {
    if isIdentifiedByOthers { return try lookup.find(batch.key(of: row, transaction.layout), batch) }
    if layout.entity.hasIdentity { return try lookup.find(batch.rows[row].firstCell, batch) }
    return try existing.flatMap { try lookup.find(rowID: $0) }
  }

  /// The row of the stored object that has a row's identity; nil if there is none.
  func storedRow(of row: Int, _ batch: borrowing RowBatch) throws -> Int64? {
    guard let found = try find(row, over: nil, batch) else { return nil }
    defer { lookup.endReading(found) }
    return found.integer(0)
  }

  /// The object that a row is about, as it is stored.
  struct StoredVersion {
    let rowID: Int64
    /// Whether its version is newer than the row's.
    let isNewer: Bool
  }

  /// The object that a row is about, as it is stored; nil if it is not there.
  func storedVersion(of step: RowStep, _ batch: borrowing RowBatch) throws -> StoredVersion? {
    guard let found = try find(step.row, over: step.existing, batch) else { return nil }
    defer { lookup.endReading(found) }
    var isNewer = false
    if let slot = versionSlot {
      isNewer = found.column(
        firstSlotColumn + slot, isGreaterThan: batch[step.row, slot],
        isDecimal: table.columns[layout.slots[slot]].type == .decimal, of: batch)
    }
    return StoredVersion(rowID: found.integer(0), isNewer: isNewer)
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
