import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Values that key paths lead through.
extension RecordReader {
  /// Reads a value that key paths lead through.
  mutating func readBelow(
    _ key: KeyPlace, of entity: EntityPlan, _ content: inout ObjectContent
  ) throws(JSONError) {
    let entry = key.node.entry(key.index)
    let node = Int(entry.node)
    let list = entity.lists[node]
    if let list {
      try readGathers(of: list, entity, key.row, &content)
      if !list.hasPlaces, !list.takesKeys { return try json.skip(from: json.next()) }
    }
    let token = try json.next()
    switch token {
    case .beginObject where list?.takesKeys ?? true:
      try readKeys(entity, entity.nodes[node], into: key.row, &content)
    case .beginArray where list != nil:
      if let list { try readPlaces(list, of: entity, key.row, &content) }
    case .null:
      for property in entity.propertiesBelow[node] {
        clear(property, of: entity, below: key, &content)
      }
    default:
      if entry.action == .descend, list?.gathers.isEmpty ?? true {
        report(
          key,
          expected: list == nil ? "an object" : list?.takesKeys == true ? "an object or a list" : "a list",
          found: found(token), action: "nothing taken from it")
        noteLeftOut(token)
      }
      try json.skip(from: token)
    }
  }

  // MARK: - Places in lists

  /// Reads an object that is given as a list, whose opening bracket was just read.
  mutating func readPlaces(
    ofObject entity: EntityPlan, into row: Int, _ content: inout ObjectContent
  ) throws(JSONError) {
    guard let list = entity.lists[0] else { return try json.skip(from: .beginArray) }
    try readPlaces(list, of: entity, row, &content)
  }

  /// Reads the elements of a list, whose opening bracket was just read, that paths lead to.
  private mutating func readPlaces(
    _ list: ListNode, of entity: EntityPlan, _ row: Int, _ content: inout ObjectContent
  ) throws(JSONError) {
    let count = list.countsFromEnd ? try countElements() : 0
    var position = 0
    while true {
      let entries = list.entries(at: position, of: count)
      guard !entries.isEmpty else {
        let token = try json.next()
        if token == .endArray { return }
        try json.skip(from: token)
        position += 1
        continue
      }
      let start = json.checkpoint()
      let token = try json.next()
      if token == .endArray { return json.release(start) }
      for index in entries {
        json.rewind(to: start)
        list.keys.use(index)
        let rank = list.keys.entry(index).rank
        try readUnusual(KeyPlace(row: row, node: list.keys, index: index, rank: rank), of: entity, &content)
      }
      json.release(start)
      position += 1
    }
  }

  /// The number of elements of the list whose opening bracket was just read. The reader stays where it is.
  mutating func countElements() throws(JSONError) -> Int {
    let start = json.checkpoint()
    var count = 0
    var token = try json.next()
    while token != .endArray {
      try json.skip(from: token)
      count += 1
      token = try json.next()
    }
    json.rewind(to: start)
    json.release(start)
    return count
  }

  /// Goes to what a step leads to in a value whose first token was just read. Nil if there is nothing.
  mutating func enter(_ token: JSONToken, _ step: JSONKeyPath.Step) throws(JSONError) -> JSONToken? {
    switch (step, token) {
    case (.key(let key), .beginObject):
      while try json.next() == .key {
        let isMeant = json.text.elementsEqual(key.utf8)
        let token = try json.next()
        if isMeant { return token }
        try json.skip(from: token)
      }
    case (.position(var position), .beginArray):
      if position < 0 { position += try countElements() }
      guard position >= 0 else { break }
      var token = try json.next()
      while token != .endArray {
        if position == 0 { return token }
        position -= 1
        try json.skip(from: token)
        token = try json.next()
      }
    default: break
    }
    return nil
  }

  // MARK: - All elements of lists

  /// Fills the properties that take their values from all elements of a list. The reader stays before the list.
  private mutating func readGathers(
    of list: ListNode, _ entity: EntityPlan, _ row: Int, _ content: inout ObjectContent
  ) throws(JSONError) {
    for gathering in list.gathers {
      let start = json.checkpoint()
      let entry = gathering.keys.entry(gathering.index)
      let key = KeyPlace(row: row, node: gathering.keys, index: gathering.index, rank: entry.rank)
      let token = try json.next()
      if token == .beginArray || token == .beginObject {
        gathering.keys.use(gathering.index)
        content.hasProperty = true
        switch entry.action {
        case .attribute:
          try gather(token, gathering, entity.attributes[Int(entry.index)], at: key)
        case .relationship:
          let step = step(to: key)
          try gather(
            token, gathering.path[...], entity.relationships[Int(entry.index)], at: key, step: step)
        case .ignore, .wrapper, .descend, .polymorphic, .linkKind: break
        }
      } else if token != .null {
        report(key, expected: "a list", found: found(token), action: "nothing taken from it")
      }
      json.rewind(to: start)
      json.release(start)
    }
  }

  private mutating func gather(
    _ token: JSONToken, _ gathering: Gathering, _ attribute: AttributePlan, at key: KeyPlace
  ) throws(JSONError) {
    let before = cell(key.row, attribute.slot)
    if before.isPresent, before.keyTag != key.tag, !isBetter(key, than: before.keyTag.rank) { return }
    var seen = Gathered()
    let list = try JSONWriter.bytes { (writer) throws(JSONError) in
      writer.beginArray()
      try forEach(token, gathering.path[...], &seen) { (reader, token) throws(JSONError) in
        try reader.json.copy(from: token, to: &writer)
      }
      writer.endArray()
    }
    guard !seen.isMissing else { return }
    if attribute.transformers != nil, let value = JSONValue(text: String(decoding: list, as: UTF8.self)) {
      return transform(value, attribute, at: key)
    }
    let cell = list.withUnsafeBufferPointer { batch.rows.text($0) }
    if let expected = keep(cell, attribute, at: key) {
      reject(attribute, at: key, expected: expected, found: "a list")
    }
  }

  /// Links what a path leads to from each element of a list, or from one object, whose first token was just read.
  mutating func gather(
    _ token: JSONToken, _ path: ArraySlice<JSONKeyPath.Step>, _ relationship: RelationshipPlan,
    at key: KeyPlace, step: PathStep
  ) throws(JSONError) {
    if let known = rankOfLinks(relationship, key.row), known < key.rank { return noteLeftOut(token) }
    let (start, firstRow) = (targets.count, batch.rows.rows.count)
    var (count, position, isIncomplete) = (0, 0, false)
    var seen = Gathered()
    try forEach(token, path, &seen) { (reader, token) throws(JSONError) in
      if token != .null {
        let isTarget = try reader.readElement(
          token, of: relationship, at: key, step: step, position: position)
        if isTarget { count += 1 } else { isIncomplete = true }
      }
      position += 1
    }
    guard !seen.isMissing else { return }
    endCounted(
      relationship, at: key, from: start, count: count, firstRow: firstRow, isIncomplete: isIncomplete)
  }

  /// What was come across on the way through all elements of a list.
  private struct Gathered {
    var hasElements = false
    var hasValues = false

    /// Whether there are elements, and none has a value at the end of the path. Then the value is missing, as it is where
    /// one object lacks a key.
    var isMissing: Bool { hasElements && !hasValues }
  }

  /// Goes through what a path leads to from each element of a list, and from the elements of lists at the path's end.
  /// An object counts as a list of one.
  private mutating func forEach(
    _ token: JSONToken, _ path: ArraySlice<JSONKeyPath.Step>, _ seen: inout Gathered,
    _ body: (inout RecordReader, JSONToken) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard token == .beginArray else {
      seen.hasElements = true
      return try follow(path, token, &seen, body)
    }
    var element = try json.next()
    while element != .endArray {
      seen.hasElements = true
      try follow(path, element, &seen, body)
      element = try json.next()
    }
  }

  /// Reads a value to its end, and gives what a path leads to from it.
  private mutating func follow(
    _ path: ArraySlice<JSONKeyPath.Step>, _ token: JSONToken, _ seen: inout Gathered,
    _ body: (inout RecordReader, JSONToken) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard let step = path.first else {
      seen.hasValues = true
      return token == .beginArray ? try forEach(token, path, &seen, body) : try body(&self, token)
    }
    if step == .elements { return try forEach(token, path.dropFirst(), &seen, body) }
    let outside = json.depth - (token == .beginObject || token == .beginArray ? 1 : 0)
    if let inner = try enter(token, step) { try follow(path.dropFirst(), inner, &seen, body) }
    while json.depth > outside { _ = try json.next() }
  }
}
