import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Importing onto an object, and into a relationship of one.
extension DocumentReader {
  /// Reads the JSON, which must be one object, into an object of the store.
  mutating func readOnto(_ object: StoredObject, _ token: JSONToken, _ step: String) throws {
    guard token == .beginObject, records.batch.rows.roots.count == 0 else {
      throw try failure(.notOneObject(source: source.name, found: records.found(token)))
    }
    let entity = plan.entities[object.entity]
    let row = records.addRow(entity, parent: -1, step: records.step(step))
    records.batch.rows.roots.append(row)
    try records.readObject(
      entity, into: row, identity: .fixed(records.cells(of: object.identity)), takesAdditions: true)
  }

  /// Reads all of the JSON into a relationship of an object of the store, as if it were in the JSON of that object.
  mutating func readInto(_ object: StoredObject, _ place: Int, _ token: JSONToken, _ step: String) throws {
    let entity = plan.entities[object.entity]
    let relationship = entity.relationships[place]
    let row = records.addRow(entity, parent: -1, step: records.step(step))
    records.batch.rows.roots.append(row)
    let key = records.cells(of: object.identity)
    for (slot, cell) in zip(entity.layout.identitySlots, key) { records.batch.rows[row, slot] = cell }
    records.makeKey(of: row, entity)
    records.bareRow = row
    defer {
      records.bareRow = -1
      records.bareStep = ""
    }
    guard relationship.isToMany else {
      try records.readBare(token, of: relationship, row: row)
      if let next = try nextRoot() {
        throw try failure(.notOneObject(source: source.name, found: records.found(next.token)))
      }
      return
    }
    let start = records.targets.count
    var list = RecordReader.BareList(key: records.ownKey(named: relationship.relationship.name, of: row))
    var next: (token: JSONToken, step: String)? = (token, step)
    while let (token, step) = next {
      // The paths of values with line numbers begin at the line.
      records.bareStep = step.utf8.first == UInt8(ascii: "$") ? "" : step
      if !records.bareStep.isEmpty {
        let step = records.step(step)
        records.batch.places[row].step = step
        list.position = 0
      }
      try readElements(token, of: relationship, &list)
      next = try nextRoot()
    }
    records.endBare(list, of: relationship, from: start)
  }

  /// Reads a value at the root as elements of a relationship's list: a list, a document that has one, a
  /// dictionary keyed by identity, or one element.
  private mutating func readElements(
    _ token: JSONToken, of relationship: RelationshipPlan, _ list: inout RecordReader.BareList
  ) throws {
    let destination = relationship.destination
    guard token == .beginObject, try namesEntities(destination) else {
      return try records.readBareElements(token, of: relationship, &list)
    }
    while try records.json.next() == .key {
      let key = String(decoding: records.json.text, as: UTF8.self)
      let isMeant =
        plan.entity(namedBy: key) == destination
        || Names.folded(key) == Names.folded(relationship.relationship.name)
      let value = try records.json.next()
      if isMeant {
        try records.readBareElements(value, of: relationship, &list)
      } else {
        unmatched[key, default: 0] += 1
        try records.json.skip(from: value)
      }
    }
  }
}

extension RecordReader {
  /// A list that stands under no key, and how far it has been read.
  struct BareList {
    /// The key that it would have in an object: the relationship's name.
    let key: KeyPlace
    var count = 0
    var position = 0
    var isIncomplete = false
  }

  /// Cells for a key from the store.
  mutating func cells(of key: [SQLValue]) -> [Cell] {
    key.map { batch.rows.cell(of: $0) }
  }

  /// Reads elements of a list that stands under no key.
  mutating func readBareElements(
    _ token: JSONToken, of relationship: RelationshipPlan, _ list: inout BareList
  ) throws(JSONError) {
    let step = step(bareStep)
    func note(_ isTarget: Bool, _ list: inout BareList) {
      if isTarget { list.count += 1 } else { list.isIncomplete = true }
      list.position += 1
    }
    switch token {
    case .null: break
    case .beginArray:
      var element = try json.next()
      while element != .endArray {
        let isTarget = try readElement(
          element, of: relationship, at: list.key, step: step, position: list.position)
        note(isTarget, &list)
        element = try json.next()
      }
    case .beginObject:
      let (count, isIncomplete) = try readLoneOrKeyed(relationship, parent: list.key.row, step: step)
      list.count += count
      list.position += count
      list.isIncomplete = list.isIncomplete || isIncomplete
    default:
      let isTarget = try readElement(token, of: relationship, at: list.key, step: step, position: -1)
      note(isTarget, &list)
    }
  }

  /// Reads the target of a to-one relationship that stands under no key.
  mutating func readBare(
    _ token: JSONToken, of relationship: RelationshipPlan, row: Int
  ) throws(JSONError) {
    let key = ownKey(named: relationship.relationship.name, of: row)
    try readOne(token, of: relationship, at: key, step: step(""))
  }

  mutating func endBare(_ list: BareList, of relationship: RelationshipPlan, from start: Int) {
    endList(
      relationship, at: list.key, from: start, count: list.count, isIncomplete: list.isIncomplete)
  }

  /// The key of a row's object that is the name of a property.
  ///
  /// - Parameter counts: Whether that counts as if the key had come.
  func ownKey(named name: String, of row: Int, counts: Bool = false) -> KeyPlace {
    let keys = plan.entities[batch.rows.rows[row].entity].keys
    let index = Array(name.utf8).withUnsafeBufferPointer { keys.find($0, after: -1) }
    if !counts { keys.unuse(index) }
    return KeyPlace(row: row, node: keys, index: index, rank: KeyMatch.Rank.annotation(0).rawValue)
  }
}
