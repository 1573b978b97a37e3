import ObjectModel

/// The paths from the value of a relationship's key to its targets: `data`, `edges[].node`, `reference`.
final class TargetPaths: Sendable {
  let paths: [JSONKeyPath]

  private init?(_ paths: [JSONKeyPath]) {
    if paths.isEmpty { return nil }
    self.paths = paths
  }

  /// The paths of an entity's relationships.
  struct OfEntity: Sendable {
    /// Those to objects with an identity.
    let all: TargetPaths?
    /// Those to objects without. A value where one of them is expected is the object itself, not a reference to it.
    let ofParts: TargetPaths?
  }

  /// Nil if the targets are the values themselves.
  static func of(_ entity: SchemaEntity, _ schema: Schema) -> OfEntity? {
    let rules = entity.ancestry.compactMap { schema.model.entities[$0].annotations.inside }
    let paths = KeyPaths.paths(rules.first?.targets ?? []).map(\.1)
    if paths.isEmpty { return nil }
    return OfEntity(all: TargetPaths(paths), ofParts: TargetPaths(paths.filter(isOfParts)))
  }

  /// Whether a path may lead to objects without identity: not to the one value of a reference.
  static func isOfParts(_ path: JSONKeyPath) -> Bool { path.hasElements && path.steps.first != .elements }
}
