import ObjectModel

/// What a schema describes, with its references followed.
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
      return SchemaShape(
        kind: .value(.object([FormMember("type", first.schema["type"] ?? .null)])), schema: schema)
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
