import ObjectModel

/// What a schema of another language says of a kind of object, before anything is inferred from it.
struct DraftType {
  var name: String
  var documentation: String?
  /// The name of the type that it extends.
  var parent: String?
  var isAbstract = false
  var properties: [DraftProperty] = []
  /// The key that tells the kind of an object.
  var discriminator: String?
  /// The values of that key that stand for this type.
  var kinds: [String] = []

  init(_ name: String) {
    self.name = name
  }
}

struct DraftProperty {
  enum Value: Equatable {
    case attribute(AttributeType)
    case object(String)
    case list(of: String)
  }

  /// The key in JSON.
  var key: String
  /// The key path, where the value lies deeper: `edges[].node`.
  var path: String?
  var value: Value
  var isOptional = true
  var documentation: String?
  /// The values that it may have, as a JSON list.
  var values: String?
  var defaultValue: String?
  var minimum: String?
  var maximum: String?
  var pattern: String?
  /// Whether the schema says that it identifies the object.
  var isIdentity = false

  init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }
}
