import JSONStream
import ObjectModel
import ObjectStore

extension ObjectExporter {
  /// An object with so many objects around it is written as its identity, if it has one. Most readers refuse JSON
  /// that nests deeper.
  private static let deepest = 200
  /// How many relationships with transformers may be nested in each other. Transformers need their values as a whole.
  static let mostTransformers = 16

  /// What is written of the relationships that are not nested by name. Those of a part are written at least as keys,
  /// since an import deletes what the JSON of a part lacks.
  private func relationships(_ context: Context) -> ExportOptions.Relationships {
    guard let origin = context.origin, !layout.schema.entities[origin.destination].hasIdentity else {
      return options.relationships
    }
    return options.relationships == .none ? .keys : options.relationships
  }

  /// Whether the objects themselves are written, not their keys.
  func isNested(_ relationship: SchemaRelationship, _ context: Context) -> Bool {
    let isPart = !layout.schema.entities[relationship.destination].hasIdentity
    if frames.count >= Self.deepest, !isPart { return false }
    if context.nesting[relationship.index] != nil { return true }
    return switch relationships(context) {
    case .nested(let limit): context.depth < limit || isPart
    case .keys: isPart
    case .none: false
    }
  }

  func isWritten(_ relationship: SchemaRelationship, _ context: Context) -> Bool {
    // The relationship back to the object around this one is left out.
    if let origin = context.origin, origin.inverse == relationship.index { return false }
    if relationships(context) == .none, context.nesting[relationship.index] == nil, !relationship.isIdentity {
      return false
    }
    let target = layout.schema.entities[relationship.destination]
    return target.hasIdentity || layout.isPart(relationship) || !isInHolder(context)
  }

  /// Whether an object is written inside its owner. Then its other owners are not written inside it unless they have an
  /// identity, since an import would make new objects of them.
  private func isInHolder(_ context: Context) -> Bool {
    context.origin.map { layout.isPart($0) } ?? false
  }

  /// Writes a relationship, or begins the first object that it nests.
  func write(
    _ relationship: SchemaRelationship, _ names: ExportPlan.RelationshipKeys, _ frame: ExportFrame,
    kind: LinkKind? = nil, to writer: inout JSONWriter
  ) throws {
    let isNested = isNested(relationship, frame.context)
    if relationship.isToMany {
      guard let key = isNested ? names.nested : names.plain else { return }
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.beginArray()
      return try begin(relationship, frame, to: &writer)
    }
    let level = frames.count
    let targets = try links.targets(of: relationship, frame.row, whole: isNested, level: level)
    guard try targets.rows.step() else {
      return try writeNone(relationship, names, isNested, frame, kind: kind, to: &writer)
    }
    if targets.missingKey != nil {
      targets.rows.reset()
      return try writeNone(relationship, names, isNested, frame, kind: kind, to: &writer)
    }
    guard let key = isNested ? names.nested : names.plain else { return targets.rows.reset() }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    try writeTarget(targets, relationship, isNested, frame, kind: kind, to: &writer)
    // The row of a nested object is read to its end.
    if frames.count > level, let nested = frames.last {
      nested.isLone = true
    } else {
      targets.rows.reset()
    }
  }

  private func writeNone(
    _ relationship: SchemaRelationship, _ names: ExportPlan.RelationshipKeys, _ isNested: Bool,
    _ frame: ExportFrame, kind: LinkKind?, to writer: inout JSONWriter
  ) throws {
    guard let key = names.plain else { return }
    try writeAbsent(relationship, key, frame.row, isNested: isNested, kind: kind, to: &writer)
  }

  /// Begins the targets of a to-many relationship in the list that was begun.
  func begin(
    _ relationship: SchemaRelationship, _ frame: ExportFrame, kind: LinkKind? = nil, isWhole: Bool = true,
    to writer: inout JSONWriter
  ) throws {
    let isNested = isNested(relationship, frame.context)
    let level = frames.count
    let targets = try links.targets(of: relationship, frame.row, whole: isNested, level: level)
    let waiting = try links.waiting(for: relationship, frame.row, level: level)
    let list = try ExportedList(
      relationship, targets, isNested: isNested, waiting: waiting, kind: kind, isWhole: isWhole)
    frame.list = list
    if try advance(list, frame, to: &writer) { frame.list = nil }
  }

  /// Writes the elements of a list, up to the first that is a nested object. True at the end of the list.
  func advance(_ list: ExportedList, _ frame: ExportFrame, to writer: inout JSONWriter) throws -> Bool {
    let target = layout.schema.entities[list.relationship.destination]
    let form = KeyForm(
      transformers: forms.relationships[list.relationship.index].elements,
      isObject: keysAreObjects(of: list.relationship, isNested: list.isNested, frame), kind: list.kind)
    func writeWaiting(before place: Int64?) throws {
      while list.isWaiting, let waiting = list.waiting {
        if let place, waiting.isNull(1) || waiting.integer(1) > place { return }
        keys.write(target, text: waiting.string(0), as: form, to: &writer)
        list.isWaiting = try waiting.step()
      }
    }
    let depth = frames.count
    while try list.targets.rows.step() {
      if let place = list.targets.place { try writeWaiting(before: place) }
      try writeTarget(
        list.targets, list.relationship, list.isNested, frame, kind: list.kind, to: &writer)
      if frames.count > depth { return false }
    }
    try writeWaiting(before: nil)
    if list.isWhole { writer.endArray() }
    return true
  }

  /// Writes a to-one relationship whose target is not in the store: its key, or null.
  private func writeAbsent(
    _ relationship: SchemaRelationship, _ key: [UInt8], _ row: any Cursor, isNested: Bool,
    kind: LinkKind?, to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    let transformers = forms.relationships[relationship.index].elements
    let form = KeyForm(transformers: transformers, kind: kind)
    let waiting = try links.waiting(for: relationship, row, level: frames.count)
    defer { waiting?.reset() }
    if isNested, let column = links.foreignKey(of: relationship, row) {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      keys.write(target, row, from: column, as: form, to: &writer)
    } else if let waiting, try waiting.step() {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      keys.write(target, text: waiting.string(0), as: form, to: &writer)
    } else {
      let none = transformers?.written(.null) ?? .null
      guard options.includesNulls || none != .null else { return }
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.value(none)
    }
  }

  /// Writes the target that a cursor stands on. If it is nested, begins it.
  private func writeTarget(
    _ list: LinkedTargets, _ relationship: SchemaRelationship, _ isNested: Bool, _ frame: ExportFrame,
    kind: LinkKind?, to writer: inout JSONWriter
  ) throws {
    let context = frame.context
    let target = layout.schema.entities[relationship.destination]
    let row = list.rows
    let form = KeyForm(
      transformers: forms.relationships[relationship.index].elements,
      isObject: keysAreObjects(of: relationship, isNested: isNested, frame), kind: kind)
    guard isNested else { return keys.write(target, row, from: 0, as: form, to: &writer) }
    if let column = list.missingKey { return keys.write(target, row, from: column, as: form, to: &writer) }
    let place = Place(table: layout.entities[target.index].table, row: row.integer(0))
    if frames.contains(where: { $0.place == place }) {
      guard target.hasIdentity else { return writer.null() }
      return keys.write(target, wholeRow: row, as: form, to: &writer)
    }
    let inner = Context(
      depth: context.depth + 1, origin: relationship, expected: target.index,
      nesting: context.nesting[relationship.index] ?? .none, kind: kind)
    begin(row, inner, to: &writer)
  }

  /// Whether a key of one value is written as an object: in a list of nested objects for Rails, and where key paths of
  /// other properties lead through it.
  private func keysAreObjects(
    of relationship: SchemaRelationship, isNested: Bool, _ frame: ExportFrame
  ) -> Bool {
    isNested && options.relationshipKeys == .rails || frame.plan.reached.contains(relationship.index)
  }
}
