import JSONStream
import ObjectModel
import ObjectStore

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

  /// What is written of a member, in a list: `[value]`.
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
