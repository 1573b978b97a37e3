import ObjectModel
import ObjectStore

/// The keys that an entity's properties have in JSON: the mapping backwards.
struct ExportNames {
  private let entity: SchemaEntity
  private let style: ExportOptions.Keys
  private let entityNames: [String]
  /// All names in use, folded, so that a shortened one takes none away.
  private let taken: Set<String>

  init(_ entity: SchemaEntity, _ schema: Schema, style: ExportOptions.Keys) {
    self.entity = entity
    self.style = style
    entityNames = entity.ancestry.map { Names.folded(schema.entities[$0].name) }
    taken = Set(
      entity.attributes.map { Names.folded($0.name) }
        + entity.relationships.map { Names.folded(schema.relationships[$0].name) })
  }

  /// The path of keys that leads to an attribute.
  func path(of attribute: SchemaAttribute) -> [String] {
    if let path = KeyPaths.keys(of: attribute).first { return path.split(separator: ".").map(String.init) }
    return [key(for: attribute.name, isAttribute: true)]
  }

  /// The path of keys that leads to a relationship.
  func path(of relationship: Relationship) -> [String] {
    if let path = relationship.annotations.keys.first { return path.split(separator: ".").map(String.init) }
    return [key(for: relationship.name, isAttribute: false)]
  }

  private func key(for name: String, isAttribute: Bool) -> String {
    let words = Names.words(name)
    // A reserved word that the model qualifies goes back to what it was: `bandDescription`, `description`.
    for entityName in isAttribute ? entityNames : [] {
      for count in 1..<max(1, words.count) where words.prefix(count).joined() == entityName {
        let rest = Array(words.dropFirst(count))
        let plain = rest.joined()
        if Names.reserved.contains(plain), !taken.contains(plain) {
          return style == .snake
            ? rest.joined(separator: "_") : rest[0] + rest.dropFirst().map(Names.capitalized).joined()
        }
      }
    }
    return style == .snake ? Names.snakeCase(name) : name
  }
}
