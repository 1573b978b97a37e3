import JSONStream
import ObjectModel
import ObjectStore

/// How a link to an object of one of several entities tells the kind of that object.
final class LinkKind: Sendable {
  /// The key inside the object.
  let key: String
  let value: String
  /// How a text leads to the object.
  let text: LinkText?
  /// Whether a key beside the link tells the kind.
  let isBeside: Bool

  init(key: String, value: String, text: LinkText?, isBeside: Bool) {
    self.key = key
    self.value = value
    self.text = text
    self.isBeside = isBeside
  }

  /// Writes the kind as the first member of an object.
  func write(to writer: inout JSONWriter) {
    writer.key(key)
    writer.string(value)
  }
}

/// How exports write a key that leads to objects of any of several entities.
final class PolymorphicExport: Sendable {
  struct Part: Sendable {
    let relationship: Int
    let kind: LinkKind
  }

  let parts: [Part]
  let keys: ExportPlan.RelationshipKeys

  init(_ links: PolymorphicPlan, of entity: SchemaEntity, path: [JSONKeyPath.Step]) {
    let isBeside = links.rule.key != nil
    parts = zip(links.members, links.values).map { place, value in
      Part(
        relationship: entity.relationships[place],
        kind: LinkKind(key: links.kindKey, value: value, text: links.text, isBeside: isBeside))
    }
    let nested = path.last?.quotedKey ?? []
    keys = ExportPlan.RelationshipKeys(
      plain: links.rule.key.map { JSONWriter.quotedKey($0) } ?? nested, nested: nested)
  }

  private init(_ parts: [Part], _ keys: ExportPlan.RelationshipKeys) {
    (self.parts, self.keys) = (parts, keys)
  }

  /// The same for an element of a list.
  var withoutKeys: PolymorphicExport { PolymorphicExport(parts, ObjectExporter.noKeys) }
}

/// How keys of objects are written.
struct KeyForm {
  /// The transformers that a key which is one value passes through last.
  var transformers: TransformerChain?
  /// Whether a key of one value is written as an object too.
  var isObject = false
  /// How the kind of the object is told, where that could be one of several.
  var kind: LinkKind?
}

/// Keys that lead to objects of any of several entities.
extension ObjectExporter {
  /// Writes the one link that an object has, with its kind; or null.
  func writeOne(
    of links: PolymorphicExport, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let written = links.parts.filter {
      isWritten(layout.schema.relationships[$0.relationship], frame.context)
    }
    guard let part = try written.first(where: { try hasLink($0, frame) }) else {
      guard options.includesNulls, written.count == links.parts.count else { return }
      links.keys.nested.withUnsafeBufferPointer { writer.quotedKey($0) }
      return writer.null()
    }
    try write(
      layout.schema.relationships[part.relationship], links.keys, frame, kind: part.kind, to: &writer)
  }

  /// Writes the kind of the link that an object has, beside it.
  func writeKind(
    beside links: PolymorphicExport, _ frame: ExportFrame, _ key: [UInt8], to writer: inout JSONWriter
  ) throws {
    let part = try links.parts.first {
      try isWritten(layout.schema.relationships[$0.relationship], frame.context) && hasLink($0, frame)
    }
    guard let part else {
      // A list has a place for it all the same.
      if key.isEmpty { writer.null() }
      return
    }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    writer.string(part.kind.value)
  }

  private func hasLink(_ part: PolymorphicExport.Part, _ frame: ExportFrame) throws -> Bool {
    let relationship = layout.schema.relationships[part.relationship]
    if links.foreignKey(of: relationship, frame.row) != nil { return true }
    if case .foreignKey = layout.relationships[relationship.index] { return false }
    let targets = try links.targets(of: relationship, frame.row, whole: false, level: frames.count)
    defer { targets.rows.reset() }
    if try targets.rows.step() { return true }
    let waiting = try links.waiting(for: relationship, frame.row, level: frames.count)
    defer { waiting?.reset() }
    return try waiting?.step() ?? false
  }

  /// Begins the targets of one of the relationships in their common list.
  func writeList(
    part index: Int, of links: PolymorphicExport, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let part = links.parts[index]
    let relationship = layout.schema.relationships[part.relationship]
    guard isWritten(relationship, frame.context) else { return }
    try begin(relationship, frame, kind: part.kind, isWhole: false, to: &writer)
  }
}

/// Writes the targets of a relationship as a dictionary: `{"ara": {…}}`, or one in another.
struct LinkDictionary {
  /// The keys that the attributes have in JSON, the outermost first.
  private let keys: [String]
  /// The key of the property whose value stands alone.
  private let value: String?

  /// Nil if the attributes have no simple keys.
  init?(_ plan: DictionaryPlan, _ target: SchemaEntity, _ schema: Schema, _ options: ExportOptions) {
    let names = ExportNames(target, schema, options)
    func key(_ name: String) -> String? {
      if let index = target.attribute(name) {
        return JSONKeyPath(names.path(of: target.attributes[index])).onlyKey
      }
      let relationship = target.relationships.lazy.map { schema.relationships[$0] }.first { $0.name == name }
      return relationship.flatMap { JSONKeyPath(names.path(of: $0.relationship)).onlyKey }
    }
    keys = plan.keys.compactMap(key)
    value = plan.value.flatMap(key)
    guard keys.count == plan.keys.count else { return nil }
  }

  /// The steps behind the keys on the way: further keys, or elements.
  private final class Level {
    var order: [String] = []
    var below: [String: Level] = [:]
    var elements: [Element] = []

    func level(_ key: String) -> Level {
      if let known = below[key] { return known }
      let new = Level()
      order.append(key)
      below[key] = new
      return new
    }
  }

  private struct Element {
    let json: [UInt8]
    /// Whether it is an object, not the value of one of its properties.
    let isObject: Bool
  }

  /// The dictionary of a list's elements. Nil if an import would not read the same from it: then the list is written.
  func written(_ json: [UInt8]) throws -> [UInt8]? {
    var reader = JSONReader(MemorySource(json), options: JSONReader.Options(windowSize: max(json.count, 1)))
    guard try reader.next() == .beginArray else { return nil }
    let root = Level()
    while case let token = try reader.next(), token != .endArray {
      guard token == .beginObject else { return nil }
      var members = try ObjectMembers(from: &reader)
      var level = root
      for key in keys {
        guard let text = members.takeText(ofKey: key) else { return nil }
        level = level.level(text)
      }
      level.elements.append(element(members))
      // Several objects behind one key are a list, which other values cannot be.
      if level.elements.count > 1, !level.elements.allSatisfy(\.isObject) || value != nil { return nil }
    }
    return JSONWriter.bytes { write(root, to: &$0) }
  }

  private func element(_ members: ObjectMembers) -> Element {
    if let value, let only = members.onlyValue(ofKey: value) { return Element(json: only, isObject: false) }
    let json = JSONWriter.bytes { writer in
      writer.beginObject()
      for member in members.list {
        writer.key(member.key)
        member.value.withUnsafeBufferPointer { writer.raw($0) }
      }
      writer.endObject()
    }
    return Element(json: json, isObject: true)
  }

  private func write(_ level: Level, to writer: inout JSONWriter) {
    guard level.elements.isEmpty else {
      if level.elements.count > 1 { writer.beginArray() }
      for element in level.elements { element.json.withUnsafeBufferPointer { writer.raw($0) } }
      if level.elements.count > 1 { writer.endArray() }
      return
    }
    writer.beginObject()
    for key in level.order {
      writer.key(key)
      if let inner = level.below[key] { write(inner, to: &writer) }
    }
    writer.endObject()
  }
}

/// The targets of relationships: rows, keys, and keys that the store remembers until their objects arrive.
final class LinkedRows {
  private let transaction: any EngineTransaction
  private let layout: Layout
  private var targets: [Use: LinkedTargets] = [:]
  private var waiting: [Use: any Cursor] = [:]
  private let hasWaiting: Bool

  /// A cursor can stand on one row only, so each level of nesting has its own.
  private struct Use: Hashable {
    var relationship: Int
    /// Whether it gives whole rows.
    var isWhole: Bool
    var level: Int
  }

  init(_ transaction: any EngineTransaction) throws {
    self.transaction = transaction
    layout = transaction.layout
    hasWaiting = try transaction.hasPendingTargets()
  }

  /// How many objects a query has.
  func count(_ query: Query) throws -> Int { try transaction.count(query) }

  // MARK: - Rows and keys

  /// The targets of a row's relationship: whole rows as ``ObjectRows`` has them, or keys.
  func targets(
    of relationship: SchemaRelationship, _ row: any Cursor, whole: Bool, level: Int
  ) throws -> LinkedTargets {
    let use = Use(relationship: relationship.index, isWhole: whole, level: level)
    if let known = targets[use] {
      known.rows.bind(row.integer(0), at: 1)
      return known
    }
    let new = try prepare(relationship, whole: whole)
    targets[use] = new
    new.rows.bind(row.integer(0), at: 1)
    return new
  }

  private func prepare(_ relationship: SchemaRelationship, whole: Bool) throws -> LinkedTargets {
    let table = layout.table(of: relationship.destination)
    return LinkedTargets(
      rows: try whole ? transaction.targets(of: relationship) : transaction.targetKeys(of: relationship),
      afterTarget: whole ? ObjectRows.firstColumn + table.columns.count : table.key.count,
      storage: layout.relationships[relationship.index])
  }

  /// The first column of a relationship's foreign key in a row; nil if the row has none, or has null.
  func foreignKey(of relationship: SchemaRelationship, _ row: any Cursor) -> Int? {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index],
      let first = columns.first, !row.isNull(ObjectRows.firstColumn + first)
    else { return nil }
    return ObjectRows.firstColumn + first
  }

  // MARK: - Targets that have not arrived

  /// The keys that the store remembers for a relationship of a row, as texts, each with its place; nil if it
  /// remembers none of any row.
  func waiting(
    for relationship: SchemaRelationship, _ row: any Cursor, level: Int
  ) throws -> (any Cursor)? {
    guard hasWaiting, case .inverse = layout.relationships[relationship.index] else { return nil }
    let owner = layout.schema.entities[relationship.owner]
    let use = Use(relationship: relationship.index, isWhole: false, level: level)
    let targets = try waiting[use] ?? transaction.pendingTargets()
    waiting[use] = targets
    targets.bind(.text("\(owner.name).\(relationship.name)"), at: 1)
    let key = layout.table(of: owner.index).key.map {
      StoredValue(row, ObjectRows.firstColumn + $0).keyText
    }
    targets.bind(.text(KeyText.joined(key)), at: 2)
    return targets
  }
}

struct LinkedTargets {
  let rows: any Cursor
  /// The column after those of the target.
  fileprivate let afterTarget: Int
  fileprivate let storage: RelationshipStorage

  /// The first column of the key of a target that has not arrived, if whole rows were asked for.
  var missingKey: Int? {
    if case .join = storage, rows.isNull(0) { afterTarget } else { nil }
  }

  /// The place of the target in its list, if the target keeps it. Targets without one come last.
  var place: Int64? {
    guard case .inverse(_, _?) = storage else { return nil }
    return rows.isNull(afterTarget) ? .max : rows.integer(afterTarget)
  }
}
