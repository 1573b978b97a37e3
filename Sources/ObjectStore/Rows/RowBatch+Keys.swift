import Bytes
import ObjectModel

/// Keys that have values of other rows in them: of the rows of the objects that an identity names.
extension RowBatch {
  /// What a cell of a key says, the value of another row put in its place; absent or null if that row has none.
  @inline(__always)
  package func resolved(_ cell: Cell, _ layout: Layout) -> Cell {
    cell.kind == .row ? value(behind: cell, layout) : cell
  }

  @inline(never)
  private func value(behind cell: Cell, _ layout: Layout) -> Cell {
    var cell = cell
    // Identities lead in no circle, so this ends.
    while cell.kind == .row {
      let row = Int(cell.bits)
      let slots = layout.entities[rows[row].entity].keySlots
      guard Int(cell.count) < slots.count else { return .absent }
      cell = self[row, slots[Int(cell.count)]]
    }
    cell.link = .unknown
    return cell
  }

  /// A row's key; absent or null where it lacks a value.
  package func key(of row: Int, _ layout: Layout) -> [Cell] {
    var key: [Cell] = []
    for slot in layout.entities[rows[row].entity].keySlots { key.append(resolved(self[row, slot], layout)) }
    return key
  }

  /// Whether two cells hold the same value.
  package func equal(_ first: Cell, _ second: Cell) -> Bool {
    guard first.kind == second.kind else { return false }
    switch first.kind {
    case .text, .blob: return bytes(of: first).elementsEqual(bytes(of: second))
    case .absent, .null: return true
    case .integer, .real, .row: return first.bits == second.bits
    }
  }
}
