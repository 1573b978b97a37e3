import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// JSON objects that may be dictionaries keyed by identity.
extension RecordReader {
  /// What an object that may be a dictionary is.
  enum ObjectForm {
    case empty
    case object
    case keyed
  }

  /// Looks ahead whether the object, whose opening brace was just read, is one of an entity or a dictionary of them.
  ///
  /// - Parameter list: The relationship by which another object nests it; -1 if none does.
  mutating func objectForm(_ entity: EntityPlan, nestedBy list: Int = -1) throws(JSONError) -> ObjectForm {
    let start = json.checkpoint()
    let form = try objectFormAhead(entity, nestedBy: list)
    json.rewind(to: start)
    json.release(start)
    return form
  }

  private mutating func objectFormAhead(
    _ entity: EntityPlan, nestedBy list: Int
  ) throws(JSONError) -> ObjectForm {
    guard try json.next() == .key else { return .empty }
    if let kinds = entity.kinds, kinds.kind(named: String(decoding: json.text, as: UTF8.self)) != nil {
      return .object
    }
    guard !matchesSomething(entity), entity.openAttribute(nestedBy: list) != nil else { return .object }
    switch try json.next() {
    case .beginObject:
      // The value is an element if its own first key is one of the entity's.
      guard try json.next() == .key else { return .keyed }
      return matchesSomething(entity) || tellsKind(entity) ? .keyed : .object
    case .beginArray: return entity.defaultValueProperty == nil ? .object : .keyed
    default: return entity.defaultValueProperty == nil ? .object : .keyed
    }
  }

  /// Whether the key just read may tell which sub-entity an object is of.
  private func tellsKind(_ entity: EntityPlan) -> Bool {
    entity.kinds?.mayTell(String(decoding: json.text, as: UTF8.self)) ?? false
  }

  /// Whether the key just read is one of the entity's.
  mutating func matchesSomething(_ entity: EntityPlan) -> Bool {
    let index = entity.keys.find(json.text, after: -1)
    let action = entity.keys.entry(index).action
    entity.keys.unuse(index)
    return action != .ignore
  }

  /// Reads the value of a key that is an identity. The value is an object, or it fills the property that the model
  /// names for such values.
  ///
  /// - Returns: The row.
  mutating func readKeyedValue(
    _ entity: EntityPlan, parent: Int, step: PathStep, _ key: Cell, property: KeyMatch.Target? = nil,
    nestedBy list: Int = -1, isRoot: Bool = false
  ) throws(JSONError) -> Int {
    let start = json.checkpoint()
    let token = try json.next()
    if token == .beginObject {
      json.release(start)
      return try readNewObject(
        entity, parent: parent, step: step, identity: .key(key), nestedBy: list, isRoot: isRoot)
    }
    let row = addRow(entity, parent: parent, step: step)
    if isRoot { batch.rows.roots.append(row) }
    guard let property = property ?? entity.defaultValueProperty else {
      json.release(start)
      let seen = found(token)
      try json.skip(from: token)
      batch.rows.rows[row].state = .skipped
      report(row, key: nil, expected: "an object", found: seen, action: "object skipped")
      return row
    }
    json.release(start)
    try readValue(token, of: property, entity, row)
    finishKeyed(entity, row, .key(key), nestedBy: list)
    return row
  }

  /// Fills a property with a value that stands under no key of its own; its first token was just read.
  mutating func readValue(
    _ token: JSONToken, of property: KeyMatch.Target, _ entity: EntityPlan, _ row: Int
  ) throws(JSONError) {
    let name: String
    switch property {
    case .attribute(let index): name = entity.entity.attributes[index].name
    case .relationship(let place): name = entity.relationships[place].relationship.name
    case .none, .wrapper, .polymorphic, .linkKind: return try json.skip(from: token)
    }
    // Counted as if the key were the property's own name, so that the report shows what the values filled.
    let key = ownKey(named: name, of: row, counts: true)
    switch property {
    case .attribute(let index): try readAttribute(token, entity.attributes[index], at: key)
    case .relationship(let place): try readRelationship(token, entity.relationships[place], at: key)
    case .none, .wrapper, .polymorphic, .linkKind: break
    }
  }
}
