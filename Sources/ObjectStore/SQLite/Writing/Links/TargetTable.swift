import Bytes

/// The table that references of one entity lead to.
final class TargetTable {
  private let existence: PreparedStatement
  /// Keys that are there, by a few bits of their hashes, so that thousands of references to one object take one
  /// look.
  private var known = [[UInt8]](repeating: [], count: 4096)
  private var scratch: [UInt8] = []

  init(_ table: Table, condition: String?, _ transaction: SQLiteTransaction) throws {
    let keys = table.key.map { table.columns[$0].name }
    let name = SQL.quoted(table.name)
    existence = try transaction.cached(
      "SELECT 1 FROM \(name) WHERE \(SQL.equal(keys))" + (condition.map { " AND \($0)" } ?? ""))
  }

  func contains(_ key: [Cell], _ batch: borrowing RowBatch) throws -> Bool {
    var hash = Hash()
    for cell in key {
      if cell.kind == .text { hash.combine(batch.bytes(of: cell)) } else { hash.combine(cell.bits) }
    }
    let place = hash.value & 4095
    encode(key, batch)
    if known[place] == scratch { return true }
    for (index, cell) in key.enumerated() { existence.bind(cell, of: batch, at: index + 1) }
    guard try existence.step() else { return false }
    existence.reset()
    known[place].removeAll(keepingCapacity: true)
    known[place].append(contentsOf: scratch)
    return true
  }

  /// Writes a key to ``scratch``, so that equal keys, and no others, give equal bytes.
  private func encode(_ key: [Cell], _ batch: borrowing RowBatch) {
    scratch.removeAll(keepingCapacity: true)
    for cell in key {
      scratch.append(cell.kind.rawValue)
      if cell.kind == .text {
        withUnsafeBytes(of: cell.count) { scratch.append(contentsOf: $0) }
        scratch.append(contentsOf: batch.bytes(of: cell))
      } else {
        withUnsafeBytes(of: cell.bits) { scratch.append(contentsOf: $0) }
      }
    }
  }
}
