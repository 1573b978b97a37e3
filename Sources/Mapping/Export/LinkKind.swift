import JSONStream
import ObjectModel
import ObjectStore

/// How a link to an object of one of several entities tells the kind of that object.
final class LinkKind: Sendable {
  /// The key inside the object.
  let key: String
  let value: String
  /// How a text leads to the object.
  let text: LinkText?
  /// Whether a key beside the link tells the kind.
  let isBeside: Bool

  init(key: String, value: String, text: LinkText?, isBeside: Bool) {
    self.key = key
    self.value = value
    self.text = text
    self.isBeside = isBeside
  }

  /// Writes the kind as the first member of an object.
  func write(to writer: inout JSONWriter) {
    writer.key(key)
    writer.string(value)
  }
}

/// How exports write a key that leads to objects of any of several entities.
final class PolymorphicExport: Sendable {
  /// One of the relationships.
  struct Part: Sendable {
    let relationship: Int
    let kind: LinkKind
  }

  let parts: [Part]
  let keys: ExportPlan.RelationshipKeys

  init(_ links: PolymorphicPlan, of entity: SchemaEntity, path: [JSONKeyPath.Step]) {
    let isBeside = links.rule.key != nil
    parts = zip(links.members, links.values).map { place, value in
      Part(
        relationship: entity.relationships[place],
        kind: LinkKind(key: links.kindKey, value: value, text: links.text, isBeside: isBeside))
    }
    let nested = path.last?.quotedKey ?? []
    keys = ExportPlan.RelationshipKeys(
      plain: links.rule.key.map { JSONWriter.quotedKey($0) } ?? nested, nested: nested)
  }

  private init(_ parts: [Part], _ keys: ExportPlan.RelationshipKeys) {
    (self.parts, self.keys) = (parts, keys)
  }

  /// The same for an element of a list.
  var withoutKeys: PolymorphicExport { PolymorphicExport(parts, ObjectExporter.noKeys) }
}

/// How keys of objects are written.
struct KeyForm {
  /// The transformers that a key which is one value passes through last.
  var transformers: TransformerChain?
  /// Whether a key of one value is written as an object too.
  var isObject = false
  /// How the kind of the object is told, where that could be one of several.
  var kind: LinkKind?
}

/// Keys that lead to objects of any of several entities.
extension ObjectExporter {
  /// Writes the one link that an object has, with its kind; or null.
  func writeOne(
    of links: PolymorphicExport, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let written = links.parts.filter {
      isWritten(layout.schema.relationships[$0.relationship], frame.context)
    }
    guard let part = try written.first(where: { try hasLink($0, frame) }) else {
      guard options.includesNulls, written.count == links.parts.count else { return }
      links.keys.nested.withUnsafeBufferPointer { writer.quotedKey($0) }
      return writer.null()
    }
    try write(
      layout.schema.relationships[part.relationship], links.keys, frame, kind: part.kind, to: &writer)
  }

  /// Writes the kind of the link that an object has, beside it.
  func writeKind(
    beside links: PolymorphicExport, _ frame: ExportFrame, _ key: [UInt8], to writer: inout JSONWriter
  ) throws {
    let part = try links.parts.first {
      try isWritten(layout.schema.relationships[$0.relationship], frame.context) && hasLink($0, frame)
    }
    guard let part else {
      // A list has a place for it all the same.
      if key.isEmpty { writer.null() }
      return
    }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    writer.string(part.kind.value)
  }

  private func hasLink(_ part: PolymorphicExport.Part, _ frame: ExportFrame) throws -> Bool {
    let relationship = layout.schema.relationships[part.relationship]
    if links.foreignKey(of: relationship, frame.row) != nil { return true }
    if case .foreignKey = layout.relationships[relationship.index] { return false }
    let targets = try links.targets(of: relationship, frame.row, whole: false, level: frames.count)
    defer { targets.rows.reset() }
    if try targets.rows.step() { return true }
    let waiting = try links.waiting(for: relationship, frame.row, level: frames.count)
    defer { waiting?.reset() }
    return try waiting?.step() ?? false
  }

  /// Begins the targets of one of the relationships in their common list.
  func writeList(
    part index: Int, of links: PolymorphicExport, _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let part = links.parts[index]
    let relationship = layout.schema.relationships[part.relationship]
    guard isWritten(relationship, frame.context) else { return }
    try begin(relationship, frame, kind: part.kind, isWhole: false, to: &writer)
  }
}
