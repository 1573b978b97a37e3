import Bytes
import JSONStream
import ObjectModel
import ObjectStore

extension RecordReader {
  /// Reads the value of a relationship's key: nested objects, keys of objects, or both mixed.
  mutating func readRelationship(
    _ relationship: RelationshipPlan, at key: KeyPlace
  ) throws(JSONError) {
    try readRelationship(json.next(), relationship, at: key)
  }

  /// Reads the value of a relationship, whose first token was just read.
  mutating func readRelationship(
    _ token: JSONToken, _ relationship: RelationshipPlan, at key: KeyPlace
  ) throws(JSONError) {
    var token = token
    if relationship.readsEmpty, try isEmpty(token, inPlaceOfOne: !relationship.isToMany) { token = .null }
    if relationship.transformers == nil {
      try readLinks(token, of: relationship, at: key)
    } else {
      try readTransformed(token, of: relationship, at: key)
    }
  }

  /// Whether a value is an empty text, or a list without elements where one object is expected. Its end is read then.
  mutating func isEmpty(_ token: JSONToken, inPlaceOfOne: Bool) throws(JSONError) -> Bool {
    switch token {
    case .string: return json.text.isEmpty
    case .beginArray where inPlaceOfOne:
      let start = json.checkpoint()
      let isEmpty = try json.next() == .endArray
      if !isEmpty { json.rewind(to: start) }
      json.release(start)
      return isEmpty
    default: return false
    }
  }

  /// Reads the links of a relationship; the first token of its value was just read.
  mutating func readLinks(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace
  ) throws(JSONError) {
    let before = relationship.slots.first.map { cell(key.row, $0) } ?? .absent
    if let known = rankOfLinks(relationship, key.row), known < key.rank {
      reportRival(token, of: relationship, at: key, worseThan: before)
      if token == .beginObject || token == .beginArray { noteLeftOut(token) }
      return try json.skip(from: token)
    }
    defer { reportRival(before, of: relationship, at: key) }
    let step = step(to: key)
    if token == .beginObject, let paths = relationship.targetPaths {
      return try readInside(paths, of: relationship, at: key, step: step)
    }
    if relationship.isToMany {
      try readMany(token, of: relationship, at: key, step: step)
    } else {
      try readOne(token, of: relationship, at: key, step: step)
    }
  }

  /// How well the key fitted that gave a relationship's links; nil if no key gave any.
  func rankOfLinks(_ relationship: RelationshipPlan, _ row: Int) -> UInt8? {
    if let slot = relationship.slots.first {
      let cell = batch.rows[row, slot]
      return cell.isPresent ? cell.keyTag.rank : nil
    }
    var next = batch.rows.rows[row].firstList
    while next >= 0 {
      let list = batch.rows.lists[next]
      if list.relationship == relationship.relationship.index { return list.keyTag.rank }
      next = list.next
    }
    return nil
  }

  /// Removes a relationship's links, as a null does.
  mutating func clear(
    _ relationship: RelationshipPlan, at key: KeyPlace
  ) {
    if relationship.isToMany, !relationship.allows(0) {
      report(
        key, expected: relationship.countExpectation,
        found: "null", action: "list left out")
    } else if relationship.slots.isEmpty {
      endList(relationship, at: key, from: targets.count, count: 0, isCleared: true)
    } else if relationship.relationship.isOptional || relationship.isIdentity {
      setForeignKey(relationship, at: key, from: targets.count)
    } else {
      report(
        key, expected: keyExpectation(relationship),
        found: "null", action: "value left out")
    }
  }

  // MARK: - To one

  mutating func readOne(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep
  ) throws(JSONError) {
    let start = targets.count
    switch token {
    case .beginObject:
      let target = plan.entities[relationship.destination]
      let child = try readNewObject(
        target, parent: key.row, step: step, nestedBy: relationship.relationship.index)
      targets.append(.row(child, part: 0))
    case .beginArray where plan.entities[relationship.destination].isReadFromLists:
      let target = plan.entities[relationship.destination]
      let child = try readNewObject(
        target, parent: key.row, step: step, nestedBy: relationship.relationship.index, isList: true)
      targets.append(.row(child, part: 0))
    case _ where try readBareObject(token, of: relationship, parent: key.row, step: step): break
    case .beginArray:
      try json.skip(from: token)
      return reject(token, of: relationship, at: key, expected: "an object or a key", found: "a list")
    default:
      switch pushScalar(token, relationship) {
      case .key: break
      case .null: return clear(relationship, at: key)
      case .refused(let expected):
        return reject(token, of: relationship, at: key, expected: expected, found: found(token))
      }
    }
    if relationship.slots.isEmpty {
      endList(relationship, at: key, from: start, count: 1)
    } else {
      setForeignKey(relationship, at: key, from: start)
    }
  }

  /// Reports a value that leads to no object. An object is skipped without what its identity names.
  private mutating func reject(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace, expected: String, found: String
  ) {
    noteLeftOut(token)
    if relationship.isIdentity { batch.rows.rows[key.row].state = .skipped }
    report(
      key, expected: expected, found: found,
      action: relationship.isIdentity ? "object skipped" : "value left out")
  }

  /// Puts the only target, which was pushed, into the slots of the foreign key. If nothing was pushed, they become
  /// null.
  private mutating func setForeignKey(
    _ relationship: RelationshipPlan, at key: KeyPlace, from start: Int
  ) {
    if relationship.operations != .all { restrict(from: start, to: relationship.operations) }
    for (part, slot) in relationship.slots.enumerated() {
      var cell = Cell.null
      if targets.count > start {
        cell =
          targets[start].kind == .row ? .row(Int(targets[start].bits), part: part) : targets[start + part]
      }
      cell.keyTag = key.tag
      batch.rows[key.row, slot] = cell
    }
    targets.truncate(to: start)
  }

  // MARK: - To many

  mutating func readMany(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep
  ) throws(JSONError) {
    let start = targets.count
    let firstRow = batch.rows.rows.count
    var count = 0
    var isIncomplete = false
    var isCleared = false
    switch token {
    case .beginArray:
      var position = 0
      var element = try json.next()
      while element != .endArray {
        if element != .null || !plan.entities[relationship.destination].omitsNulls {
          let isTarget = try readElement(element, of: relationship, at: key, step: step, position: position)
          if isTarget { count += 1 } else { isIncomplete = true }
        }
        position += 1
        element = try json.next()
      }
    case .beginObject:
      if let dictionary = relationship.dictionary {
        (count, isIncomplete) = try readDictionary(dictionary, of: relationship, at: key, step: step)
      } else {
        (count, isIncomplete) = try readLoneOrKeyed(relationship, parent: key.row, step: step)
      }
    case _ where try readBareObject(token, of: relationship, parent: key.row, step: step): count = 1
    default:
      switch pushScalar(token, relationship) {
      case .key: count = 1
      case .null: isCleared = true
      case .refused(let expected):
        noteLeftOut(token)
        return report(
          key, expected: relationship.elementTransformers == nil ? "a list" : expected, found: found(token),
          action: "value left out")
      }
    }
    endCounted(
      relationship, at: key, from: start, count: count, firstRow: firstRow, isIncomplete: isIncomplete,
      isCleared: isCleared)
  }

  /// Ends a list, if it may have so many targets.
  mutating func endCounted(
    _ relationship: RelationshipPlan, at key: KeyPlace, from start: Int, count: Int, firstRow: Int,
    isIncomplete: Bool, isCleared: Bool = false
  ) {
    let isRejected = !relationship.allows(count)
    if isRejected {
      report(
        key, expected: relationship.countExpectation,
        found: "\(count)", action: "list left out")
    }
    endList(
      relationship, at: key, from: start, count: count, firstRow: firstRow, isIncomplete: isIncomplete,
      isRejected: isRejected, isCleared: isCleared)
  }

  /// Reads the next value if it is a null. False, with nothing read, if it is something else.
  mutating func skipNull() throws(JSONError) -> Bool {
    let start = json.checkpoint()
    let isNull = try json.next() == .null
    if !isNull { json.rewind(to: start) }
    json.release(start)
    return isNull
  }

  /// Reads an element of a list. True if it gave a target.
  mutating func readElement(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep, position: Int
  ) throws(JSONError) -> Bool {
    if token == .beginObject, let paths = relationship.targetPaths,
      let isTarget = try readElementInside(paths, of: relationship, at: key, step: step, position: position)
    {
      return isTarget
    }
    let target = plan.entities[relationship.destination]
    if token == .beginObject || (token == .beginArray && target.isReadFromLists) {
      let child = try readNewObject(
        target, parent: key.row, step: step, position: position, nestedBy: relationship.relationship.index,
        isList: token == .beginArray)
      targets.append(.row(child, part: 0))
      return true
    }
    if try readBareObject(token, of: relationship, parent: key.row, step: step, position: position) {
      return true
    }
    var expected: String?
    if token != .beginArray {
      switch pushScalar(token, relationship) {
      case .key: return true
      case .null: break
      case .refused(let other): expected = other
      }
      if token != .null, pushOwned(token, relationship, parent: key.row, step: step, position: position) {
        return true
      }
    }
    let seen = found(token)
    try json.skip(from: token)
    report(
      key, position: position,
      expected: expected ?? keyExpectation(relationship), found: seen, action: "element left out")
    return false
  }

  /// Reads an object where a list is expected: it is either one element or a dictionary keyed by identity.
  ///
  /// - Returns: How many elements it gave, and whether it was neither of the two.
  mutating func readLoneOrKeyed(
    _ relationship: RelationshipPlan, parent row: Int, step: PathStep
  ) throws(JSONError) -> (count: Int, isIncomplete: Bool) {
    let target = plan.entities[relationship.destination]
    let list = relationship.relationship.index
    switch try objectForm(target, nestedBy: list) {
    case .empty:
      _ = try json.next()
      return (0, false)
    case .object:
      let child = try readNewObject(target, parent: row, step: step, nestedBy: list)
      targets.append(.row(child, part: 0))
      return (1, skipUnlessKnown(child))
    case .keyed:
      var count = 0
      while try json.next() == .key {
        let key = batch.rows.text(json.text)
        let child = try readKeyedValue(target, parent: row, step: keyedStep(step, key), key, nestedBy: list)
        targets.append(.row(child, part: 0))
        count += 1
      }
      return (count, false)
    }
  }

  /// Skips an object without identity where a list is expected, if it has none of its entity's keys. It may be a
  /// dictionary, whose values would be lost without a report. True if it is skipped.
  private mutating func skipUnlessKnown(_ row: Int) -> Bool {
    let entity = plan.entities[batch.rows.rows[row].entity]
    guard !entity.entity.hasIdentity, batch.rows.rows[row].state == .object, lastContent.hasUnknownKey,
      !lastContent.hasProperty
    else { return false }
    batch.rows.rows[row].state = .skipped
    noteLeftOut(.beginObject)
    report(
      row, key: nil, expected: "a list, or one \(entity.entity.name) by its keys",
      found: "an object that has none of them", action: "object skipped")
    return true
  }

  mutating func endList(
    _ relationship: RelationshipPlan, at key: KeyPlace, from start: Int, count: Int,
    firstRow: Int? = nil, isIncomplete: Bool = false, isRejected: Bool = false, isCleared: Bool = false
  ) {
    if relationship.operations != .all { restrict(from: start, to: relationship.operations) }
    let first = batch.rows.targets.count
    batch.rows.targets.append(UnsafeBufferPointer(rebasing: targets.elements[start...]))
    targets.truncate(to: start)
    batch.rows.addList(
      relationship.relationship.index, to: key.row, firstTarget: first, count: count,
      tag: key.tag.rawValue,
      isIncomplete: isIncomplete, isRejected: isRejected, isCleared: isCleared, firstRow: firstRow)
  }

  /// Notes what may be done with the objects among the targets that were pushed.
  private mutating func restrict(from start: Int, to operations: Operations) {
    for cell in targets.elements[start...] where cell.kind == .row {
      batch.rows.rows[Int(cell.bits)].operations = operations
    }
  }
}

/// JSON objects that may be dictionaries keyed by identity.
extension RecordReader {
  /// The meaning of an object that may be a dictionary.
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
    let isOwn = matchesSomething(entity)
    // One of a dictionary's keys may be called like an attribute: `{"id": {"actions": […]}}`.
    guard !isOwn || matchesScalar(entity), entity.openAttribute(nestedBy: list) != nil else { return .object }
    let value = try json.next()
    guard !isOwn || value == .beginObject else { return .object }
    switch value {
    case .beginObject:
      // The value is an element if its own first key is one of the entity's.
      guard try json.next() == .key else { return isOwn ? .object : .keyed }
      return matchesSomething(entity) || tellsKind(entity) ? .keyed : .object
    case .beginArray: return entity.defaultValueProperty == nil ? .object : .keyed
    default: return entity.defaultValueProperty == nil ? .object : .keyed
    }
  }

  /// Whether the key just read may tell which sub-entity an object is of.
  func tellsKind(_ entity: EntityPlan) -> Bool {
    entity.kinds?.mayTell(String(decoding: json.text, as: UTF8.self)) ?? false
  }

  /// Whether the key just read is that of an attribute which holds no objects.
  private func matchesScalar(_ entity: EntityPlan) -> Bool {
    let entry = entry(in: entity)
    return entry.action == .attribute && entry.node < 0
      && entity.entity.attributes[Int(entry.index)].attribute.type != .transformable
  }

  /// Whether the key just read is one of the entity's.
  func matchesSomething(_ entity: EntityPlan) -> Bool { entry(in: entity).action != .ignore }

  /// Whether the key just read is none of the entity's, and none that means nothing on purpose.
  func isUnknown(to entity: EntityPlan) -> Bool {
    let entry = entry(in: entity)
    return entry.action == .ignore && entry.rank == KeyMatch.Rank.none.rawValue
  }

  /// The entry of the key just read among an entity's, which does not count as one that came.
  private func entry(in entity: EntityPlan) -> KeyNode.Entry {
    let index = entity.keys.find(json.text, after: -1)
    entity.keys.unuse(index)
    return entity.keys.entry(index)
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

/// Objects that stand in dictionaries, and values that stand for objects.
extension RecordReader {
  /// Reads the dictionary that a relationship's targets stand in; its opening brace was just read.
  ///
  /// - Returns: How many elements it gave, and whether anything was left out.
  mutating func readDictionary(
    _ dictionary: DictionaryPlan, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep
  ) throws(JSONError) -> (count: Int, isIncomplete: Bool) {
    var level = DictionaryLevel(dictionary: dictionary, relationship: relationship, key: key)
    try readLevel(&level, step: step)
    return (level.count, level.isIncomplete)
  }

  /// How far dictionaries in one another have been read.
  struct DictionaryLevel {
    let dictionary: DictionaryPlan
    let relationship: RelationshipPlan
    /// The relationship's own key.
    let key: KeyPlace
    /// The keys on the way.
    var keys: [Cell] = []
    var count = 0
    var isIncomplete = false
  }

  private mutating func readLevel(_ level: inout DictionaryLevel, step: PathStep) throws(JSONError) {
    while try json.next() == .key {
      let key = batch.rows.text(json.text)
      let step = keyedStep(step, key)
      level.keys.append(key)
      let token = try json.next()
      if level.keys.count == level.dictionary.keys.count {
        try readValue(token, &level, step: step)
      } else if token == .beginObject {
        try readLevel(&level, step: step)
      } else if token != .null {
        try leaveOut(token, &level, step: step, expected: "an object")
      }
      level.keys.removeLast()
    }
  }

  /// Reads the value behind the keys of an element: the element, several of them, or what fills one of its properties.
  private mutating func readValue(
    _ token: JSONToken, _ level: inout DictionaryLevel, step: PathStep
  ) throws(JSONError) {
    let target = plan.entities[level.relationship.destination]
    if token == .beginObject { return try readElement(token, &level, step: step, position: -1) }
    if let name = level.dictionary.value, let property = target.target(named: name) {
      let row = addRow(target, parent: level.key.row, step: step)
      try readValue(token, of: property, target, row)
      finishKeyed(
        target, row, .keys(level.keys, level.dictionary), nestedBy: level.relationship.relationship.index)
      targets.append(.row(row, part: 0))
      level.count += 1
      return
    }
    guard token == .beginArray else {
      if token == .null { return }
      return try leaveOut(token, &level, step: step, expected: "an object or a list of objects")
    }
    var position = 0
    var element = try json.next()
    while element != .endArray {
      try readElement(element, &level, step: step, position: position)
      position += 1
      element = try json.next()
    }
  }

  private mutating func readElement(
    _ token: JSONToken, _ level: inout DictionaryLevel, step: PathStep, position: Int
  ) throws(JSONError) {
    guard token == .beginObject else {
      return try leaveOut(token, &level, step: step, position: position, expected: "an object")
    }
    let row = try readNewObject(
      plan.entities[level.relationship.destination], parent: level.key.row, step: step, position: position,
      identity: .keys(level.keys, level.dictionary), nestedBy: level.relationship.relationship.index)
    targets.append(.row(row, part: 0))
    level.count += 1
  }

  private mutating func leaveOut(
    _ token: JSONToken, _ level: inout DictionaryLevel, step: PathStep, position: Int = -1, expected: String
  ) throws(JSONError) {
    let seen = found(token)
    try json.skip(from: token)
    noteLeftOut(token)
    level.isIncomplete = true
    report(
      level.key, below: step, position: position, expected: expected, found: seen, action: "element left out")
  }

  // MARK: - Values that stand for objects

  /// Reads a value that stands for an object without identity: a list with its values at certain places, or the value
  /// of one of its properties. False, with nothing read, if it cannot stand for one.
  mutating func readBareObject(
    _ token: JSONToken, of relationship: RelationshipPlan, parent: Int, step: PathStep, position: Int = -1
  ) throws(JSONError) -> Bool {
    let target = plan.entities[relationship.destination]
    guard !target.entity.hasIdentity, token != .null, token != .beginObject,
      relationship.elementTransformers == nil, let property = target.defaultValueProperty
    else { return false }
    let row = addRow(target, parent: parent, step: step, position: position)
    try readValue(token, of: property, target, row)
    finishKeyed(target, row, .none, nestedBy: relationship.relationship.index)
    targets.append(.row(row, part: 0))
    return true
  }
}
