import ObjectStore

/// The targets of a to-one relationship of a cursor's rows. Each is there once, however many links lead to it.
///
/// They are fetched after the rows were read, all by one query, and put where the links find them.
final class LinkedObjects<Target: Storable>: PendingLinks {
  /// The column with the row of the target.
  let column: Int
  /// Whether a link to an object that has not arrived reads as nil.
  let isOptional: Bool
  private let further: [Prefetch<Target>]

  // One structure, so that Swift checks the access to it once for each row.
  private struct Links {
    var places: [Int64: Int] = [:]
    var rows: [Int64] = []
    var links: [(link: ToOne<Target>, object: FetchedObject<Target>)] = []
  }

  private var links = Links()

  /// - Parameter further: What to prefetch for these objects in turn.
  init(_ columns: LinkColumns, _ further: [Prefetch<Target>]) {
    column = columns.row
    isOptional = columns.isOptional
    self.further = further
  }

  /// The link to the target of the cursor's row.
  ///
  /// - Parameter first: The first column of the target's key.
  func link(in cursor: any Cursor, key first: Int) throws -> ToOne<Target> {
    let row = cursor.integer(column)
    if let place = links.places[row] { return links.links[place].link }
    var parts = IdentityDecoder(cursor, from: first)
    let object = FetchedObject<Target>()
    let link = ToOne(id: try Target.identity(from: &parts), fetchedInto: object)
    links.places[row] = links.rows.count
    links.rows.append(row)
    links.links.append((link, object))
    return link
  }

  func load(_ run: FetchRun) throws {
    guard !links.rows.isEmpty || run.looksForTables else { return }
    var fetch = try ObjectFetch(further, run.transaction)
    let query = StoredQuery(Target.entityName, .rows(links.rows))
    try run.visit(query, fetch.columns.selected, isOrdered: false) { try fetch.read($0) }
    try fetch.load(run)
    for (row, object) in zip(fetch.rows, fetch.objects) {
      if let place = links.places[row] { links.links[place].object.fill(object) }
    }
  }
}

/// Links whose targets are still to be fetched.
protocol PendingLinks: AnyObject {
  /// Fetches the objects.
  func load(_ run: FetchRun) throws
}

/// How links of a cursor's rows find the targets of one relationship.
struct LinkColumns {
  /// The column with the row of the target; null if it is not there.
  let row: Int
  /// Whether the relationship is optional.
  let isOptional: Bool
}

/// Where the links of a row find their targets.
final class RowLinks {
  private let byProperty: [(any PendingLinks)?]
  /// Those of the inherited object.
  let inherited: RowLinks?

  /// - Parameter depth: How many types inherit from the one that has these links.
  init?(_ links: [RelationshipPlace: any PendingLinks], depth: Int = 0) {
    guard let deepest = links.keys.map(\.depth).max(), deepest >= depth else { return nil }
    var byProperty: [(any PendingLinks)?] = []
    for (place, link) in links where place.depth == depth {
      while byProperty.count <= place.index { byProperty.append(nil) }
      byProperty[place.index] = link
    }
    self.byProperty = byProperty
    inherited = RowLinks(links, depth: depth + 1)
  }

  /// Those of a property, if its targets are prefetched.
  func objects(at index: Int) -> (any PendingLinks)? { index < byProperty.count ? byProperty[index] : nil }
}
