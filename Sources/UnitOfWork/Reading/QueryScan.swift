import Foundation
import ObjectModel
import ObjectStore

/// Finds the objects of a query by looking at each of its table.
struct QueryScan {
  private let query: Query
  private let layout: Layout
  private let entity: SchemaEntity
  private let memory = ScanMemory(now: Date().timeIntervalSinceReferenceDate)
  private let sorts: [(path: ResolvedPath, isAscending: Bool)]

  /// - Throws: ``StoreError`` if the query names what is not in the model, or asks for what the engine does not offer.
  init(_ query: Query, _ layout: Layout) throws {
    let entity = try layout.entity(named: query.entity)
    guard query.search.isEmpty else { throw UnsupportedOperation.error("full-text search") }
    (self.query, self.layout, self.entity) = (query, layout, entity)
    sorts = try query.sort.map { sort in
      guard case .path(let text) = sort.key else { throw UnsupportedOperation.error("an order by rank") }
      let path = try ResolvedPath(text, from: entity, layout)
      guard !path.isToMany else {
        throw StoreError.invalid("\(text) leads to many objects, so it gives no order.")
      }
      return (path, sort.isAscending)
    }
    if query.identity != nil, !entity.hasIdentity {
      throw StoreError.invalid("\(entity.name) has no identity, so its objects cannot be named.")
    }
  }

  private var table: Int { layout.entities[entity.index].table }

  // MARK: - Which objects

  /// - Parameter arguments: The key or the row of the object that the query leaves open.
  func rows(in state: IdentityMap, _ arguments: [SQLValue]) throws -> [Int64] {
    var rows = try source(state)
    for choice in query.choices { rows = rows.filter { isChosen($0, choice, state, arguments) } }
    if let identity = query.identity {
      let key = layout.identity(identity, of: entity).map { layout.key(ofIdentity: $0, of: entity) }
      rows = rows.filter { row in key.map { keyOf(row, state) == RowKey($0, Value.init) } ?? false }
    }
    for predicate in query.predicates {
      let conditions = PredicateScan(state, memory)
      rows = try rows.filter {
        try conditions.holds(
          predicate.root, [nil: .object(.init(entity: entity, place: RowLocation(table: table, row: $0)))])
      }
    }
    rows = Array(try sorted(rows, state).dropFirst(query.offset ?? 0))
    return query.limit.map { Array(rows.prefix($0)) } ?? rows
  }

  private func source(_ state: IdentityMap) throws -> [Int64] {
    switch query.source {
    case .all: return state.tables[table].all.filter { state.isA(state.tables[table][$0], entity.index) }
    case .listed(let nesting):
      let parts = layout.schema.relationships.filter {
        !entity.hasIdentity && entity.ancestry.contains($0.destination) && nesting.contains($0.index)
      }
      return state.tables[table].all.filter { row in
        state.tables[table][row]?.entity == entity.index
          && parts.allSatisfy { state.owners(by: $0, of: RowLocation(table: table, row: row)).isEmpty }
      }
    case .related: throw UnsupportedOperation.error("queries of related objects")
    }
  }

  private func keyOf(_ row: Int64, _ state: IdentityMap) -> RowKey {
    state.key(of: RowLocation(table: table, row: row))
  }

  private func isChosen(
    _ row: Int64, _ choice: Query.Choice, _ state: IdentityMap, _ arguments: [SQLValue]
  ) -> Bool {
    let key = keyOf(row, state)
    switch choice {
    case .identities(let all):
      return all.contains { RowKey(layout.key(ofIdentity: $0, of: entity), Value.init) == key }
    case .keys(let keys): return keys.contains { RowKey($0, Value.init) == key }
    case .rows(let rows): return rows.contains(row)
    case .givenKey: return RowKey(arguments, Value.init) == key
    case .givenRow: return arguments == [.integer(row)]
    }
  }

  /// In the order that is asked for, and then in that of the keys.
  private func sorted(_ rows: [Int64], _ state: IdentityMap) throws -> [Int64] {
    let keyed = try rows.map { row in
      (row: row, terms: try sorts.map { try values(at: $0.path, row, state) }, key: keyOf(row, state))
    }
    return keyed.sorted { left, right in
      for (index, sort) in sorts.enumerated() {
        for (one, other) in zip(left.terms[index], right.terms[index]) {
          let isDecimal = sort.path.types(layout, from: entity) == [.decimal]
          let order = isDecimal ? one.compareAsDecimal(with: other) : one.compare(with: other)
          if order != 0 { return (order < 0) == sort.isAscending }
        }
      }
      return left.key.precedes(right.key)
    }.map(\.row)
  }

  // MARK: - What of them

  func values(_ column: SelectedColumn, _ row: Int64, _ state: IdentityMap) throws -> [Value] {
    guard let object = state.tables[table][row] else { return [] }
    switch column {
    case .row: return [.integer(row)]
    case .kind:
      guard layout.tables[table].kindColumn != nil else { return [.null] }
      return [Value(text: layout.schema.entities[object.entity].name)]
    case .key: return Array(state.tables[table].key(object))
    case .stored: return object.values
    case .value(let path), .reference(let path): return try values(at: path, row, state)
    case .targetRow, .ownerRow, .rank: throw UnsupportedOperation.error("rows of other objects in a query")
    }
  }

  /// The value, or the parts of the key, at the end of a path of to-one relationships.
  private func values(at path: ResolvedPath, _ row: Int64, _ state: IdentityMap) throws -> [Value] {
    let count = path.types(layout, from: entity).count
    var place: RowLocation? = RowLocation(table: table, row: row)
    for index in path.relationships {
      place = place.flatMap { state.places(of: state.relationship(index), $0).first }
    }
    guard let place, let object = state.object(place) else { return Array(repeating: .null, count: count) }
    switch path.end {
    case .attribute(let attribute, let owner):
      let layout = layout.entities[owner.index]
      return [object.values[layout.slots[layout.attributeSlots[attribute]]]]
    case .relationship(let relationship):
      if case .foreignKey(let columns) = layout.relationships[relationship.index] {
        return columns.map { object.values[$0] }
      }
      return Array(state.key(of: place))
    case .aggregate(let aggregate, let path):
      return [
        try PredicateScan(state, memory).value(
          of: aggregate, path, [nil: .object(.init(entity: entity, place: place))]
        ).parts.first ?? .null
      ]
    }
  }
}
