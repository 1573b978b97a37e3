import Broker

/// Short forms for the models of these tests.
func entity(_ name: String, _ attributes: [Attribute], _ relationships: [Relationship] = []) -> Entity {
  Entity(name: name, attributes: attributes, relationships: relationships)
}

func required(_ name: String, _ type: AttributeType, _ userInfo: [String: String] = [:]) -> Attribute {
  Attribute(name: name, type: type, userInfo: userInfo)
}

func optional(_ name: String, _ type: AttributeType, _ userInfo: [String: String] = [:]) -> Attribute {
  Attribute(name: name, type: type, isOptional: true, userInfo: userInfo)
}

extension Exporter {
  /// The JSON of an entity's objects, in short.
  static func lines(_ entity: String, _ store: Store) throws -> [String] {
    var options = ExportOptions()
    options.form = .lines
    options.includesNulls = false
    return try Exporter(store, options).text(of: entity).split(separator: "\n").map(String.init)
  }
}
