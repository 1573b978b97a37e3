import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Finds out which sub-entity an object is of, before the object is read.
extension RecordReader {
  private enum Kind {
    /// The object says its entity, by a value or otherwise.
    case entity(Int, value: String? = nil)
    /// The object says nothing.
    case unsaid
    /// The object says a kind that is not known, by a value or otherwise.
    case unknown(key: String?, found: String, value: String? = nil)

    /// The value that was told.
    var value: String? {
      switch self {
      case .entity(_, let value), .unknown(_, _, let value): value
      case .unsaid: nil
      }
    }
  }

  /// Reads an object, whose opening brace or bracket was just read, into a new row of the sub-entity that the object
  /// says.
  ///
  /// - Parameter list: The relationship by which another object nests it; -1 if none does.
  /// - Returns: The row.
  mutating func readNewObject(
    _ entity: EntityPlan, parent: Int, step: PathStep, position: Int = -1, identity: KnownIdentity = .none,
    nestedBy list: Int = -1, isRoot: Bool = false, isList: Bool = false
  ) throws(JSONError) -> Int {
    keepValues(around: parent, of: entity)
    guard entity.kinds == nil else {
      return try readOfKind(
        entity, parent: parent, step: step, position: position, identity: identity, nestedBy: list,
        isRoot: isRoot, isList: isList)
    }
    let row = addRow(entity, parent: parent, step: step, position: position)
    if isRoot { batch.rows.roots.append(row) }
    try readObject(
      entity, into: row, identity: identity, nestedBy: list, isList: isList,
      takesAdditions: takesAdditions(isRoot, parent: parent))
    return row
  }

  /// The new object may be the same as one of the objects around it. Then what comes later counts, so this keeps what
  /// the innermost of these has said so far. The objects further out have said nothing since that one began.
  private mutating func keepValues(around parent: Int, of entity: EntityPlan) {
    let table = entity.layout.table
    var row = parent
    while row >= 0 {
      let around = batch.rows.rows.base[row].entity
      if plan.tables[around] == table {
        return batch.rows.takeSnapshot(of: row, slots: plan.layout.entities[around].slots.count)
      }
      row = batch.rows.rows.base[row].parent
    }
  }

  private mutating func readOfKind(
    _ entity: EntityPlan, parent: Int, step: PathStep, position: Int, identity: KnownIdentity,
    nestedBy list: Int, isRoot: Bool, isList: Bool
  ) throws(JSONError) -> Int {
    let start = json.checkpoint()
    var kind = try findKind(entity, isList ? .beginArray : .beginObject)
    json.rewind(to: start)
    json.release(start)
    if let kinds = entity.kinds, kinds.isAlone {
      kind = .entity(entity.entity.index, value: kind.value ?? (kinds.defaultKind == nil ? nil : ""))
    }
    if case .unsaid = kind, entity.mayBeOtherKind, identity.isOpen, !isList {
      return try readOfEachKind(
        entity, parent: parent, step: step, position: position, identity: identity, nestedBy: list,
        isRoot: isRoot)
    }
    var actual = entity
    var value: String?
    switch kind {
    case .entity(let index, let told): (actual, value) = (plan.entities[index], told)
    case .unknown(_, _, let told):
      if case .entity(let index) = entity.kinds?.unknown { (actual, value) = (plan.entities[index], told) }
    case .unsaid: if let index = entity.kinds?.defaultKind { (actual, value) = (plan.entities[index], "") }
    }
    let row = addRow(actual, parent: parent, step: step, position: position)
    if let value { keepKind(value, of: row, actual) }
    if isRoot { batch.rows.roots.append(row) }
    if case .unknown(let key, let found, _) = kind, let kinds = entity.kinds {
      switch kinds.unknown {
      case .entity: break
      case .skip: batch.rows.rows[row].state = .skipped
      case .issue:
        batch.rows.rows[row].state = .skipped
        report(row, key: key, expected: kinds.expectation, found: found, action: "object skipped")
      }
    }
    try readObject(
      actual, into: row, identity: identity, nestedBy: list, isList: isList,
      takesAdditions: takesAdditions(isRoot, parent: parent))
    return row
  }

  /// Keeps the value that told the kind of an object, unless it is the entity's usual one.
  private mutating func keepKind(_ value: String, of row: Int, _ entity: EntityPlan) {
    guard let slot = entity.layout.kindValueSlot else { return }
    var value = value
    guard value != entity.kindValue else { return batch.rows[row, slot] = .null }
    let cell = value.withUTF8 { batch.rows.text($0) }
    batch.rows[row, slot] = cell
  }

  // MARK: - Looking ahead

  private mutating func findKind(_ entity: EntityPlan, _ token: JSONToken) throws(JSONError) -> Kind {
    guard let kinds = entity.kinds else { return .unsaid }
    switch kinds.form {
    case .key(let path):
      return try kind(in: token, at: path.steps[...], kinds, whole: path)
    case .wrapper where token == .beginArray: return .unknown(key: nil, found: "a list")
    case .convention where token == .beginArray: return .unsaid
    case .wrapper: return try wrappedKind(kinds) ?? .unknown(key: nil, found: "an object without such a key")
    case .function(let function):
      guard let name = function(try json.value(from: token)) else { return .unsaid }
      return kinds.kind(ofValue: name).map { .entity($0) } ?? .unknown(key: nil, found: "\"\(name)\"")
    case .convention: return try conventionalKind(kinds, entity)
    }
  }

  /// The kind that the value at the end of a key path tells. The first token of what the path leads through was just
  /// read.
  private mutating func kind(
    in token: JSONToken, at path: ArraySlice<JSONKeyPath.Step>, _ kinds: KindPlan, whole: JSONKeyPath
  ) throws(JSONError) -> Kind {
    if token == .null { return .unsaid }
    if let step = path.first {
      guard let inner = try enter(token, step) else { return .unsaid }
      return try kind(in: inner, at: path.dropFirst(), kinds, whole: whole)
    }
    guard let value = scalarText(token) else { return .unknown(key: whole.text, found: found(token)) }
    return kinds.kind(ofValue: value).map { .entity($0, value: value) }
      ?? .unknown(key: whole.text, found: found(token), value: value)
  }

  /// The kind that the key around an object tells; nil if the object has no key but those of its own.
  private mutating func wrappedKind(_ kinds: KindPlan) throws(JSONError) -> Kind? {
    while try json.next() == .key {
      let key = String(decoding: json.text, as: UTF8.self)
      let token = try json.next()
      if token == .beginObject {
        return kinds.kind(named: key).map { .entity($0, value: key) }
          ?? .unknown(key: nil, found: "\"\(key)\"")
      }
      try json.skip(from: token)
    }
    return nil
  }

  /// The kind that a wrapper, or a key that commonly tells it, names.
  private mutating func conventionalKind(
    _ kinds: KindPlan, _ entity: EntityPlan
  ) throws(JSONError) -> Kind {
    while try json.next() == .key {
      let key = String(decoding: json.text, as: UTF8.self)
      let isProperty = matchesSomething(entity)
      let token = try json.next()
      if token == .beginObject, !isProperty, let kind = kinds.kind(named: key) { return .entity(kind) }
      if KindPlan.isCommon(key), let value = scalarText(token), let kind = kinds.kind(ofValue: value) {
        return .entity(kind)
      }
      try json.skip(from: token)
    }
    return .unsaid
  }

  /// The text of a scalar whose token was just read; nil for anything else.
  func scalarText(_ token: JSONToken) -> String? {
    switch token {
    case .string, .number: String(decoding: json.text, as: UTF8.self)
    case .true: "true"
    case .false: "false"
    default: nil
    }
  }
}

/// The kind of a link, told by a key beside it; nil if the object does not tell it.
struct ToldKind {
  let row: Int
  /// The polymorphic key whose link it is for.
  let link: String
  var kind: String?
}

/// Keys that lead to objects of any of several entities.
extension RecordReader {
  /// The target of a value.
  private enum LinkTarget {
    /// An object of the relationship at this place among those of the key. A text that has its kind in it leaves this as
    /// its key.
    case member(Int, key: String? = nil)
    case nothing
    case unknown(found: String)
  }

  /// Reads the value of a polymorphic key.
  mutating func readPolymorphic(
    _ links: PolymorphicPlan, of entity: EntityPlan, at key: KeyPlace
  ) throws(JSONError) {
    let step = step(to: key)
    let kind = links.isToMany ? nil : try kindBeside(links, at: key)
    let token = try json.next()
    if token == .beginObject, let paths = entity.forms.targetPaths[entity.entity.index]?.all,
      try readInside(paths, links, of: entity, at: key, step: step)
    {
      return
    }
    try readLinks(token, links, kind, of: entity, at: key, step: step)
  }

  private mutating func readLinks(
    _ token: JSONToken, _ links: PolymorphicPlan, _ kind: String?, of entity: EntityPlan, at key: KeyPlace,
    step: PathStep
  ) throws(JSONError) {
    if links.isToMany {
      try readMany(token, links, kind, of: entity, at: key, step: step)
    } else {
      try readOne(token, links, kind, of: entity, at: key)
    }
  }

  // MARK: - To one

  private mutating func readOne(
    _ token: JSONToken, _ links: PolymorphicPlan, _ kind: String?, of entity: EntityPlan, at key: KeyPlace
  ) throws(JSONError) {
    let value = scalar(token)
    switch try target(token, value, links, kind) {
    case .nothing:
      for place in links.members { clear(entity.relationships[place], at: key) }
    case .unknown(let found):
      if value == nil { try json.skip(from: token) }
      batch.hasLeftOutObjects = true
      report(key, expected: links.expectation, found: found, action: "value left out")
    case .member(let member, let text):
      let relationship = entity.relationships[links.members[member]]
      if let value = text.map(JSONValue.string) ?? value {
        transform(value, of: relationship, at: key)
      } else {
        try readRelationship(token, relationship, at: key)
      }
      // A value that could not be used leaves all as it was.
      guard rankOfLinks(relationship, key.row) != nil else { return }
      for (other, place) in links.members.enumerated() where other != member {
        clear(entity.relationships[place], at: key)
      }
    }
  }

  // MARK: - To many

  /// The targets of one of the relationships, while the list is read.
  private struct OpenList {
    var targets: [Cell] = []
    var count = 0
  }

  private mutating func readMany(
    _ token: JSONToken, _ links: PolymorphicPlan, _ kind: String?, of entity: EntityPlan, at key: KeyPlace,
    step: PathStep
  ) throws(JSONError) {
    if token == .null {
      for place in links.members { clear(entity.relationships[place], at: key) }
      return
    }
    let firstRow = batch.rows.rows.count
    var lists = Array(repeating: OpenList(), count: links.members.count)
    var isIncomplete = false
    if token == .beginArray {
      var position = 0
      var element = try json.next()
      while element != .endArray {
        let isRead = try readElement(
          element, links, kind, of: entity, at: key, step: step, position: position, into: &lists)
        if !isRead { isIncomplete = true }
        position += 1
        element = try json.next()
      }
    } else {
      isIncomplete =
        !(try readElement(
          token, links, kind, of: entity, at: key, step: step, position: -1, into: &lists))
      // Nothing came that says what the lists are.
      if isIncomplete { return }
    }
    end(lists, links, of: entity, at: key, firstRow: firstRow, isIncomplete: isIncomplete)
  }

  private mutating func end(
    _ lists: [OpenList], _ links: PolymorphicPlan, of entity: EntityPlan, at key: KeyPlace, firstRow: Int,
    isIncomplete: Bool
  ) {
    for (list, place) in zip(lists, links.members) {
      let start = targets.count
      for cell in list.targets { targets.append(cell) }
      endCounted(
        entity.relationships[place], at: key, from: start, count: list.count, firstRow: firstRow,
        isIncomplete: isIncomplete)
    }
  }

  /// Reads an element of a list, whose first token was just read. True if it gave a target.
  private mutating func readElement(
    _ token: JSONToken, _ links: PolymorphicPlan, _ kind: String?, of entity: EntityPlan, at key: KeyPlace,
    step: PathStep, position: Int, into lists: inout [OpenList]
  ) throws(JSONError) -> Bool {
    let value = scalar(token)
    let target = try target(token, value, links, kind)
    guard case .member(let member, let text) = target else {
      if value == nil { try json.skip(from: token) }
      var seen = "null"
      if case .unknown(let found) = target { seen = found }
      noteLeftOut(token)
      report(
        key, position: position, expected: links.expectation, found: seen, action: "element left out")
      return false
    }
    let relationship = entity.relationships[links.members[member]]
    let start = targets.count
    var isTarget = false
    if let value = text.map(JSONValue.string) ?? value {
      _ = reading(value) { (reader, token) throws(JSONError) in
        isTarget = try reader.readElement(
          token, of: relationship, at: key, step: step, position: position)
      }
    } else {
      isTarget = try readElement(token, of: relationship, at: key, step: step, position: position)
    }
    if isTarget { lists[member].count += 1 }
    lists[member].targets += targets.elements[start...]
    targets.truncate(to: start)
    return isTarget
  }

  // MARK: - Inside other objects

  /// Reads links that stand inside the object whose opening brace was just read: `{"data": {…}}`. False, with nothing
  /// read, if there are none.
  private mutating func readInside(
    _ paths: TargetPaths, _ links: PolymorphicPlan, of entity: EntityPlan, at key: KeyPlace, step: PathStep
  ) throws(JSONError) -> Bool {
    let outside = json.depth - 1
    for path in paths.paths where !path.hasElements {
      let start = json.checkpoint()
      if let token = try follow(path.steps[...]) {
        json.release(start)
        let step = self.step(batch.text(of: step) + path.steps.map(\.text).joined())
        try readLinks(token, links, nil, of: entity, at: key, step: step)
        while json.depth > outside { _ = try json.next() }
        return true
      }
      json.rewind(to: start)
      json.release(start)
    }
    return false
  }

  // MARK: - Kinds

  /// The target of a value. Its first token was just read; if it is a scalar, the value is given.
  ///
  /// - Parameter kind: The kind that is known from beside it.
  private mutating func target(
    _ token: JSONToken, _ value: JSONValue?, _ links: PolymorphicPlan, _ kind: String?
  ) throws(JSONError) -> LinkTarget {
    if token == .beginArray { return .unknown(found: "a list") }
    if value == .null || (isTable && value == .string("")) { return .nothing }
    if let text = value?.stringValue, let parts = links.text?.parts(of: text[...]) {
      return links.member(ofKind: parts.kind).map { .member($0, key: parts.key) }
        ?? .unknown(found: found(.string(text)))
    }
    let inside = value == nil ? try kindInside(links) : nil
    guard let kind = inside ?? kind else {
      guard let value else { return .unknown(found: "an object that does not say its kind") }
      return .unknown(found: found(value))
    }
    return links.member(ofKind: kind).map { .member($0) } ?? .unknown(found: found(.string(kind)))
  }

  /// The kind that the object whose opening brace was just read says. The reader stays there.
  private mutating func kindInside(_ links: PolymorphicPlan) throws(JSONError) -> String? {
    let start = json.checkpoint()
    let kind = try kindAhead(links)
    json.rewind(to: start)
    json.release(start)
    return kind
  }

  private mutating func kindAhead(_ links: PolymorphicPlan) throws(JSONError) -> String? {
    while try json.next() == .key {
      let key = String(decoding: json.text, as: UTF8.self)
      let token = try json.next()
      if links.tellsKindInside(key), let kind = scalarText(token),
        links.rule.kind != nil || links.member(ofKind: kind) != nil
      {
        return kind
      }
      // The object may be wrapped in the name of its entity.
      if token == .beginObject, links.rule.kind == nil, links.member(ofKind: key) != nil { return key }
      try json.skip(from: token)
    }
    return nil
  }

  /// The kind that a key beside a link tells, before the link or after it; nil also where the link says it itself. The
  /// reader stays before the link.
  private mutating func kindBeside(
    _ links: PolymorphicPlan, at key: KeyPlace
  ) throws(JSONError) -> String? {
    if let told = told(links, key.row) { return toldKinds[told].kind }
    let start = json.checkpoint()
    defer { json.release(start) }
    let token = try json.next()
    let saysKind = token == .beginObject ? try kindAhead(links) != nil : token == .null
    json.rewind(to: start)
    if saysKind { return nil }
    try json.skip(from: json.next())
    var kind: String?
    while kind == nil, try json.next() == .key {
      let tells = links.tellsKindBeside(String(decoding: json.text, as: UTF8.self))
      let token = try json.next()
      if tells { kind = scalarText(token) }
      try json.skip(from: token)
    }
    json.rewind(to: start)
    tell(kind, of: links, key.row)
    return kind
  }

  /// Reads a key that tells the kind of links. It may fill an attribute as well.
  mutating func readLinkKind(
    of entity: EntityPlan, at key: KeyPlace, _ content: inout ObjectContent
  ) throws(JSONError) {
    let start = json.checkpoint()
    let kind = scalarText(try json.next())
    json.rewind(to: start)
    json.release(start)
    let name = key.node.name(of: key.index)
    for links in entity.polymorphic where links.tellsKindBeside(name) { tell(kind, of: links, key.row) }
    let attribute = Int(key.node.entry(key.index).index)
    guard attribute >= 0 else { return try json.skip(from: json.next()) }
    content.hasProperty = true
    try readAttribute(entity.attributes[attribute], at: key)
  }

  private func told(_ links: PolymorphicPlan, _ row: Int) -> Int? {
    var index = toldKinds.count - 1
    while index >= 0, toldKinds[index].row >= row {
      if toldKinds[index].row == row, toldKinds[index].link == links.name { return index }
      index -= 1
    }
    return nil
  }

  private mutating func tell(_ kind: String?, of links: PolymorphicPlan, _ row: Int) {
    if let known = told(links, row) {
      toldKinds[known].kind = kind ?? toldKinds[known].kind
    } else {
      toldKinds.append(ToldKind(row: row, link: links.name, kind: kind))
    }
  }

  // MARK: - The end of an object

  /// Forgets the kinds that an object told. If another object nests it by one of the relationships, it has no other of
  /// them.
  mutating func endPolymorphic(_ entity: EntityPlan, _ row: Int, nestedBy list: Int) {
    while let last = toldKinds.last, last.row >= row { toldKinds.removeLast() }
    guard list >= 0 else { return }
    for links in entity.polymorphic where !links.isToMany {
      let isNesting = links.members.map { entity.relationships[$0].relationship.inverse == list }
      guard isNesting.contains(true) else { continue }
      for (place, isNesting) in zip(links.members, isNesting) where !isNesting {
        for slot in entity.relationships[place].slots where !cell(row, slot).isPresent {
          setCell(row, slot, to: .null)
        }
      }
    }
  }
}
