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
    if relationship.transformers == nil {
      try readLinks(token, of: relationship, at: key)
    } else {
      try readTransformed(token, of: relationship, at: key)
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
        if try readElement(element, of: relationship, at: key, step: step, position: position) {
          count += 1
        } else {
          isIncomplete = true
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
