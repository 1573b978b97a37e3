package import ObjectModel
package import ObjectStore
package import WorkingCopy

/// A store in memory, written to be read and not to be fast: the second engine, which shows that imports and exports
/// know nothing of the first. It has no search, no SQL, no journal, and tells no observers.
package final class MemoryStore: StoreEngine {
  package let layout: Layout
  package let functions: MappingFunctions
  package let checks: [ValueCheck.Place: ValueCheck] = [:]
  package let mayBeShared = false
  package let batchSize: BatchSize
  private let contents: Guarded<MemoryContents>

  /// - Parameter batchSize: How much is written at once; the less, the more often a batch ends between two records.
  /// - Throws: ``StoreError`` for a model with searched attributes.
  package init(model: Model, mapping: JSONMapping? = nil, batchSize: BatchSize = BatchSize()) throws {
    let layout = Layout(try Schema(try mapping?.applied(to: model) ?? model))
    guard layout.tables.allSatisfy({ $0.search == nil }) else { throw Self.refusal("full-text search") }
    self.layout = layout
    functions = mapping?.functions ?? MappingFunctions()
    self.batchSize = batchSize
    contents = Guarded(MemoryContents(state: WorkingState(layout)))
  }

  static func refusal(_ what: String) -> StoreError {
    .invalid("The engine in memory does not offer \(what).")
  }

  /// Whether an error says that the engine does not offer what it was asked for.
  package static func isRefusal(_ error: any Error) -> Bool {
    "\(error)".hasPrefix("The engine in memory does not")
  }

  package func transaction<Result>(
    isCancelled: (@Sendable () -> Bool)?, _ body: (MemoryTransaction) throws -> (Result, TransactionEnding)
  ) throws -> Result {
    try contents.withLock { contents in
      if isCancelled?() ?? false { throw CancellationError() }
      let transaction = MemoryTransaction(contents, isReadOnly: false)
      let (result, ending) = try body(transaction)
      if isCancelled?() ?? false { throw CancellationError() }
      if ending == .commit { contents = transaction.finished() }
      return result
    }
  }

  package func read<Result>(_ body: (MemoryTransaction) throws -> Result) throws -> Result {
    try body(MemoryTransaction(contents.withLock { $0 }, isReadOnly: true))
  }
}

/// A transaction works on a copy of what the store holds.
package final class MemoryTransaction: WorkingTransaction {
  package let layout: Layout
  package var isImport = false
  /// What the store holds; its state is that at the beginning.
  private var contents: MemoryContents
  private let stored: MemoryRows
  package var state: WorkingState
  private let isReadOnly: Bool

  init(_ contents: MemoryContents, isReadOnly: Bool) {
    layout = contents.state.layout
    self.contents = contents
    stored = MemoryRows(contents.state)
    state = WorkingState(layout, stored)
    self.isReadOnly = isReadOnly
  }

  // MARK: - Reading

  package func cursor(
    _ query: Query, _ columns: [SelectedColumn], isOrdered: Bool
  ) throws -> any Cursor {
    let reader = try MemoryReader(query, layout)
    let width = try columns.reduce(0) { try $0 + $1.width(layout, of: layout.entity(named: query.entity)) }
    return MemoryCursor(columns: width) { [self] arguments in
      let rows = try reader.rows(in: state, arguments)
      return try rows.map { row in try columns.flatMap { try reader.values($0, row, state) } }
    }
  }

  package func count(_ query: Query) throws -> Int {
    try MemoryReader(query, layout).rows(in: state, []).count
  }

  package func row(of entity: SchemaEntity, identity: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    let key = layout.keyText(ofIdentity: identity, of: entity)
    guard let parts = KeyText.split(key, count: table.key.count) else { return nil }
    let values = zip(table.key, parts).map { column, text in Value(stored: text, in: table.columns[column]) }
    return state.tables[state.tableIndex(of: entity.index)].find(values)
  }

  package func targets(of relationship: SchemaRelationship) throws -> any Cursor {
    let width = layout.table(of: relationship.destination).columns.count
    return links(of: relationship) { [self] target in
      let table = state.tableIndex(of: relationship.destination)
      let object = target.row.flatMap { state.tables[table][$0] }
      let kind = object.map { layout.tables[table].kindColumn == nil ? .null : kindName(of: $0) } ?? .null
      return [target.row.map(Value.integer) ?? .null, kind]
        + (object?.values ?? Array(repeating: .null, count: width))
    }
  }

  package func targetKeys(of relationship: SchemaRelationship) throws -> any Cursor {
    links(of: relationship, isKeyed: false) { $0.key }
  }

  /// A cursor over the targets of a relationship, with what the link itself knows behind what is selected of each.
  private func links(
    of relationship: SchemaRelationship, isKeyed: Bool = true,
    _ select: @escaping (WorkingState.Target) -> [Value]
  ) -> any Cursor {
    let owner = state.tableIndex(of: relationship.owner)
    let storage = layout.relationships[relationship.index]
    return MemoryCursor(columns: 0) { [self] arguments in
      guard case .integer(let row)? = arguments.first else { return [] }
      return state.targets(of: relationship, Place(table: owner, row: row)).compactMap { target in
        switch storage {
        case .foreignKey: isKeyed && target.row == nil ? nil : select(target)
        case .inverse(_, nil): select(target)
        case .inverse: select(target) + [target.place.map(Value.integer) ?? .null]
        case .join: select(target) + (isKeyed ? target.key : [])
        }
      }
    }
  }

  func kindName(of object: StoredRow) -> Value { Value(text: layout.schema.entities[object.entity].name) }

  package func hasWaitingTargets() throws -> Bool { !state.waiting.all.isEmpty }

  package func waitingTargets() throws -> any Cursor {
    MemoryCursor(columns: 2) { [self] arguments in
      let links = state.waiting.all.map(\.link).filter { link in
        let relationship = state.relationship(link.relationship)
        let name = "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
        return arguments == [.text(name), .text(link.owner)]
      }
      let sorted = links.sorted {
        isBefore(($0.place, [Value(text: $0.target)]), ($1.place, [Value(text: $1.target)]))
      }
      return sorted.map { [Value(text: $0.target), $0.place.map(Value.integer) ?? .null] }
    }
  }

  // MARK: - Writing

  package func remembered(under key: String) throws -> String? { contents.texts[key] }

  package func remember(_ text: String, under key: String) throws {
    try checkWriting()
    contents.texts[key] = text
  }

  package func remember(_ record: ImportRecord, number: Int64?) throws -> Int64 {
    try checkWriting()
    if let number, let place = contents.imports.firstIndex(where: { $0.number == number }) {
      contents.imports[place].record = record
      return number
    }
    let next = number ?? (contents.imports.last?.number ?? 0) + 1
    contents.imports = (contents.imports + [(next, record)]).suffix(ImportRecord.most)
    return next
  }

  package func importHistory() throws -> [ImportRecord] { contents.imports.reversed().map(\.record) }

  package func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let (before, copy, written) = (contents, state, stored.state)
    do {
      return try body()
    } catch {
      (contents, state) = (before, copy)
      stored.reset(to: written)
      throw error
    }
  }

  package func batchWriter(
    _ policy: WritePolicy, continuing former: (any UnfinishedBatches)?
  ) throws -> any BatchWriter {
    try checkWriting()
    return WorkingWriter(self, policy, continuing: former as? UnfinishedWork)
  }

  private func checkWriting() throws {
    if isReadOnly { throw StoreError.readOnlyTransaction }
  }
}

/// All that a store holds. It is a value: a copy of it is a state to go back to.
struct MemoryContents {
  var state: WorkingState
  /// What the layers above have the store remember.
  var texts: [String: String] = [:]
  /// The last imports, each with its number.
  var imports: [(number: Int64, record: ImportRecord)] = []
}

extension MemoryTransaction {
  package func rows(of query: Query) throws -> [Int64] { try MemoryReader(query, layout).rows(in: state, []) }

  package func noteObjects() -> any NotedObjects { ObjectsBefore(state: contents.state) }

  package func recordsWereWritten() {
    stored.take(state)
    state.forgetChanges()
  }

  /// What the store holds once the transaction is committed.
  fileprivate func finished() -> MemoryContents {
    recordsWereWritten()
    var finished = contents
    finished.state = stored.state
    return finished
  }
}

/// The objects of an earlier state.
private struct ObjectsBefore: NotedObjects {
  let state: WorkingState

  func contains(_ place: Place, _ now: WorkingState) -> Bool { state.key(of: place) == now.key(of: place) }
}
