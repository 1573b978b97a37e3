import ObjectModel

/// The properties of an entity itself that identify its objects, as far as Swift can say it.
struct SwiftIdentity {
  /// The names in the model; empty if the entity declares no identity of its own.
  let properties: [String]
  /// Whether the type says `identified: false`.
  let isUnidentified: Bool
  /// Why Swift cannot say the identity; nil if it can.
  let obstacle: String?

  init(of entity: Entity, in schema: Schema) {
    guard let resolved = schema.entity(entity.name) else {
      (properties, isUnidentified, obstacle) = ([], true, nil)
      return
    }
    let isOwn = resolved.hasIdentity && resolved.identityOwner == resolved.index
    let names = isOwn ? resolved.declaredIdentity?.properties ?? [] : []
    let obstacle = names.lazy.compactMap { Self.obstacle(to: $0, of: entity) }.first
    self.obstacle = obstacle
    properties = obstacle == nil ? names : []
    isUnidentified = entity.parent == nil && properties.isEmpty
  }

  private static func obstacle(to name: String, of entity: Entity) -> String? {
    if entity[relationship: name] != nil { return nil }
    guard let attribute = entity[attribute: name] else {
      return "\(name) is a part of the identity and is inherited"
    }
    switch attribute.type {
    case .float, .double: return "\(name) identifies objects and is a floating-point number"
    default: return nil
    }
  }
}
