import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Writes rows as JSON objects, with what their relationships lead to.
final class ObjectExporter {
  private let layout: Layout
  private let options: ExportOptions
  private var plans: [ExportPlan?]
  private let forms: ValueForms
  private let links: LinkedRows
  private let keys: KeyWriter
  private let values = ValueWriter()
  /// The objects around the one that is being written, so that none is written inside itself.
  private var path: [Place] = []

  private struct Place: Equatable {
    var table: Int
    var row: Int64
  }

  /// Deeper nesting than this is cut, even where no object repeats.
  private static let deepest = 200

  init(_ transaction: StoreTransaction, _ forms: ValueForms, _ options: ExportOptions) {
    layout = transaction.layout
    self.forms = forms
    self.options = options
    keys = KeyWriter(layout, forms, options)
    plans = Array(repeating: nil, count: layout.entities.count)
    links = LinkedRows(transaction)
  }

  /// Writes the row that a statement stands on; see ``ObjectRows``.
  func write(_ row: PreparedStatement, table root: Int, to writer: inout JSONWriter) throws {
    try write(row, root, depth: 0, from: nil, to: &writer)
  }

  private func write(
    _ row: PreparedStatement, _ root: Int, depth: Int, from relationship: SchemaRelationship?,
    to writer: inout JSONWriter
  ) throws {
    let plan = plan(for: entity(of: row, root))
    path.append(Place(table: layout.entities[root].table, row: row.integer(0)))
    defer { path.removeLast() }
    writer.beginObject()
    try write(plan.members, of: row, plan, depth, from: relationship, to: &writer)
    writer.endObject()
  }

  private func entity(of row: PreparedStatement, _ root: Int) -> SchemaEntity {
    if row.isNull(1) { return layout.schema.entities[root] }
    return layout.schema.entity(row.string(1)) ?? layout.schema.entities[root]
  }

  private func plan(for entity: SchemaEntity) -> ExportPlan {
    if let known = plans[entity.index] { return known }
    let plan = ExportPlan(entity, layout, forms, options)
    plans[entity.index] = plan
    return plan
  }

  private func write(
    _ members: [ExportPlan.Member], of row: PreparedStatement, _ plan: ExportPlan, _ depth: Int,
    from origin: SchemaRelationship?, to writer: inout JSONWriter
  ) throws {
    for member in members {
      switch member.content {
      case .value(let column, let form):
        let stored = StoredValue(row, ObjectRows.firstColumn + column)
        if !options.includesNulls, values.isNull(stored, form) { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        values.write(stored, form, to: &writer)
      case .object(let inner):
        if !options.includesNulls, isEmpty(inner, row) { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        writer.beginObject()
        try write(inner, of: row, plan, depth, from: origin, to: &writer)
        writer.endObject()
      case .relationship(let index):
        // The way back to the object around this one says nothing new.
        if let origin, origin.inverse == index { continue }
        let relationship = layout.schema.relationships[index]
        if let transformers = forms.relationships[index] {
          try write(relationship, through: transformers, member.key, of: row, depth, to: &writer)
        } else {
          try write(relationship, member.key, of: row, depth, to: &writer)
        }
      }
    }
  }

  /// Whether all values of members are written as null.
  private func isEmpty(_ members: [ExportPlan.Member], _ row: PreparedStatement) -> Bool {
    members.allSatisfy { member in
      switch member.content {
      case .value(let column, let form):
        values.isNull(StoredValue(row, ObjectRows.firstColumn + column), form)
      case .object(let inner): isEmpty(inner, row)
      case .relationship: false
      }
    }
  }

  // MARK: - Relationships

  private func write(
    _ relationship: SchemaRelationship, _ key: [UInt8], of row: PreparedStatement, _ depth: Int,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    let isNested =
      switch options.relationships {
      case .nested(let limit): depth < limit || !target.hasIdentity
      case .keys: !target.hasIdentity
      case .none: false
      }
    guard isWritten(relationship) else { return }
    let list = try links.targets(of: relationship, row, whole: isNested, level: path.count)
    defer { list.reset() }
    if relationship.isToMany {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.beginArray()
      while try list.step() { try writeTarget(list, relationship, isNested, depth, to: &writer) }
      try writeWaiting(relationship, row, isNested: isNested, to: &writer)
      writer.endArray()
    } else if try list.step() {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      try writeTarget(list, relationship, isNested, depth, to: &writer)
    } else if isNested, let column = links.foreignKey(of: relationship, row) {
      // The object has not arrived; what is known of it is its key.
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      keys.write(target, row, from: column, to: &writer)
    } else if options.includesNulls {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.null()
    }
  }

  /// Objects without identity belong to whoever holds them. Seen from themselves, their holder does not belong
  /// to them; written that way round, importing it would make another.
  private func isWritten(_ relationship: SchemaRelationship) -> Bool {
    let target = layout.schema.entities[relationship.destination]
    return (target.hasIdentity || layout.isPart(relationship)) && path.count < Self.deepest
  }

  /// Writes a relationship as its transformers have it: what would be written without them, as a whole.
  private func write(
    _ relationship: SchemaRelationship, through transformers: TransformerChain, _ key: [UInt8],
    of row: PreparedStatement, _ depth: Int, to writer: inout JSONWriter
  ) throws {
    guard isWritten(relationship) else { return }
    let sink = MemorySink()
    var inner = JSONWriter(sink)
    inner.beginObject()
    try write(relationship, key, of: row, depth, to: &inner)
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
    _ list: PreparedStatement, _ relationship: SchemaRelationship, _ isNested: Bool, _ depth: Int,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    guard isNested else { return keys.write(target, list, from: 0, to: &writer) }
    let place = Place(table: layout.entities[target.index].table, row: list.integer(0))
    if path.contains(place), target.hasIdentity {
      return keys.write(target, wholeRow: list, to: &writer)
    }
    guard !path.contains(place) else { return writer.null() }
    try write(list, target.root, depth: depth + 1, from: relationship, to: &writer)
  }

  /// Writes the keys of targets that have not arrived: those that the store remembers apart, and where whole
  /// objects were written, those of a join table.
  private func writeWaiting(
    _ relationship: SchemaRelationship, _ row: PreparedStatement, isNested: Bool,
    to writer: inout JSONWriter
  ) throws {
    if isNested, let missing = try links.missing(for: relationship, row) {
      let target = layout.schema.entities[relationship.destination]
      while try missing.step() { keys.write(target, missing, from: 0, to: &writer) }
    }
    guard let waiting = try links.waiting(for: relationship, row) else { return }
    defer { waiting.reset() }
    let target = layout.schema.entities[relationship.destination]
    while try waiting.step() { keys.write(target, text: waiting.string(0), to: &writer) }
  }
}
