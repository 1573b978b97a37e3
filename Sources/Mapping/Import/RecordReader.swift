import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Turns JSON objects into rows, one record at a time. A record is an object with all that it nests.
struct RecordReader: ~Copyable {
  var json: JSONReader
  let plan: Plan
  /// The records that have been read, and the issues of what could not be used.
  var batch = RecordBatch()
  /// How paths name the source.
  let sourceName: SourceName
  /// Whether the JSON was made of a table, in which an empty text may stand for nothing.
  var isTable = false

  /// Targets of the lists that are being read, the innermost last.
  var targets = PlainBuffer<Cell>()
  /// The keys of the wrappers around the object that is being read, each with a dot behind it.
  var wrapper = ""
  /// The names of the columns, if the objects at the top are given as lists in their order.
  var columns: ListColumns?
  /// Values from outside, which the objects at the top get.
  var additions = Additions()
  /// The row whose relationship the whole JSON is for; -1 if none. Paths do not show that relationship.
  var bareRow = -1
  /// The path to the present value, if several values at the root are read into that row.
  var bareStep = ""
  /// The values of the last object without identity.
  var lastContent = ObjectContent()
  /// The last step that was written to the batch.
  var lastStep: (text: String, step: PathStep)?
  /// The keys that matched nothing, while an object is read of which the store has to tell the kind; else nil.
  var unknownKeys: [UnknownKey]?
  /// How many such objects are being read, one inside another.
  var openChoices = 0
  /// The kinds of links that keys beside them have told, of the objects that are being read.
  var toldKinds: [ToldKind] = []

  init(_ source: any ByteSource, plan: Plan, options: JSONReader.Options, sourceName: SourceName) {
    json = JSONReader(source, options: options)
    self.plan = plan
    self.sourceName = sourceName
    batch.sourceName = sourceName
  }

  /// Adds a row for an object. It stands at `position` of the list that `step` leads to.
  mutating func addRow(_ entity: EntityPlan, parent: Int, step: PathStep, position: Int = -1) -> Int {
    let row = batch.rows.addRow(
      entity: entity.entity.index, slots: entity.layout.slots.count, parent: parent)
    batch.places.append(RowPlace(step, position: position))
    return row
  }

  /// The cell of a slot of a row. Written out here, since the compiler does not inline it from the other module.
  @inline(__always)
  func cell(_ row: Int, _ slot: Int) -> Cell {
    batch.rows.cells.base[batch.rows.rows.base[row].firstCell + slot]
  }

  @inline(__always)
  func setCell(_ row: Int, _ slot: Int, to cell: Cell) {
    batch.rows.cells.base[batch.rows.rows.base[row].firstCell + slot] = cell
  }

  // MARK: - Objects

  /// Reads an object, whose opening brace was just read, into a row.
  ///
  /// - Parameters:
  ///   - identity: What else is known of its identity.
  ///   - list: The relationship by which another object nests it; -1 if none does.
  ///   - isList: Whether it was an opening bracket: the object is a list, with its values at certain places.
  ///   - takesAdditions: Whether it gets the values from outside.
  mutating func readObject(
    _ entity: EntityPlan, into row: Int, identity: KnownIdentity = .none, nestedBy list: Int = -1,
    isList: Bool = false, takesAdditions: Bool = false
  ) throws(JSONError) {
    var content = ObjectContent()
    let outer = wrapper
    wrapper = ""
    if isList, columns != nil, batch.rows.rows[row].parent < 0 {
      try readColumns(of: entity, into: row, &content)
    } else if isList {
      try readPlaces(ofObject: entity, into: row, &content)
    } else {
      try readKeys(entity, entity.keys, into: row, &content)
    }
    wrapper = outer
    if !entity.polymorphic.isEmpty { endPolymorphic(entity, row, nestedBy: list) }
    if takesAdditions { try addValues(to: row, entity, &content) }
    finish(entity, row, identity, content, nestedBy: list)
  }

  /// The members of an object besides its identity.
  struct ObjectContent {
    /// A key of one of the entity's properties.
    var hasProperty = false
    /// A key that is not one of the entity's.
    var hasUnknownKey = false

    /// Notes a key that is for none of the entity's properties.
    mutating func note(_ rank: KeyMatch.Rank) {
      switch rank {
      case .meaningless: break
      // The key that tells the kind of an object is the only one of such a rank that is for no property.
      case _ where rank.isAnnotation: hasProperty = true
      default: hasUnknownKey = true
      }
    }
  }

  /// The knowledge of an object's identity from elsewhere.
  enum KnownIdentity {
    case none
    /// Its key in a dictionary, to be used if the object has no identity of its own.
    case key(Cell)
    /// Its keys in dictionaries, to be used where the object does not say the attributes itself.
    case keys([Cell], DictionaryPlan)
    /// The identity of the object that it is imported onto.
    case fixed([Cell])
  }

  mutating func readKeys(
    _ entity: EntityPlan, _ node: KeyNode, into row: Int, _ content: inout ObjectContent
  ) throws(JSONError) {
    var last = -1
    while case .key = try json.next() {
      last = node.find(json.text, after: last)
      let entry = node.entry(last)
      switch entry.action {
      case .attribute where entry.node < 0:
        let attribute = entity.attributes[Int(entry.index)]
        if !attribute.isIdentity { content.hasProperty = true }
        try readAttribute(attribute, at: KeyPlace(row: row, node: node, index: last, rank: entry.rank))
      case .ignore:
        content.note(KeyMatch.Rank(rawValue: entry.rank))
        if openChoices > 0, entry.rank == KeyMatch.Rank.none.rawValue {
          noteUnknownKey(last, of: node, entity)
        }
        try json.skip(from: json.next())
      case .relationship where entry.node < 0:
        if !entity.relationships[Int(entry.index)].isIdentity { content.hasProperty = true }
        try readRelationship(
          entity.relationships[Int(entry.index)],
          at: KeyPlace(row: row, node: node, index: last, rank: entry.rank))
      default:
        try readUnusual(
          KeyPlace(row: row, node: node, index: last, rank: entry.rank), of: entity, &content)
      }
    }
  }

  /// Reads the value of a key that key paths lead through. The key may be one of a property as well.
  mutating func readUnusual(
    _ key: KeyPlace, of entity: EntityPlan, _ content: inout ObjectContent
  ) throws(JSONError) {
    let entry = key.node.entry(key.index)
    if entry.node >= 0, entry.action != .descend {
      let start = json.checkpoint()
      try readBelow(key, of: entity, &content)
      json.rewind(to: start)
      json.release(start)
    }
    switch entry.action {
    case .attribute:
      let attribute = entity.attributes[Int(entry.index)]
      if !attribute.isIdentity { content.hasProperty = true }
      try readAttribute(attribute, at: key)
    case .relationship:
      let relationship = entity.relationships[Int(entry.index)]
      if !relationship.isIdentity { content.hasProperty = true }
      try readRelationship(relationship, at: key)
    case .wrapper:
      let token = try json.next()
      guard token == .beginObject else {
        key.node.countMiss(key.index)
        return try json.skip(from: token)
      }
      let outer = wrapper
      wrapper += key.node.name(of: key.index) + "."
      try readKeys(entity, entity.keys, into: key.row, &content)
      wrapper = outer
    case .descend:
      try readBelow(key, of: entity, &content)
    case .polymorphic:
      content.hasProperty = true
      try readPolymorphic(entity.polymorphic[Int(entry.index)], of: entity, at: key)
    case .linkKind:
      try readLinkKind(of: entity, at: key, &content)
    case .ignore:
      content.hasUnknownKey = true
      try json.skip(from: json.next())
    }
  }

  /// Clears a property at the end of a key path: a null on the way is a null at its end.
  mutating func clear(
    _ property: KeyMatch, of entity: EntityPlan, below key: KeyPlace, _ content: inout ObjectContent
  ) {
    var key = key
    key.rank = property.rank.rawValue
    switch property.target {
    case .attribute(let index):
      let attribute = entity.attributes[index]
      if !attribute.isIdentity { content.hasProperty = true }
      let before = cell(key.row, attribute.slot)
      if before.isPresent {
        reportRivals(key, for: entity.entity.attributes[index].name, otherRank: before.keyTag.rank)
        if before.keyTag.rank < key.rank { return }
      }
      clearBelow(attribute, at: key)
    case .relationship(let place):
      let relationship = entity.relationships[place]
      if !relationship.isIdentity { content.hasProperty = true }
      if let before = rankOfLinks(relationship, key.row), before < key.rank { return }
      clearBelow(relationship, at: key)
    case .none, .wrapper, .polymorphic, .linkKind: break
    }
  }

  // MARK: - The end of an object

  /// Decides what happens to a row of a dictionary whose value was no object.
  mutating func finishKeyed(
    _ entity: EntityPlan, _ row: Int, _ identity: KnownIdentity, nestedBy list: Int = -1
  ) {
    finish(entity, row, identity, ObjectContent(hasProperty: true), nestedBy: list)
  }

  /// Ends an object at the top that a value in a list stands for, with the values from outside.
  mutating func finishValue(_ entity: EntityPlan, _ row: Int) throws(JSONError) {
    var content = ObjectContent(hasProperty: true)
    if takesAdditions(true, parent: -1) { try addValues(to: row, entity, &content) }
    finish(entity, row, .none, content, nestedBy: -1)
  }

  /// Decides what happens to a row whose object has been read.
  private mutating func finish(
    _ entity: EntityPlan, _ row: Int, _ identity: KnownIdentity, _ content: ObjectContent, nestedBy list: Int
  ) {
    var content = content
    if case .keys(let keys, let dictionary) = identity { takeKeys(keys, dictionary, entity, row, &content) }
    guard entity.hasIdentity else {
      if entity.isAbstract { skipAbstract(entity, row) }
      lastContent = content
      return
    }
    if entity.namesOthers { takeOwner(of: row, entity, nestedBy: list) }
    switch identity {
    case .none, .keys: break
    case .key(let key):
      if let index = entity.openAttribute(nestedBy: list) { takeIdentity(from: key, index, entity, row) }
    case .fixed(let cells): fixIdentity(cells, entity, row)
    }
    if !batch.rows.rows[row].isSkipped { checkIdentity(entity, row) }
    guard !batch.rows.rows[row].isSkipped else {
      if entity.isOwner { skipOwned(by: row) }
      return
    }
    makeKey(of: row, entity)
    let isNested = batch.rows.rows[row].parent >= 0 && !(entity.namesOthers && nestsOwner(entity, row))
    // If the entity is abstract, the object may still be one of the store, whose kind is known then.
    if !content.hasProperty, !content.hasUnknownKey, isNested,
      entity.isAbstract || !entity.isOnlyIdentity
    {
      batch.rows.rows[row].state = .reference
    }
  }

  /// Skips an object without an identity.
  @inline(__always)
  private mutating func checkIdentity(_ entity: EntityPlan, _ row: Int) {
    for slot in entity.identitySlots {
      let found: String
      switch entity.namesOthers ? identityKind(row, slot) : cell(row, slot).kind {
      case .absent: found = "nothing"
      case .null: found = "null"
      default: continue
      }
      batch.rows.rows[row].state = .skipped
      return report(
        row, key: entity.identityKeyNames, expected: "an identity", found: found, action: "object skipped")
    }
  }

  mutating func makeKey(of row: Int, _ entity: EntityPlan) {
    guard entity.isIdentifiedBelowRoot else { return }
    batch.rows.makeKey(of: row, plan.layout.schema, entity.layout)
  }

  /// Takes an attribute of an object's identity from its key in a dictionary, if the object has none.
  private mutating func takeIdentity(from key: Cell, _ index: Int, _ entity: EntityPlan, _ row: Int) {
    let attribute = entity.attributes[index]
    let slot = attribute.slot
    guard batch.rows[row, slot].kind == .absent else { return }
    let conversion = attribute.conversion
    if let cell = convert(key, attribute) {
      batch.rows[row, slot] = cell
    } else {
      batch.rows.rows[row].state = .skipped
      report(
        row, key: entity.keyName(ofAttribute: index), expected: conversion.expectation,
        found: shortened(batch.rows.bytes(of: key), isString: true), action: "object skipped")
    }
  }

  /// Fills the attributes that an object's keys in dictionaries are for, where the object does not say them itself.
  private mutating func takeKeys(
    _ keys: [Cell], _ dictionary: DictionaryPlan, _ entity: EntityPlan, _ row: Int,
    _ content: inout ObjectContent
  ) {
    for (name, key) in zip(dictionary.keys, keys) {
      guard let index = entity.entity.attribute(name) else { continue }
      let attribute = entity.attributes[index]
      if !attribute.isIdentity { content.hasProperty = true }
      guard cell(row, attribute.slot).kind == .absent else { continue }
      let place = ownKey(named: name, of: row, counts: true)
      if let expected = keep(convert(key, attribute), attribute, at: place) {
        let found = shortened(batch.rows.bytes(of: key), isString: true)
        reject(attribute, at: place, expected: expected, found: found)
      }
    }
  }

  /// Gives an object the identity of the object that it is imported onto. If it has another itself, that is the new
  /// identity.
  private mutating func fixIdentity(_ cells: [Cell], _ entity: EntityPlan, _ row: Int) {
    var isOther = false
    var wanted = cells
    for (part, cell) in cells.enumerated() {
      let slot = entity.layout.identitySlots[part]
      let own = batch.rows[row, slot]
      let value = batch.rows.resolved(own, plan.layout)
      let isSaid = value.isPresent && value.kind != .null
      // An object that is nested for the identity is written all the same.
      if isSaid, own.kind == .row, batch.rows.equal(value, cell) { continue }
      batch.rows[row, slot] = cell
      guard isSaid, !batch.rows.equal(value, cell) else { continue }
      isOther = true
      wanted[part] = own
    }
    if isOther { batch.newIdentity = (row, wanted) }
  }

  /// Converts a text that is in the batch already.
  private mutating func convert(_ text: Cell, _ attribute: AttributePlan) -> Cell? {
    // The batch's bytes may move while the value is appended to them.
    let copy = Array(batch.rows.bytes(of: text))
    if let transformers = attribute.transformers {
      let key = JSONValue.string(String(decoding: copy, as: UTF8.self))
      return keyCell(key, attribute.conversion, transformers)
    }
    return copy.withUnsafeBufferPointer {
      attribute.conversion.cell(for: .string, $0, integer: nil, in: &batch.rows)
    }
  }

  /// Skips an object that does not say which sub-entity it is of.
  private mutating func skipAbstract(_ entity: EntityPlan, _ row: Int) {
    batch.rows.rows[row].state = .skipped
    report(
      row, key: nil, expected: "an object of a sub-entity of \(entity.entity.name)",
      found: "an object that does not say which", action: "object skipped")
  }
}

/// A key of an object whose value is read: which object, and which key.
///
/// It is passed on with every value and never kept, and it counts no reference.
struct KeyPlace {
  let row: Int
  /// The keys that it is one of. The plan keeps them alive.
  unowned(unsafe) let node: KeyNode
  /// Its place among them.
  let index: Int
  /// How well it fits the property that it is for; see ``KeyMatch/Rank``.
  var rank: UInt8

  /// The mark of the cells and lists that the value fills.
  var tag: KeyTag { KeyTag(rank: rank, key: index) }

  /// The key, after the keys on the way to it.
  var path: String { node.prefix + node.name(of: index) }
}

/// The key of an object that gave a value, and how well that key fits. The reader keeps it in the tags of cells and
/// lists.
struct KeyTag: Equatable {
  /// How well the key fits; see ``KeyMatch/Rank``.
  let rank: UInt8
  /// The place of the key among all keys that came for its entity. A cell has 19 bits for it, enough for half a
  /// million keys.
  let key: UInt32

  init(rank: UInt8, key: Int) {
    self.rank = rank
    self.key = UInt32(truncatingIfNeeded: key) & Self.keyMask
  }

  init(rawValue: UInt32) {
    rank = UInt8(truncatingIfNeeded: rawValue)
    key = rawValue >> 8
  }

  var rawValue: UInt32 { key << 8 | UInt32(rank) }

  private static let keyMask: UInt32 = 1 << (UInt32(Cell.tagWidth) - 8) - 1
}

extension Cell {
  var keyTag: KeyTag {
    get { KeyTag(rawValue: tag) }
    set { tag = newValue.rawValue }
  }
}

extension LinkList {
  var keyTag: KeyTag { KeyTag(rawValue: tag) }
}

/// The target of the import, found in the store.
enum ResolvedTarget: Sendable {
  case store
  case object(StoredObject)
  case relationship(StoredObject, place: Int)

  /// - Throws: ``ImportError`` if there is no such object or no such relationship.
  init(_ target: ImportTarget, _ plan: Plan, _ transaction: any EngineTransaction) throws {
    switch target {
    case .store: self = .store
    case .object(let entity, let identity):
      self = .object(try Self.find(entity, identity, transaction))
    case .relationship(let entity, let identity, let name):
      let object = try Self.find(entity, identity, transaction)
      let relationships = plan.entities[object.entity].relationships.map(\.relationship.name)
      guard let place = relationships.firstIndex(of: name) else {
        throw ImportError(
          .noRelationship(
            name, entity: plan.entities[object.entity].entity.name,
            nearest: nearestName(to: name, in: relationships), known: relationships))
      }
      self = .relationship(object, place: place)
    }
  }

  private static func find(
    _ entity: String, _ identity: String, _ transaction: any EngineTransaction
  ) throws -> StoredObject {
    guard let object = try transaction.find(entity, identity: identity) else {
      throw ImportError(.noObject(entity: entity, identity: identity))
    }
    return object
  }
}

/// The place of a row's object in the JSON: a step from the object around it, or from the root.
struct RowPlace: BitwiseCopyable {
  var step: PathStep
  private var positionBits: Int32

  init(_ step: PathStep, position: Int) {
    self.step = step
    positionBits = Int32(truncatingIfNeeded: position)
  }

  /// The place in the list that the step leads to; -1 if it leads to no list.
  var position: Int { Int(positionBits) }
}

/// A step of a path, `.albums`, as bytes of a batch.
struct PathStep: BitwiseCopyable {
  let offset: Int
  private let countBits: Int32

  init(offset: Int, count: Int) {
    self.offset = offset
    countBits = Int32(truncatingIfNeeded: count)
  }

  var count: Int { Int(countBits) }
}
