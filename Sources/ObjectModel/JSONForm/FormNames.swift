/// The words of Broker's JSON form.
enum FormNames {
  static let types: [(name: String, type: AttributeType)] = [
    ("boolean", .boolean), ("integer16", .integer16), ("integer32", .integer32), ("integer64", .integer64),
    ("float", .float), ("double", .double), ("decimal", .decimal), ("string", .string), ("date", .date),
    ("uuid", .uuid), ("uri", .uri), ("binary", .binary), ("transformable", .transformable),
    ("undefined", .undefined),
  ]

  static let composite = "composite"

  /// What people write instead, for suggestions.
  private static let synonyms = [
    "int": "integer64", "integer": "integer64", "long": "integer64", "int16": "integer16",
    "int32": "integer32", "int64": "integer64", "short": "integer16", "bool": "boolean", "number": "double",
    "text": "string", "datetime": "date", "timestamp": "date", "url": "uri", "data": "binary",
    "blob": "binary", "json": "transformable", "object": "transformable",
  ]

  /// Names that short forms have besides.
  static let shortTypes = [
    "bool": "boolean", "int": "integer64", "int16": "integer16", "int32": "integer32", "int64": "integer64",
    "text": "string", "url": "uri", "data": "binary", "json": "transformable",
  ]

  static func name(of type: AttributeType) -> String {
    if case .composite = type { return composite }
    return types.first { $0.type == type }?.name ?? "undefined"
  }

  /// The short name of a type that has one, else its own.
  static func shortName(of type: AttributeType) -> String {
    let name = name(of: type)
    return ["int16", "int32", "int", "bool", "url", "data", "json"].first { shortTypes[$0] == name } ?? name
  }

  static func nearestType(to name: String) -> String? {
    synonyms[name.lowercased()] ?? nearestName(to: name, in: types.map(\.name) + [composite])
  }
}

extension AttributeType {
  /// The type's name in Broker's JSON form: `integer64`; a composite's is its own name.
  public var name: String {
    if case .composite(let name) = self { return name }
    return FormNames.name(of: self)
  }
}
