package import ObjectModel
package import ObjectStore

/// Writing what a program saves and deletes.
extension WorkingWriter {
  package func write(root: Int, to end: Int, over existing: Int64?, of batch: inout RowBatch) throws {
    records.write(root: root, to: end, over: existing, &batch)
    try checkStack()
    try transaction.recordsWereWritten()
  }

  // MARK: - Several objects at once

  package func updateTogether(
    _ query: Query, _ values: [(attribute: Int, value: SQLValue)]
  ) throws -> Int {
    let entity = try layout.entity(named: query.entity)
    let (table, place) = (state.tableIndex(of: entity.index), layout.entities[entity.index])
    let settings = values.map {
      (column: place.slots[place.attributeSlots[$0.attribute]], value: Value($0.value))
    }
    var count = 0
    for row in try transaction.rows(of: query) {
      guard let object = state.tables[table][row],
        settings.contains(where: { object.values[$0.column] != $0.value })
      else { continue }
      state.tables[table].update(row) { object in
        for setting in settings { object.values[setting.column] = setting.value }
      }
      rows.noteChange(of: RowLocation(table: table, row: row))
      count += 1
    }
    try transaction.recordsWereWritten()
    return count
  }

  /// The rules are followed for each object: there is no faster way here.
  package func deleteTogether(_ rows: [Int64], of entity: SchemaEntity) throws -> Bool { false }

  package func deleteObjects(_ rows: [Int64], ofTable table: Int) throws -> [DeferredDeletion] {
    let held = records.deleter.deleteBeforeCheck(rows.map { RowLocation(table: table, row: $0) })
    try transaction.recordsWereWritten()
    return held
  }
}
