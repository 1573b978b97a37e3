import JSONStream
import ObjectModel
import ObjectStore

/// Attributes that hold a whole object, and others that reach into it.
extension ObjectExporter {
  /// Writes an object that an attribute holds as a whole, with the values of the attributes that are inside it. If
  /// such a value is the same in the object, it is written as the object has it.
  func write(
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
    var written: Set<JSONKeyPath.Step> = []
    writer.beginObject()
    while try reader.next() == .key {
      let name = String(decoding: reader.text, as: UTF8.self)
      let token = try reader.next()
      guard let member = members.first(where: { $0.step == .key(name) }) else {
        writer.key(name)
        try reader.copy(from: token, to: &writer)
        continue
      }
      written.insert(member.step)
      try copy(from: &reader, token, with: member, frame, to: &writer)
    }
    try writeRest(members, written, frame, to: &writer)
    writer.endObject()
  }

  /// Copies a list whose opening bracket was just read, with the values of the elements that key paths lead to.
  private func copy(
    list reader: inout JSONReader, with members: [ExportPlan.Member], _ frame: ExportFrame,
    to writer: inout JSONWriter
  ) throws {
    writer.beginArray()
    var token = try reader.next()
    var place = 0
    while token != .endArray {
      if let member = members.first(where: { $0.step == .position(place) }) {
        try copy(from: &reader, token, with: member, frame, to: &writer)
      } else {
        try reader.copy(from: token, to: &writer)
      }
      place += 1
      token = try reader.next()
    }
    while let member = members.first(where: { $0.step == .position(place) }), !isNothing(member, frame) {
      try writeAlone(member, frame, to: &writer)
      place += 1
    }
    writer.endArray()
  }

  /// Copies a value whose first token was just read, with the value of a member.
  private func copy(
    from reader: inout JSONReader, _ token: JSONToken, with member: ExportPlan.Member, _ frame: ExportFrame,
    to writer: inout JSONWriter
  ) throws {
    func key() { member.key.withUnsafeBufferPointer { writer.quotedKey($0) } }
    switch (member.content, token) {
    case (.object(let inner), .beginObject) where !inner.isList:
      key()
      try copy(from: &reader, with: inner.list, frame, to: &writer)
    case (.object(let inner), .beginArray) where inner.isList:
      key()
      try copy(list: &reader, with: inner.list, frame, to: &writer)
    case (.gap, _), (.gathered, .beginArray), (.gathered, .beginObject):
      // What is taken from all elements cannot be told from the rest of them.
      key()
      try reader.copy(from: token, to: &writer)
    case (.value(let column, let form), _) where says(token, reader, column, form, in: frame):
      key()
      try reader.copy(from: token, to: &writer)
    case (.relationship(let index, _), _):
      let json = try reader.bytes(from: token)
      if try says(json, linksOf: layout.schema.relationships[index], frame) {
        key()
        try writer.copy(json)
      } else {
        try writeAlone(member, frame, to: &writer)
      }
    default:
      try reader.skip(from: token)
      try writeAlone(member, frame, to: &writer)
    }
  }

  /// Writes the members that have a value and have not been written.
  private func writeRest(
    _ members: [ExportPlan.Member], _ written: Set<JSONKeyPath.Step>, _ frame: ExportFrame,
    to writer: inout JSONWriter
  ) throws {
    for member in members where !written.contains(member.step) && !isNothing(member, frame) {
      try writeAlone(member, frame, to: &writer)
    }
  }

  /// Writes a member to its end.
  func writeAlone(
    _ member: ExportPlan.Member, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let inner = ExportFrame(frame.row, frame.plan, frame.context, frame.place)
    inner.members = ExportPlan.Members([member], isList: member.key.isEmpty)
    frames.append(inner)
    let count = frames.count
    while try !advance(inner, to: &writer) { try writeFrames(above: count, to: &writer) }
    frames.removeLast()
  }

  /// Whether a member has nothing to add to the object that an attribute holds as a whole.
  func isNothing(_ member: ExportPlan.Member, _ frame: ExportFrame) -> Bool {
    switch member.content {
    case .value(let column, let form), .wholeObject(let column, let form, _): isNull(column, form, frame)
    case .object(let inner): inner.list.allSatisfy { isNothing($0, frame) }
    case .gap: true
    case .gathered(let gathered): gathered.allSatisfy { isNothing($0.member, frame) }
    case .kind: false
    case .relationship(let index, _), .links(let index):
      !isWritten(layout.schema.relationships[index], frame.context)
    case .polymorphic(let links), .polymorphicList(let links, _), .linkKind(let links):
      links.parts.allSatisfy { !isWritten(layout.schema.relationships[$0.relationship], frame.context) }
    }
  }

  /// Whether a value in such an object, whose token was just read, says what an attribute has: the same value, or one
  /// that an import leaves out where the attribute has none.
  private func says(
    _ token: JSONToken, _ reader: borrowing JSONReader, _ column: Int, _ form: ExportForm,
    in frame: ExportFrame
  ) -> Bool {
    let stored = StoredValue(frame.row, ObjectRows.firstColumn + column)
    guard form.transformers == nil else { return false }
    if token == .null { return values.isNull(stored, form) }
    guard token != .beginObject, token != .beginArray else {
      return form.kind != .json && form.kind != .string && values.isNull(stored, form)
    }
    scratch.removeAll()
    let integer = token == .number && reader.numberIsInteger ? reader.integer : nil
    guard let cell = form.conversion.cell(for: token, reader.text, integer: integer, in: &scratch) else {
      return values.isNull(stored, form)
    }
    return frame.row.column(ObjectRows.firstColumn + column, equals: cell, of: scratch)
  }
}

/// Compares JSON that an attribute holds with what the store has of the objects that an import took from it.
///
/// Such JSON goes out as it came wherever it still says the same. It would overwrite the objects where they have changed.
extension ObjectExporter {
  /// JSON that nests objects deeper than this is taken to say something else.
  private static let deepestComparison = 16
  /// A list without an order that has more elements is taken to say something else: each target is looked for in it.
  private static let longestComparison = 1_000

  /// Whether JSON says the links of an object's relationship, and of each target what the store has.
  func says(_ json: [UInt8], linksOf relationship: SchemaRelationship, _ frame: ExportFrame) throws -> Bool {
    // The parts stand elsewhere, and an import would take others from the JSON.
    if places.told.contains(relationship.index) { return false }
    guard isWritten(relationship, frame.context) else { return true }
    guard let value = JSONValue(text: String(decoding: json, as: UTF8.self)) else { return false }
    comparedParts.removeAll()
    guard try says(value, linksOf: relationship, of: frame.row, level: frames.count) else { return false }
    for part in comparedParts { noteWritten(part) }
    return true
  }

  private func says(
    _ json: JSONValue, linksOf relationship: SchemaRelationship, of row: any Cursor, level: Int
  ) throws -> Bool {
    guard level < frames.count + Self.deepestComparison, form(of: relationship) == nil,
      forms.relationships[relationship.index].elements == nil
    else { return false }
    var elements: [JSONValue]
    switch json {
    case .array(let list) where relationship.isToMany: elements = list
    case .null: elements = []
    case .array: return false
    default: elements = [json]
    }
    if let waiting = try links.waiting(for: relationship, row, level: level) {
      defer { waiting.reset() }
      if try waiting.step() { return false }
    }
    let target = layout.schema.entities[relationship.destination]
    let targets = try links.targets(of: relationship, row, whole: true, level: level)
    defer { targets.rows.reset() }
    let isInOrder = relationship.isOrdered || !target.hasIdentity
    guard isInOrder || elements.count <= Self.longestComparison else { return false }
    while try targets.rows.step() {
      if let key = targets.missingKey {
        // It has not arrived, so JSON can say its identity only.
        guard let place = elements.firstIndex(where: { isOf($0, targets.rows, target, keyFrom: key) }) else {
          return false
        }
        elements.remove(at: place)
        continue
      }
      let place = elements.firstIndex { isInOrder || isOf($0, targets.rows, target) }
      guard let place, try says(elements[place], targets.rows, target, level: level + 1) else { return false }
      elements.remove(at: place)
      if options.isWhole, !target.hasIdentity {
        comparedParts.append(Place(table: layout.entities[target.index].table, row: targets.rows.integer(0)))
      }
    }
    return elements.isEmpty
  }

  /// Whether JSON is about the object of a row: whether it has its identity.
  ///
  /// - Parameter keyColumn: The first column of the key, if the row has nothing else.
  private func isOf(
    _ json: JSONValue, _ row: any Cursor, _ target: SchemaEntity, keyFrom keyColumn: Int? = nil
  ) -> Bool {
    let place = layout.entities[target.index]
    let members = plan(for: target).members
    for part in target.identity.indices {
      let column = place.slots[place.identitySlots[part]]
      var said: (value: JSONValue, form: ExportForm)?
      if case .object = json {
        said = members.value(ofColumn: column, in: json)
      } else if target.identity.count == 1 {
        said = members.form(ofColumn: column).map { (json, $0) }
      }
      guard let said,
        says(said.value, row, keyColumn.map { $0 + part } ?? ObjectRows.firstColumn + column, said.form)
      else { return false }
    }
    return target.hasIdentity
  }

  /// Whether JSON says of the object of a row what the store has. What it leaves out stands in the object itself, if that
  /// has an identity.
  private func says(
    _ json: JSONValue, _ row: any Cursor, _ target: SchemaEntity, level: Int
  ) throws -> Bool {
    guard case .object = json else { return isOf(json, row, target) }
    if target.hasIdentity, !isOf(json, row, target) { return false }
    let named = row.isNull(1) ? nil : layout.schema.entity(row.string(1))
    let entity = named ?? target
    return try says(json, plan(for: entity).members, row, isPart: !entity.hasIdentity, level: level)
  }

  private func says(
    _ json: JSONValue, _ members: ExportPlan.Members, _ row: any Cursor, isPart: Bool, level: Int
  ) throws -> Bool {
    guard !members.isList, case .object(let keys) = json else { return false }
    for member in members.list {
      guard case .key(let key) = member.step else { return false }
      let value = keys[key]
      switch member.content {
      case .value(let column, let form):
        if let value, !says(value, row, ObjectRows.firstColumn + column, form) { return false }
        if value == nil, isPart, !values.isNull(StoredValue(row, ObjectRows.firstColumn + column), form) {
          return false
        }
      case .object(let inner):
        guard let value, value != .null else {
          if isPart { return false }
          continue
        }
        guard try says(value, inner, row, isPart: isPart, level: level) else { return false }
      case .relationship(let index, _):
        let relationship = layout.schema.relationships[index]
        // The way back to the owner need not be said.
        guard let value else {
          if isPart, relationship.isToMany || layout.isPart(relationship) {
            guard try says(.array([]), linksOf: relationship, of: row, level: level) else { return false }
          }
          continue
        }
        guard try says(value, linksOf: relationship, of: row, level: level) else { return false }
      case .kind: continue
      case .links, .gap, .gathered, .wholeObject, .polymorphic, .polymorphicList, .linkKind:
        if value != nil || isPart { return false }
      }
    }
    return true
  }

  /// Whether an import makes the value in a column of the cursor of some JSON.
  private func says(_ json: JSONValue, _ row: any Cursor, _ column: Int, _ form: ExportForm) -> Bool {
    let stored = StoredValue(row, column)
    guard form.transformers == nil else { return values.value(of: stored, form) == json }
    if json == .null { return values.isNull(stored, form) }
    if form.kind == .json { return values.value(of: stored, form) == json }
    scratch.removeAll()
    guard let cell = form.conversion.cell(for: json, in: &scratch) else { return false }
    return row.column(column, equals: cell, of: scratch)
  }
}

extension ExportPlan.Members {
  /// How the values of a column are written, if they have a member.
  fileprivate func form(ofColumn wanted: Int) -> ExportForm? {
    for member in list {
      switch member.content {
      case .value(let column, let form) where column == wanted: return form
      case .object(let inner): if let form = inner.form(ofColumn: wanted) { return form }
      default: continue
      }
    }
    return nil
  }

  /// The value that an object has for a column, and how that is written.
  fileprivate func value(ofColumn wanted: Int, in json: JSONValue) -> (JSONValue, ExportForm)? {
    guard case .object(let keys) = json else { return nil }
    for member in list {
      guard case .key(let key) = member.step, let value = keys[key] else { continue }
      switch member.content {
      case .value(let column, let form) where column == wanted: return (value, form)
      case .object(let inner): if let found = inner.value(ofColumn: wanted, in: value) { return found }
      default: continue
      }
    }
    return nil
  }
}
