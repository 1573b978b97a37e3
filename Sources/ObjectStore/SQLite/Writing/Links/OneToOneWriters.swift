import ObjectModel

/// The one-to-one links whose foreign keys are in rows, by entity, made when first needed.
final class OneToOneWriters {
  private let context: WriteContext
  private let claims: OwnershipClaims
  private let pendingLinks: PendingLinks
  private var links: [[OneToOneLinks]?]

  init(_ context: WriteContext, _ claims: OwnershipClaims, _ pendingLinks: PendingLinks) {
    self.context = context
    self.claims = claims
    self.pendingLinks = pendingLinks
    links = Array(repeating: nil, count: context.layout.entities.count)
  }

  /// The one-to-one links of the rows of an entity.
  func links(of writer: EntityWriter) throws -> [OneToOneLinks] {
    let entity = writer.layout.entity.index
    if let known = links[entity] { return known }
    let new = try writer.foreignKeys.compactMap {
      try OneToOneLinks($0, of: entity, context, claims, pendingLinks)
    }
    links[entity] = new
    return new
  }
}
