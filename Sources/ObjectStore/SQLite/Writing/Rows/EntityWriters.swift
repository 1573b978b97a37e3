import Bytes

/// The writers of rows, by entity, made when first needed.
final class EntityWriters {
  private let context: WriteContext
  private let equality: (any ValueEquality)?
  private var writers: [EntityWriter?]

  /// - Parameter equality: Knows which values are one, where a program writes.
  init(_ context: WriteContext, _ equality: (any ValueEquality)?) {
    self.context = context
    self.equality = equality
    writers = Array(repeating: nil, count: context.layout.entities.count)
  }

  func writer(for entity: Int) throws -> EntityWriter {
    if let known = writers[entity] { return known }
    let transaction = context.transaction
    if !context.policy.isLocal { try transaction.delaySearch(ofTable: context.layout.entities[entity].table) }
    let writer = try EntityWriter(entity, transaction, equality)
    writers[entity] = writer
    return writer
  }

  /// Among objects without identity, the one that has all the values of a row; nil if none has.
  func twin(of row: Int, among candidates: [Int64], _ batch: borrowing RowBatch) throws -> Int64? {
    let writer = try writer(for: batch.rows[row].entity)
    return try candidates.first { try writer.matches(row, $0, batch) }
  }
}
