import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Writes rows as JSON objects, with the targets of their relationships.
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
  /// The objects that are being written, the innermost last.
  private(set) var frames: [ExportFrame] = []
  /// Frames to use again, so that objects allocate nothing.
  private var spareFrames: [ExportFrame] = []
  /// How many relationships with transformers are being written, one inside another.
  var transformerDepth = 0
  private var scratch = RowBatch()

  struct Place: Equatable {
    var table: Int
    var row: Int64
  }

  /// Where an object is in the nesting. A class, since it is used at every relationship.
  final class Context {
    /// How many relationships lead to it.
    let depth: Int
    /// The relationship that leads to it.
    let origin: SchemaRelationship?
    /// The entity that an import assumes for an object there, unless the object tells another.
    let expected: Int
    /// What is nested in it by name.
    let nesting: Nesting

    init(depth: Int = 0, origin: SchemaRelationship? = nil, expected: Int, nesting: Nesting) {
      self.depth = depth
      self.origin = origin
      self.expected = expected
      self.nesting = nesting
    }
  }

  /// Where the outermost objects stand.
  private var outermost: Context?

  init(
    _ transaction: any EngineTransaction, _ forms: ValueForms, _ nesting: Nesting, _ options: ExportOptions
  ) {
    layout = transaction.layout
    self.options = options
    self.forms = forms
    self.nesting = nesting
    keys = KeyWriter(layout, forms, options)
    plans = Array(repeating: nil, count: layout.entities.count)
    links = LinkedRows(transaction)
  }

  /// Writes the row that a cursor stands on; see ``ObjectRows``.
  ///
  /// - Throws: ``ExportError`` for objects that JSON cannot express; ``StoreError`` if the store cannot be read.
  func write(_ row: any Cursor, of entity: SchemaEntity, to writer: inout JSONWriter) throws {
    frames.removeAll(keepingCapacity: true)
    begin(row, outermostContext(entity), to: &writer)
    try writeFrames(above: 0, to: &writer)
  }

  private func outermostContext(_ entity: SchemaEntity) -> Context {
    if let outermost, outermost.expected == entity.index { return outermost }
    let context = Context(expected: entity.index, nesting: nesting)
    outermost = context
    return context
  }

  /// Writes until this number of objects is unfinished.
  func writeFrames(above count: Int, to writer: inout JSONWriter) throws {
    while frames.count > count, let frame = frames.last {
      if try advance(frame, to: &writer) { end(frame, to: &writer) }
    }
  }

  /// Begins an object. If it has only values, ends it too.
  func begin(_ row: any Cursor, _ context: Context, to writer: inout JSONWriter) {
    let root = layout.schema.entities[context.expected].root
    let plan = plan(for: entity(of: row, root))
    if let wrapper = plan.wrapper {
      writer.beginObject()
      if let kept = keptKind(row, wrapper.column) {
        writer.key(kept)
      } else {
        wrapper.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      }
    }
    writer.beginObject()
    if let kind = plan.kind, plan.entity.index != context.expected { writeKind(kind, row, to: &writer) }
    guard !plan.members.areValues else {
      // An object that nests nothing is written at once.
      _ = writeValues(plan.members, from: 0, row, to: &writer)
      writer.endObject()
      if plan.wrapper != nil { writer.endObject() }
      return
    }
    push(row, plan, context, Place(table: layout.entities[root].table, row: row.integer(0)))
  }

  private func push(_ row: any Cursor, _ plan: ExportPlan, _ context: Context, _ place: Place) {
    if let frame = spareFrames.popLast() {
      frame.reuse(for: row, plan, context, place)
      frames.append(frame)
    } else {
      frames.append(ExportFrame(row, plan, context, place))
    }
  }

  private func end(_ frame: ExportFrame, to writer: inout JSONWriter) {
    writer.endObject()
    if frame.plan.wrapper != nil { writer.endObject() }
    if frame.isLone { frame.row.reset() }
    frames.removeLast()
    spareFrames.append(frame)
  }

  /// Writes the members of an object, up to the first that nests another. True at the end.
  private func advance(_ frame: ExportFrame, to writer: inout JSONWriter) throws -> Bool {
    if let list = frame.list {
      guard try advance(list, frame, to: &writer) else { return false }
      frame.list = nil
    }
    while true {
      guard try advanceGroup(frame, to: &writer) else { return false }
      guard let outer = frame.outer.popLast() else { return true }
      writer.endObject()
      (frame.members, frame.next) = outer
    }
  }

  /// Writes the members at a frame's place, and those within them, up to the first that nests an object. True at the
  /// end.
  private func advanceGroup(_ frame: ExportFrame, to writer: inout JSONWriter) throws -> Bool {
    var (members, next) = (frame.members, frame.next)
    let row = frame.row
    let count = frames.count
    while next < members.list.count {
      next = writeValues(members, from: next, row, to: &writer)
      guard next < members.list.count else { break }
      let member = members.list[next]
      next += 1
      switch member.content {
      case .value: break
      case .object(let inner):
        if isLeftOut(inner, frame) { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        writer.beginObject()
        frame.outer.append((members, next))
        (members, next) = (inner, 0)
        frame.members = inner
      default:
        frame.next = next
        try write(member, frame, to: &writer)
        if frames.count > count { return false }
      }
    }
    return true
  }

  /// Writes values, up to the first member that is not just a value. Returns its index.
  private func writeValues(
    _ members: ExportPlan.Members, from first: Int, _ row: any Cursor, to writer: inout JSONWriter
  ) -> Int {
    let leavesOutNulls = !options.includesNulls
    for index in first..<members.list.count {
      let plain = members.plainValue(at: index)
      if plain.isPlain {
        let stored = StoredValue(row, ObjectRows.firstColumn + plain.column)
        if leavesOutNulls, case .null = stored { continue }
        writer.quotedKey(plain.key)
        values.write(stored, plain.kind, to: &writer)
        continue
      }
      let member = members.list[index]
      guard case .value(let column, let form) = member.content else { return index }
      let stored = StoredValue(row, ObjectRows.firstColumn + column)
      if leavesOutNulls, values.isNull(stored, form) { continue }
      member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      values.write(stored, form, to: &writer)
    }
    return members.list.count
  }

  private func entity(of row: any Cursor, _ root: Int) -> SchemaEntity {
    if row.isNull(1) { return layout.schema.entities[root] }
    return layout.schema.entity(row.string(1)) ?? layout.schema.entities[root]
  }

  private func plan(for entity: SchemaEntity) -> ExportPlan {
    if let known = plans[entity.index] { return known }
    let plan = ExportPlan(entity, layout, forms, options)
    plans[entity.index] = plan
    return plan
  }

  /// Writes a member that is not just a value.
  private func write(
    _ member: ExportPlan.Member, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    switch member.content {
    case .value, .object: break
    case .kind: writeKind(member, frame.row, to: &writer)
    case .wholeObject(let column, let form, let inner):
      let stored = StoredValue(frame.row, ObjectRows.firstColumn + column)
      if !options.includesNulls, values.isNull(stored, form), isLeftOut(inner, frame) { return }
      member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      try write(stored, form, with: inner.list, frame, to: &writer)
    case .relationship(let index, let keys):
      let relationship = layout.schema.relationships[index]
      guard isWritten(relationship, frame.context) else { return }
      if let transformers = forms.relationships[index].whole {
        try write(relationship, through: transformers, keys, frame, to: &writer)
      } else {
        try write(relationship, keys, frame, to: &writer)
      }
    }
  }

  /// Writes the member that tells the kind of an object.
  private func writeKind(
    _ member: ExportPlan.Member, _ row: any Cursor, to writer: inout JSONWriter
  ) {
    guard case .kind(let column, let value) = member.content else { return }
    member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
    writer.string(keptKind(row, column) ?? value)
  }

  /// The value that told the kind of an object when it came, if the store keeps it.
  private func keptKind(_ row: any Cursor, _ column: Int?) -> String? {
    guard let column, !row.isNull(ObjectRows.firstColumn + column) else { return nil }
    return row.string(ObjectRows.firstColumn + column)
  }

  /// Whether nothing is written of members.
  private func isLeftOut(_ members: ExportPlan.Members, _ frame: ExportFrame) -> Bool {
    members.list.allSatisfy { member in
      switch member.content {
      case .value(let column, let form): !options.includesNulls && isNull(column, form, frame)
      case .kind: false
      case .object(let inner): isLeftOut(inner, frame)
      case .wholeObject(let column, let form, let inner):
        !options.includesNulls && isNull(column, form, frame) && isLeftOut(inner, frame)
      case .relationship(let index, _): !isWritten(layout.schema.relationships[index], frame.context)
      }
    }
  }

  private func isNull(_ column: Int, _ form: ExportForm, _ frame: ExportFrame) -> Bool {
    values.isNull(StoredValue(frame.row, ObjectRows.firstColumn + column), form)
  }

  // MARK: - Whole objects

  /// Writes an object that an attribute holds as a whole, with the values of the attributes that are inside it. If
  /// such a value is the same in the object, it is written as the object has it.
  private func write(
    _ whole: StoredValue, _ form: ExportForm, with members: [ExportPlan.Member], _ frame: ExportFrame,
    to writer: inout JSONWriter
  ) throws {
    guard case .text(let text) = whole else {
      guard members.contains(where: { !isNothing($0, frame) }) else { return writer.null() }
      writer.beginObject()
      try writeRest(members, [], frame, to: &writer)
      return writer.endObject()
    }
    var reader = JSONReader(MemorySource(Array(text)), options: JSONReader.Options(windowSize: text.count))
    guard try reader.next() == .beginObject else { return values.write(whole, form, to: &writer) }
    try copy(from: &reader, with: members, frame, to: &writer)
  }

  /// Copies an object whose opening brace was just read, with the values of members.
  private func copy(
    from reader: inout JSONReader, with members: [ExportPlan.Member], _ frame: ExportFrame,
    to writer: inout JSONWriter
  ) throws {
    var written: Set<String> = []
    writer.beginObject()
    while try reader.next() == .key {
      let name = String(decoding: reader.text, as: UTF8.self)
      let token = try reader.next()
      guard let member = members.first(where: { $0.name == name }) else {
        writer.key(name)
        try reader.copy(from: token, to: &writer)
        continue
      }
      written.insert(name)
      if case .object(let inner) = member.content, token == .beginObject {
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        try copy(from: &reader, with: inner.list, frame, to: &writer)
      } else if case .value(let column, let form) = member.content,
        isSame(token, reader, column, form, in: frame)
      {
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        try reader.copy(from: token, to: &writer)
      } else {
        try reader.skip(from: token)
        try writeAlone(member, frame, to: &writer)
      }
    }
    try writeRest(members, written, frame, to: &writer)
    writer.endObject()
  }

  /// Writes the members that have a value and have not been written.
  private func writeRest(
    _ members: [ExportPlan.Member], _ written: Set<String>, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    for member in members where !written.contains(member.name) && !isNothing(member, frame) {
      try writeAlone(member, frame, to: &writer)
    }
  }

  /// Writes a member to its end.
  private func writeAlone(
    _ member: ExportPlan.Member, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let inner = ExportFrame(frame.row, frame.plan, frame.context, frame.place)
    inner.members = ExportPlan.Members([member])
    frames.append(inner)
    let count = frames.count
    while try !advance(inner, to: &writer) { try writeFrames(above: count, to: &writer) }
    frames.removeLast()
  }

  /// Whether a member has nothing to add to the object that an attribute holds as a whole.
  private func isNothing(_ member: ExportPlan.Member, _ frame: ExportFrame) -> Bool {
    switch member.content {
    case .value(let column, let form), .wholeObject(let column, let form, _): isNull(column, form, frame)
    case .object(let inner): inner.list.allSatisfy { isNothing($0, frame) }
    case .kind: false
    case .relationship(let index, _): !isWritten(layout.schema.relationships[index], frame.context)
    }
  }

  /// Whether a value in such an object, whose token was just read, is the same as that of an attribute.
  private func isSame(
    _ token: JSONToken, _ reader: borrowing JSONReader, _ column: Int, _ form: ExportForm,
    in frame: ExportFrame
  ) -> Bool {
    let stored = StoredValue(frame.row, ObjectRows.firstColumn + column)
    guard form.transformers == nil, token != .beginObject, token != .beginArray else { return false }
    if token == .null { return values.isNull(stored, form) }
    scratch.removeAll()
    let integer = token == .number && reader.numberIsInteger ? reader.integer : nil
    guard let cell = form.conversion.cell(for: token, reader.text, integer: integer, in: &scratch) else {
      return false
    }
    return frame.row.column(ObjectRows.firstColumn + column, equals: cell, of: scratch)
  }
}
