import Foundation
import JSONStream
package import ObjectModel

extension Model {
  /// The JSON of the model's objects as a JSON Schema, draft 2020-12, with a definition for each entity.
  ///
  /// Keys are those that an import takes first. A relationship is the object itself or what identifies it.
  ///
  /// - Throws: ``SchemaError`` if the model cannot be used.
  package func jsonSchema() throws(SchemaError) -> String {
    JSONSchemaWriter(try Schema(self)).value.document()
  }
}

struct JSONSchemaWriter {
  private let schema: Schema

  init(_ schema: Schema) {
    self.schema = schema
  }

  var value: FormValue {
    let entities = schema.model.entities.map { FormValue.Member($0.name, definition(of: $0)) }
    let composites = schema.model.composites.map { composite in
      FormValue.Member(
        composite.name, object(composite.attributes.map(property), required: required(composite.attributes)))
    }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$defs": .object(entities + composites),
    ]
  }

  private func definition(of entity: Entity) -> FormValue {
    let identity = schema.entity(entity.name)?.declaredIdentity?.properties ?? []
    let properties =
      entity.attributes.filter { !$0.isTransient }.map(property) + entity.relationships.map(property)
    let links = entity.relationships.filter { !$0.isToMany && (!$0.isOptional || identity.contains($0.name)) }
    var value = object(
      properties,
      required: required(entity.attributes, identity) + links.map { Self.key($0.annotations, $0.name) })
    if let text = entity.userInfo[Model.documentationKey] { value.add("description", .string(text)) }
    guard let parent = entity.parent else { return value }
    return ["allOf": .array([Self.reference(parent), value])]
  }

  private func object(_ properties: [FormValue.Member], required: [String]) -> FormValue {
    var tree = SchemaProperties()
    for property in properties { tree.add(property) }
    var value: FormValue = ["type": "object"]
    if !tree.members.isEmpty { value.add("properties", .object(tree.members)) }
    // What lies deeper is not required: the objects on the way may be missing.
    let required = required.filter { !SchemaProperties.isPath($0) }
    if !required.isEmpty { value.add("required", .array(required.map(FormValue.string))) }
    return value
  }

  private func required(_ attributes: [Attribute], _ identity: [String] = []) -> [String] {
    attributes.filter {
      identity.contains($0.name)
        || (!$0.isOptional && !$0.isTransient && $0.defaultValue == nil && $0.defaultDate == nil)
    }.map { Self.key($0.annotations, $0.name) }
  }

  private static func key(_ annotations: Annotations, _ name: String) -> String {
    annotations.keys.first ?? name
  }

  private static func reference(_ name: String) -> FormValue {
    // The tokens of JSON Pointer, in a URI.
    let token = name.replacing("~", with: "~0").replacing("/", with: "~1")
    let allowed = CharacterSet.urlFragmentAllowed
    return [
      "$ref": .string("#/$defs/\(token.addingPercentEncoding(withAllowedCharacters: allowed) ?? token)")
    ]
  }

  private static func orNull(_ value: FormValue) -> FormValue {
    ["anyOf": .array([value, ["type": "null"]])]
  }

  // MARK: - Properties

  private func property(_ attribute: Attribute) -> FormValue.Member {
    var value = Self.type(of: attribute.type)
    if let values = attribute.annotations.values {
      value.add("enum", .array(values.map(FormValue.init(json:))))
    }
    addRules(of: attribute, to: &value)
    if let text = attribute.userInfo[Model.documentationKey] { value.add("description", .string(text)) }
    if attribute.isOptional { value = Self.orNull(value) }
    if let fallback = attribute.jsonDefault { value.add("default", fallback) }
    return FormValue.Member(Self.key(attribute.annotations, attribute.name), value)
  }

  private static func type(of type: AttributeType) -> FormValue {
    switch type {
    case .boolean: ["type": "boolean"]
    case .integer16, .integer32: ["type": "integer", "format": "int32"]
    case .integer64: ["type": "integer", "format": "int64"]
    case .float: ["type": "number", "format": "float"]
    case .double: ["type": "number", "format": "double"]
    case .decimal: ["type": "number"]
    case .string: ["type": "string"]
    case .date: ["type": "string", "format": "date-time"]
    case .uuid: ["type": "string", "format": "uuid"]
    case .uri: ["type": "string", "format": "uri"]
    case .binary: ["type": "string", "contentEncoding": "base64"]
    case .composite(let name): reference(name)
    case .transformable, .undefined: .object([])
    }
  }

  private func addRules(of attribute: Attribute, to value: inout FormValue) {
    let isText = attribute.type == .string
    let bounds = [
      (isText ? "minLength" : "minimum", attribute.minimum),
      (isText ? "maxLength" : "maximum", attribute.maximum),
    ]
    for (key, text) in bounds {
      if let text, let number = FormValue(number: text) { value.add(key, number) }
    }
    // A model's pattern matches the whole text, a schema's a part of it.
    if let pattern = attribute.pattern { value.add("pattern", .string("^(?:\(pattern))$")) }
  }

  private func property(_ relationship: Relationship) -> FormValue.Member {
    let keys = keys(of: relationship.destination)
    let reference = Self.reference(relationship.destination)
    var target = keys.isEmpty ? reference : ["anyOf": .array([reference] + keys)]
    if relationship.isToMany {
      var list: FormValue = ["type": "array", "items": target]
      if let least = relationship.minimumCount, least > 0 { list.add("minItems", .integer(Int64(least))) }
      if let most = relationship.maximumCount, most > 0 { list.add("maxItems", .integer(Int64(most))) }
      target = list
    } else if relationship.isOptional {
      target = Self.orNull(target)
    }
    return FormValue.Member(Self.key(relationship.annotations, relationship.name), target)
  }

  /// The value that stands for an object: its identity, if that is one value.
  private func keys(of entity: String) -> [FormValue] {
    guard let target = schema.entity(entity), target.identity.count == 1,
      let index = target.declaredIdentity?.properties.first.flatMap(target.attribute)
    else { return [] }
    return [Self.type(of: target.attributes[index].type)]
  }
}

extension FormValue {
  mutating func add(_ key: String, _ value: FormValue) {
    guard case .object(let members) = self else { return }
    self = .object(members + [FormValue.Member(key, value)])
  }

  fileprivate init?(number text: String) {
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if Double(text)?.isFinite ?? false {
      self = .number(text)
    } else {
      return nil
    }
  }

  fileprivate init(json value: JSONValue) {
    self = (try? FormValue(json: Data(value.text.utf8))) ?? .null
  }
}

extension Attribute {
  /// The default as JSON; nil if there is none.
  fileprivate var jsonDefault: FormValue? {
    guard let text = annotations.defaultValue ?? defaultValue else { return nil }
    switch type {
    case .boolean: return .bool(["YES", "TRUE", "1"].contains(text.uppercased()))
    case .integer16, .integer32, .integer64, .float, .double, .decimal: return FormValue(number: text)
    case .string, .uri, .uuid: return .string(text)
    case .date, .binary, .composite, .transformable, .undefined: return nil
    }
  }
}

/// The properties of an object in a JSON Schema. Those with key paths lie in objects inside it: `release.date`.
///
/// Key paths into lists have no form here and are left out.
struct SchemaProperties {
  private(set) var members: [FormValue.Member] = []

  static func isPath(_ key: String) -> Bool { key.contains { ".[]*".contains($0) } }

  mutating func add(_ property: FormValue.Member) {
    guard Self.isPath(property.key) else {
      set(property.key, property.value)
      return
    }
    guard !property.key.contains(where: { "[]*".contains($0) }) else { return }
    let steps = property.key.split(separator: ".").map(String.init)
    guard let first = steps.first else { return }
    let before = members.first { $0.key == first }?.value
    // A whole object that is kept as JSON may stand there as well: it says nothing of what is inside.
    set(first, Self.merged(before, steps.dropFirst(), property.value))
  }

  private mutating func set(_ key: String, _ value: FormValue) {
    guard let index = members.firstIndex(where: { $0.key == key }) else {
      members.append(FormValue.Member(key, value))
      return
    }
    // A mapping that lies deeper says more than the whole.
    if members[index].value["properties"] == nil || value["properties"] != nil {
      members[index].value = value
    }
  }

  /// An object with the property at the end of a path, beside what it has already. Paths are short.
  private static func merged(_ before: FormValue?, _ steps: ArraySlice<String>, _ value: FormValue)
    -> FormValue
  {
    guard let first = steps.first, steps.count <= 32 else { return value }
    var inner = SchemaProperties()
    inner.members = before?["properties"]?.members ?? []
    let next = inner.members.first { $0.key == first }?.value
    inner.set(first, merged(next, steps.dropFirst(), value))
    return ["type": .array(["object", "null"]), "properties": .object(inner.members)]
  }
}
