import JSONStream
import ObjectModel
import ObjectStore

extension ObjectExporter {
  /// Deeper nesting than this is cut, even where no object repeats.
  private static let deepest = 200

  /// What of a relationship is written, if anything is.
  private func isNested(_ relationship: SchemaRelationship, _ context: Context) -> Bool {
    if context.nesting[relationship.index] != nil { return true }
    let isPart = !layout.schema.entities[relationship.destination].hasIdentity
    return switch options.relationships {
    case .nested(let limit): context.depth < limit || isPart
    case .keys: isPart
    case .none: false
    }
  }

  func isWritten(_ relationship: SchemaRelationship, _ context: Context) -> Bool {
    // The way back to the object around this one says nothing new.
    if let origin = context.origin, origin.inverse == relationship.index { return false }
    if options.relationships == .none, context.nesting[relationship.index] == nil { return false }
    // Objects without identity belong to whoever holds them. Seen from themselves, their holder does not
    // belong to them; written that way round, importing it would make another.
    let target = layout.schema.entities[relationship.destination]
    return (target.hasIdentity || layout.isPart(relationship)) && path.count < Self.deepest
  }

  func write(
    _ relationship: SchemaRelationship, _ names: ExportPlan.RelationshipKeys, of row: PreparedStatement,
    _ context: Context, to writer: inout JSONWriter
  ) throws {
    let isNested = isNested(relationship, context)
    let list = try links.targets(of: relationship, row, whole: isNested, level: path.count)
    defer { list.reset() }
    if relationship.isToMany {
      guard let key = isNested ? names.nested : names.plain else { return }
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.beginArray()
      while try list.step() { try writeTarget(list, relationship, isNested, context, to: &writer) }
      try writeWaiting(relationship, row, isNested: isNested, to: &writer)
      writer.endArray()
    } else if try list.step() {
      guard let key = isNested ? names.nested : names.plain else { return }
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      try writeTarget(list, relationship, isNested, context, to: &writer)
    } else if let key = names.plain {
      try writeAbsent(relationship, key, row, isNested: isNested, to: &writer)
    }
  }

  /// Writes what there is of the target of a to-one relationship that is not there: its key, or null.
  private func writeAbsent(
    _ relationship: SchemaRelationship, _ key: [UInt8], _ row: PreparedStatement, isNested: Bool,
    to writer: inout JSONWriter
  ) throws {
    if isNested, let column = links.foreignKey(of: relationship, row) {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      let target = layout.schema.entities[relationship.destination]
      keys.write(target, row, from: column, to: &writer)
    } else if options.includesNulls {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.null()
    }
  }

  /// Writes a relationship as its transformers have it: what would be written without them, as a whole.
  func write(
    _ relationship: SchemaRelationship, through transformers: TransformerChain,
    _ names: ExportPlan.RelationshipKeys, of row: PreparedStatement, _ context: Context,
    to writer: inout JSONWriter
  ) throws {
    guard let key = isNested(relationship, context) ? names.nested : names.plain else { return }
    let sink = MemorySink()
    var inner = JSONWriter(sink)
    inner.beginObject()
    try write(relationship, names, of: row, context, to: &inner)
    inner.endObject()
    try inner.flush()
    guard case .object(let members)? = JSONValue(text: String(decoding: sink.bytes, as: UTF8.self)) else {
      return
    }
    let value = transformers.written(members.values.first ?? .null)
    if !options.includesNulls, value == .null { return }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    writer.value(value)
  }

  private func writeTarget(
    _ list: PreparedStatement, _ relationship: SchemaRelationship, _ isNested: Bool, _ context: Context,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    guard isNested else { return keys.write(target, list, from: 0, to: &writer) }
    let place = Place(table: layout.entities[target.index].table, row: list.integer(0))
    if path.contains(place), target.hasIdentity {
      return keys.write(target, wholeRow: list, asObject: keysAreObjects, to: &writer)
    }
    guard !path.contains(place) else { return writer.null() }
    let inner = Context(
      depth: context.depth + 1, origin: relationship, nesting: context.nesting[relationship.index] ?? .none)
    try write(list, target.root, inner, to: &writer)
  }

  /// Whether a key among nested objects is an object too.
  private var keysAreObjects: Bool { options.relationshipKeys == .rails }

  /// Writes the keys of targets that have not arrived: those that the store remembers apart, and where whole
  /// objects were written, those of a join table.
  private func writeWaiting(
    _ relationship: SchemaRelationship, _ row: PreparedStatement, isNested: Bool,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    let asObject = isNested && keysAreObjects
    if isNested, let missing = try links.missing(for: relationship, row) {
      while try missing.step() { keys.write(target, missing, from: 0, asObject: asObject, to: &writer) }
    }
    guard let waiting = try links.waiting(for: relationship, row) else { return }
    defer { waiting.reset() }
    while try waiting.step() {
      keys.write(target, text: waiting.string(0), asObject: asObject, to: &writer)
    }
  }
}
