import ObjectModel
import ObjectStore

/// Reads objects from the rows of a cursor, and then the objects that are prefetched for them.
struct ObjectFetch<Root: Storable> {
  /// The columns to select.
  let columns: TypeColumns
  private(set) var objects: [Root] = []
  /// The row of each object.
  private(set) var rows: [Int64] = []
  /// For each object that was skipped, why it could not be read.
  private(set) var unreadable: [ReadError] = []
  private let links: RowLinks?
  private var ones: [any LinkFetch] = []
  private var lists: [(relationship: SchemaRelationship, load: Prefetch<Root>.LoadLists)] = []

  /// - Throws: ``QueryError`` if what is to be prefetched is no relationship.
  init(_ prefetches: [Prefetch<Root>], _ transaction: any StoreTransaction) throws {
    let found = try prefetches.map { ($0, try $0.relationship()) }
    let layout = transaction.layout
    columns =
      try found.isEmpty
      ? .of(Root.self, transaction) : TypeColumns(of: Root.self, linked: Set(found.map(\.1.place)), layout)
    var links: [RelationshipPlace: any LinkFetch] = [:]
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

  /// Prefetches the targets of the objects' relationships.
  mutating func load(_ run: FetchRun) throws {
    for links in ones { try links.load(run) }
    for (relationship, load) in lists { try load(&objects, rows, relationship, run) }
  }
}

/// One fetch with all that is prefetched: what its queries share.
final class FetchRun {
  enum Purpose {
    case objects
    /// Also makes a hash of what is read, so that another run can find out whether it read the same.
    case comparableObjects
    /// Reads nothing: finds out only which tables it would read.
    case tables
  }

  let transaction: any StoreTransaction
  private let purpose: Purpose
  private var hasher = Hasher()
  /// The tables that the queries read, if the run is for finding them.
  private(set) var tables: Set<Int> = []

  init(_ transaction: any StoreTransaction, for purpose: Purpose = .objects) {
    self.transaction = transaction
    self.purpose = purpose
  }

  var looksForTables: Bool { purpose == .tables }

  /// A hash of everything that was read.
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
    let rows = try transaction.translatingErrors {
      try transaction.cursor(query, columns, isOrdered: isOrdered)
    }
    while try rows.step() {
      if purpose == .comparableObjects { add(rows) }
      try body(rows)
    }
  }

  private func add(_ row: any Cursor) {
    for column in 0..<row.columnCount { hasher.combine(row.value(column)) }
  }
}
