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
      // What turns into another kind has nothing of what only the former had.
      for (column, slot) in zip(table.columns, layout.slotOfColumn) where slot < 0 && !column.isKey {
        settings.append("\(SQL.quoted(column.name)) = NULL")
      }
    }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
  }
}
