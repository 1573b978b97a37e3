import JSONStream
import ObjectModel
import ObjectStore

extension JSONKeyPath.Step {
  /// What a writer writes before a value: a key with its quotes and its colon, and nothing in a list.
  var quotedKey: [UInt8] {
    if case .key(let key) = self { JSONWriter.quotedKey(key) } else { [] }
  }
}

/// The keys that an entity's properties have in JSON: the mapping backwards.
struct ExportNames {
  private let entity: SchemaEntity
  private let options: ExportOptions
  private let style: ExportOptions.Keys
  private let entityNames: [String]
  /// The entities with an identity.
  private let identified: Set<Int>
  /// All names in use, folded, so that a shortened name does not take the name of another property.
  private let taken: Set<String>
  /// The folded names that several properties have.
  private let ambiguous: Set<String>
  /// The objects inside the JSON of the entity's objects that hold their properties.
  private let inside: InsideRule?

  init(_ entity: SchemaEntity, _ schema: Schema, _ options: ExportOptions) {
    self.entity = entity
    self.options = options
    style = options.keys ?? options.habits.style(of: entity, schema) ?? .camel
    entityNames = entity.ancestry.map { Names.folded(schema.entities[$0].name) }
    let names =
      entity.attributes.map { Names.folded($0.name) }
      + entity.relationships.map { Names.folded(schema.relationships[$0].name) }
    inside = entity.ancestry.compactMap { schema.model.entities[$0].annotations.inside }.first
    identified = inside == nil ? [] : Set(schema.entities.lazy.filter(\.hasIdentity).map(\.index))
    taken = Set(names)
    ambiguous = Set(Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys)
  }

  /// The path of keys that leads to an attribute.
  func path(of attribute: SchemaAttribute) -> [JSONKeyPath.Step] {
    if attribute.container.isEmpty, let path = exportedPath(attribute.attribute.annotations) { return path }
    if let path = KeyPaths.paths(KeyPaths.keys(of: attribute)).first?.1 { return path.steps }
    // The key by which Rails deletes nested objects.
    if options.relationshipKeys == .rails, attribute.name == "destroy" { return [.key("_destroy")] }
    let isIdentity = entity.identity.compactMap(\.attribute).contains {
      entity.attributes[$0].name == attribute.name
    }
    let holder = isIdentity ? [] : Self.steps(inside?.attributes)
    return holder + [.key(key(for: attribute.name, isAttribute: true))]
  }

  /// The path of keys that leads to a relationship.
  func path(of relationship: Relationship) -> [JSONKeyPath.Step] {
    if let path = exportedPath(relationship.annotations) { return path }
    if let path = KeyPaths.paths(relationship.annotations.keys).first?.1 { return path.steps }
    return Self.steps(inside?.relationships) + [.key(key(for: relationship.name, isAttribute: false))]
  }

  private func exportedPath(_ annotations: Annotations) -> [JSONKeyPath.Step]? {
    annotations.exportedKey.flatMap { try? JSONKeyPath($0) }?.steps
  }

  /// The path of keys that leads to objects of any of several entities.
  func path(ofPolymorphic name: String) -> [JSONKeyPath.Step] {
    Self.steps(inside?.relationships) + [.key(name)]
  }

  /// The steps from the value of a relationship's key to its targets.
  func targetPath(of relationship: SchemaRelationship) -> [JSONKeyPath.Step] {
    var paths = KeyPaths.paths(inside?.targets ?? []).map(\.1)
    if !identified.contains(relationship.destination) { paths.removeAll { !TargetPaths.isOfParts($0) } }
    guard let first = paths.first else { return [] }
    if relationship.isToMany { return (paths.first(where: \.hasElements) ?? first).steps }
    return first.hasElements ? [] : first.steps
  }

  private static func steps(_ path: String?) -> [JSONKeyPath.Step] {
    path.flatMap { try? JSONKeyPath($0) }?.steps ?? []
  }

  /// The last keys of a path that leads to a relationship.
  ///
  /// - Parameter isTaken: Whether a key belongs to an attribute.
  func keys(
    of relationship: SchemaRelationship, at path: [JSONKeyPath.Step], in schema: Schema,
    isTaken: (String) -> Bool
  ) -> ExportPlan.RelationshipKeys {
    // Rails has no key paths.
    guard options.relationshipKeys == .rails, path.count == 1, case .key(let name)? = path.last else {
      let key = path.last?.quotedKey ?? []
      return ExportPlan.RelationshipKeys(plain: key, nested: key)
    }
    let plain = railsKey(name, relationship, schema)
    return ExportPlan.RelationshipKeys(
      plain: isTaken(plain) ? nil : JSONWriter.quotedKey(plain),
      nested: JSONWriter.quotedKey(joined(name, "attributes")))
  }

  /// `label_id`, `album_ids`. A key of an annotation stays as it is.
  private func railsKey(_ name: String, _ relationship: SchemaRelationship, _ schema: Schema) -> String {
    let target = schema.entities[relationship.destination]
    guard relationship.relationship.annotations.keys.isEmpty, target.identity.count == 1 else { return name }
    return relationship.isToMany ? joined(Names.singular(name), "ids") : joined(name, "id")
  }

  private func joined(_ name: String, _ word: String) -> String {
    style == .snake ? "\(name)_\(word)" : name + Names.capitalized(word)
  }

  private func key(for name: String, isAttribute: Bool) -> String {
    let words = Names.words(name)
    // If the model qualifies a reserved word, the export writes the word: `description` for `bandDescription`.
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
    // Names that differ only in style stay as they are: `fooBar` beside `foo_bar`. A name without capitals is in
    // snake case already, whatever underscores it has.
    guard style == .snake, !isAmbiguous(name), name.contains(where: \.isUppercase) else { return name }
    return Names.snakeCase(name)
  }

  private func isAmbiguous(_ name: String) -> Bool { ambiguous.contains(Names.folded(name)) }
}
