import Bytes
import ObjectModel
import ObjectStore

/// Objects without identity are known once those are fetched that they belong to.
extension WorkingWriter {
  /// Whether any object has parts.
  var hasParts: Bool { layout.schema.relationships.contains(where: layout.leadsToParts) }

  /// Fetches the parts that objects have, and what hangs on those that go. All objects with identity have been fetched.
  ///
  /// - Parameter listed: The relationships whose lists the records have, which were fetched.
  func fetchParts(of records: [Int], listed: Set<Int>, _ batch: borrowing RowBatch) {
    var found = StoredParts()
    for record in records {
      for row in batch.roots[record]..<batch.end(ofRecord: record) { addParts(of: row, to: &found, batch) }
    }
    let deeper = fetchPartsOfParts(found.all, listed)
    if found.losesPartsOfParts { found.going += deeper }
    fetchForDeletion(found.going)
  }

  /// Parts that are in the store, and those of them that the records lack.
  private struct StoredParts {
    var all: [RowLocation] = []
    var going: [RowLocation] = []
    /// Whether a part says that it has no part. Which one of the stored parts it is shows later.
    var losesPartsOfParts = false
  }

  private func addParts(of row: Int, to found: inout StoredParts, _ batch: borrowing RowBatch) {
    let model = model(of: batch.rows[row].entity)
    if !model.hasIdentity {
      for key in model.foreignKeys where key.leadsToPart && batch[row, key.slots[0]].kind == .null {
        found.losesPartsOfParts = true
      }
      return
    }
    guard let owner = find(RowStep(row: row), model, batch)?.row else { return }
    for key in model.foreignKeys where key.leadsToPart {
      let kind = batch[row, key.slots[0]].kind
      guard kind == .null || kind == .row,
        let part = storedReference(of: RowStep(row: row), key, model, batch)
      else { continue }
      let place = RowLocation(table: state.tableIndex(of: key.relationship.destination), row: part)
      found.all.append(place)
      if kind == .null { found.going.append(place) }
    }
    for list in lists(row, batch) {
      let relationship = state.relationship(list.relationship)
      guard layout.leadsToParts(relationship) else { continue }
      let parts = state.places(of: relationship, RowLocation(table: model.layout.table, row: owner))
      found.all += parts
      if !merges(list) { found.going += parts.dropFirst(list.count) }
    }
  }

  /// Fetches parts with all their parts, and returns these.
  private func fetchPartsOfParts(_ parts: [RowLocation], _ listed: Set<Int>) -> [RowLocation] {
    var (level, result): ([RowLocation], [RowLocation]) = (parts, [])
    for _ in 0..<Self.deepest where !level.isEmpty {
      fetch { needed in for place in level { needed.add(place) } }
      level = level.flatMap { partsOfPart($0, listed) }
      result += level
    }
    return result
  }

  private func partsOfPart(_ place: RowLocation, _ listed: Set<Int>) -> [RowLocation] {
    guard let object = state.object(place) else { return [] }
    var result: [RowLocation] = []
    for index in layout.schema.entities[object.entity].relationships {
      let relationship = state.relationship(index)
      guard layout.leadsToParts(relationship) else { continue }
      if case .foreignKey(let columns) = layout.relationships[index] {
        guard case .integer(let row) = object.values[columns[0]] else { continue }
        result.append(RowLocation(table: state.tableIndex(of: relationship.destination), row: row))
      } else if listed.contains(index) {
        result += state.places(of: relationship, place)
      }
    }
    return result
  }
}
