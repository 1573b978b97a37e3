import JSONStream
import ObjectModel

/// How exported objects tell which sub-entity they are of, so that an import finds it again.
enum ExportKind {
  /// They do not tell it: the entity has no relatives, or a function finds it out.
  case unsaid
  /// By the value of a key path.
  case key([JSONKeyPath.Step], value: String)
  /// By the key around them.
  case wrapper(String)
  /// The model says nothing. Where objects of another entity are expected, a common key such as `type` tells it.
  case common(value: String)

  init(_ entity: SchemaEntity, _ schema: Schema) {
    guard schema.family(of: entity.root).count > 1 else {
      self = .unsaid
      return
    }
    let annotations = entity.ancestry.map { schema.model.entities[$0].annotations }
    let value = Self.value(of: entity, schema)
    if annotations.contains(where: { $0.discriminatorFunction != nil }) {
      self = .unsaid
    } else if let path = annotations.compactMap(\.discriminatorPath).first {
      self = .key(path.steps, value: value)
    } else if annotations.contains(where: \.isWrapped) {
      self = .wrapper(value)
    } else {
      self = .common(value: value)
    }
  }

  /// The value that stands for an entity, for objects that came without one.
  static func value(of entity: SchemaEntity, _ schema: Schema) -> String {
    schema.model.entities[entity.index].annotations.kinds.first { !$0.contains("*") } ?? entity.name
  }

  /// The path to the value that tells the kind; nil if nothing at a path does.
  var path: [JSONKeyPath.Step]? {
    if case .key(let path, _) = self { path } else { nil }
  }

  /// The value that names an entity in documents of several.
  static func documentValue(of entity: SchemaEntity, _ schema: Schema) -> String {
    let annotations = schema.model.entities[entity.index].annotations
    return annotations.kinds.first { !$0.contains("*") } ?? annotations.keys.first ?? entity.name
  }

  /// The first common key that none of the entity's properties has.
  static func commonKey(_ entity: SchemaEntity, _ schema: Schema) -> String? {
    let names =
      entity.attributes.flatMap { [$0.name] + $0.attribute.annotations.keys }
      + entity.relationships.map { schema.relationships[$0] }.flatMap {
        [$0.name] + $0.relationship.annotations.keys
      }
    let taken = Set(names.map(Names.folded))
    return ["type", "kind", "entity", "class", "@type", "objecttype"].first { key in
      // `type` may belong to a property that the model qualifies, such as `bandType`.
      !taken.contains(key)
        && !entity.ancestry.contains { taken.contains(Names.folded(schema.entities[$0].name) + key) }
    }
  }
}
