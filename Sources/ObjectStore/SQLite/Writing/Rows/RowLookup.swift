import Bytes

/// Finds the rows of an entity by key.
///
/// Imports often list objects in the order of their keys. Once a few have been found one by one, a scan follows
/// them in that order, which spares the way down the tree for each; when it comes upon another row than the
/// wanted one, looking up goes on one by one, for longer each time.
final class RowLookup {
  private let transaction: SQLiteTransaction
  private let single: PreparedStatement
  private let scanSQL: String?
  private let keySlots: [Int]
  /// The column of the key in both statements.
  private let keyColumn: Int
  private var scan: PreparedStatement?
  private var isScanning = false
  /// How many rows to find one by one before the next scan, and how many of them are left.
  private var pause = 8
  private var rest = 8

  init(_ sql: EntitySQL, keySlots: [Int], _ transaction: SQLiteTransaction) throws {
    self.transaction = transaction
    single = try transaction.cached(sql.lookup)
    scanSQL = sql.scan
    self.keySlots = keySlots
    keyColumn = sql.firstSlotColumn + (keySlots.first ?? 0)
  }

  /// A statement that stands on the row whose key is in the identity's cells; nil if there is none. The
  /// caller must tell ``endReading(_:)`` when it is done.
  func find(_ first: Int, _ batch: borrowing RowBatch) throws -> PreparedStatement? {
    if isScanning, let scan {
      let key = batch.cells.base[first + keySlots[0]]
      if try scan.step(), scan.column(keyColumn, equals: key, of: batch) { return scan }
      stopScanning()
    }
    for index in 0..<keySlots.count {
      single.bind(batch.cells.base[first + keySlots[index]], of: batch, at: index + 1)
    }
    guard try single.step() else { return nil }
    rest -= 1
    if rest == 0 { try startScanning() }
    return single
  }

  /// A statement that stands on the row with a key; nil if there is none.
  func find(_ key: [Cell], _ batch: borrowing RowBatch) throws -> PreparedStatement? {
    for (index, cell) in key.enumerated() { single.bind(cell, of: batch, at: index + 1) }
    return try single.step() ? single : nil
  }

  /// A statement that stands on the row with a row id; nil if there is none.
  func find(rowID: Int64) throws -> PreparedStatement? {
    single.bind(rowID, at: 1)
    return try single.step() ? single : nil
  }

  /// To be called when a row which was found is not read any more.
  func endReading(_ statement: PreparedStatement) {
    if statement === single { single.reset() }
  }

  // MARK: - Scanning

  /// Begins a scan behind the row that was just found.
  private func startScanning() throws {
    guard let scanSQL else { return }
    let scan = try self.scan ?? transaction.cached(scanSQL)
    self.scan = scan
    if single.storage(keyColumn) == .integer {
      scan.bind(single.integer(keyColumn), at: 1)
    } else if single.storage(keyColumn) == .text {
      scan.bind(single.string(keyColumn), at: 1)
    } else {
      return
    }
    isScanning = true
  }

  private func stopScanning() {
    scan?.reset()
    isScanning = false
    pause = min(pause * 2, 1 << 16)
    rest = pause
  }
}
