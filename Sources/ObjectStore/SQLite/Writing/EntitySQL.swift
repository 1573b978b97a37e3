import Bytes
import ObjectModel

/// The statements that write the rows of an entity. Arguments are the slots, in order.
struct EntitySQL {
  let layout: EntityLayout
  let table: Table

  private var name: String { SQL.quoted(table.name) }
  private var slotNames: [String] { layout.slots.map { table.columns[$0].name } }
  private var keyNames: [String] { table.key.map { table.columns[$0].name } }

  private var lookupColumns: String {
    (["rowid"] + (table.kindColumn.map { [SQL.quoted($0)] } ?? []) + slotNames.map(SQL.quoted))
      .joined(separator: ", ")
  }

  /// `INSERT … ON CONFLICT (key) DO NOTHING`
  var insertion: String {
    var columns = slotNames
    var values = (0..<columns.count).map { "?\($0 + 1)" }
    if let kind = table.kindColumn {
      columns.append(kind)
      values.append(SQL.literal(layout.entity.name))
    }
    if table.holdsMixedKeys, let row = table.rowIDColumn, !layout.entity.hasIdentity {
      // The number that the row gets.
      let next = "(SELECT coalesce(max(\(SQL.quoted(row))), 0) + 1 FROM \(name))"
      columns += [row] + keyNames
      values += [next, next]
    }
    guard !columns.isEmpty else { return "INSERT INTO \(name) DEFAULT VALUES" }
    return "INSERT INTO \(name) (\(SQL.list(columns))) VALUES (\(values.joined(separator: ", ")))"
      + " ON CONFLICT (\(SQL.list(keyNames))) DO NOTHING"
  }

  /// The row id, the kind where rows have one, then the slots of the row with a key.
  var lookup: String {
    "SELECT \(lookupColumns) FROM \(name) WHERE \(SQL.equal(keyNames))"
  }

  /// As ``lookup``, of all rows with greater keys, in order; nil for keys of several columns.
  var scan: String? {
    guard let key = keyNames.first, keyNames.count == 1, layout.entity.hasIdentity else { return nil }
    return "SELECT \(lookupColumns) FROM \(name) WHERE \(SQL.quoted(key)) > ?1"
      + " ORDER BY \(SQL.quoted(key))"
  }

  /// Where the slots begin in the columns of ``lookup``.
  var firstSlotColumn: Int { table.kindColumn == nil ? 1 : 2 }

  /// Sets all slots; a statement without effect where there are none.
  var replacement: String {
    guard !layout.slots.isEmpty else { return "SELECT ?1" }
    var all = SlotSet()
    for slot in layout.slots.indices { all.insert(slot) }
    return update(all)
  }

  /// Sets some slots, from argument 2 on, of the row whose row id is argument 1. The slot behind the last
  /// stands for the kind.
  func update(_ slots: SlotSet) -> String {
    var settings = slotNames.enumerated().filter { slots.contains($0.offset) }
      .map { "\(SQL.quoted($0.element)) = ?\($0.offset + 2)" }
    if let kind = table.kindColumn, slots.contains(slotNames.count) {
      settings.append("\(SQL.quoted(kind)) = \(SQL.literal(layout.entity.name))")
      // An object that turns into another kind loses the values that only the former kind has.
      for (column, slot) in zip(table.columns, layout.slotOfColumn) where slot < 0 && !column.isKey {
        settings.append("\(SQL.quoted(column.name)) = NULL")
      }
    }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
  }
}

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

/// Defaults as values of statements.
extension DefaultCells {
  func bind(_ slot: Int, to statement: PreparedStatement, at index: Int) {
    let cell = cells[slot]
    switch cell.kind {
    case .integer: statement.bind(cell.integerValue, at: index)
    case .real: statement.bind(cell.realValue, at: index)
    case .text: statement.bind(text: bytes.base + cell.offset, count: Int(cell.count), at: index)
    default: statement.bindNull(at: index)
    }
  }

  /// Whether a column of a statement's row holds the default, or null where there is none.
  func equals(_ slot: Int, _ statement: PreparedStatement, column: Int) -> Bool {
    let cell = cells[slot]
    switch cell.kind {
    case .integer:
      return statement.storage(column) == .integer && statement.integer(column) == cell.integerValue
    case .real: return statement.storage(column) == .real && statement.double(column) == cell.realValue
    case .text:
      return statement.storage(column) == .text && statement.text(column).elementsEqual(text(of: cell))
    default: return statement.isNull(column)
    }
  }
}
