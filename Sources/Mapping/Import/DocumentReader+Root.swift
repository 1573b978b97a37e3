import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// The way from the root to what is imported.
extension DocumentReader {
  /// An object or a list on the way.
  struct Level {
    /// The step of the root path that leads on from it.
    let index: Int
    let isObject: Bool
    /// Whether it is a list of documents, each of which the whole way leads from.
    var isOfDocuments = false
    /// The path to it, for messages.
    let path: String
    /// The next element of a list.
    var position = 0
    /// The one element of a list that is meant; nil if all are.
    var wanted: Int?
    var hasFound = false
    /// The keys that it has, for the error where none is meant.
    var keys: [String] = []
  }

  /// The first token of the next value that is to be imported, and the path to it; nil at the end.
  mutating func nextRoot() throws -> (token: JSONToken, step: String)? {
    while true {
      var found: (token: JSONToken, path: String, index: Int)?
      if case .level(let level)? = frames.last {
        guard let inner = try advance(level) else { continue }
        found = inner
      } else {
        guard let root = try beginRoot() else { return nil }
        found = (root.token, root.path, 0)
      }
      guard let (token, path, index) = found else { continue }
      if let value = try enter(token, path, at: index) { return value }
    }
  }

  /// The next value at the root of the JSON.
  private mutating func beginRoot() throws -> (token: JSONToken, path: String)? {
    let token = try records.json.next()
    guard token != .end else { return nil }
    countRoot()
    records.additions.leave(0)
    return (token, isNumbered ? JSONPath.root(atLine: records.json.line) : "$")
  }

  /// Begins with an object or a list on the way. If the way ends here, gives it back.
  private mutating func enter(
    _ token: JSONToken, _ path: String, at index: Int
  ) throws -> (token: JSONToken, step: String)? {
    if index == 0, try rootPath.isOptional ? !isWrapper(token) : isExport(token) || isNamedList(token) {
      return (token, path)
    }
    try lookUp(from: token, at: index)
    if columnsPlace != nil { try lookUpColumns(from: token, at: index) }
    guard index < rootPath.steps.count else { return (token, path) }
    let step = rootPath.steps[index]
    switch (step, token) {
    case (_, .beginObject) where step.isInObject:
      frames.append(.level(Level(index: index, isObject: true, path: path)))
    case (.position(let position), .beginArray):
      let wanted = position < 0 ? position + (try records.countElements()) : position
      frames.append(.level(Level(index: index, isObject: false, path: path, wanted: wanted)))
    case (.elements, .beginArray):
      frames.append(.level(Level(index: index, isObject: false, path: path)))
    case (.elements, .beginObject):
      // One object counts as a list of one.
      return try enter(token, path, at: index + 1)
    case (_, .beginArray) where index == 0 && step.isInObject && !rootPath.isOfAllDocuments:
      frames.append(.level(Level(index: index, isObject: false, isOfDocuments: true, path: path)))
    default:
      if rootPath.isNeeded(index) {
        guard !rootPath.isOfAllDocuments else { throw try missing(index, keys: []) }
        leaveOutSource(found: records.found(token))
      }
      try records.json.skip(from: token)
    }
    return nil
  }

  /// Leaves out the source, or what is left of it, since it has no objects where the way leads to.
  private mutating func leaveOutSource(found: String) {
    isPassedOver = true
    leaveOut("$", expected: "objects at \(rootPath.text)", found: found, action: "file left out")
  }

  /// Whether a document, whose first token was just read, is none of the objects itself: it has objects under the key that the
  /// way begins with, or nothing of any. The reader stays where it is. A key farther than `farthest` bytes from the beginning is
  /// taken to be there: no lone object is so large.
  private mutating func isWrapper(_ token: JSONToken) throws -> Bool {
    loneEntity = nil
    guard let step = rootPath.steps.first, token == .beginObject else { return false }
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    let limit = records.json.offset + Self.farthest
    let constants = plan.layout.schema.model.document.constants
    var holdsObjects = false
    var saysSo = false
    var others: [String] = []
    while try records.json.next() == .key {
      let key = String(decoding: records.json.text, as: UTF8.self)
      let value = try records.json.next()
      if step.matches(key) {
        holdsObjects = value == .beginObject || value == .beginArray
      } else {
        others.append(key)
        if value == .string, let text = constants[key] {
          saysSo = saysSo || String(decoding: records.json.text, as: UTF8.self) == text
        }
      }
      try skip(value, limit)
      guard records.json.offset < limit else { return true }
    }
    let entities = entities(ofObjectWith: others)
    let isKnown = others.contains { key in plan.entities.contains { $0.knows(key) } }
    if entities.isEmpty, holdsObjects || saysSo || !isKnown { return true }
    loneEntity = entities.count == 1 ? entities[0] : nil
    return false
  }

  /// Whether a document, whose first token was just read, has nothing but lists under the names of entities, as an export has whose
  /// objects came from elsewhere. The reader stays where it is.
  private mutating func isExport(_ token: JSONToken) throws -> Bool {
    guard token == .beginObject, let step = rootPath.steps.first, step.isInObject else { return false }
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    let limit = records.json.offset + Self.farthest
    var lists = 0
    while try records.json.next() == .key {
      let key = String(decoding: records.json.text, as: UTF8.self)
      guard step.isAnyKey || !step.matches(key), plan.entities.contains(where: { $0.entity.name == key }),
        try records.json.next() == .beginArray
      else { return false }
      lists += 1
      try skip(.beginArray, limit)
      // A list that is so long is one of an export, and no part of a document.
      guard records.json.offset < limit else { return true }
    }
    // Any key leads to the objects of one entity as well.
    return lists > (step.isAnyKey ? 1 : 0)
  }

  /// Whether the source is a file of one entity, though the way to the objects begins with an object: it is called like the entity and has
  /// a list, or exactly like it and has lines of objects, as an export of all entities makes them.
  private mutating func isNamedList(_ token: JSONToken) throws -> Bool {
    guard let named = exportedEntity ?? namedEntity, documentKind != nil || named == entity,
      let step = rootPath.steps.first, step.isInObject
    else { return false }
    guard token == .beginObject else { return token == .beginArray }
    guard hasLines, exportedEntity != nil else { return false }
    let start = records.json.checkpoint()
    defer {
      records.json.rewind(to: start)
      records.json.release(start)
    }
    // A key that is farther away is taken to be there.
    let limit = records.json.offset + Self.farthest
    return try find(step, limit) == nil && records.json.offset < limit
  }

  /// The entity that the file has exactly the name of, as files of an export have.
  var exportedEntity: Int? {
    source.entityHints.first.flatMap { [plan] in plan.layout.schema.index(of: $0) }
  }

  /// The entity that the name of the file, or of its folder, names in any style.
  private var namedEntity: Int? { plan.entity(ofFile: source.entityHints) }

  /// The entities that an object with these keys may be of: it has what identifies one, and no other keys.
  private func entities(ofObjectWith keys: [String]) -> [Int] {
    plan.entities.filter { entity in
      entity.hasIdentity && !entity.isAbstract && keys.allSatisfy(entity.takes)
        && entity.isIdentified(by: keys)
    }.map(\.entity.index)
  }

  /// Reads on in an object or a list on the way, to the next value that is meant. Nil if there is none.
  private mutating func advance(_ level: Level) throws -> (token: JSONToken, path: String, index: Int)? {
    var level = level
    let step = rootPath.steps[level.index]
    if level.isObject {
      while try records.json.next() == .key {
        let key = String(decoding: records.json.text, as: UTF8.self)
        let token = try records.json.next()
        if step.matches(key) {
          level.hasFound = true
          frames[frames.count - 1] = .level(level)
          records.additions.leave(level.index + 1)
          if case .anyKey(let name?) = step {
            records.additions.set(name, .string(key), level: level.index + 1)
          }
          return (token, level.path + JSONPath.step(key: key), level.index + 1)
        }
        if level.keys.count < Self.mostKeysInError { level.keys.append(key) }
        if token == .beginObject || token == .beginArray { records.batch.hasPassedOver = true }
        try records.json.skip(from: token)
      }
    } else {
      while case let token = try records.json.next(), token != .endArray {
        let position = level.position
        level.position += 1
        if level.wanted == nil || level.wanted == position {
          level.hasFound = true
          frames[frames.count - 1] = .level(level)
          return (token, level.path + "[\(position)]", level.isOfDocuments ? level.index : level.index + 1)
        }
        try records.json.skip(from: token)
      }
    }
    frames.removeLast()
    guard !level.hasFound else { return nil }
    if rootPath.isNeeded(level.index) {
      guard !rootPath.isOfAllDocuments, level.isObject else {
        throw try missing(level.index, keys: level.keys)
      }
      leaveOutSource(found: level.keys.isEmpty ? "none there" : "only \(ImportError.list(level.keys))")
      return nil
    }
    for key in level.keys where rootPath.isOptional && !plan.entities.contains(where: { $0.takes(key) }) {
      unmatched[key, default: 0] += 1
    }
    return nil
  }

  private static var mostKeysInError: Int { 1_000 }

  private mutating func missing(_ index: Int, keys: [String]) throws -> ImportError {
    let step = rootPath.steps[index]
    let name = if case .position(let position) = step { "[\(position)]" } else { step.key ?? "a list" }
    return try failure(.noSuchPath(rootPath.text, source: source.name, missing: name, keys: keys))
  }

  // MARK: - Values outside the objects

  /// Looks up the values that objects get from a value whose first token was just read. The reader stays where it is,
  /// and the bytes up to the last of these values stay in memory.
  private mutating func lookUp(from token: JSONToken, at index: Int) throws {
    for (key, path) in records.additions.paths(at: index) {
      let start = records.json.checkpoint()
      var found: JSONToken? = token
      for step in path.steps {
        guard let token = found else { break }
        found = try records.enter(token, step)
      }
      if let found { records.additions.set(key, try records.json.value(from: found), level: index) }
      records.json.rewind(to: start)
      records.json.release(start)
    }
  }
}

/// The way from the root of the JSON to what is imported: `response.items`, `pages[].items`, `data.{country}.*`.
///
/// Besides the steps of key paths there are `*` for any key, `{country}` for any key whose text becomes a value of the
/// objects, and `data|included` for either. `value?` at the beginning is a key that documents may lack: then a document is
/// an object, or a list of objects, itself.
struct RootPath: Sendable {
  enum Step: Sendable {
    case keys([String])
    case anyKey(name: String?)
    case position(Int)
    case elements

    /// The key that it must find; nil if it may find nothing.
    var key: String? {
      if case .keys(let keys) = self { keys.joined(separator: "|") } else { nil }
    }

    func matches(_ key: String) -> Bool {
      switch self {
      case .keys(let keys): keys.contains(key)
      case .anyKey: true
      case .position, .elements: false
      }
    }

    var isAnyKey: Bool { if case .anyKey = self { true } else { false } }

    /// Whether it leads into objects, not lists.
    var isInObject: Bool {
      switch self {
      case .keys, .anyKey: true
      case .position, .elements: false
      }
    }
  }

  let text: String
  let steps: [Step]
  /// Whether documents may lack the key of the first step.
  let isOptional: Bool
  /// Whether documents are known to hold no objects.
  var mayLeadNowhere = false
  /// Whether an import fails where a document does not have it.
  var isOfAllDocuments = true

  /// How many steps lead to an object around the objects: 1 is the innermost.
  func level(_ up: Int) throws(ImportError) -> Int {
    let objects = steps.indices.filter { steps[$0].isInObject }
    guard up > 0, up <= objects.count else { throw ImportError(.noLevel(up, root: text)) }
    return objects[objects.count - up]
  }

  static let root = RootPath()

  private init() {
    text = ""
    steps = []
    isOptional = false
  }

  /// Reads a path; `$` is the root itself.
  init(_ text: String) throws(JSONKeyPathError) {
    self.text = text
    guard text != "$" else {
      steps = []
      isOptional = false
      return
    }
    let path = try JSONKeyPath(text).steps
    steps = path.enumerated().map { index, step in
      switch step {
      case .position(let position): .position(position)
      case .elements: .elements
      case .key("*"): .anyKey(name: nil)
      case .key(let key) where key.count > 2 && key.hasPrefix("{") && key.hasSuffix("}"):
        .anyKey(name: String(key.dropFirst().dropLast()))
      case .key(let key): .keys(Self.keys(key, isFirst: index == 0))
      }
    }
    isOptional = if case .key(let key)? = path.first { JSONKeyPath.withoutMark(key) != key } else { false }
  }

  /// The keys that a step means. A key may have a mark at its end for a part of itself.
  private static func keys(_ text: String, isFirst: Bool) -> [String] {
    let plain = isFirst ? JSONKeyPath.withoutMark(text) : text
    return plain.split(separator: "|").map(String.init) + (plain == text ? [] : [text])
  }

  /// Whether its last step leads to one element of a list.
  var endsAtPosition: Bool { if case .position? = steps.last { true } else { false } }

  /// Whether its last step leads through all keys of an object.
  var endsAtAnyKey: Bool { if case .anyKey? = steps.last { true } else { false } }

  /// Whether neither of two paths leads on from the end of the other.
  func isApart(from other: RootPath) -> Bool {
    guard !steps.isEmpty, !other.steps.isEmpty, text != other.text else { return false }
    return !"\(text).".hasPrefix("\(other.text).") && !"\(other.text).".hasPrefix("\(text).")
  }

  /// Whether what the step at an index leads to has to be there: it leads to one place.
  func isNeeded(_ index: Int) -> Bool {
    !isOptional && !mayLeadNowhere
      && steps[...index].allSatisfy { step in
        switch step {
        case .keys, .position: true
        case .anyKey, .elements: false
        }
      }
  }
}

/// Lists of objects of several entities, which a value of each object tells.
extension DocumentReader {
  /// Begins with such a list, or with one such object.
  mutating func beginMixed(_ token: JSONToken, _ step: String) throws {
    switch token {
    case .beginArray: frames.append(.mixedList(step: step, position: 0))
    case .beginObject: try readOfKind(step, position: -1)
    default: throw try failure(.notObjects(source: source.name, found: records.found(token)))
    }
  }

  mutating func advanceMixedList(_ step: String, _ position: Int) throws {
    let token = try records.json.next()
    guard token != .endArray else {
      frames.removeLast()
      return
    }
    frames[frames.count - 1] = .mixedList(step: step, position: position + 1)
    guard token == .beginObject else {
      if token != .null { otherKind(records.found(token), step, position) }
      return try records.json.skip(from: token)
    }
    try readOfKind(step, position: position)
  }

  /// Reads an object, whose opening brace was just read, of the entity that its kind names.
  private mutating func readOfKind(_ step: String, position: Int) throws {
    let start = records.json.checkpoint()
    let name = try kindName()
    records.json.rewind(to: start)
    records.json.release(start)
    let named = name == nil && documentKind?.isInFileNames ?? false ? namedEntity : nil
    guard let entity = name.flatMap({ plan.entity(ofKind: $0) }) ?? named else {
      otherKind(name.map { "\"\($0)\"" } ?? "an object that does not say it", step, position)
      return try records.json.skip(from: .beginObject)
    }
    if position >= 0 { listed.insert(entity) } else { countLone(entity) }
    _ = try records.readNewObject(
      plan.entities[entity], parent: -1, step: records.step(step), position: position, isRoot: true)
  }

  /// The text that tells the kind of the object whose opening brace was just read.
  private mutating func kindName() throws -> String? {
    var token: JSONToken? = .beginObject
    for step in documentKind?.path.steps ?? [] {
      guard let outer = token else { return nil }
      token = try records.enter(outer, step)
    }
    guard token == .string else { return nil }
    return String(decoding: records.json.text, as: UTF8.self)
  }

  /// Notes an object that is of no entity of the model.
  private mutating func otherKind(_ found: String, _ step: String, _ position: Int) {
    records.batch.hasLeftOutObjects = true
    let key = documentKind?.path.text ?? ""
    if documentKind?.skipsOthers ?? false {
      unmatched["\(key) = \(found)", default: 0] += 1
    } else {
      records.reportOther(
        at: step + (position >= 0 ? "[\(position)]" : ""), key: key, expected: plan.kindExpectation,
        found: found)
    }
  }
}

extension RecordReader {
  /// Notes an object at the top of the JSON that is of no entity.
  fileprivate mutating func reportOther(at path: String, key: String, expected: String, found: String) {
    let source = batch.sourceName
    let isNumbered = path.utf8.first.map { $0 != UInt8(ascii: "$") } ?? false
    let place =
      isNumbered ? source.ofLines.map { "\($0):" } ?? "line " : source.amongSeveral.map { "\($0): " } ?? ""
    batch.issues.append(
      DraftIssue(
        row: -1,
        issue: ImportIssue(
          path: place + path, entity: "", key: key, expected: expected, found: found, action: "object skipped"
        )))
  }
}

extension Plan {
  /// The entity that a value names: by its name, in any style and number, or by the values that stand for it.
  func entity(ofKind value: String) -> Int? {
    if let known = entity(namedBy: value) { return known }
    return layout.schema.model.entities.firstIndex { $0.annotations.kinds.contains(value) }
  }

  fileprivate var kindExpectation: String {
    let names = entities.map(\.entity).filter { !$0.isAbstract }.map(\.name)
    return "a kind of object: " + names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }
}

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
  fileprivate mutating func readBareElements(
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
        if element == .null, plan.entities[relationship.destination].omitsNulls {
          list.position += 1
        } else {
          let isTarget = try readElement(
            element, of: relationship, at: list.key, step: step, position: list.position)
          note(isTarget, &list)
        }
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
  fileprivate mutating func readBare(
    _ token: JSONToken, of relationship: RelationshipPlan, row: Int
  ) throws(JSONError) {
    let key = ownKey(named: relationship.relationship.name, of: row)
    try readOne(token, of: relationship, at: key, step: step(""))
  }

  fileprivate mutating func endBare(_ list: BareList, of relationship: RelationshipPlan, from start: Int) {
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
