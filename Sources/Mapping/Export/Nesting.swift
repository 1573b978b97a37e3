import ObjectModel

/// The relationships that are nested by name, and those that are nested in their targets.
struct Nesting {
  private var below: [Int: Nesting] = [:]

  static let none = Nesting()

  /// What is nested in the targets of a relationship, if that is nested itself.
  subscript(relationship: Int) -> Nesting? { below[relationship] }

  private init() {}

  /// Resolves key paths of relationships: `albums.tracks` nests the albums, and in each its tracks.
  ///
  /// - Throws: ``ExportError`` for a name that is no relationship of the entity or of a sub-entity.
  init(_ paths: [String], from entity: SchemaEntity, _ schema: Schema) throws(ExportError) {
    for path in paths {
      try add(path.split(separator: ".", omittingEmptySubsequences: false)[...], entity.index, schema, path)
    }
  }

  private mutating func add(
    _ steps: ArraySlice<Substring>, _ entity: Int, _ schema: Schema, _ path: String
  ) throws(ExportError) {
    guard let step = steps.first else { return }
    for index in try Self.relationships(String(step), of: entity, schema, path) {
      var inner = below[index] ?? Nesting()
      try inner.add(steps.dropFirst(), schema.relationships[index].destination, schema, path)
      below[index] = inner
    }
  }

  /// The relationships with a name: one, or several if sub-entities each have one.
  private static func relationships(
    _ name: String, of entity: Int, _ schema: Schema, _ path: String
  ) throws(ExportError) -> [Int] {
    let family = schema.family(of: entity).map { schema.entities[$0] }
    let known = Set(family.flatMap(\.relationships)).sorted()
    let names = known.map { schema.relationships[$0].name }
    let exact = known.filter { schema.relationships[$0].name == name }
    let folded = known.filter { Names.folded(schema.relationships[$0].name) == Names.folded(name) }
    let found = exact.isEmpty ? folded : exact
    let owner = schema.entities[entity].name
    if found.isEmpty {
      let isAttribute = family.contains { $0.attribute(name) != nil }
      throw ExportError(
        .noRelationship(
          name, entity: owner, path: path, isAttribute: isAttribute,
          nearest: nearestName(to: name, in: names),
          known: names))
    }
    guard found.contains(where: { schema.relationships[$0].relationship.annotations.isExported }) else {
      throw ExportError(.notExported(name, entity: owner))
    }
    return found
  }
}
