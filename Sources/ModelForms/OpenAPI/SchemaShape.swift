import Foundation
import JSONStream
import ObjectModel

/// The description of a schema, with its references followed.
struct SchemaShape {
  enum Kind {
    /// An object that has a definition, by its pointer.
    case definition(SchemaDocument.Definition)
    /// An object that is described where it is used.
    case inline(FormValue)
    case list(FormValue)
    case value(FormValue)
    /// One of several objects.
    case union([SchemaDocument.Definition])
    /// Anything: it is kept as JSON, for this reason.
    case json(String)
  }

  var kind: Kind
  var isNullable = false
  /// The schema with the words around the type: the description, the default.
  var schema: FormValue
}

/// Finds the shapes of schemas.
struct SchemaShapes {
  let document: SchemaDocument

  /// How deep `allOf`, `oneOf` and `anyOf` may be nested in each other.
  private static let deepest = 64

  func shape(of schema: FormValue, at place: String) throws(SchemaFileError) -> SchemaShape {
    var seen: [String] = []
    return try shape(of: schema, at: place, &seen, depth: 0)
  }

  private func shape(
    of schema: FormValue, at place: String, _ seen: inout [String], depth: Int
  ) throws(SchemaFileError) -> SchemaShape {
    guard depth <= Self.deepest else {
      throw SchemaFileError(place, "schemas are nested more than \(Self.deepest) deep, which no model needs")
    }
    if let reference = schema["$ref"]?.text {
      let target = try document.target(of: reference, from: place, seen: &seen)
      if isObject(target.schema) { return SchemaShape(kind: .definition(target), schema: schema) }
      var shape = try shape(of: target.schema, at: target.pointer, &seen, depth: depth + 1)
      // A union that has a name is an entity of its own.
      if case .union(let members) = shape.kind, members.count > 1 { shape.kind = .definition(target) }
      return shape
    }
    let isNullable =
      schema["nullable"] == .bool(true) || schema["x-nullable"] == .bool(true) || hasNullType(schema)
    for key in ["oneOf", "anyOf"] {
      guard let all = schema[key]?.elements, !isObject(schema) else { continue }
      let others = all.filter { !isNull($0) }
      var shape = try union(of: others, schema, at: place, &seen, depth: depth)
      shape.isNullable = shape.isNullable || isNullable || others.count < all.count
      return shape
    }
    if let all = schema["allOf"]?.elements, schema["properties"] == nil {
      let typed = all.filter { isTyped($0) }
      if typed.count == 1, let only = typed.first {
        var shape = try shape(of: only, at: place, &seen, depth: depth + 1)
        shape.isNullable = shape.isNullable || isNullable
        return shape
      }
      if typed.count > 1 { return SchemaShape(kind: .inline(schema), isNullable: isNullable, schema: schema) }
    }
    return SchemaShape(kind: plainKind(of: schema), isNullable: isNullable, schema: schema)
  }

  private func plainKind(of schema: FormValue) -> SchemaShape.Kind {
    if isObject(schema) { return .inline(schema) }
    let type = typeName(of: schema)
    if type == "array" || (type == nil && schema["items"] != nil) {
      guard let items = schema["items"], items.members != nil else { return .json("a list of anything") }
      return .list(items)
    }
    if type == "object" { return .json("an object whose keys are data") }
    if type == nil, schema["enum"] == nil, schema["const"] == nil { return .json("a value of any type") }
    return .value(schema)
  }

  private func union(
    of members: [FormValue], _ schema: FormValue, at place: String, _ seen: inout [String], depth: Int
  ) throws(SchemaFileError) -> SchemaShape {
    var shapes: [SchemaShape] = []
    for member in members {
      var path = seen
      shapes.append(try shape(of: member, at: place, &path, depth: depth + 1))
    }
    if shapes.count == 1, let only = shapes.first { return only }
    var objects: [SchemaDocument.Definition] = []
    for shape in shapes {
      switch shape.kind {
      case .definition(let definition): objects.append(definition)
      case .union(let several): objects += several
      default: break
      }
    }
    // An object or its key: `oneOf: [string, Customer]`.
    if objects.count == 1, let object = objects.first, shapes.allSatisfy({ $0.isDefinition || $0.isValue }) {
      return SchemaShape(kind: .definition(object), schema: schema)
    }
    if !objects.isEmpty, shapes.allSatisfy(\.isDefinition) {
      return SchemaShape(kind: .union(objects), schema: schema)
    }
    let types = Set(shapes.compactMap { typeName(of: $0.schema) })
    if types.count == 1, let first = shapes.first, shapes.allSatisfy(\.isValue) {
      return SchemaShape(kind: .value(["type": first.schema["type"] ?? .null]), schema: schema)
    }
    return SchemaShape(kind: .json("a value of several types"), schema: schema)
  }

  // MARK: - Words of a schema

  /// Whether it describes an object with properties of its own.
  func isObject(_ schema: FormValue) -> Bool {
    if let properties = schema["properties"]?.members, !properties.isEmpty { return true }
    guard let all = schema["allOf"]?.elements else { return false }
    let typed = all.filter(isTyped)
    return typed.count > 1 && typed.contains { $0["properties"] != nil || $0["$ref"] != nil }
  }

  /// Whether it says more than a description or a rule.
  private func isTyped(_ schema: FormValue) -> Bool {
    ["$ref", "properties", "type", "allOf", "oneOf", "anyOf", "enum", "items"].contains { schema[$0] != nil }
  }

  private func isNull(_ schema: FormValue) -> Bool { schema["type"] == .string("null") }

  private func hasNullType(_ schema: FormValue) -> Bool {
    schema["type"]?.elements?.contains(.string("null")) ?? false
  }

  /// The only type besides null.
  func typeName(of schema: FormValue) -> String? {
    if let name = schema["type"]?.text { return name }
    let names = schema["type"]?.elements?.compactMap(\.text).filter { $0 != "null" } ?? []
    if names.count == 1 { return names[0] }
    return Set(names) == ["integer", "number"] ? "number" : nil
  }
}

extension SchemaShape {
  var isDefinition: Bool {
    switch kind {
    case .definition, .union: true
    default: false
    }
  }

  var isValue: Bool { if case .value = kind { true } else { false } }
}

/// A schema of a single value as an attribute.
struct SchemaValues {
  let schema: FormValue

  /// The attribute's type; `type` is the schema's, if it says one.
  func type(_ type: String?) -> AttributeType {
    let format = schema["format"]?.text
    switch type ?? typeOfValues {
    case "boolean": return .boolean
    case "integer":
      return switch format {
      case "int8", "int16", "uint8": .integer16
      case "int32", "uint16": .integer32
      default: .integer64
      }
    case "number": return number(format)
    case "string": return string(format)
    default: return .transformable
    }
  }

  private func number(_ format: String?) -> AttributeType {
    switch format {
    case "float": .float
    case "decimal": .decimal
    default: .double
    }
  }

  private func string(_ format: String?) -> AttributeType {
    switch format {
    case "date-time", "date", "full-date", "rfc3339": .date
    case "uuid", "guid": .uuid
    case "uri", "url", "iri": .uri
    case "byte", "binary": .binary
    case "decimal": .decimal
    case "int64": .integer64
    default: schema["contentEncoding"] == .string("base64") ? .binary : .string
    }
  }

  /// The type of the values that are listed, if they are all of one.
  private var typeOfValues: String? {
    let values = schema["enum"]?.elements?.filter { $0 != .null } ?? [schema["const"]].compactMap(\.self)
    let names = Set(
      values.map { value -> String in
        switch value {
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .bool: "boolean"
        default: ""
        }
      })
    return names.count == 1 ? names.first : nil
  }

  /// Says what the schema says of its values.
  func describe(_ property: inout DraftProperty, _ type: AttributeType) {
    let isText = type == .string
    property.minimum = text(isText ? "minLength" : "minimum", for: type)
    property.maximum = text(isText ? "maxLength" : "maximum", for: type)
    if isText, let pattern = schema["pattern"]?.text { property.pattern = Self.whole(pattern) }
    let values = schema["enum"]?.elements?.filter { $0 != .null } ?? []
    let isListed = values.count > 1 && [.string, .integer16, .integer32, .integer64].contains(type)
    if isListed, values.allSatisfy({ $0.isValue(of: type) }) {
      property.values = JSONValue.array(values.compactMap(\.json)).text
    }
    if let value = schema["default"], value.isValue(of: type) || type == .double || type == .boolean {
      property.defaultValue = value.scalarText
    }
  }

  private func text(_ key: String, for type: AttributeType) -> String? {
    switch type {
    case .string, .integer16, .integer32, .integer64, .float, .double, .decimal:
      switch schema[key] {
      case .integer(let number)?: String(number)
      case .number(let digits)?: type == .string ? nil : digits
      default: nil
      }
    default: nil
    }
  }

  /// A schema's pattern matches a part of the text, a model's the whole.
  private static func whole(_ pattern: String) -> String? {
    guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
    var text = pattern
    let isAtStart = text.hasPrefix("^")
    let isAtEnd = text.hasSuffix("$") && !text.hasSuffix("\\$")
    if isAtStart { text.removeFirst() }
    if isAtEnd { text.removeLast() }
    // An expression with alternatives has its signs at each of them.
    guard !text.contains("|") || (!isAtStart && !isAtEnd) else {
      return "(?:[\\s\\S]*)(?:\(pattern))(?:[\\s\\S]*)"
    }
    return (isAtStart ? "" : "[\\s\\S]*") + (text.contains("|") ? "(?:\(text))" : text)
      + (isAtEnd ? "" : "[\\s\\S]*")
  }
}

extension FormValue {
  fileprivate func isValue(of type: AttributeType) -> Bool {
    switch (self, type) {
    case (.string, .string), (.bool, .boolean), (.integer, .integer16), (.integer, .integer32),
      (.integer, .integer64),
      (.integer, .double), (.integer, .float), (.number, .double), (.number, .float), (.number, .decimal),
      (.integer, .decimal):
      true
    default: false
    }
  }

  fileprivate var json: JSONValue? {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .number(String(number))
    default: nil
    }
  }

  fileprivate var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let digits): digits
    case .bool(let value): value ? "YES" : "NO"
    default: nil
    }
  }
}
