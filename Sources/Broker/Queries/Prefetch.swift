import Foundation
import ObjectStore

/// A relationship whose objects are fetched along: one more statement, however many owners there are.
struct Prefetch<Root: Storable>: Sendable {
  /// Fetches for objects, in rows of the store, what their relationship leads to, and puts it there.
  let load: @Sendable (inout [Root], _ rows: [Int64], ReadTransaction) throws -> Void
}

extension Query {
  /// With the objects of a relationship, which takes one statement more.
  ///
  /// ```swift
  /// let query = Label.all.prefetching(\.bands) { $0.prefetching(\.albums) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The relationship.
  ///   - nested: What to fetch along with those in turn. Conditions, orders and ranges in it are not looked at: a
  ///     relationship is fetched whole, in its own order.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToMany<Target>> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetching(path, nested) { list, targets in list = ToMany(owner: list.owner, loaded: targets) }
  }

  /// With the object of a relationship, which takes one statement more.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetching(path, nested) { link, targets in if let target = targets.first { link = ToOne(target) } }
  }

  /// With the object of a relationship, if any, which takes one statement more.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>?> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetching(path, nested) { link, targets in if let target = targets.first { link = ToOne(target) } }
  }

  /// - Parameter put: Puts what the relationship of one object leads to where it belongs.
  private func prefetching<Target: Storable, Value>(
    _ path: any WritableKeyPath<Result, Value> & Sendable, _ nested: (Query<Target>) -> Query<Target>,
    _ put: @escaping @Sendable (inout Value, [Target]) -> Void
  ) -> Self {
    let further = nested(Query<Target>()).prefetches
    let prefetch = Prefetch<Result> { objects, rows, transaction in
      let found = try transaction.related(to: rows, path: path, of: Result.self, further)
      for (index, row) in rows.enumerated() { put(&objects[index][keyPath: path], found[row] ?? []) }
    }
    return adding { $0.prefetches.append(prefetch) }
  }
}

extension ReadTransaction {
  /// The objects that a relationship leads to from owners in rows, by these rows.
  fileprivate func related<Owner: Storable, Target: Storable>(
    to rows: [Int64], path: AnyKeyPath, of owner: Owner.Type, _ further: [Prefetch<Target>]
  ) throws -> [Int64: [Target]] {
    guard !rows.isEmpty else { return [:] }
    let layout = store.layout
    guard let property = Owner.properties.property(at: path),
      let entity = layout.schema.entity(Owner.entityName),
      let relationship = entity.relationships.map({ layout.schema.relationships[$0] })
        .first(where: { $0.name == property.name })
    else { throw QueryError("\(path) is no relationship of \(Owner.self)") }
    let list = "[\(rows.map(String.init).joined(separator: ","))]"
    var builder = QueryBuilder(RelatedObjects(relationship, of: .rows(list)), layout)
    let columns = try TypeColumns(of: Target.self, in: &builder)
    let statement = try transaction.prepare(
      builder.statement(selecting: columns.expressions + ["\(RelatedObjects.owner).rowid"]))
    var owners: [Int64] = []
    var targets: [Target] = []
    var targetRows: [Int64] = []
    while try statement.step() {
      owners.append(statement.integer(columns.expressions.count))
      targetRows.append(statement.integer(0))
      targets.append(try Target(row: ObjectRow(statement: statement, layout: columns.layout)))
    }
    for prefetch in further { try prefetch.load(&targets, targetRows, self) }
    return Dictionary(grouping: zip(owners, targets), by: \.0).mapValues { $0.map(\.1) }
  }
}
