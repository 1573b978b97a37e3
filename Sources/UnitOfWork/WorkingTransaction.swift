package import ObjectModel
package import ObjectStore

/// A transaction that has a working copy, as the writer needs it.
package protocol WorkingTransaction: EngineTransaction {
  var state: IdentityMap { get }

  /// The rows of the objects of a query.
  func rows(of query: Query) throws -> [Int64]

  /// Notes which objects there are now.
  func noteObjects() throws -> ObjectSetSnapshot

  /// The bulk path for rows of which nothing has to be decided; nil if the writer writes all.
  var bulkRows: (any BulkRows)? { get }

  /// Whether the database keeps neither U+0000, nor more than six digits of a second, nor identities of more than
  /// ``ValueLimit/longestIdentity`` bytes.
  var hasValueLimits: Bool { get }

  /// Locks what imports of these entities may touch, before any of it is looked for or written.
  func lock(_ entities: Set<Int>) throws

  /// How large batches had better be that are written by the rules; nil where it does not matter.
  var ruledBatchSize: BatchSize? { get }

  /// The changes of a program that an import has to leave as they are; nil if there are none.
  func unsyncedChanges(isProtective: Bool) throws -> UnsyncedChanges?

  /// Called when records were written, so that changes can be handed on.
  func recordsWereWritten() throws
}

extension WorkingTransaction {
  package var bulkRows: (any BulkRows)? { nil }
  package var hasValueLimits: Bool { false }
  package func lock(_ entities: Set<Int>) throws {}
  package func unsyncedChanges(isProtective: Bool) throws -> UnsyncedChanges? { nil }
  package var ruledBatchSize: BatchSize? { nil }
}

/// Whether an object that is there now was there at some time.
package typealias ObjectSetSnapshot = (_ place: RowLocation, _ state: IdentityMap) throws -> Bool

/// Reads that look at all objects of a table.
extension WorkingTransaction {
  package func cursor(
    _ query: Query, _ columns: [SelectedColumn], isOrdered: Bool
  ) throws -> any Cursor {
    let reader = try QueryScan(query, layout)
    let width = try columns.reduce(0) { try $0 + $1.width(layout, of: layout.entity(named: query.entity)) }
    return RowListCursor(columns: width) { [self] arguments in
      let rows = try reader.rows(in: state, arguments)
      return try rows.map { row in try columns.flatMap { try reader.values($0, row, state) } }
    }
  }

  package func count(_ query: Query) throws -> Int {
    try QueryScan(query, layout).rows(in: state, []).count
  }

  package func row(of entity: SchemaEntity, identity: String) throws -> Int64? {
    try row(of: entity, key: layout.keyText(ofIdentity: identity, of: entity))
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
    links(of: relationship, isKeyed: false) { Array($0.key) }
  }

  /// A cursor over the targets of a relationship, with what the link itself knows behind what is selected of each.
  private func links(
    of relationship: SchemaRelationship, isKeyed: Bool = true,
    _ select: @escaping (IdentityMap.Target) -> [Value]
  ) -> any Cursor {
    let owner = state.tableIndex(of: relationship.owner)
    let storage = layout.relationships[relationship.index]
    return RowListCursor(columns: 0) { [self] arguments in
      guard case .integer(let row)? = arguments.first else { return [] }
      return state.targets(of: relationship, RowLocation(table: owner, row: row)).compactMap { target in
        switch storage {
        case .foreignKey: isKeyed && target.row == nil ? nil : select(target)
        case .inverse(_, nil): select(target)
        case .inverse: select(target) + [target.place.map(Value.integer) ?? .null]
        case .join: select(target) + (isKeyed ? target.key : [])
        }
      }
    }
  }

  private func kindName(of object: StoredRow) -> Value {
    Value(text: layout.schema.entities[object.entity].name)
  }

  package func hasPendingTargets() throws -> Bool { !state.waiting.all.isEmpty }

  package func pendingTargets() throws -> any Cursor {
    RowListCursor(columns: 2) { [self] arguments in
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

  package func rows(of query: Query) throws -> [Int64] { try QueryScan(query, layout).rows(in: state, []) }
}

/// Objects by their rows and keys.
extension WorkingTransaction {
  package func row(of entity: SchemaEntity, key: String) throws -> Int64? {
    let table = layout.table(of: entity.index)
    return RowKey(text: key, of: table).flatMap { state.tables[state.tableIndex(of: entity.index)].find($0) }
  }

  package func cells(ofRow row: Int64, in table: Table) throws -> [SQLValue] {
    state.tables[state.tableIndex(of: table.root)][row]?.values.map(\.sql) ?? []
  }
}

/// An operation that an engine over a working copy does not offer.
package enum UnsupportedOperation {
  private static let beginning = "This engine does not offer "

  package static func error(_ what: String) -> StoreError { .invalid("\(beginning)\(what).") }
}
