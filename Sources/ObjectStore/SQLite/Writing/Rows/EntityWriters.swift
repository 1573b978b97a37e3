import Bytes

/// The writers of rows, by entity, made when first needed.
final class EntityWriters {
  private let context: WriteContext
  private let claims: OwnershipClaims
  private let pendingLinks: PendingLinks
  private let equality: (any ValueEquality)?
  private var writers: [EntityWriter?]

  /// - Parameter equality: Knows which values are one, where a program writes.
  init(
    _ context: WriteContext, _ claims: OwnershipClaims, _ pendingLinks: PendingLinks,
    equality: (any ValueEquality)?
  ) {
    self.context = context
    self.claims = claims
    self.pendingLinks = pendingLinks
    self.equality = equality
    writers = Array(repeating: nil, count: context.layout.entities.count)
  }

  func writer(for entity: Int) throws -> EntityWriter {
    if let known = writers[entity] { return known }
    if !context.policy.isLocal {
      try context.transaction.delaySearch(ofTable: context.layout.entities[entity].table)
    }
    let writer = try EntityWriter(entity, context, equality) { key in
      try OneToOneLinks(key, of: entity, context, claims, pendingLinks)
    }
    writers[entity] = writer
    return writer
  }

  /// Among objects without identity, the one that has all the values of a row; nil if none has.
  func twin(of row: Int, among candidates: [Int64], _ batch: borrowing RowBatch) throws -> Int64? {
    let writer = try writer(for: batch.rows[row].entity)
    return try candidates.first { try writer.matches(row, $0, batch) }
  }
}
