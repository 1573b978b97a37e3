import JSONStream
import ObjectModel
import ObjectStore

extension ObjectExporter {
  /// An object with so many objects around it is written as its identity, if it has one. Most readers refuse JSON
  /// that nests deeper.
  private static let deepest = 200
  /// How many relationships with transformers may be nested in each other. Transformers need their values as a whole.
  private static let mostTransformers = 16

  /// The written part of the relationships that are not nested by name. Those of a part are written at least as keys,
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
    if places.told.contains(relationship.index) { return false }
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
    if isElsewhere(targets.rows, relationship) { return targets.rows.reset() }
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
      if isElsewhere(list.targets.rows, list.relationship) { continue }
      if !target.hasIdentity, list.targets.missingKey != nil { continue }
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
    let rules = forms.relationships[relationship.index]
    let transformers = rules.elements
    let form = KeyForm(transformers: transformers, kind: kind)
    let waiting = try links.waiting(for: relationship, row, level: frames.count)
    defer { waiting?.reset() }
    // Of an object without identity that is not there, nothing is known.
    if isNested, target.hasIdentity, let column = links.foreignKey(of: relationship, row) {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      keys.write(target, row, from: column, as: form, to: &writer)
    } else if let waiting, try waiting.step() {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      keys.write(target, text: waiting.string(0), as: form, to: &writer)
    } else {
      let none = transformers?.written(.null) ?? .null
      guard options.includesNulls || none != .null else { return }
      let isEmptyText = rules.readsEmpty && none == .null
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.value(isEmptyText ? .string("") : none)
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

/// How the targets of a relationship are written where that is not as a list or one object.
final class LinkForm {
  /// The dictionary that they stand in, and the keys of the attributes that become its keys.
  let dictionary: LinkDictionary?
  /// The key of the value that stands for a whole target.
  let bareKey: String?
  let transformers: TransformerChain?

  init?(dictionary: LinkDictionary?, bareKey: String?, transformers: TransformerChain?) {
    guard dictionary != nil || bareKey != nil || transformers != nil else { return nil }
    self.dictionary = dictionary
    self.bareKey = bareKey
    self.transformers = transformers
  }
}

extension ObjectExporter {
  /// The keys of a relationship whose value is written without them.
  static let noKeys = ExportPlan.RelationshipKeys(plain: [], nested: [])

  /// Nil if the targets are written as they are.
  func form(of relationship: SchemaRelationship) -> LinkForm? {
    if let known = linkForms[relationship.index] { return known }
    let target = layout.schema.entities[relationship.destination]
    let form = LinkForm(
      dictionary: forms.dictionaries[relationship.index].flatMap {
        LinkDictionary($0, target, layout.schema, options)
      },
      bareKey: plan(for: target).bareKey, transformers: forms.relationships[relationship.index].whole)
    linkForms[relationship.index] = .some(form)
    return form
  }

  /// Writes the targets of a relationship in another form. They are written as they are first, since a dictionary and
  /// transformers need them as a whole.
  func write(
    _ relationship: SchemaRelationship, as form: LinkForm, _ names: ExportPlan.RelationshipKeys,
    _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    guard let key = isNested(relationship, frame.context) ? names.nested : names.plain else { return }
    var json = try rendered(ExportPlan.Member(content: .links(relationship.index)), frame)
    // Nothing is written of a relationship without target where nulls are left out.
    guard json.count > 2 else { return }
    json = Array(json.dropFirst().dropLast())
    if let bareKey = form.bareKey { json = try BareObjects.written(json, key: bareKey) }
    if let dictionary = form.dictionary, let shaped = try dictionary.written(json) { json = shaped }
    if let transformers = form.transformers,
      let value = JSONValue(text: String(decoding: json, as: UTF8.self))
    {
      let written = transformers.written(value)
      if !options.includesNulls, written == .null { return }
      json = written.bytes
    }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    try writer.copy(json)
  }

  /// The text of a member, in a list: `[value]`.
  func rendered(_ member: ExportPlan.Member, _ frame: ExportFrame) throws -> [UInt8] {
    guard transformerDepth < Self.mostTransformers else {
      throw ExportError(.tooManyTransformers(frame.plan.entity.name, most: Self.mostTransformers))
    }
    transformerDepth += 1
    defer { transformerDepth -= 1 }
    return try JSONWriter.bytes { inner in
      inner.beginArray()
      try writeAlone(member, frame, to: &inner)
      inner.endArray()
    }
  }
}

extension JSONWriter {
  /// Writes JSON that stands in memory, in this writer's form.
  mutating func copy(_ json: [UInt8]) throws(JSONError) {
    var reader = JSONReader(MemorySource(json), options: JSONReader.Options(windowSize: max(json.count, 1)))
    try reader.copy(from: reader.next(), to: &self)
  }
}

/// Objects that are nothing but one value.
enum BareObjects {
  /// JSON in which the value with a key takes the place of objects that have nothing else: of a list's elements, or of
  /// one object.
  static func written(_ json: [UInt8], key: String) throws -> [UInt8] {
    var reader = JSONReader(MemorySource(json), options: JSONReader.Options(windowSize: max(json.count, 1)))
    let token = try reader.next()
    return try JSONWriter.bytes { writer in
      guard token == .beginArray else { return try write(token, &reader, key, to: &writer) }
      writer.beginArray()
      var element = try reader.next()
      while element != .endArray {
        try write(element, &reader, key, to: &writer)
        element = try reader.next()
      }
      writer.endArray()
    }
  }

  private static func write(
    _ token: JSONToken, _ reader: inout JSONReader, _ key: String, to writer: inout JSONWriter
  ) throws {
    guard token == .beginObject else { return try reader.copy(from: token, to: &writer) }
    let start = reader.checkpoint()
    let members = try ObjectMembers(from: &reader)
    if let value = members.onlyValue(ofKey: key) {
      writer.raw(String(decoding: value, as: UTF8.self))
    } else {
      reader.rewind(to: start)
      try reader.copy(from: .beginObject, to: &writer)
    }
    reader.release(start)
  }
}

/// The members of an object, each value as JSON.
struct ObjectMembers {
  var list: [(key: String, value: [UInt8])] = []

  /// Reads an object whose opening brace was just read.
  init(from reader: inout JSONReader) throws {
    while try reader.next() == .key {
      let key = String(decoding: reader.text, as: UTF8.self)
      list.append((key, try reader.bytes(from: reader.next())))
    }
  }

  /// Takes a member out: the text of a scalar. Nil if there is none.
  mutating func takeText(ofKey key: String) -> String? {
    guard let index = list.firstIndex(where: { $0.key == key }) else { return nil }
    let text: String
    switch JSONValue(text: String(decoding: list[index].value, as: UTF8.self)) {
    case .string(let string): text = string
    case .number(let digits): text = digits
    case .bool(let isTrue): text = isTrue ? "true" : "false"
    case nil, .null, .array, .object: return nil
    }
    list.remove(at: index)
    return text
  }

  /// The value of a key, if there is nothing else, and an import does not take it for an object.
  func onlyValue(ofKey key: String) -> [UInt8]? {
    var found: [UInt8]?
    for member in list {
      if member.key == key {
        guard member.value.first != UInt8(ascii: "{"), member.value != Array("null".utf8) else { return nil }
        found = member.value
      } else if member.value != Array("null".utf8), member.value != Array("[]".utf8) {
        return nil
      }
    }
    return found
  }
}

/// Properties whose values stand in the elements of a list: `participant[].individual`.
extension ObjectExporter {
  /// Writes a list with the values of properties, each value in an element of its own; null where there is no list, and
  /// nothing where nothing is written of them.
  func write(
    _ gathered: [ExportPlan.GatheredMember], _ key: [UInt8], _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let parts = try gathered.map { (path: $0.path, json: try rendered($0.member, frame)) }
      .filter { $0.json.count > 2 }
    let isNull = parts.allSatisfy { $0.json == Array("[null]".utf8) }
    if parts.isEmpty || (isNull && !options.includesNulls) { return }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    if isNull { return writer.null() }
    writer.beginArray()
    for (path, json) in parts {
      var reader = JSONReader(MemorySource(json), options: JSONReader.Options(windowSize: json.count))
      guard try reader.next() == .beginArray, try reader.next() == .beginArray else { continue }
      var token = try reader.next()
      while token != .endArray {
        try write(token, from: &reader, at: path, to: &writer)
        token = try reader.next()
      }
    }
    writer.endArray()
  }

  /// Copies a value, whose first token was just read, into the objects and lists that a path leads through.
  private func write(
    _ token: JSONToken, from reader: inout JSONReader, at path: ArraySlice<JSONKeyPath.Step>,
    to writer: inout JSONWriter
  ) throws {
    guard let step = path.first else { return try reader.copy(from: token, to: &writer) }
    if case .key(let key) = step {
      writer.beginObject()
      writer.key(key)
      try write(token, from: &reader, at: path.dropFirst(), to: &writer)
      return writer.endObject()
    }
    writer.beginArray()
    if case .position(let place) = step { for _ in 0..<max(0, place) { writer.null() } }
    try write(token, from: &reader, at: path.dropFirst(), to: &writer)
    writer.endArray()
  }
}
