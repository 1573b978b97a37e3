/// The words of Core Data's model files.
enum CoreDataNames {
  /// Attribute types, except composites, which name their type beside it.
  static let types: [(name: String, type: AttributeType)] = [
    ("String", .string), ("Integer 16", .integer16), ("Integer 32", .integer32), ("Integer 64", .integer64),
    ("Boolean", .boolean), ("Date", .date), ("Double", .double), ("Float", .float), ("Decimal", .decimal),
    ("Binary", .binary), ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable),
  ]

  static let composite = "Composite"
  /// A word for no type, beside leaving it out.
  static let undefined = "Undefined"

  static let deleteRules: [(name: String, rule: DeleteRule)] = [
    ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
  ]

  static func name(of type: AttributeType) -> String? {
    if case .composite = type { return composite }
    return types.first { $0.type == type }?.name
  }

  static func name(of rule: DeleteRule) -> String {
    deleteRules.first { $0.rule == rule }?.name ?? "Nullify"
  }

  /// What the tools write on `<model>`. Values equal to these are not kept, and are written for every model.
  static let modelDefaults: [(name: String, value: String)] = [
    ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
    ("lastSavedToolsVersion", "22522"), ("systemVersion", "23C71"), ("minimumToolsVersion", "Automatic"),
    ("sourceLanguage", "Swift"),
  ]
}
