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
