import JSONStream
import ObjectModel
import ObjectStore

extension ObjectExporter {
  /// Deeper nesting than this is cut, even where no object repeats.
  private static let deepest = 200

  /// What is written of the relationships of an object that nobody names. A part of another object is written
  /// whole: what its JSON did not mention would be gone after an import.
  private func relationships(_ context: Context) -> ExportOptions.Relationships {
    guard let origin = context.origin, !layout.schema.entities[origin.destination].hasIdentity else {
      return options.relationships
    }
    return options.relationships == .none ? .keys : options.relationships
  }

  /// Whether objects are written themselves, not their keys.
  private func isNested(_ relationship: SchemaRelationship, _ context: Context) -> Bool {
    if context.nesting[relationship.index] != nil { return true }
    let isPart = !layout.schema.entities[relationship.destination].hasIdentity
    return switch relationships(context) {
    case .nested(let limit): context.depth < limit || isPart
    case .keys: isPart
    case .none: false
    }
  }

  func isWritten(_ relationship: SchemaRelationship, _ context: Context) -> Bool {
    // The way back to the object around this one says nothing new.
    if let origin = context.origin, origin.inverse == relationship.index { return false }
    if relationships(context) == .none, context.nesting[relationship.index] == nil { return false }
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
    defer { list.statement.reset() }
    if relationship.isToMany {
      guard let key = isNested ? names.nested : names.plain else { return }
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.beginArray()
      try writeList(list, relationship, of: row, isNested, context, to: &writer)
      writer.endArray()
    } else if try list.statement.step(), list.missingKey == nil {
      guard let key = isNested ? names.nested : names.plain else { return }
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      try writeTarget(list, relationship, isNested, context, to: &writer)
    } else if let key = names.plain {
      try writeAbsent(relationship, key, row, isNested: isNested, to: &writer)
    }
  }

  /// Writes the targets that are there, and between them, where they belong, the keys that the store remembers.
  private func writeList(
    _ list: LinkedTargets, _ relationship: SchemaRelationship, of row: PreparedStatement, _ isNested: Bool,
    _ context: Context, to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    let waiting = try links.waiting(for: relationship, row, level: path.count)
    defer { waiting?.reset() }
    var isWaiting = try waiting?.step() ?? false
    func writeWaiting(before place: Int64?) throws {
      while isWaiting, let waiting {
        if let place, !waiting.isNull(1), waiting.integer(1) > place { return }
        keys.write(target, text: waiting.string(0), asObject: isNested && keysAreObjects, to: &writer)
        isWaiting = try waiting.step()
      }
    }
    while try list.statement.step() {
      if let place = list.place { try writeWaiting(before: place) }
      try writeTarget(list, relationship, isNested, context, to: &writer)
    }
    try writeWaiting(before: nil)
  }

  /// Writes what there is of the target of a to-one relationship that is not there: its key, or null.
  private func writeAbsent(
    _ relationship: SchemaRelationship, _ key: [UInt8], _ row: PreparedStatement, isNested: Bool,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    let waiting = try links.waiting(for: relationship, row, level: path.count)
    defer { waiting?.reset() }
    if isNested, let column = links.foreignKey(of: relationship, row) {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      keys.write(target, row, from: column, to: &writer)
    } else if let waiting, try waiting.step() {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      keys.write(target, text: waiting.string(0), to: &writer)
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
    _ list: LinkedTargets, _ relationship: SchemaRelationship, _ isNested: Bool, _ context: Context,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    let row = list.statement
    guard isNested else { return keys.write(target, row, from: 0, to: &writer) }
    if let column = list.missingKey {
      return keys.write(target, row, from: column, asObject: keysAreObjects, to: &writer)
    }
    let place = Place(table: layout.entities[target.index].table, row: row.integer(0))
    if path.contains(place), target.hasIdentity {
      return keys.write(target, wholeRow: row, asObject: keysAreObjects, to: &writer)
    }
    guard !path.contains(place) else { return writer.null() }
    let inner = Context(
      depth: context.depth + 1, origin: relationship, expected: target.index,
      nesting: context.nesting[relationship.index] ?? .none)
    try write(row, inner, to: &writer)
  }

  /// Whether a key among nested objects is an object too.
  private var keysAreObjects: Bool { options.relationshipKeys == .rails }
}
