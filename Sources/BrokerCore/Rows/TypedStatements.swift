import ObjectModel
import ObjectStore

/// The statements that find objects of a type by identity: compiled once for a connection, whose they are.
final class TypedStatements<Root: Storable> {
  let plan: TypePlan<Root>
  /// The layout, if the store's keys are made of the identities.
  private let storedLayout: Layout?
  private let finder: PreparedStatement
  private let columns: RowLayout
  private let rowFinder: PreparedStatement
  private let rowReader: PreparedStatement

  private init(_ transaction: StoreTransaction) throws {
    plan = try TypePlan<Root>(transaction.layout)
    storedLayout = plan.entity.isIdentifiedBelowRoot ? transaction.layout : nil
    var builder = try QueryBuilder(Root.entityName, transaction.layout)
    builder.addKeyParameters()
    let columns = try TypeColumns(of: Root.self, in: &builder)
    self.columns = columns.layout
    finder = try transaction.prepare(builder.statement(selecting: columns.expressions, isOrdered: false).sql)
    rowFinder = try transaction.prepare(builder.statement(selecting: ["t0.rowid"], isOrdered: false).sql)
    var reader = try QueryBuilder(Root.entityName, transaction.layout)
    reader.addRowParameter()
    let same = try TypeColumns(of: Root.self, in: &reader)
    rowReader = try transaction.prepare(reader.statement(selecting: same.expressions, isOrdered: false).sql)
  }

  /// Those of a transaction's connection.
  static func of(_ transaction: StoreTransaction) throws -> TypedStatements {
    try transaction.kept(for: Root.self) { try TypedStatements(transaction) }
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

  private func bind(_ id: Root.ID, to statement: PreparedStatement) {
    var encoder = IdentityEncoder()
    Root.encode(id, to: &encoder)
    let parts = storedLayout?.key(ofIdentity: encoder.values, of: plan.entity) ?? encoder.values
    for (index, part) in parts.enumerated() { statement.bind(part, at: index + 1) }
  }
}

extension TypePlan {
  /// That of a transaction's connection.
  static func of(_ transaction: StoreTransaction) throws -> TypePlan {
    try TypedStatements<Root>.of(transaction).plan
  }
}
