import JSONStream
import ObjectModel

/// Makes types of a GraphQL schema. Connections become lists of what they lead to.
struct GraphQLReader {
  private let schema: GraphQLSchema
  private let byName: [String: GraphQLSchema.TypeDefinition]
  /// The interface or the union that is the parent of a type.
  private var parents: [String: String] = [:]
  private var parentNames: Set<String> = []
  /// By interface, the types that implement it.
  private var implementers: [String: [String]] = [:]
  private(set) var types: [DraftType] = []
  private(set) var remarks: [Remark] = []

  init(_ schema: GraphQLSchema) {
    self.schema = schema
    byName = Dictionary(schema.types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    findParents()
    parentNames = Set(parents.values)
    for type in schema.types where isEntity(type) { types.append(entity(type)) }
  }

  // MARK: - Which types are entities

  private func isEntity(_ type: GraphQLSchema.TypeDefinition) -> Bool {
    switch type.kind {
    case .object:
      !schema.roots.contains(type.name) && !isWrapper(type) && type.name != "PageInfo"
    case .interface, .union: parentNames.contains(type.name)
    case .enumeration, .scalar, .input: false
    }
  }

  /// Whether it is a connection or one of its edges.
  private func isWrapper(_ type: GraphQLSchema.TypeDefinition) -> Bool {
    if node(of: type) != nil { return true }
    let names = Set(type.fields.map(\.name))
    return type.name.hasSuffix("Edge") && names.isSubset(of: ["node", "cursor"]) && names.contains("node")
  }

  /// The path to the objects of a connection, `edges[].node` and their type.
  private func node(of type: GraphQLSchema.TypeDefinition) -> (path: String, type: String)? {
    guard let edges = type.fields.first(where: { $0.name == "edges" && $0.type.isList }),
      let edge = byName[edges.type.name], let node = edge.fields.first(where: { $0.name == "node" })
    else { return nil }
    return ("edges[].node", node.type.name)
  }

  /// An interface or a union that a field leads to is the parent of the types that are it. A type has one parent.
  private mutating func findParents() {
    var wanted: Set<String> = []
    for type in schema.types where type.kind == .object || type.kind == .interface {
      guard !schema.roots.contains(type.name) else { continue }
      for field in type.fields { wanted.insert(field.type.name) }
    }
    var unionsOf: [String: [String]] = [:]
    for union in schema.types where union.kind == .union && wanted.contains(union.name) {
      for member in union.members { unionsOf[member, default: []].append(union.name) }
    }
    for type in schema.types where type.kind == .object && !schema.roots.contains(type.name) {
      for interface in type.interfaces { implementers[interface, default: []].append(type.name) }
      let interfaces = type.interfaces.filter { wanted.contains($0) && byName[$0]?.kind == .interface }
      let all = interfaces + (unionsOf[type.name] ?? [])
      parents[type.name] = all.first
      for other in all.dropFirst() {
        remarks.append(Remark(type.name, "it stays a sub-entity of \(all[0]), and is none of \(other)"))
      }
    }
  }

  // MARK: - Types

  private mutating func entity(_ type: GraphQLSchema.TypeDefinition) -> DraftType {
    var draft = DraftType(type.name)
    draft.documentation = type.documentation
    draft.parent = parents[type.name]
    draft.isAbstract = type.kind != .object
    if draft.isAbstract { draft.discriminator = "__typename" }
    let inherited = Set((draft.parent.flatMap { byName[$0] }?.fields ?? []).map(\.name))
    var known = inherited
    for field in type.fields where known.insert(field.name).inserted {
      if let property = property(field, of: type.name) { draft.properties.append(property) }
    }
    return draft
  }

  /// Nil for what is no part of an object: how far a list goes on.
  private mutating func property(_ field: GraphQLSchema.Field, of owner: String) -> DraftProperty? {
    guard field.type.name != "PageInfo" else { return nil }
    var property = DraftProperty(field.name, .attribute(.transformable))
    property.isOptional = !field.type.isRequired
    property.documentation = field.documentation
    guard let target = byName[field.type.name], target.kind != .scalar else {
      let type = Self.scalar(field.type.name)
      property.value = .attribute(field.type.isList ? .transformable : type)
      property.isIdentity = field.type.name == "ID" && field.name == "id" && field.type.isRequired
      return property
    }
    if target.kind == .enumeration {
      guard !field.type.isList else { return property }
      property.value = .attribute(.string)
      if target.members.count > 1 {
        property.values = JSONValue.array(target.members.map(JSONValue.string)).text
      }
    } else if let node = node(of: target), let name = byName[node.type].flatMap(entityName) {
      property.value = .list(of: name)
      property.path = "\(field.name).\(node.path)"
    } else if let name = entityName(target) {
      property.value = field.type.isList ? .list(of: name) : .object(name)
      if name != target.name {
        remarks.append(
          Remark("\(owner).\(field.name)", "it leads to \(name), the parent of all types of \(target.name)"))
      }
    } else {
      remarks.append(
        Remark("\(owner).\(field.name)", "it is kept as JSON: \(target.name) is no kind of objects"))
    }
    return property
  }

  /// The entity of a type's objects. Of a union or an interface that is none, it is the parent that all its types have.
  private func entityName(_ type: GraphQLSchema.TypeDefinition) -> String? {
    if isEntity(type) { return type.name }
    let members: [String]
    switch type.kind {
    case .union: members = type.members
    case .interface: members = implementers[type.name] ?? []
    case .object, .enumeration, .scalar, .input: return nil
    }
    let common = Set(members.map { parents[$0] })
    return common.count == 1 ? common.first.flatMap(\.self) : nil
  }

  private static func scalar(_ name: String) -> AttributeType {
    switch name {
    case "Int": .integer32
    case "Float": .double
    case "Boolean": .boolean
    case "String", "ID": .string
    case "DateTime", "Date", "Timestamp", "ISO8601DateTime", "timestamptz": .date
    case "URL", "URI", "Url": .uri
    case "UUID", "uuid": .uuid
    case "Decimal", "BigDecimal", "Money": .decimal
    case "BigInt", "Long", "Int64": .integer64
    case "JSON", "JSONObject", "Any": .transformable
    default: .string
    }
  }
}

/// The types of a GraphQL schema, whichever form they were read from.
struct GraphQLSchema {
  enum Kind {
    case object
    case interface
    case union
    case enumeration
    case scalar
    case input
  }

  /// A type as fields say it, without the lists around it.
  struct TypeReference: Equatable {
    var name: String
    var isList = false
    var isRequired = false
  }

  struct Field {
    var name: String
    var type: TypeReference
    var documentation: String?
  }

  struct TypeDefinition {
    var kind: Kind
    var name: String
    var documentation: String?
    var interfaces: [String] = []
    var fields: [Field] = []
    /// The members of a union, or the values of an enumeration.
    var members: [String] = []
  }

  var types: [TypeDefinition] = []
  /// The types of queries, mutations and subscriptions: they are no objects of the store.
  var roots: Set<String> = ["Query", "Mutation", "Subscription"]
}

/// Reads the types of a schema from the answer to GraphQL's introspection query.
struct GraphQLIntrospection {
  private static let deepestList = 32

  /// The schema in a document; nil if the document is none.
  static func schema(in root: FormValue) -> FormValue? { root["data"]?["__schema"] ?? root["__schema"] }

  static func read(_ value: FormValue) -> GraphQLSchema {
    var schema = GraphQLSchema()
    for key in ["queryType", "mutationType", "subscriptionType"] {
      if let name = value[key]?["name"]?.text { schema.roots.insert(name) }
    }
    schema.types = (value["types"]?.elements ?? []).compactMap(type)
    return schema
  }

  private static func type(_ value: FormValue) -> GraphQLSchema.TypeDefinition? {
    guard let name = value["name"]?.text, !name.hasPrefix("__"), let kind = kind(value["kind"]?.text) else {
      return nil
    }
    var type = GraphQLSchema.TypeDefinition(kind: kind, name: name, documentation: documentation(value))
    type.interfaces = (value["interfaces"]?.elements ?? []).compactMap { $0["name"]?.text }
    type.fields = (value["fields"]?.elements ?? []).compactMap { field in
      guard let name = field["name"]?.text, let reference = field["type"].flatMap(reference) else {
        return nil
      }
      return GraphQLSchema.Field(name: name, type: reference, documentation: documentation(field))
    }
    let members = kind == .enumeration ? value["enumValues"] : value["possibleTypes"]
    type.members = kind == .interface ? [] : (members?.elements ?? []).compactMap { $0["name"]?.text }
    return type
  }

  private static func documentation(_ value: FormValue) -> String? {
    value["description"]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func kind(_ name: String?) -> GraphQLSchema.Kind? {
    switch name {
    case "OBJECT": .object
    case "INTERFACE": .interface
    case "UNION": .union
    case "ENUM": .enumeration
    case "SCALAR": .scalar
    case "INPUT_OBJECT": .input
    default: nil
    }
  }

  /// The innermost type, with what stands around it.
  private static func reference(_ value: FormValue) -> GraphQLSchema.TypeReference? {
    var value = value
    var isList = false
    let isRequired = value["kind"] == .string("NON_NULL")
    for _ in 0..<deepestList {
      if let name = value["name"]?.text {
        return GraphQLSchema.TypeReference(name: name, isList: isList, isRequired: isRequired)
      }
      if value["kind"] == .string("LIST") { isList = true }
      guard let inner = value["ofType"] else { return nil }
      value = inner
    }
    return nil
  }
}
