import Foundation
import ObjectModel
import ObjectStore

/// A relationship to prefetch. It takes one more statement, however many owners there are.
struct Prefetch<Root: Storable>: Sendable {
  /// Fetches the targets of objects, which are given by their rows, and puts them in their places.
  typealias LoadLists =
    @Sendable (inout [Root], _ rows: [Int64], SchemaRelationship, FetchRun) throws -> Void

  enum Form: Sendable {
    /// Begins to collect the links of a statement.
    case one(@Sendable (LinkColumns) -> any LinkFetch)
    case many(LoadLists)
  }

  let path: PathKey
  let form: Form

  /// - Throws: ``QueryError`` if the path does not lead to a relationship.
  func relationship() throws -> (place: RelationshipPlace, name: String, form: RelationshipForm) {
    guard let found = Root.properties.relationship(at: path.path) else {
      throw QueryError("\(path.path.debugDescription) is no relationship of \(Root.self)")
    }
    return found
  }
}

extension Query {
  /// Prefetches the objects of a relationship, with one more statement.
  ///
  /// ```swift
  /// let query = Label.all.prefetching(\.bands) { $0.prefetching(\.albums) }
  /// ```
  ///
  /// An inherited relationship is named through the inherited object: `prefetching(\.person.friends)`.
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
    let form = Prefetch<Result>.Form.many { objects, rows, relationship, run in
      let found = try LinkedLists(of: rows, relationship, further, run)
      for (index, row) in rows.enumerated() {
        let owner = objects[index][keyPath: path].owner
        objects[index][keyPath: path] = ToMany(owner: owner, loaded: found.targets(of: row))
      }
    }
    return adding { $0.prefetches.append(Prefetch(path: PathKey(path), form: form)) }
  }

  /// Prefetches the object of a relationship, with one more statement.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetchingOne(PathKey(path), nested)
  }

  /// Prefetches the object of a relationship, if there is one, with one more statement.
  public func prefetching<Target: Storable>(
    _ path: any WritableKeyPath<Result, ToOne<Target>?> & Sendable,
    _ nested: @Sendable (Query<Target>) -> Query<Target> = { $0 }
  ) -> Self {
    prefetchingOne(PathKey(path), nested)
  }

  private func prefetchingOne<Target: Storable>(
    _ path: PathKey, _ nested: (Query<Target>) -> Query<Target>
  ) -> Self {
    let further = nested(Query<Target>()).prefetches
    let form = Prefetch<Result>.Form.one { LinkedObjects<Target>($0, further) }
    return adding { $0.prefetches.append(Prefetch(path: path, form: form)) }
  }
}

/// The targets of a to-many relationship from some rows. Each target is there once, however many links lead to it.
private struct LinkedLists<Target: Storable> {
  private var targets: [Target] = []
  /// For each owner, the indices of its targets in `targets`.
  private var places: [Int64: [Int]] = [:]

  init(
    of rows: [Int64], _ relationship: SchemaRelationship, _ further: [Prefetch<Target>], _ run: FetchRun
  ) throws {
    guard !rows.isEmpty || run.looksForTables else { return }
    let layout = run.transaction.layout
    var fetch = try ObjectFetch(further, run.transaction)
    let query = StoredQuery(RelatedObjects(relationship, of: .rows(rows)), layout.schema)
    let columns = fetch.columns
    var known: [Int64: Int] = [:]
    try run.visit(query, columns.selected + [.ownerRow]) { cursor in
      let row = cursor.integer(0)
      let place = known[row] ?? fetch.rows.count
      if place == fetch.rows.count {
        known[row] = place
        try fetch.read(cursor)
      }
      places[cursor.integer(columns.width), default: []].append(place)
    }
    try fetch.load(run)
    targets = fetch.objects
  }

  func targets(of owner: Int64) -> [Target] { (places[owner] ?? []).map { targets[$0] } }
}
