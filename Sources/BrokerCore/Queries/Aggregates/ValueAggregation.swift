import ObjectModel
import ObjectStore

/// An aggregate over the objects of a query.
struct ValueAggregation<Root: Storable> {
  let query: Query<Root>
  let function: Aggregation.Function
  /// The values; nil to count objects.
  let path: PathKey?

  /// The result for all objects together.
  ///
  /// - Parameter value: The type of the values.
  /// - Throws: ``QueryError`` if the query cannot be put in the store's words, or its values cannot be summed up.
  func result<Value, Result>(
    _ value: Value.Type, _ result: Result.Type, in transaction: any StoreTransaction
  ) throws -> Result? {
    var columns = SelectedColumns<Root>()
    let values = try values(value, &columns, transaction.layout)
    let reader = try reader(result)
    let cursor = try cursor(values, by: [], transaction)
    guard try cursor.step() else { return nil }
    defer { cursor.reset() }
    return try read(cursor, 0, reader)
  }

  /// The results for groups of objects that have the same value. Groups without a result are left out.
  func results<Key: Hashable, Value, Result>(
    by key: PathKey, _: Key.Type, _ value: Value.Type, _ result: Result.Type,
    in transaction: any StoreTransaction
  ) throws -> [Key: Result] {
    var columns = SelectedColumns<Root>()
    let group = try columns.add(key, as: Key.self, transaction.layout)
    let groups = columns.selected
    let values = try values(value, &columns, transaction.layout)
    let reader = try reader(result)
    let cursor = try cursor(values, by: groups, transaction)
    var results: [Key: Result] = [:]
    while try cursor.step() {
      guard let found = try read(cursor, group.columns.upperBound, reader) else { continue }
      let key = try group.read(cursor)
      guard results.updateValue(found, forKey: key) == nil else {
        throw QueryError("several values of the store read as \(key), so objects cannot be grouped by them")
      }
    }
    return results
  }

  /// The aggregate, and its values; nil to count objects.
  private struct Values {
    let aggregation: Aggregation
    let column: SelectedColumn?
  }

  private func values<Value>(
    _ type: Value.Type, _ columns: inout SelectedColumns<Root>, _ layout: Layout
  ) throws -> Values {
    guard let path else { return Values(aggregation: Aggregation(function), column: nil) }
    let value = try columns.add(path, as: type, layout)
    guard value.columns.count == 1, let stored = value.types.first else {
      throw QueryError("\(path.path.debugDescription) is an identity of several parts")
    }
    return Values(
      aggregation: Aggregation(function, isDecimal: stored == .decimal), column: columns.selected.last)
  }

  private func cursor(
    _ values: Values, by groups: [SelectedColumn], _ transaction: any StoreTransaction
  ) throws -> any Cursor {
    let stored = try query.stored(transaction.layout)
    return try transaction.translatingErrors {
      try transaction.aggregateCursor(values.aggregation, of: values.column, for: stored, by: groups)
    }
  }

  private func reader<Result>(_ type: Result.Type) throws -> ValueReader<Result> {
    guard let reader = ValueReader<Result>.make() else {
      throw QueryError("\(type) is no value of a property")
    }
    return reader
  }

  private func read<Result>(
    _ row: any Cursor, _ column: Int, _ reader: ValueReader<Result>
  ) throws -> Result? {
    if row.isNull(column) { return nil }
    if let value = reader.value(row, column) { return value }
    throw ReadError(
      entity: Root.entityName, property: path.map { Root.properties.valueName(of: $0.path) ?? "" } ?? "",
      expected: "\(Result.self)", found: ReadError.text(of: row.value(column)))
  }
}
