import Bytes

/// Keys as text: how reports name objects, and how the store remembers references to objects that are not
/// there. The values of a composite key are joined by commas; a comma or backslash in a value has a backslash
/// before it, if the key has several values.
package enum KeyText {
  package static func joined(_ parts: [String]) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    return parts.map { $0.replacing("\\", with: "\\\\").replacing(",", with: "\\,") }.joined(separator: ",")
  }

  /// The values of a key of several parts.
  package static func split(_ text: String, count: Int) -> [String]? {
    guard count > 1 else { return [text] }
    var parts = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        parts[parts.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "," {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.count == count ? parts : nil
  }

  static func text(of cells: [Cell], _ batch: borrowing RowBatch) -> String {
    var parts: [String] = []
    for cell in cells { parts.append(text(of: cell, batch)) }
    return joined(parts)
  }

  package static func text(of cell: Cell, _ batch: borrowing RowBatch) -> String {
    switch cell.kind {
    case .integer: String(cell.integerValue)
    case .real: String(cell.realValue)
    case .text, .blob: String(decoding: batch.bytes(of: cell), as: UTF8.self)
    case .absent, .null, .row: ""
    }
  }

  /// The key of the row with a row id.
  static func ofRow(_ row: Int64, in table: Table, _ transaction: StoreTransaction) throws -> String {
    let names = SQL.list(table.key.map { table.columns[$0].name })
    let statement = try transaction.prepare(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    guard try statement.step() else { return "" }
    defer { statement.reset() }
    return ofColumns(0..<table.key.count, statement)
  }

  /// The key in columns of a statement's row.
  package static func ofColumns(_ columns: Range<Int>, _ statement: PreparedStatement) -> String {
    joined(columns.map { statement.string($0) })
  }
}
