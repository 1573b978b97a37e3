import Bytes

/// Rows of which only one is written: a JSON object that does not tell its kind, read as one of each kind that it may be
/// of. The store knows which it is, once all that came before is written.
package struct KindChoice: Sendable {
  /// The row of the object as one of the entity that is expected, and the end of the rows that it nests.
  package var row: Int
  package var end: Int
  /// The same object as one of sub-entities.
  package var others: [Other] = []

  package init(row: Int, end: Int) { (self.row, self.end) = (row, end) }

  package struct Other: Sendable {
    package var entity: Int
    /// The row and those that it nests.
    package var rows: Range<Int>
    package var cells: Range<Int>
    package var targets: Range<Int>
    package var lists: Range<Int>

    /// - Parameter before: How much the batch had before the object was read in this way.
    package init(entity: Int, from before: RowBatch.Extent, to after: RowBatch.Extent) {
      self.entity = entity
      rows = before.rows..<after.rows
      cells = before.cells..<after.cells
      targets = before.targets..<after.targets
      lists = before.lists..<after.lists
    }
  }
}

extension RowBatch {
  /// How many rows, cells, targets and lists a batch has.
  package struct Extent: Sendable {
    package let rows: Int
    fileprivate let cells: Int
    fileprivate let targets: Int
    fileprivate let lists: Int
  }

  package var extent: Extent {
    Extent(rows: rows.count, cells: cells.count, targets: targets.count, lists: lists.count)
  }

  /// Has one of the rows of a choice written in the place of the first, and the others not.
  ///
  /// - Parameter chosen: The place among the others; nil for the first row itself.
  package mutating func decide(_ choice: KindChoice, _ chosen: Int?) {
    for (place, other) in choice.others.enumerated() where place != chosen { leaveOut(other.rows) }
    guard let chosen else { return }
    leaveOut(choice.row + 1..<choice.end)
    let other = choice.others[chosen]
    let row = other.rows.lowerBound
    for index in other.cells where isKey(cells.base[index], of: row) {
      cells[index].bits = UInt64(choice.row)
    }
    for index in other.targets where isKey(targets.base[index], of: row) {
      targets[index].bits = UInt64(choice.row)
    }
    for index in other.rows where rows.base[index].parent == row { rows[index].setParent(choice.row) }
    for index in other.lists where lists.base[index].owner == row { lists[index].owner = choice.row }
    let parent = rows.base[choice.row].parent
    rows[choice.row] = rows.base[row]
    rows[choice.row].setParent(parent)
    // The row itself is left out now; its cells and lists are those of the first.
    leaveOut(row..<row + 1)
  }

  private func isKey(_ cell: Cell, of row: Int) -> Bool { cell.kind == .row && Int(cell.bits) == row }

  private mutating func leaveOut(_ left: Range<Int>) {
    for row in left where rows.base[row].state == .object { rows[row].state = .reference }
  }
}
