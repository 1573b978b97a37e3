import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Values from outside that the objects at the top of the JSON get.
extension RecordReader {
  /// Whether an object gets them: one at the top, or one that is imported into a relationship of an object of the store.
  func takesAdditions(_ isRoot: Bool, parent: Int) -> Bool {
    !additions.isEmpty && (isRoot || (bareRow >= 0 && parent == bareRow))
  }

  /// Gives an object the values whose keys it does not have itself.
  mutating func addValues(to row: Int, _ entity: EntityPlan, _ content: inout ObjectContent) {
    additions.beginObject(of: entity.entity.root)
    let isOfSource = entity.isIdentifiedBySource(additions.source?.key)
    if isOfSource, !content.hasProperty, content.hasUnknownKey || !additions.hasObjects {
      return skipStranger(row, content)
    }
    additions.hasObjects = true
    for place in additions.values.indices.reversed() {
      let addition = additions.values[place]
      let index = entity.keys.index(of: addition.key)
      let entry = entity.keys.entry(index)
      let key = KeyPlace(row: row, node: entity.keys, index: index, rank: entry.rank)
      switch entry.action {
      case .attribute:
        let attribute = entity.attributes[Int(entry.index)]
        if !attribute.isIdentity { content.hasProperty = true }
        if !cell(row, attribute.slot).isPresent { transform(addition.value, attribute, at: key) }
      case .relationship:
        let relationship = entity.relationships[Int(entry.index)]
        content.hasProperty = true
        if rankOfLinks(relationship, row) == nil { transform(addition.value, of: relationship, at: key) }
      case .ignore, .wrapper, .descend, .polymorphic, .linkKind: continue
      }
      entity.keys.use(index)
      additions.taken.insert(addition.key)
    }
    if isOfSource { clearRest(of: row, entity) }
  }

  /// Skips an object that only its source would identify, and that has other keys than its entity: it is something else,
  /// such as a message in place of objects. An object without keys, after others that have some, is one of which nothing is
  /// said.
  private mutating func skipStranger(_ row: Int, _ content: ObjectContent) {
    batch.rows.rows[row].state = .skipped
    report(
      row, key: nil, expected: "an object with keys of the entity",
      found: content.hasUnknownKey ? "only keys that match nothing" : "an object without keys",
      action: "object skipped")
  }

  // MARK: - Objects that belong to their source

  /// Clears the properties that an object and its parts came without. An object that its source identifies may be another
  /// one than that which stood at its position before, so that nothing of that may stay.
  private mutating func clearRest(of row: Int, _ entity: EntityPlan) {
    clearProperties(of: row, entity)
    for part in row + 1..<max(row + 1, batch.rows.rows.count) where isPart(part, of: row) {
      clearProperties(of: part, plan.entities[batch.rows.rows[part].entity])
    }
  }

  /// Whether a row is a part of an object, or of a part of it.
  private func isPart(_ row: Int, of owner: Int) -> Bool {
    var place = row
    while place > owner {
      guard !plan.entities[batch.rows.rows[place].entity].hasIdentity else { return false }
      place = batch.rows.rows[place].parent
    }
    return place == owner
  }

  private mutating func clearProperties(of row: Int, _ entity: EntityPlan) {
    guard !batch.rows.rows[row].isSkipped else { return }
    for index in entity.attributes.indices {
      let attribute = entity.attributes[index]
      if attribute.isIdentity || batch.rows[row, attribute.slot].isPresent { continue }
      if let value = entity.defaults[index] {
        let cell = batch.rows.cell(of: value)
        batch.rows[row, attribute.slot] = cell
      } else if attribute.isOptional {
        setCell(row, attribute.slot, to: .null)
      } else {
        batch.rows.rows[row].state = .skipped
        return report(
          row, key: entity.keyName(ofAttribute: index), expected: attribute.conversion.expectation,
          found: "nothing", action: "object skipped")
      }
    }
    for relationship in entity.relationships where rankOfLinks(relationship, row) == nil {
      let link = relationship.relationship
      guard link.isOptional, !relationship.isIdentity, relationship.isInJSON,
        entity.hasIdentity || !isToldByOthers(link)
      else { continue }
      if relationship.slots.isEmpty {
        batch.rows.addList(
          link.index, to: row, firstTarget: batch.rows.targets.count, count: 0, isCleared: true)
      } else {
        for slot in relationship.slots { batch.rows[row, slot] = .null }
      }
    }
  }

  /// Whether JSON tells of a link of a part to one object from the other side, as that of a part to its owner.
  private func isToldByOthers(_ link: SchemaRelationship) -> Bool {
    guard !link.isToMany, let inverse = link.inverse else { return false }
    return plan.layout.schema.relationships[inverse].relationship.annotations.isExported
  }
}

extension EntityPlan {
  /// Whether the source identifies its objects, whose name they get under a key.
  func isIdentifiedBySource(_ key: String?) -> Bool {
    guard let key else { return false }
    let entry = keys.entry(keys.index(of: key))
    guard case .attribute = entry.action else { return false }
    return attributes[Int(entry.index)].isIdentity
  }
}
