import Bytes
import ObjectModel

/// Makes objects of references to what is not there, with a key and nothing else, where that is the policy.
final class StubWriter {
  private let context: WriteContext
  private let entities: EntityWriters
  private let pendingLinks: PendingLinks

  init(_ context: WriteContext, _ entities: EntityWriters, _ pendingLinks: PendingLinks) {
    self.context = context
    self.entities = entities
    self.pendingLinks = pendingLinks
  }

  /// Makes the target of a relationship with a key, and returns its row; nil if that is not the policy, or it cannot be
  /// made.
  func makeStub(for relationship: Int, _ key: [Cell], _ batch: borrowing RowBatch) throws -> Int64? {
    guard context.references[relationship] == .stub else { return nil }
    let layout = context.layout
    let entity = layout.schema.entities[layout.schema.relationships[relationship].destination]
    guard !entity.isAbstract, entity.hasIdentity else { return nil }
    let entityLayout = layout.entities[entity.index]
    // What a program deleted and the server has not been told of does not come back as a stub either.
    if let unsent = context.unsent,
      unsent.hasDeleted(KeyText.text(of: key, batch), table: entityLayout.table)
    {
      return nil
    }
    let writer = try entities.writer(for: entity.index)
    guard let row = try writer.insertStub(key, batch) else { return nil }
    context.tally.countStub(row: row, entity: entity.index, table: entityLayout.table)
    for links in writer.oneToOneLinks { try links.setInverse(from: row, key, batch) }
    try pendingLinks.connect(arrived: KeyText.text(of: key, batch), row, entityLayout)
    return row
  }
}
