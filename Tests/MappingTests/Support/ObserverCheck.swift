import Foundation
import ObjectModel
import ObjectStore

/// Compares the changes that observers of a store receive with its contents before and after.
final class ObserverCheck {
  private let store: Store
  private let received = List()
  private var token: ObservationToken?

  private final class List: Sendable {
    let changes = Locked<[ObjectChanges]>([])
  }

  init(_ store: Store) {
    self.store = store
    token = store.observe { [received] changes in received.changes.withLock { $0.append(changes) } }
  }

  /// Runs `body`, which makes at most one transaction.
  ///
  /// - Throws: What `body` throws; ``Contradiction`` if observers received something else than what changed.
  func watch<Result>(_ body: () throws -> Result) throws -> Result {
    let before = try objects()
    let result: Result
    do {
      result = try body()
    } catch {
      try compare(before, objects())
      throw error
    }
    try compare(before, objects())
    return result
  }

  /// The changes that observers have received since the last call.
  private func take() -> [ObjectChanges] {
    received.changes.withLock { list in
      defer { list = [] }
      return list
    }
  }

  struct Contradiction: Error {
    var what: String
  }

  private struct Place: Hashable {
    var table: Int
    var key: ObjectKey
  }

  private struct Content: Equatable {
    var entity: Int
    var values: [SQLValue]
    var links: Set<[SQLValue]> = []
  }

  private func compare(_ before: [Place: Content], _ after: [Place: Content]) throws {
    let changes = take()
    guard changes.count <= 1 else { throw Contradiction(what: "received \(changes.count) times") }
    var rest = (before.filter { after[$0.key] != $0.value }).reduce(into: [:]) { $0[$1.key] = $1.value }
    rest.merge(after.filter { before[$0.key] != $0.value }) { $1 }
    for (table, inTable) in changes.first?.tables ?? [:] {
      for (sign, objects) in [("+", inTable.inserted), ("~", inTable.updated), ("-", inTable.deleted)] {
        for object in objects {
          let place = Place(table: table, key: object.key)
          let (old, new) = (before[place], after[place])
          let isRight =
            switch sign {
            case "+": old == nil && new?.entity == object.entity
            case "-": old?.entity == object.entity && new == nil
            default: old != nil && new?.entity == object.entity
            }
          guard isRight else { throw Contradiction(what: "received \(sign)\(place)") }
          rest[place] = nil
        }
      }
    }
    guard rest.isEmpty else { throw Contradiction(what: "not received: \(rest)") }
  }

  // MARK: - What is there

  private func objects() throws -> [Place: Content] {
    try store.read { transaction in
      var result: [Place: Content] = [:]
      let layout = transaction.layout
      for (index, table) in layout.tables.enumerated() {
        let names = table.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
        let kind = table.kindColumn.map(SQL.quoted) ?? "NULL"
        let statement = try transaction.prepare("SELECT \(kind), \(names) FROM \(SQL.quoted(table.name))")
        while try statement.step() {
          let values = table.columns.indices.map { SQLValue(statement, $0 + 1) }
          let entity = statement.isNull(0) ? nil : layout.schema.index(of: statement.string(0))
          let key = ObjectKey(table.key.map { values[$0] })
          result[Place(table: index, key: key)] = Content(entity: entity ?? table.root, values: values)
        }
      }
      for join in layout.joins.indices { try addLinks(join, to: &result, transaction) }
      return result
    }
  }

  private func addLinks(
    _ index: Int, to objects: inout [Place: Content], _ transaction: any StoreTransaction
  ) throws {
    let layout = transaction.layout
    let join = layout.joins[index]
    let relationship = layout.schema.relationships[join.relationship]
    let (owner, target) = (join.ownerColumns.map(\.name), join.targetColumns.map(\.name))
    func add(_ columns: [String], _ others: [String?], of entity: Int) throws {
      let names = (columns + others.compactMap { $0 }).map(SQL.quoted).joined(separator: ", ")
      let statement = try transaction.prepare("SELECT \(names) FROM \(SQL.quoted(join.name))")
      while try statement.step() {
        let values = (0..<statement.columnCount).map { SQLValue(statement, $0) }
        let key = ObjectKey(Array(values.prefix(columns.count)))
        let link = [.integer(Int64(index)), .integer(Int64(entity))] + values.dropFirst(columns.count)
        objects[Place(table: layout.entities[entity].table, key: key)]?.links.insert(link)
      }
    }
    try add(owner, target + [join.targetOrder], of: relationship.owner)
    guard relationship.inverse != nil else { return }
    try add(target, owner + [join.ownerOrder], of: relationship.destination)
  }
}
