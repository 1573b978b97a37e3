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
    let further = nested(Query<Target>()).prefetches
    let prefetch = Prefetch<Result> { objects, rows, transaction in
      let found = try transaction.targets(of: rows, path: path, of: Result.self, further)
      for (index, row) in rows.enumerated() {
        let owner = objects[index][keyPath: path].owner
        objects[index][keyPath: path] = ToMany(owner: owner, loaded: found.targets(of: row))
      }
    }
    return adding { $0.prefetches.append(prefetch) }
  }

  /// With the object of a relationship, which takes one statement more.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetchingOne(path, nested, { $0.id }) { ToOne($0) }
  }

  /// With the object of a relationship, if any, which takes one statement more.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>?> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetchingOne(path, nested, { $0?.id }) { ToOne($0) }
  }

  /// - Parameters:
  ///   - id: The identity that a link holds.
  ///   - link: A link that has its object.
  private func prefetchingOne<Target: Storable, Link>(
    _ path: any WritableKeyPath<Result, Link> & Sendable, _ nested: (Query<Target>) -> Query<Target>,
    _ id: @escaping @Sendable (Link) -> Target.ID?, _ link: @escaping @Sendable (Target) -> Link
  ) -> Self {
    let further = nested(Query<Target>()).prefetches
    let prefetch = Prefetch<Result> { objects, _, transaction in
      var keys = DistinctKeys()
      let places = keys.places(of: objects.map { id($0[keyPath: path]) }, Target.self)
      // Those that lead to the same object share it.
      let links = try transaction.targets(Target.self, &keys, further).map { $0.map(link) }
      for (index, place) in places.enumerated() {
        if let place, let link = links[place] { objects[index][keyPath: path] = link }
      }
    }
    return adding { $0.prefetches.append(prefetch) }
  }
}

/// The objects that a relationship leads to from some rows, each once, however many lead to it.
private struct FetchedTargets<Target> {
  fileprivate(set) var targets: [Target] = []
  /// For each owner, the places of its targets in `targets`.
  private var places: [Int64: [Int]] = [:]

  mutating func link(_ owner: Int64, to place: Int) { places[owner, default: []].append(place) }

  func targets(of owner: Int64) -> [Target] { (places[owner] ?? []).map { targets[$0] } }
}

extension ReadTransaction {
  /// The objects with some keys, each at the place of its key; nil where there is none.
  fileprivate func targets<Target: Storable>(
    _ type: Target.Type, _ keys: inout DistinctKeys, _ further: [Prefetch<Target>]
  ) throws -> [Target?] {
    var result = [Target?](repeating: nil, count: keys.list.count)
    guard !keys.list.isEmpty else { return result }
    var builder = try QueryBuilder(Target.entityName, store.layout)
    try builder.add(identities: keys.list)
    let columns = try TypeColumns(of: Target.self, in: &builder)
    let statement = try transaction.prepare(
      builder.statement(selecting: columns.expressions, isOrdered: false))
    var found: [Target] = []
    var rows: [Int64] = []
    while try statement.step() {
      found.append(try Target(row: ObjectRow(statement: statement, layout: columns.layout)))
      rows.append(statement.integer(0))
    }
    for prefetch in further { try prefetch.load(&found, rows, self) }
    for (target, place) in zip(found, keys.places(of: found.map(\.id), Target.self)) {
      if let place, result.indices.contains(place) { result[place] = target }
    }
    return result
  }

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
        selecting: columns.expressions + ["\(RelatedObjects.owner).rowid"]))
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
