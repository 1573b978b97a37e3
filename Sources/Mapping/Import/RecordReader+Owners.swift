import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Objects whose identity names others, their owners.
extension RecordReader {
  /// Takes the owner of an object from the place where it is nested, if the object does not say it itself.
  ///
  /// - Parameter list: The relationship by which another object nests it.
  mutating func takeOwner(of row: Int, _ entity: EntityPlan, nestedBy list: Int) {
    let parent = batch.rows.rows[row].parent
    guard parent >= 0, list >= 0 else { return }
    for owner in entity.owners where owner.inverse == list {
      for (part, slot) in owner.slots.enumerated() where !cell(row, slot).isPresent {
        setCell(row, slot, to: .row(parent, part: part))
      }
    }
  }

  /// What kind of value an object's identity has in a slot: a value of another row that is still being read counts as one.
  func identityKind(_ row: Int, _ slot: Int) -> Cell.Kind {
    var (cell, holder) = (cell(row, slot), row)
    while cell.kind == .row {
      holder = Int(cell.bits)
      let slots = plan.entities[batch.rows.rows[holder].entity].layout.keySlots
      guard Int(cell.count) < slots.count else { return .absent }
      cell = self.cell(holder, slots[Int(cell.count)])
    }
    // The objects around an object are finished after it.
    let isOpen = holder < row && cell.kind == .absent && isAround(holder, row)
    return isOpen ? .row : cell.kind
  }

  /// Whether a row is one of those around another.
  private func isAround(_ holder: Int, _ row: Int) -> Bool {
    var around = batch.rows.rows[row].parent
    while around > holder { around = batch.rows.rows[around].parent }
    return around == holder
  }

  /// Whether an object has nested, for its identity, an object that says more than its own identity.
  func nestsOwner(_ entity: EntityPlan, _ row: Int) -> Bool {
    entity.owners.contains { owner in
      guard let slot = owner.slots.first, cell(row, slot).kind == .row else { return false }
      let target = Int(cell(row, slot).bits)
      return target > row && batch.rows.rows[target].state == .object
    }
  }

  /// Skips the objects that a row nests and that lack an identity since the row has none.
  mutating func skipOwned(by row: Int) {
    for nested in row + 1..<max(row + 1, batch.rows.rows.count) {
      let entity = plan.entities[batch.rows.rows[nested].entity]
      guard batch.rows.rows[nested].state != .skipped, let owner = missingOwner(of: nested, entity) else {
        continue
      }
      batch.rows.rows[nested].state = .skipped
      let name = plan.entities[owner.destination].entity.name
      report(
        nested, key: owner.key, expected: "a \(name) with an identity", found: "one without",
        action: "object skipped")
    }
  }

  /// The owner of a row that has no identity; nil if there is none.
  private func missingOwner(of row: Int, _ entity: EntityPlan) -> EntityPlan.Owner? {
    entity.owners.first { owner in
      owner.slots.contains { slot in
        let kind = batch.rows.resolved(cell(row, slot), plan.layout).kind
        return kind == .absent || kind == .null
      }
    }
  }

  /// Adds a row for an object that its owner's list names by the rest of its identity, a scalar whose token was just
  /// read. False if it cannot be that.
  mutating func pushOwned(
    _ token: JSONToken, _ relationship: RelationshipPlan, parent: Int, step: PathStep, position: Int
  ) -> Bool {
    let target = plan.entities[relationship.destination]
    guard token != .null, relationship.key.count > 1,
      let index = target.openAttribute(nestedBy: relationship.relationship.index)
    else { return false }
    let attribute = target.attributes[index]
    let integer = token == .number && json.numberIsInteger ? json.integer : nil
    let cell =
      if let transformers = attribute.transformers {
        keyCell(token, attribute.conversion, transformers)
      } else {
        attribute.conversion.cell(for: token, json.text, integer: integer, in: &batch.rows)
      }
    guard let cell, cell.kind != .null else { return false }
    let row = addRow(target, parent: parent, step: step, position: position)
    setCell(row, attribute.slot, to: cell)
    takeOwner(of: row, target, nestedBy: relationship.relationship.index)
    batch.rows.rows[row].state = .reference
    targets.append(.row(row, part: 0))
    return true
  }
}
