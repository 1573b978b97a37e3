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
    if list == nil || token == .null, try isNothing(token, on: node, of: entity) {
      for property in entity.propertiesBelow[node] {
        clear(property, of: entity, below: key, &content)
      }
      return
    }
    switch token {
    case .beginObject where list?.takesKeys ?? true:
      try readKeys(entity, entity.nodes[node], into: key.row, &content)
    case .beginArray where list != nil:
      if let list { try readPlaces(list, of: entity, key.row, &content) }
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

  /// Whether a value on the way of key paths is null, or empty where all that they lead to reads what is empty as null.
  private mutating func isNothing(
    _ token: JSONToken, on node: Int, of entity: EntityPlan
  ) throws(JSONError) -> Bool {
    guard token == .string || token == .beginArray else { return token == .null }
    guard entity.readsEmpty(below: node) else { return false }
    return try isEmpty(token, inPlaceOfOne: true)
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

  /// The findings on the way through all elements of a list.
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

/// Scalars that stand for the objects of a relationship: their keys.
extension RecordReader {
  /// The meaning of a scalar in place of a target.
  enum ScalarTarget {
    /// The key of the target, which was pushed.
    case key
    case null
    case refused(expected: String)
  }

  /// Pushes a scalar as the key of a target, after the transformers that each key of the relationship passes through.
  mutating func pushScalar(_ token: JSONToken, _ relationship: RelationshipPlan) -> ScalarTarget {
    if let transformers = relationship.elementTransformers {
      return pushTransformed(token, relationship, transformers)
    }
    if token == .null || isEmptyField(token) { return .null }
    return pushKey(token, relationship) ? .key : .refused(expected: keyExpectation(relationship))
  }

  /// Pushes a scalar as the key of a target. False if it cannot be one.
  private mutating func pushKey(_ token: JSONToken, _ relationship: RelationshipPlan) -> Bool {
    guard relationship.key.count == 1, let conversion = relationship.key.first else {
      return token == .string ? pushParts(String(decoding: json.text, as: UTF8.self), relationship) : false
    }
    // False is 0 to an attribute; `"parent": false` is no object with that number.
    if token == .false, relationship.keyTransformers == nil,
      let type = plan.entities[relationship.destination].entity.identity.first?.type,
      [.integer16, .integer32, .integer64].contains(type)
    {
      return false
    }
    let integer = token == .number && json.numberIsInteger ? json.integer : nil
    let cell =
      if let transformers = relationship.keyTransformers {
        keyCell(token, conversion, transformers)
      } else {
        conversion.cell(for: token, json.text, integer: integer, in: &batch.rows)
      }
    guard let cell else { return false }
    targets.append(stored([cell], relationship)[0])
    return true
  }

  /// Pushes a string as the key of a target whose identity has several attributes: its values, joined by commas.
  mutating func pushParts(_ text: String, _ relationship: RelationshipPlan) -> Bool {
    guard relationship.key.count > 1, let parts = KeyText.split(text, count: relationship.key.count) else {
      return false
    }
    var cells: [Cell] = []
    for (place, text) in parts.enumerated() {
      guard let cell = cell(for: .string(text), relationship.key[place]) else { return false }
      cells.append(cell)
    }
    for cell in stored(cells, relationship) { targets.append(cell) }
    return true
  }

  /// The cells of a target's key, from those of its identity.
  mutating func stored(_ identity: [Cell], _ relationship: RelationshipPlan) -> [Cell] {
    let target = plan.entities[relationship.destination].entity
    guard target.isIdentifiedBelowRoot else { return identity }
    return [batch.rows.key(of: identity, plan.layout.schema, target)]
  }

  func keyExpectation(_ relationship: RelationshipPlan) -> String {
    let name = plan.entities[relationship.destination].entity.name
    switch relationship.key.count {
    case 1: return "\(name), as an object or by its identity, \(relationship.key[0].expectation)"
    default: return "\(name), as an object"
    }
  }
}

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

  /// The kind of value that an object's identity has in a slot: a value of another row that is still being read
  /// counts as one.
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
