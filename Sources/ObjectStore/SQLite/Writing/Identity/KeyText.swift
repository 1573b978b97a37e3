import Bytes

/// Keys as text: how reports name objects, and how the store remembers references to objects that are not
/// there. The values of a composite key are joined by commas; a comma or backslash in a value has a backslash
/// before it, if the key has several values.
package enum KeyText {
  package static func joined(_ parts: [String]) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    return parts.map(escaped).joined(separator: ",")
  }

  private static func escaped(_ part: String) -> String {
    var bytes: [UInt8] = []
    for byte in part.utf8 {
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The values of a key of several parts.
  package static func split(_ text: String, count: Int) -> [String]? {
    guard count > 1 else { return [text] }
    let parts = parts(text)
    return parts.count == count ? parts : nil
  }

  /// The values of a key of several parts, however many they are.
  static func parts(_ text: String) -> [String] {
    // By bytes, since a combining character behind a comma would make one character of both.
    var parts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped || (byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ",")) {
        parts[parts.count - 1].append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: ",") {
        parts.append([])
      } else {
        isEscaped = true
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
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

  /// A key as text, by its parts as the store keeps them.
  package static func text(of key: [SQLValue]) -> String {
    joined(
      key.map { part in
        switch part {
        case .null: ""
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): text
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
      })
  }

  /// The key of the row with a row id.
  static func ofRow(_ row: Int64, in table: Table, _ transaction: SQLiteTransaction) throws -> String {
    let names = SQL.list(table.key.map { table.columns[$0].name })
    let statement = try transaction.cached(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE rowid = ?1")
    statement.bind(row, at: 1)
    guard try statement.step() else { return "" }
    defer { statement.reset() }
    return ofColumns(0..<table.key.count, statement)
  }

  /// The key in columns of a statement's row.
  package static func ofColumns(_ columns: Range<Int>, _ statement: any Cursor) -> String {
    joined(columns.map { statement.string($0) })
  }
}
