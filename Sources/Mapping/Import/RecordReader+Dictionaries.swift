import Bytes
import JSONStream
import ObjectModel
import ObjectStore

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
