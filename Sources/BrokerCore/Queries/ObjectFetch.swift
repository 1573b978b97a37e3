import ObjectModel
import ObjectStore

/// Reads objects from the rows of a cursor, and then what is fetched along with them.
struct ObjectFetch<Root: Storable> {
  /// What has to be selected.
  let columns: TypeColumns
  private(set) var objects: [Root] = []
  /// The row of each object.
  private(set) var rows: [Int64] = []
  /// Why objects could not be read that were skipped.
  private(set) var unreadable: [ReadError] = []
  private let links: RowLinks?
  private var ones: [any PendingLinks] = []
  private var lists: [(relationship: SchemaRelationship, load: Prefetch<Root>.LoadLists)] = []

  /// - Throws: ``QueryError`` if what is to be fetched along is no relationship.
  init(_ prefetches: [Prefetch<Root>], _ transaction: StoreTransaction) throws {
    let found = try prefetches.map { ($0, try $0.relationship()) }
    let layout = transaction.layout
    columns =
      try found.isEmpty
      ? .of(Root.self, transaction) : TypeColumns(of: Root.self, linked: Set(found.map(\.1.place)), layout)
    var links: [RelationshipPlace: any PendingLinks] = [:]
    for (prefetch, (place, name, form)) in found {
      switch prefetch.form {
      case .one(let begin):
        guard let row = columns.targetRows[place] else { break }
        links[place] = begin(LinkColumns(row: row, isOptional: form.isOptional))
      case .many(let load):
        let relationships = columns.entity.relationships.map { layout.schema.relationships[$0] }
        guard let relationship = relationships.first(where: { $0.name == name }) else { break }
        lists.append((relationship, load))
      }
    }
    ones = Array(links.values)
    self.links = RowLinks(links)
  }

  /// Reads the object in the row that a cursor stands on.
  mutating func read(_ row: any Cursor) throws {
    objects.append(try Root(row: ObjectRow(row, columns.layout, links)))
    rows.append(row.integer(0))
  }

  /// Reads the object in the row that a cursor stands on, if the type can hold it.
  mutating func readOrSkip(_ row: any Cursor) throws {
    do {
      try read(row)
    } catch let error as ReadError {
      unreadable.append(error)
    }
  }

  /// Fetches along what the relationships of the objects lead to.
  mutating func load(_ run: FetchRun) throws {
    for links in ones { try links.load(run) }
    for (relationship, load) in lists { try load(&objects, rows, relationship, run) }
  }
}

/// One fetch with all that is fetched along: what its queries have in common.
final class FetchRun {
  enum Purpose {
    case objects
    /// What is read is summed up as well, so that another run can tell whether it read the same.
    case comparableObjects
    /// Nothing is read: only which tables would be.
    case tables
  }

  let transaction: StoreTransaction
  private let purpose: Purpose
  private var hasher = Hasher()
  /// The tables that the queries read, if that is what the run is for.
  private(set) var tables: Set<Int> = []

  init(_ transaction: StoreTransaction, for purpose: Purpose = .objects) {
    self.transaction = transaction
    self.purpose = purpose
  }

  var looksForTables: Bool { purpose == .tables }

  /// A number that is another if anything that was read is.
  var sum: Int { hasher.finalize() }

  /// Runs a query and calls `body` for each row.
  ///
  /// - Parameter isOrdered: Whether the order matters.
  func visit(
    _ query: StoredQuery, _ columns: [SelectedColumn], isOrdered: Bool = true,
    _ body: (any Cursor) throws -> Void
  ) throws {
    guard !looksForTables else {
      return tables.formUnion(try transaction.dependence(of: query, columns).tables)
    }
    let rows = try transaction.asking { try transaction.cursor(query, columns, isOrdered: isOrdered) }
    while try rows.step() {
      if purpose == .comparableObjects { add(rows) }
      try body(rows)
    }
  }

  private func add(_ row: any Cursor) {
    for column in 0..<row.columnCount { hasher.combine(row.value(column)) }
  }
}
