import ObjectModel
import ObjectStore

/// The cursors that find objects of a type by identity. They are made once for a connection and belong to it.
final class TypedCursors<Root: Storable> {
  let plan: TypePlan<Root>
  /// The layout, if the store's keys are made of the identities.
  private let storedLayout: Layout?
  private let finder: any Cursor
  private let columns: RowLayout
  private let rowFinder: any Cursor
  private let rowReader: any Cursor

  private init(_ transaction: any StoreTransaction) throws {
    plan = try TypePlan<Root>(transaction.layout)
    storedLayout = plan.entity.isIdentifiedBelowRoot ? transaction.layout : nil
    let columns = try TypeColumns(of: Root.self, transaction.layout)
    self.columns = columns.layout
    let one = StoredQuery(Root.entityName, .givenKey)
    finder = try transaction.cursor(one, columns.selected, isOrdered: false)
    rowFinder = try transaction.cursor(one, [.row], isOrdered: false)
    rowReader = try transaction.cursor(
      StoredQuery(Root.entityName, .givenRow), columns.selected, isOrdered: false)
  }

  /// The ones of a transaction's connection.
  static func of(_ transaction: any StoreTransaction) throws -> TypedCursors {
    try transaction.kept(for: Root.self) { try TypedCursors(transaction) }
  }

  /// The object with an identity.
  func find(_ id: Root.ID) throws -> Root? {
    bind(id, to: finder)
    guard try finder.step() else { return nil }
    defer { finder.reset() }
    return try Root(row: ObjectRow(finder, columns))
  }

  /// The row of the object with an identity.
  func row(of id: Root.ID) throws -> Int64? {
    bind(id, to: rowFinder)
    guard try rowFinder.step() else { return nil }
    defer { rowFinder.reset() }
    return rowFinder.integer(0)
  }

  /// The object in a row.
  func find(row: Int64) throws -> Root? {
    rowReader.bind(row, at: 1)
    guard try rowReader.step() else { return nil }
    defer { rowReader.reset() }
    return try Root(row: ObjectRow(rowReader, columns))
  }

  private func bind(_ id: Root.ID, to cursor: any Cursor) {
    var encoder = IdentityEncoder()
    Root.encode(id, to: &encoder)
    let parts = storedLayout?.key(ofIdentity: encoder.values, of: plan.entity) ?? encoder.values
    cursor.bind(key: parts)
  }
}

extension TypePlan {
  /// The one of a transaction's connection.
  static func of(_ transaction: any StoreTransaction) throws -> TypePlan {
    try TypedCursors<Root>.of(transaction).plan
  }
}
