import Bytes
import Foundation
import JSONStream
import ObjectModel
import ObjectStore

/// Targets that stand inside the value of a relationship's key: `{"data": {…}}`, `{"edges": [{"node": {…}}]}`.
extension RecordReader {
  /// Reads the links of a relationship from an object, whose opening brace was just read, that holds the targets. If it
  /// does not, it is a target itself, or says nothing of them.
  mutating func readInside(
    _ paths: TargetPaths, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep
  ) throws(JSONError) {
    let outside = json.depth - 1
    for path in paths.paths where path.steps.first != .elements {
      let start = json.checkpoint()
      let plain = path.steps.prefix { $0 != .elements }
      if let token = try follow(plain),
        path.hasElements || !paths.areOwnedLists || isOwnedList(token, plain, of: relationship)
      {
        json.release(start)
        let step = self.step(batch.text(of: step) + plain.map(\.text).joined())
        try readTargets(token, path.steps[plain.count...], of: relationship, at: key, step: step)
        while json.depth > outside { _ = try json.next() }
        return
      }
      json.rewind(to: start)
      json.release(start)
    }
    guard try looksLikeTarget(relationship) else {
      while json.depth > outside { _ = try json.next() }
      return
    }
    if relationship.isToMany {
      try readMany(.beginObject, of: relationship, at: key, step: step)
    } else {
      try readOne(.beginObject, of: relationship, at: key, step: step)
    }
  }

  /// Whether the value at the end of a path holds owned objects: it is a list, and not one of an owned object's own.
  private func isOwnedList(
    _ token: JSONToken, _ path: ArraySlice<JSONKeyPath.Step>, of relationship: RelationshipPlan
  ) -> Bool {
    guard token == .beginArray, case .key(let key)? = path.first else { return false }
    let keys = plan.entities[relationship.destination].keys
    return keys.entry(keys.index(of: key)).action == .ignore
  }

  private mutating func readTargets(
    _ token: JSONToken, _ rest: ArraySlice<JSONKeyPath.Step>, of relationship: RelationshipPlan,
    at key: KeyPlace, step: PathStep
  ) throws(JSONError) {
    if rest.count > 1, relationship.isToMany, token == .beginArray || token == .beginObject {
      try gather(token, rest.dropFirst(), relationship, at: key, step: step)
    } else if relationship.isToMany {
      try readMany(token, of: relationship, at: key, step: step)
    } else {
      try readOne(token, of: relationship, at: key, step: step)
    }
  }

  /// Reads an element, an object whose opening brace was just read, that holds the target. Nil, with nothing read, if it
  /// holds none.
  mutating func readElementInside(
    _ paths: TargetPaths, of relationship: RelationshipPlan, at key: KeyPlace, step: PathStep, position: Int
  ) throws(JSONError) -> Bool? {
    let outside = json.depth - 1
    for path in paths.paths where !path.hasElements && !paths.areOwnedLists {
      let start = json.checkpoint()
      if let token = try follow(path.steps[...]) {
        json.release(start)
        let isTarget = try readElement(token, of: relationship, at: key, step: step, position: position)
        while json.depth > outside { _ = try json.next() }
        return isTarget
      }
      json.rewind(to: start)
      json.release(start)
    }
    return nil
  }

  /// Goes along a path from the object whose opening brace was just read. Nil if it leads to nothing.
  mutating func follow(_ path: ArraySlice<JSONKeyPath.Step>) throws(JSONError) -> JSONToken? {
    var token: JSONToken? = .beginObject
    for step in path {
      guard let outer = token else { return nil }
      token = try enter(outer, step)
    }
    return token
  }

  /// Whether the object whose opening brace was just read has a key of the target's or tells its kind. Where the target is an owned
  /// object, one key that nothing takes is enough: the report has to count it.
  private mutating func looksLikeTarget(_ relationship: RelationshipPlan) throws(JSONError) -> Bool {
    let target = plan.entities[relationship.destination]
    let start = json.checkpoint()
    defer { json.release(start) }
    var isTarget = false
    while try json.next() == .key {
      if matchesSomething(target) || tellsKind(target)
        || (!target.entity.hasIdentity && isUnknown(to: target))
      {
        isTarget = true
        break
      }
      try json.skip(from: json.next())
    }
    json.rewind(to: start)
    return isTarget
  }
}

/// Values from outside that the objects at the top of the JSON get.
extension RecordReader {
  /// Whether an object gets them: one at the top, or one that is imported into a relationship of an object of the store.
  func takesAdditions(_ isRoot: Bool, parent: Int) -> Bool {
    !additions.isEmpty && (isRoot || (bareRow >= 0 && parent == bareRow))
  }

  /// Gives an object the values whose keys it does not have itself.
  mutating func addValues(to row: Int, _ entity: EntityPlan, _ content: inout ObjectContent)
    throws(JSONError)
  {
    additions.beginObject(of: entity.entity.root)
    let isOfSource = entity.isIdentifiedBySource(additions.source?.key)
    if isOfSource, !content.hasProperty {
      var isStranger = content.hasUnknownKey
      if !isStranger, !additions.hasObjects {
        isStranger = additions.hasStrangers
        if !isStranger { isStranger = try !comesBeforeObjects(row, entity) }
      }
      if isStranger {
        additions.hasStrangers = true
        return skipStranger(row, content)
      }
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
  /// such as a message in place of objects. An object without keys, in a list before or after others that have some, is one of
  /// which nothing is said.
  private mutating func skipStranger(_ row: Int, _ content: ObjectContent) {
    batch.rows.rows[row].state = .skipped
    report(
      row, key: nil, expected: "an object with keys of the entity",
      found: content.hasUnknownKey ? "only keys that match nothing" : "an object without keys",
      action: "object skipped")
  }

  /// Whether an object without keys, which was just read, is the first one of a list and stands before one that has keys of the
  /// entity. Nulls may stand between them.
  private mutating func comesBeforeObjects(_ row: Int, _ entity: EntityPlan) throws(JSONError) -> Bool {
    guard batch.places[row].position >= 0 else { return false }
    let start = json.checkpoint()
    defer {
      json.rewind(to: start)
      json.release(start)
    }
    while case let token = try json.next(), token == .beginObject || token == .null && entity.omitsNulls {
      if token == .beginObject, try json.next() == .key {
        return entity.takes(String(decoding: json.text, as: UTF8.self))
      }
    }
    return false
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

/// The values that the objects of a source get, as far as they are known.
struct Additions {
  struct Value {
    var key: String
    var value: JSONValue
    /// How many steps of the root path lead to what it was taken from; it counts as long as the reader is inside.
    var level: Int
  }

  /// The look-ups, by the number of steps to the object that they are made in.
  private var lookups: [Int: [(key: String, path: JSONKeyPath)]] = [:]
  private(set) var values: [Value] = []
  /// The keys that some entity has taken.
  var taken: Set<String> = []

  init() {}

  /// The keys of values that count the objects.
  private var positionKeys: [String] = []
  /// How many objects of each entity came.
  private var positions: [Int: Int64] = [:]
  /// Whether an object with keys of its entity came from the source.
  var hasObjects = false
  /// Whether an object of the source was skipped that only its source would identify.
  var hasStrangers = false
  /// The key that objects get the name of their source under, and that name.
  private(set) var source: (key: String, name: String)?

  /// - Parameter isNew: Whether what the source identifies is added beside what came of it before.
  init(
    _ added: [String: AddedValue], _ root: RootPath, _ source: ImportSource, isNew: Bool
  ) throws(ImportError) {
    for (key, value) in added.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .value(let value): values.append(Value(key: key, value: value, level: -1))
      case .fileName: add(key, source.fileName)
      case .folderName: add(key, source.folderName)
      case .source:
        let name = (isNew ? nil : source.uniqueName) ?? Self.newName()
        self.source = (key, name)
        add(key, name)
      case .position: positionKeys.append(key)
      case .document(let text): try look(up: text, as: key, at: 0)
      case .enclosing(let level, let text):
        try look(up: text, as: key, at: root.level(level))
      }
    }
  }

  /// A name that no other source has.
  private static func newName() -> String { "-/\(UUID().uuidString.lowercased())" }

  /// Gives the next object of an entity its position among those.
  mutating func beginObject(of entity: Int) {
    guard !positionKeys.isEmpty else { return }
    let position = positions[entity, default: 0]
    for key in positionKeys {
      values.removeAll { $0.key == key }
      set(key, .integer(position), level: -1)
    }
    positions[entity] = position + 1
  }

  private mutating func add(_ key: String, _ text: String?) {
    if let text { values.append(Value(key: key, value: .string(text), level: -1)) }
  }

  private mutating func look(up text: String, as key: String, at level: Int) throws(ImportError) {
    do throws(JSONKeyPathError) {
      lookups[level, default: []].append((key, try JSONKeyPath(text)))
    } catch {
      throw ImportError(.noKeyPath(text, error.message))
    }
  }

  /// The paths that lead to values from what a number of steps lead to.
  func paths(at level: Int) -> [(key: String, path: JSONKeyPath)] { lookups[level] ?? [] }

  /// Sets a value that was found after some steps of the root path.
  mutating func set(_ key: String, _ value: JSONValue, level: Int) {
    values.append(Value(key: key, value: value, level: level))
  }

  /// Forgets what was found after this many steps or more.
  mutating func leave(_ level: Int) { values.removeAll { $0.level >= level } }

  var isEmpty: Bool { values.isEmpty && positionKeys.isEmpty }
}

/// A key of an object that is no property's.
struct UnknownKey: Hashable, Sendable {
  let entity: String
  let key: String
}

/// A choice of rows, with what was found while each was read.
struct ReadChoice: Sendable {
  var choice: KindChoice
  /// The keys that matched nothing: in the first row, and in each of the others.
  var unknownKeys: [[UnknownKey]]
}

/// Objects that do not tell which sub-entity they are of. Of one that is in the store already that is known there, and all
/// keys of its kind count.
extension RecordReader {
  /// So many choices may be inside each other. Each multiplies what is read.
  private static let mostOpenChoices = 2
  /// So many kinds are tried of an object that stands in another such object.
  private static let mostNestedKinds = 8

  /// Notes a key that matched nothing. It stands apart, so that the loop over the keys stays small enough to have the
  /// reading of attributes in it.
  @inline(never)
  mutating func noteUnknownKey(_ index: Int, of node: KeyNode, _ entity: EntityPlan) {
    unknownKeys?.append(UnknownKey(entity: entity.entity.name, key: node.prefix + node.name(of: index)))
  }

  /// Reads an object, whose opening brace was just read, as one of the entity that is expected, and if it has keys that
  /// only sub-entities know, as one of each of these too.
  mutating func readOfEachKind(
    _ entity: EntityPlan, parent: Int, step: PathStep, position: Int, identity: KnownIdentity,
    nestedBy list: Int, isRoot: Bool
  ) throws(JSONError) -> Int {
    let around = unknownKeys
    unknownKeys = []
    openChoices += 1
    let start = json.checkpoint()
    let row = addRow(entity, parent: parent, step: step, position: position)
    if isRoot { batch.rows.roots.append(row) }
    try readObject(
      entity, into: row, identity: identity, nestedBy: list,
      takesAdditions: takesAdditions(isRoot, parent: parent))
    var read = ReadChoice(
      choice: KindChoice(row: row, end: batch.rows.rows.count), unknownKeys: [unknownKeys ?? []])
    for kind in kinds(of: entity, knowing: read.unknownKeys[0]) where !batch.rows.rows[row].isSkipped {
      json.rewind(to: start)
      unknownKeys = []
      let before = batch.rows.extent
      let other = addRow(kind, parent: parent, step: step, position: position)
      try readObject(
        kind, into: other, identity: identity, nestedBy: list,
        takesAdditions: takesAdditions(isRoot, parent: parent))
      read.choice.others.append(
        KindChoice.Other(entity: kind.entity.index, from: before, to: batch.rows.extent))
      read.unknownKeys.append(unknownKeys ?? [])
    }
    json.release(start)
    openChoices -= 1
    unknownKeys = around.map { $0 + read.unknownKeys.joined() }
    if !read.choice.others.isEmpty { batch.choices.append(read) }
    return row
  }

  /// The sub-entities that know some of the keys which an entity does not.
  private func kinds(of entity: EntityPlan, knowing keys: [UnknownKey]) -> [EntityPlan] {
    guard !keys.isEmpty, openChoices <= Self.mostOpenChoices else { return [] }
    let plan = plan
    let names = Set(keys.lazy.filter { $0.entity == entity.entity.name }.map(\.key))
    let kinds = plan.layout.schema.family(of: entity.entity.index).lazy.map { plan.entities[$0] }.filter {
      kind in
      kind !== entity && !kind.entity.isAbstract
        && names.contains { kind.keys.entry(kind.keys.index(of: $0)).action != .ignore }
    }
    return Array(openChoices > 1 ? kinds.prefix(Self.mostNestedKinds) : kinds.prefix(.max))
  }
}

extension RecordReader.KnownIdentity {
  /// Whether the object itself says which it is.
  var isOpen: Bool { if case .fixed = self { false } else { true } }
}

/// Two keys of one object for one property.
extension RecordReader {
  /// Whether a key fits a property better than, or as well as, the key that filled it before. The better key wins; of
  /// two that fit equally well, the later one wins. This is reported once.
  mutating func isBetter(_ key: KeyPlace, than rank: UInt8) -> Bool {
    let entry = key.node.entry(key.index)
    if entry.action == .attribute {
      let entity = plan.entities[batch.rows.rows[key.row].entity]
      reportRivals(key, for: entity.entity.attributes[Int(entry.index)].name, otherRank: rank)
    }
    return key.rank <= rank
  }

  /// Reports, once for each property and import, that two keys of an object were for it. Some need no report: the
  /// mapping ranks them, or one is `id` and the other is the identity's own key.
  mutating func reportRivals(_ key: KeyPlace, for property: String, otherRank: UInt8) {
    let (first, second) = (KeyMatch.Rank(rawValue: key.rank), KeyMatch.Rank(rawValue: otherRank))
    let entity = batch.rows.rows[key.row].entity
    guard !min(first, second).isAnnotation, first != .identity, second != .identity,
      plan.reportedRivals.insert("\(entity) \(property)").inserted
    else { return }
    report(
      key, expected: "one key for \(property)", found: "two",
      action: "the key that fits better was used, here and elsewhere")
  }

  // MARK: - Relationships

  /// Reports that a worse key's scalar names another object than a better key did.
  mutating func reportRival(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace, worseThan better: Cell
  ) {
    let start = targets.count
    guard better.isPresent, token != .beginObject, token != .beginArray,
      case .key = pushScalar(token, relationship)
    else { return }
    let named = targets[start]
    targets.truncate(to: start)
    if differ(better, named) {
      reportRivals(key, for: relationship.relationship.name, otherRank: better.keyTag.rank)
    }
  }

  /// Reports that a worse key named another object than the one that is linked now.
  mutating func reportRival(_ worse: Cell, of relationship: RelationshipPlan, at key: KeyPlace) {
    guard worse.isPresent, let slot = relationship.slots.first else { return }
    let now = cell(key.row, slot)
    if now.keyTag.key != worse.keyTag.key, differ(worse, now) {
      reportRivals(key, for: relationship.relationship.name, otherRank: worse.keyTag.rank)
    }
  }

  /// Whether two cells, each a key or a row, are for different objects.
  private func differ(_ first: Cell, _ second: Cell) -> Bool {
    let (first, second) = (keyCell(first), keyCell(second))
    guard first.isPresent, second.isPresent, first.kind != .null, second.kind != .null else { return false }
    if first.kind == .text, second.kind == .text {
      return !batch.rows.bytes(of: first).elementsEqual(batch.rows.bytes(of: second))
    }
    return first.kind != second.kind || first.bits != second.bits
  }

  /// The first part of the key that a cell stands for.
  private func keyCell(_ cell: Cell) -> Cell {
    guard cell.kind == .row else { return cell }
    let target = Int(cell.bits)
    let layout = plan.entities[batch.rows.rows[target].entity].layout
    return layout.identitySlots.first.map { batch.rows.resolved(self.cell(target, $0), plan.layout) }
      ?? .absent
  }
}
