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
  let values = ValueWriter()
  private var plans: [ExportPlan?]
  /// How the outermost objects are written, if as lists of their values.
  private var rowPlan: ExportPlan?
  private var writesRows = false
  /// By relationship, how its targets are written where that is not as they are; known for those that were written.
  var linkForms: [LinkForm??]
  /// The relationships that are nested by name in the outermost objects.
  private let namedNesting: Nesting
  /// Where objects without identity stand in an export of the whole store; known once its first entity is listed.
  var places = PartPlaces()
  var knowsPlaces = false
  /// The objects that are being written, the innermost last.
  var frames: [ExportFrame] = []
  /// Frames to use again, so that objects allocate nothing.
  private var spareFrames: [ExportFrame] = []
  /// How many relationships with transformers are being written, one inside another.
  var transformerDepth = 0
  var scratch = RowBatch()

  struct Place: Equatable {
    var table: Int
    var row: Int64
  }

  /// The place of an object in the nesting. A class, since it is used at every relationship.
  final class Context {
    /// How many relationships lead to it.
    let depth: Int
    /// The relationship that leads to it.
    let origin: SchemaRelationship?
    /// The entity that an import assumes for an object there, unless the object tells another.
    let expected: Int
    /// The relationships that are nested in it by name.
    let nesting: Nesting
    /// How its kind is told, where it could be one of several.
    let kind: LinkKind?

    init(
      depth: Int = 0, origin: SchemaRelationship? = nil, expected: Int, nesting: Nesting,
      kind: LinkKind? = nil
    ) {
      self.kind = kind
      self.depth = depth
      self.origin = origin
      self.expected = expected
      self.nesting = nesting
    }
  }

  /// The place of the outermost objects.
  private var outermost: Context?
  /// By table, which rows have been written, where the export is of the whole store and the table's objects have no
  /// identity. Others are found by their entity alone.
  private(set) var written: [WrittenRows?] = []
  /// By relationship, how many of its links could not be written in an export of the whole store.
  var lostLinks: [Int: Int] = [:]
  /// The objects without identity that JSON was compared with since this was last emptied.
  var comparedParts: [Place] = []

  /// - Parameter layout: The transaction's, without the properties that are left out.
  init(
    _ transaction: any EngineTransaction, _ layout: Layout, _ forms: ValueForms, _ nesting: Nesting,
    _ options: ExportOptions
  ) throws {
    self.layout = layout
    self.options = options
    self.forms = forms
    namedNesting = nesting
    keys = KeyWriter(layout, forms, options)
    plans = Array(repeating: nil, count: layout.entities.count)
    linkForms = Array(repeating: nil, count: layout.schema.relationships.count)
    links = try LinkedRows(transaction)
    guard options.isWhole else { return }
    written = layout.tables.map { layout.schema.entities[$0.root].hasIdentity ? nil : WrittenRows() }
  }

  /// Writes the row that a cursor stands on; see ``ObjectRows``.
  ///
  /// - Throws: ``ExportError`` for objects that JSON cannot express; ``StoreError`` if the store cannot be read.
  func write(_ row: any Cursor, of entity: SchemaEntity, to writer: inout JSONWriter) throws {
    frames.removeAll(keepingCapacity: true)
    begin(row, outermostContext(entity), to: &writer)
    try writeFrames(above: 0, to: &writer)
  }

  /// Writes the outermost objects as lists of their values from now on.
  ///
  /// - Returns: The names of the columns; nil if that cannot be, since objects have not all the same.
  func writeRows(of entity: SchemaEntity) -> [String]? {
    let plan = plan(for: entity)
    guard let names = plan.columnNames(layout.schema) else { return nil }
    rowPlan = ExportPlan(rowsOf: plan)
    writesRows = true
    return names
  }

  /// Writes the outermost objects as objects again.
  func endWritingRows() { (rowPlan, writesRows) = (nil, false) }

  private func rowPlan(_ root: Int) -> ExportPlan { rowPlan ?? plan(for: layout.schema.entities[root]) }

  private func outermostContext(_ entity: SchemaEntity) -> Context {
    if let outermost, outermost.expected == entity.index { return outermost }
    let context = Context(expected: entity.index, nesting: namedNesting)
    outermost = context
    return context
  }

  /// Notes that an object stands in an export of the whole store.
  func noteWritten(_ place: Place) { written[place.table]?.add(place.row) }

  /// Writes until this number of objects is unfinished.
  func writeFrames(above count: Int, to writer: inout JSONWriter) throws {
    while frames.count > count, let frame = frames.last {
      if try advance(frame, to: &writer) { end(frame, to: &writer) }
    }
  }

  /// Begins an object. If it has only values, ends it too.
  func begin(_ row: any Cursor, _ context: Context, to writer: inout JSONWriter) {
    let root = layout.schema.entities[context.expected].root
    if options.isWhole { noteWritten(Place(table: layout.entities[root].table, row: row.integer(0))) }
    let plan = writesRows && frames.isEmpty ? rowPlan(root) : plan(for: entity(of: row, root))
    if let wrapper = plan.wrapper {
      writer.beginObject()
      if let kept = keptKind(row, wrapper.column) {
        writer.key(kept)
      } else {
        wrapper.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      }
    }
    writer.begin(plan.members)
    if let kind = context.kind, !kind.isBeside, !plan.members.hasKey(kind.key) { kind.write(to: &writer) }
    if let kind = plan.kind, plan.entity.index != context.expected { writeKind(kind, row, to: &writer) }
    if context.origin == nil, let kind = plan.documentKind { writeKind(kind, row, to: &writer) }
    guard !plan.members.areValues else {
      // An object that nests nothing is written at once.
      _ = writeValues(plan.members, from: 0, row, to: &writer)
      writer.end(plan.members)
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
    writer.end(frame.plan.members)
    if frame.plan.wrapper != nil { writer.endObject() }
    if frame.isLone { frame.row.reset() }
    frames.removeLast()
    spareFrames.append(frame)
  }

  /// Writes the members of an object, up to the first that nests another. True at the end.
  func advance(_ frame: ExportFrame, to writer: inout JSONWriter) throws -> Bool {
    if let list = frame.list {
      guard try advance(list, frame, to: &writer) else { return false }
      frame.list = nil
    }
    while true {
      guard try advanceGroup(frame, to: &writer) else { return false }
      guard let outer = frame.outer.popLast() else { return true }
      writer.end(frame.members)
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
        if isLeftOut(inner, frame), !members.isList { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        writer.begin(inner)
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
        if leavesOutNulls, !members.isList, case .null = stored { continue }
        writer.quotedKey(plain.key)
        values.write(stored, plain.kind, to: &writer)
        continue
      }
      let member = members.list[index]
      guard case .value(let column, let form) = member.content else { return index }
      let stored = StoredValue(row, ObjectRows.firstColumn + column)
      if leavesOutNulls, !members.isList, values.isNull(stored, form) { continue }
      member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      values.write(stored, form, to: &writer)
    }
    return members.list.count
  }

  private func entity(of row: any Cursor, _ root: Int) -> SchemaEntity {
    if row.isNull(1) { return layout.schema.entities[root] }
    return layout.schema.entity(row.string(1)) ?? layout.schema.entities[root]
  }

  func plan(for entity: SchemaEntity) -> ExportPlan {
    if let known = plans[entity.index] { return known }
    let plan = ExportPlan(layout.schema.entities[entity.index], layout, forms, options)
    plans[entity.index] = plan
    return plan
  }

  /// Writes a member that is not just a value.
  private func write(
    _ member: ExportPlan.Member, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    switch member.content {
    case .value, .object: break
    case .gap: writer.null()
    case .gathered(let gathered): try write(gathered, member.key, frame, to: &writer)
    case .kind: writeKind(member, frame.row, to: &writer)
    case .wholeObject(let column, let form, let inner):
      let stored = StoredValue(frame.row, ObjectRows.firstColumn + column)
      if !options.includesNulls, values.isNull(stored, form), isLeftOut(inner, frame) { return }
      member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
      try write(stored, form, with: inner.list, frame, to: &writer)
    case .relationship(let index, let keys):
      let relationship = layout.schema.relationships[index]
      guard isWritten(relationship, frame.context) else { return }
      if let form = form(of: relationship) {
        try write(relationship, as: form, keys, frame, to: &writer)
      } else {
        try write(relationship, keys, frame, to: &writer)
      }
    case .polymorphic(let links): try writeOne(of: links, frame, to: &writer)
    case .polymorphicList(let links, let part): try writeList(part: part, of: links, frame, to: &writer)
    case .linkKind(let links): try writeKind(beside: links, frame, member.key, to: &writer)
    case .links(let index):
      try write(layout.schema.relationships[index], Self.noKeys, frame, to: &writer)
    }
  }

  private func writeKind(
    _ member: ExportPlan.Member, _ row: any Cursor, to writer: inout JSONWriter
  ) {
    guard case .kind(let column, let value) = member.content else { return }
    let kept = keptKind(row, column)
    // The object did not say its kind.
    if kept == "" { return }
    member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
    writer.string(kept ?? value)
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
      case .gap: true
      case .gathered(let gathered): isLeftOut(ExportPlan.Members(gathered.map(\.member)), frame)
      case .wholeObject(let column, let form, let inner):
        !options.includesNulls && isNull(column, form, frame) && isLeftOut(inner, frame)
      case .relationship(let index, _), .links(let index):
        !isWritten(layout.schema.relationships[index], frame.context)
      case .polymorphic(let links), .polymorphicList(let links, _), .linkKind(let links):
        links.parts.allSatisfy { !isWritten(layout.schema.relationships[$0.relationship], frame.context) }
      }
    }
  }

  func isNull(_ column: Int, _ form: ExportForm, _ frame: ExportFrame) -> Bool {
    values.isNull(StoredValue(frame.row, ObjectRows.firstColumn + column), form)
  }
}
