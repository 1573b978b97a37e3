import ObjectModel

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
