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
    prefetching(path, nested) { list, row, found in
      list = ToMany(owner: list.owner, loaded: found.targets(of: row))
    }
  }

  /// With the object of a relationship, which takes one statement more.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetching(path, nested) { link, row, found in
      if let target = found.target(of: row) { link = ToOne(target) }
    }
  }

  /// With the object of a relationship, if any, which takes one statement more.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>?> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetching(path, nested) { link, row, found in
      if let target = found.target(of: row) { link = ToOne(target) }
    }
  }

  /// - Parameter put: Puts what the relationship of the object in a row leads to where it belongs.
  private func prefetching<Target: Storable, Value>(
    _ path: any WritableKeyPath<Result, Value> & Sendable, _ nested: (Query<Target>) -> Query<Target>,
    _ put: @escaping @Sendable (inout Value, Int64, FetchedTargets<Target>) -> Void
  ) -> Self {
    let further = nested(Query<Target>()).prefetches
    let prefetch = Prefetch<Result> { objects, rows, transaction in
      let found = try transaction.targets(of: rows, path: path, of: Result.self, further)
      for (index, row) in rows.enumerated() { put(&objects[index][keyPath: path], row, found) }
    }
    return adding { $0.prefetches.append(prefetch) }
  }
}

/// The objects that a relationship leads to from some rows, each once, however many lead to it.
private struct FetchedTargets<Target> {
  fileprivate(set) var targets: [Target] = []
  /// The places of the targets in `targets`: of an owner that has one, that one.
  private var first: [Int64: Int] = [:]
  /// Those of the other targets, by their owner.
  private var others: [Int64: [Int]] = [:]

  mutating func link(_ owner: Int64, to place: Int) {
    if first[owner] == nil {
      first[owner] = place
    } else {
      others[owner, default: []].append(place)
    }
  }

  func target(of owner: Int64) -> Target? { first[owner].map { targets[$0] } }

  func targets(of owner: Int64) -> [Target] {
    guard let place = first[owner] else { return [] }
    return [targets[place]] + (others[owner] ?? []).map { targets[$0] }
  }
}

extension ReadTransaction {
  /// The objects that a relationship leads to from owners in rows.
  fileprivate func targets<Owner: Storable, Target: Storable>(
    of rows: [Int64], path: AnyKeyPath, of owner: Owner.Type, _ further: [Prefetch<Target>]
  ) throws -> FetchedTargets<Target> {
    var found = FetchedTargets<Target>()
    guard !rows.isEmpty else { return found }
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
      builder.statement(
        selecting: columns.expressions + ["\(RelatedObjects.owner).rowid"], isOrdered: relationship.isToMany))
    var targetRows: [Int64] = []
    var places: [Int64: Int] = [:]
    while try statement.step() {
      let row = statement.integer(0)
      let place = places[row] ?? targetRows.count
      if place == targetRows.count {
        places[row] = place
        targetRows.append(row)
        found.targets.append(try Target(row: ObjectRow(statement: statement, layout: columns.layout)))
      }
      found.link(statement.integer(columns.expressions.count), to: place)
    }
    for prefetch in further { try prefetch.load(&found.targets, targetRows, self) }
    return found
  }
}
