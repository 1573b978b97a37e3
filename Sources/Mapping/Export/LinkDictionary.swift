import JSONStream
import ObjectModel

/// Writes the targets of a relationship as a dictionary: `{"ara": {…}}`, or one in another.
struct LinkDictionary {
  /// The keys that the attributes have in JSON, the outermost first.
  private let keys: [String]
  /// The key of the property whose value stands alone.
  private let value: String?

  /// Nil if the attributes have no simple keys.
  init?(_ plan: DictionaryPlan, _ target: SchemaEntity, _ schema: Schema, _ options: ExportOptions) {
    let names = ExportNames(target, schema, options)
    func key(_ name: String) -> String? {
      if let index = target.attribute(name) {
        return JSONKeyPath(names.path(of: target.attributes[index])).onlyKey
      }
      let relationship = target.relationships.lazy.map { schema.relationships[$0] }.first { $0.name == name }
      return relationship.flatMap { JSONKeyPath(names.path(of: $0.relationship)).onlyKey }
    }
    keys = plan.keys.compactMap(key)
    value = plan.value.flatMap(key)
    guard keys.count == plan.keys.count else { return nil }
  }

  /// What stands behind the keys on the way: further keys, or elements.
  private final class Level {
    var order: [String] = []
    var below: [String: Level] = [:]
    var elements: [Element] = []

    func level(_ key: String) -> Level {
      if let known = below[key] { return known }
      let new = Level()
      order.append(key)
      below[key] = new
      return new
    }
  }

  private struct Element {
    let json: [UInt8]
    /// Whether it is an object, not the value of one of its properties.
    let isObject: Bool
  }

  /// The dictionary of a list's elements. Nil if an import would not read the same from it: then the list is written.
  func written(_ json: [UInt8]) throws -> [UInt8]? {
    var reader = JSONReader(MemorySource(json), options: JSONReader.Options(windowSize: max(json.count, 1)))
    guard try reader.next() == .beginArray else { return nil }
    let root = Level()
    while case let token = try reader.next(), token != .endArray {
      guard token == .beginObject else { return nil }
      var members = try ObjectMembers(from: &reader)
      var level = root
      for key in keys {
        guard let text = members.takeText(ofKey: key) else { return nil }
        level = level.level(text)
      }
      level.elements.append(element(members))
      // Several objects behind one key are a list, which other values cannot be.
      if level.elements.count > 1, !level.elements.allSatisfy(\.isObject) || value != nil { return nil }
    }
    return JSONWriter.bytes { write(root, to: &$0) }
  }

  private func element(_ members: ObjectMembers) -> Element {
    if let value, let only = members.onlyValue(ofKey: value) { return Element(json: only, isObject: false) }
    let json = JSONWriter.bytes { writer in
      writer.beginObject()
      for member in members.list {
        writer.key(member.key)
        member.value.withUnsafeBufferPointer { writer.raw($0) }
      }
      writer.endObject()
    }
    return Element(json: json, isObject: true)
  }

  private func write(_ level: Level, to writer: inout JSONWriter) {
    guard level.elements.isEmpty else {
      if level.elements.count > 1 { writer.beginArray() }
      for element in level.elements { element.json.withUnsafeBufferPointer { writer.raw($0) } }
      if level.elements.count > 1 { writer.endArray() }
      return
    }
    writer.beginObject()
    for key in level.order {
      writer.key(key)
      if let inner = level.below[key] { write(inner, to: &writer) }
    }
    writer.endObject()
  }
}
