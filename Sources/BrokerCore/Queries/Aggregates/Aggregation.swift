import ObjectModel
import ObjectStore

/// What a store makes of the values of many objects.
enum AggregateFunction {
  case count, sum, minimum, maximum, average

  /// SQL for it.
  ///
  /// - Parameters:
  ///   - value: SQL for the values.
  ///   - isDecimal: Whether they are decimals, which the store keeps as texts.
  func sql(_ value: String, isDecimal: Bool) -> String {
    let ordered = isDecimal ? "\(value) COLLATE \(SQL.decimalOrder)" : value
    switch self {
    case .count: return "count(*)"
    case .minimum: return "min(\(ordered))"
    case .maximum: return "max(\(ordered))"
    case .sum: return "coalesce(\(isDecimal ? SQL.decimalSum : "sum")(\(value)), \(isDecimal ? "'0'" : "0"))"
    case .average: return "\(isDecimal ? SQL.decimalAverage : "avg")(\(value))"
    }
  }
}

/// A question for what the values of a query's objects give together.
struct Aggregation<Root: Storable> {
  let query: Query<Root>
  let function: AggregateFunction
  /// The values; nil to count objects.
  let path: PathKey?

  /// The objects with what is asked of them, as a table.
  private func source(
    _ builder: QueryBuilder, _ columns: SelectedColumns<Root>
  ) -> (sql: String, arguments: [SQLValue]) {
    // Without a range, which objects are meant does not go by their order.
    let isOrdered = query.limit != nil || query.offset != nil
    let selected = columns.named.isEmpty ? ["1"] : columns.named
    return builder.statement(selecting: selected, isOrdered: isOrdered)
  }

  /// The result for all objects together.
  ///
  /// - Parameter value: The type of the values.
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, or its values cannot be summed up.
  func result<Value, Result>(
    _ value: Value.Type, _ result: Result.Type, in transaction: StoreTransaction
  ) throws -> Result? {
    var builder = try query.builder(transaction.layout)
    var columns = SelectedColumns<Root>()
    let expression = try expression(value, &columns, &builder)
    let reader = try reader(result)
    let (sql, arguments) = source(builder, columns)
    let statement = try transaction.prepare(("SELECT \(expression) FROM (\(sql))", arguments))
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try read(statement, 0, reader)
  }

  /// The results for the objects that have one value each. Groups without a result are left out.
  func results<Key: Hashable, Value, Result>(
    by key: PathKey, _: Key.Type, _ value: Value.Type, _ result: Result.Type, in transaction: StoreTransaction
  ) throws -> [Key: Result] {
    var builder = try query.builder(transaction.layout)
    var columns = SelectedColumns<Root>()
    let group = try columns.add(key, as: Key.self, to: &builder)
    let names = columns.names
    let expression = try expression(value, &columns, &builder)
    let reader = try reader(result)
    let (sql, arguments) = source(builder, columns)
    let list = names.joined(separator: ", ")
    let statement = try transaction.prepare(
      ("SELECT \(list), \(expression) FROM (\(sql)) GROUP BY \(list)", arguments))
    var results: [Key: Result] = [:]
    while try statement.step() {
      guard let found = try read(statement, names.count, reader) else { continue }
      let key = try group.read(statement)
      guard results.updateValue(found, forKey: key) == nil else {
        throw QueryError("several values of the store read as \(key), so objects cannot be grouped by them")
      }
    }
    return results
  }

  private func expression<Value>(
    _ type: Value.Type, _ columns: inout SelectedColumns<Root>, _ builder: inout QueryBuilder
  ) throws -> String {
    guard let path else { return function.sql("", isDecimal: false) }
    let place = columns.expressions.count
    let value = try columns.add(path, as: type, to: &builder)
    guard value.columns.count == 1, let stored = value.types.first else {
      throw QueryError("\(path.path.debugDescription) is an identity of several parts")
    }
    return function.sql(columns.names[place], isDecimal: stored == .decimal)
  }

  private func reader<Result>(_ type: Result.Type) throws -> ValueReader<Result> {
    guard let reader = ValueReader<Result>.make() else {
      throw QueryError("\(type) is no value of a property")
    }
    return reader
  }

  private func read<Result>(
    _ statement: PreparedStatement, _ column: Int, _ reader: ValueReader<Result>
  ) throws -> Result? {
    if statement.isNull(column) { return nil }
    if let value = reader.value(statement, column) { return value }
    throw ReadError(
      entity: Root.entityName, property: path.map { Root.properties.valueName(of: $0.path) ?? "" } ?? "",
      expected: "\(Result.self)", found: ReadError.text(of: statement.value(column)))
  }
}
