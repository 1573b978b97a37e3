import JSONStream
import ObjectModel
import ObjectStore

/// Writes rows as JSON objects, with what their relationships lead to.
final class ObjectExporter {
  let layout: Layout
  let options: ExportOptions
  let forms: ValueForms
  let links: LinkedRows
  let keys: KeyWriter
  private let values = ValueWriter()
  private var plans: [ExportPlan?]
  /// What is nested by name in the outermost objects.
  private let nesting: Nesting
  /// The objects around the one that is being written, so that none is written inside itself.
  private(set) var path: [Place] = []

  struct Place: Equatable {
    var table: Int
    var row: Int64
  }

  /// Where an object stands.
  struct Context {
    /// How many relationships lead to it.
    var depth = 0
    /// The relationship that does.
    var origin: SchemaRelationship?
    /// The entity that an object there is taken for, unless it says another.
    var expected: Int
    /// What is nested in it by name.
    var nesting: Nesting
  }

  init(
    _ transaction: StoreTransaction, _ forms: ValueForms, _ nesting: Nesting, _ options: ExportOptions
  ) {
    layout = transaction.layout
    self.options = options
    self.forms = forms
    self.nesting = nesting
    keys = KeyWriter(layout, forms, options)
    plans = Array(repeating: nil, count: layout.entities.count)
    links = LinkedRows(transaction)
  }

  /// Writes the row that a statement stands on; see ``ObjectRows``.
  func write(_ row: PreparedStatement, of entity: SchemaEntity, to writer: inout JSONWriter) throws {
    try write(row, Context(expected: entity.index, nesting: nesting), to: &writer)
  }

  func write(_ row: PreparedStatement, _ context: Context, to writer: inout JSONWriter) throws {
    let root = layout.schema.entities[context.expected].root
    let plan = plan(for: entity(of: row, root))
    path.append(Place(table: layout.entities[root].table, row: row.integer(0)))
    defer { path.removeLast() }
    if let wrapper = plan.wrapper {
      writer.beginObject()
      wrapper.withUnsafeBufferPointer { writer.quotedKey($0) }
    }
    writer.beginObject()
    if let kind = plan.kind, plan.entity.index != context.expected {
      try write([kind], of: row, context, to: &writer)
    }
    try write(plan.members, of: row, context, to: &writer)
    writer.endObject()
    if plan.wrapper != nil { writer.endObject() }
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
    _ members: [ExportPlan.Member], of row: PreparedStatement, _ context: Context,
    to writer: inout JSONWriter
  ) throws {
    for member in members {
      switch member.content {
      case .value(let column, let form):
        let stored = StoredValue(row, ObjectRows.firstColumn + column)
        if !options.includesNulls, values.isNull(stored, form) { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        values.write(stored, form, to: &writer)
      case .constant(let text):
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        writer.string(text)
      case .object(let inner):
        if isLeftOut(inner, row, context) { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        writer.beginObject()
        try write(inner, of: row, context, to: &writer)
        writer.endObject()
      case .relationship(let index, let keys):
        let relationship = layout.schema.relationships[index]
        guard isWritten(relationship, context) else { continue }
        if let transformers = forms.relationships[index] {
          try write(relationship, through: transformers, keys, of: row, context, to: &writer)
        } else {
          try write(relationship, keys, of: row, context, to: &writer)
        }
      }
    }
  }

  /// Whether nothing is written of members.
  private func isLeftOut(
    _ members: [ExportPlan.Member], _ row: PreparedStatement, _ context: Context
  ) -> Bool {
    members.allSatisfy { member in
      switch member.content {
      case .value(let column, let form):
        !options.includesNulls && values.isNull(StoredValue(row, ObjectRows.firstColumn + column), form)
      case .constant: false
      case .object(let inner): isLeftOut(inner, row, context)
      case .relationship(let index, _): !isWritten(layout.schema.relationships[index], context)
      }
    }
  }
}
