import ObjectModel

/// Makes types of the definitions of JSON Schema, OpenAPI and Swagger.
///
/// Objects that are described where they are used wait in a list until it is their turn, so that nothing here follows
/// the schema downwards.
struct JSONSchemaReader {
  private struct Task {
    var name: String
    var schema: FormValue
    var place: String
  }

  private let document: SchemaDocument
  private let shapes: SchemaShapes
  private let parents: SchemaParents
  private var tasks: [Task] = []
  private(set) var types: [DraftType] = []
  private(set) var remarks: [Remark] = []
  /// The type of each definition, by its pointer.
  private var names: [String: String] = [:]
  private var taken: Set<String> = []
  /// By the name of a type, the union that it belongs to, and the values that stand for it.
  private var unions: [String: (parent: String, kinds: [String])] = [:]

  /// More types would be no model.
  private static let most = 200_000

  init(_ root: FormValue, name: String) throws(SchemaFileError) {
    document = SchemaDocument(root)
    shapes = SchemaShapes(document: document)
    parents = try SchemaParents(document, shapes)
    for definition in document.definitions where !isScalar(definition.schema) { takeName(of: definition) }
    try addRoot(name)
    for definition in document.definitions where shapes.isObject(definition.schema) {
      tasks.append(
        Task(
          name: names[definition.pointer] ?? definition.name, schema: definition.schema,
          place: definition.pointer))
    }
    for definition in document.definitions { try addUnion(definition) }
    var next = 0
    while next < tasks.count {
      let task = tasks[next]
      next += 1
      guard types.count < Self.most else {
        throw SchemaFileError(task.place, "the schema has more than \(Self.most) kinds of objects")
      }
      types.append(try type(task))
    }
    joinUnions()
    try checkParents()
  }

  /// No type extends itself, by way of others.
  private func checkParents() throws(SchemaFileError) {
    let parents = Dictionary(
      types.compactMap { type in type.parent.map { (type.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    var isFine: Set<String> = []
    for type in types {
      var line: [String] = []
      var next = Optional(type.name)
      while let name = next, isFine.insert(name).inserted {
        line.append(name)
        next = parents[name]
      }
      if let name = next, let start = line.firstIndex(of: name) {
        throw SchemaFileError(
          name, "it extends itself: \((line[start...] + [name]).joined(separator: " → "))")
      }
    }
  }

  private func isScalar(_ schema: FormValue) -> Bool { schema.members == nil }

  private mutating func takeName(of definition: SchemaDocument.Definition) {
    if names[definition.pointer] == nil {
      names[definition.pointer] = DraftNames.free(DraftNames.entity(definition.name), &taken)
    }
  }

  /// A schema that describes a document itself: an object, or a list of them.
  private mutating func addRoot(_ name: String) throws(SchemaFileError) {
    let root = document.root
    guard root["openapi"] == nil, root["swagger"] == nil else { return }
    let title = root["title"]?.text ?? name
    if shapes.isObject(root) {
      let free = DraftNames.free(DraftNames.entity(title), &taken)
      names["#"] = free
      tasks.append(Task(name: free, schema: root, place: "#"))
    } else if let items = root["items"], shapes.isObject(items) {
      let free = DraftNames.free(DraftNames.entity(DraftNames.singular(title)), &taken)
      tasks.append(Task(name: free, schema: items, place: "#/items"))
    }
  }

  // MARK: - Types

  private mutating func type(_ task: Task) throws(SchemaFileError) -> DraftType {
    var type = DraftType(task.name)
    type.documentation = task.schema["description"]?.text ?? task.schema["title"]?.text
    type.discriminator = discriminatorKey(task.schema)
    var parts: [(FormValue, String)] = [(task.schema, task.place)]
    var next = 0
    var merged: Set = [task.place]
    while next < parts.count {
      let (schema, place) = parts[next]
      next += 1
      for (index, part) in (schema["allOf"]?.elements ?? []).enumerated() {
        guard let reference = part["$ref"]?.text else {
          parts.append((part, "\(place)/allOf/\(index)"))
          continue
        }
        var seen: [String] = []
        let target = try document.target(of: reference, from: place, seen: &seen)
        if type.parent == nil, next == 1, parents.isParent(target, reference),
          let parent = names[target.pointer]
        {
          type.parent = parent
        } else if merged.insert(target.pointer).inserted {
          parts.append((target.schema, target.pointer))
          remarks.append(
            Remark(task.name, "it has the properties of \(target.name): only this type extends it"))
        }
      }
      try addProperties(of: schema, at: place, to: &type)
      guard parts.count < 1000 else { throw SchemaFileError(task.place, "it extends more than 1000 schemas") }
    }
    if type.parent != nil { type.kinds = kinds(of: task) }
    return type
  }

  private func discriminatorKey(_ schema: FormValue) -> String? {
    schema["discriminator"]?.text ?? schema["discriminator"]?["propertyName"]?.text
  }

  /// The values of the discriminator that stand for a type, where they are not its name.
  private func kinds(of task: Task) -> [String] {
    for part in task.schema["allOf"]?.elements ?? [] {
      var seen: [String] = []
      guard let reference = part["$ref"]?.text,
        let target = try? document.target(of: reference, from: "", seen: &seen)
      else { continue }
      return mapped(target.schema, to: task.place)
    }
    return []
  }

  private func mapped(_ schema: FormValue, to pointer: String) -> [String] {
    (schema["discriminator"]?["mapping"]?.members ?? []).filter { member in
      member.value.text.map { $0 == pointer || "#/components/schemas/\($0)" == pointer } ?? false
    }.map(\.key)
  }

  // MARK: - Unions

  /// `Pet: {oneOf: [Cat, Dog]}` is an abstract type, which cats and dogs extend.
  private mutating func addUnion(_ definition: SchemaDocument.Definition) throws(SchemaFileError) {
    guard definition.schema["oneOf"] != nil || definition.schema["anyOf"] != nil,
      !shapes.isObject(definition.schema),
      let name = names[definition.pointer],
      case .union(let members) = try shapes.shape(of: definition.schema, at: definition.pointer).kind
    else { return }
    var type = DraftType(name)
    type.isAbstract = true
    type.documentation = definition.schema["description"]?.text
    type.discriminator = discriminatorKey(definition.schema)
    types.append(type)
    for member in members {
      guard let child = names[member.pointer], child != name else { continue }
      if let other = unions[child]?.parent {
        remarks.append(Remark(child, "it stays a sub-entity of \(other), and is none of \(name)"))
      } else {
        unions[child] = (name, mapped(definition.schema, to: member.pointer))
      }
    }
  }

  private mutating func joinUnions() {
    let places = Dictionary(
      types.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let members = Dictionary(grouping: unions.keys.sorted().compactMap { places[$0] }) {
      unions[types[$0].name]?.parent ?? ""
    }
    for (name, children) in members.sorted(by: { $0.key < $1.key }) {
      guard let union = places[name] else { continue }
      // Where all extend one type, what they are together stands between them and it.
      let extended = Set(children.map { types[$0].parent })
      if extended.count == 1, types[union].parent == nil, let parent = extended.first ?? nil, parent != name {
        types[union].parent = parent
        for child in children { types[child].parent = nil }
      }
      for child in children { join(child, to: name) }
    }
  }

  private mutating func join(_ child: Int, to union: String) {
    let name = types[child].name
    guard types[child].parent == nil else {
      remarks.append(Remark(name, "it extends another type already, and is no sub-entity of \(union)"))
      return
    }
    types[child].parent = union
    types[child].kinds = unions[name]?.kinds ?? []
  }

  // MARK: - Properties

  private mutating func addProperties(of schema: FormValue, at place: String, to type: inout DraftType)
    throws(SchemaFileError)
  {
    let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
    let members = schema["properties"]?.members ?? []
    var places = Dictionary(
      type.properties.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    let inherited = Set(places.keys).subtracting(members.map(\.key))
    for member in members where member.value.members != nil {
      let property = try property(
        member.key, member.value, at: "\(place)/properties/\(SchemaDocument.escaped(member.key))",
        of: type.name,
        isRequired: required.contains(member.key))
      if let index = places[member.key] {
        type.properties[index] = property
      } else {
        places[member.key] = type.properties.count
        type.properties.append(property)
      }
    }
    // What another part describes.
    for index in type.properties.indices where required.contains(type.properties[index].key) {
      if inherited.contains(type.properties[index].key) { type.properties[index].isOptional = false }
    }
  }

  private mutating func property(
    _ key: String, _ schema: FormValue, at place: String, of owner: String, isRequired: Bool
  ) throws(SchemaFileError) -> DraftProperty {
    let shape = try shapes.shape(of: schema, at: place)
    var property = DraftProperty(key, .attribute(.transformable))
    switch shape.kind {
    case .value(let value):
      let values = SchemaValues(schema: value)
      let type = values.type(shapes.typeName(of: value))
      property.value = .attribute(type)
      values.describe(&property, type)
    case .list(let items): property.value = try list(of: items, key, at: place, owner)
    default:
      if let target = target(of: shape, named: owner + DraftNames.entity(key), at: place) {
        property.value = .object(target)
        remark(owner, key, shape, leadsTo: target)
      } else {
        remark(owner, key, shape)
      }
    }
    property.isOptional = !isRequired || shape.isNullable || schema["writeOnly"] == .bool(true)
    property.documentation = schema["description"]?.text ?? shape.schema["description"]?.text
    return property
  }

  private mutating func list(
    of items: FormValue, _ key: String, at place: String, _ owner: String
  ) throws(SchemaFileError) -> DraftProperty.Value {
    let shape = try shapes.shape(of: items, at: "\(place)/items")
    let name = owner + DraftNames.entity(DraftNames.singular(key))
    if let target = target(of: shape, named: name, at: "\(place)/items") {
      remark(owner, key, shape, leadsTo: target)
      return .list(of: target)
    }
    if case .value = shape.kind { return .attribute(.transformable) }
    remark(owner, key, shape)
    return .attribute(.transformable)
  }

  /// The type of the objects that a shape describes; nil if it describes none.
  private mutating func target(of shape: SchemaShape, named name: String, at place: String) -> String? {
    switch shape.kind {
    case .definition(let definition):
      if names[definition.pointer] == nil {
        takeName(of: definition)
        tasks.append(
          Task(
            name: names[definition.pointer] ?? definition.name, schema: definition.schema,
            place: definition.pointer))
      }
      return names[definition.pointer]
    case .inline(let schema):
      let free = DraftNames.free(DraftNames.entity(name), &taken)
      tasks.append(Task(name: free, schema: schema, place: place))
      return free
    case .union(let members): return commonType(of: members)
    case .list, .value, .json: return nil
    }
  }

  /// The union with a name, or the type that all extend, of which all these are.
  private func commonType(of members: [SchemaDocument.Definition]) -> String? {
    let unions = Set(members.map { names[$0.pointer].flatMap { self.unions[$0]?.parent } })
    if unions.count == 1, let union = unions.first ?? nil { return union }
    return parents.nearestCommon(members).flatMap { names[$0.pointer] }
  }

  /// Notes that a relationship leads to a type that others may extend besides the alternatives.
  private mutating func remark(_ owner: String, _ key: String, _ shape: SchemaShape, leadsTo target: String) {
    guard case .union(let members) = shape.kind,
      !members.allSatisfy({ names[$0.pointer].flatMap { unions[$0]?.parent } == target })
    else { return }
    remarks.append(
      Remark(
        "\(owner).\(DraftNames.property(key))",
        "it leads to \(target), since all its alternatives are or extend that"))
  }

  private mutating func remark(_ owner: String, _ key: String, _ shape: SchemaShape) {
    let reason =
      switch shape.kind {
      case .json(let reason): reason
      case .list: "a list of lists"
      case .union: "one of several objects without a name for all of them"
      case .definition, .inline, .value: "nothing else"
      }
    remarks.append(Remark("\(owner).\(DraftNames.property(key))", "it is kept as JSON: it is \(reason)"))
  }
}
