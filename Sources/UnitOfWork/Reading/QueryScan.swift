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
    if let identity = query.identity { _ = try layout.identity(ofQuery: identity, of: entity) }
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

/// The state that the evaluation of a predicate on one object leaves to that on the next.
package final class ScanMemory {
  /// The moment of `NOW()`, in seconds since 2001-01-01T00:00:00Z.
  let now: Double
  private var wholeMatches: [WholeKey: WholeMatch] = [:]
  private var partMatches: [String: PartMatch] = [:]

  private struct WholeKey: Hashable {
    var pattern: String
    var options: TextOptions
  }

  package init(now: Double) { self.now = now }

  func wholeMatch(_ pattern: String, _ options: TextOptions) throws -> WholeMatch {
    let key = WholeKey(pattern: pattern, options: options)
    if let known = wholeMatches[key] { return known }
    // Patterns may come from the objects themselves.
    if wholeMatches.count > 100 { wholeMatches = [:] }
    guard let match = try? WholeMatch(pattern, options) else { throw Self.noExpression(pattern) }
    wholeMatches[key] = match
    return match
  }

  func partMatch(_ pattern: String) throws -> PartMatch {
    if let known = partMatches[pattern] { return known }
    guard let match = try? PartMatch(pattern) else { throw Self.noExpression(pattern) }
    partMatches[pattern] = match
    return match
  }

  private static func noExpression(_ pattern: String) -> StoreError {
    StoreError.invalid("\(pattern) is not a regular expression.")
  }
}

/// Steps through rows that are made when it begins.
final class RowListCursor: Cursor {
  private let make: ([SQLValue]) throws -> [[Value]]
  private var arguments: [SQLValue] = []
  private var rows: [[Value]]?
  private var next = 0
  private var row: [Value] = []
  /// The bytes that were lent of the row, by column.
  private var lent: [Int: UnsafeMutableBufferPointer<UInt8>] = [:]
  let columnCount: Int

  /// - Parameter make: Gives the rows for the arguments.
  init(columns: Int, _ make: @escaping ([SQLValue]) throws -> [[Value]]) {
    columnCount = columns
    self.make = make
  }

  deinit { takeBack() }

  func bind(_ value: Int64, at index: Int) { bind(.integer(value), at: index) }

  func bind(_ value: SQLValue, at index: Int) {
    while arguments.count < index { arguments.append(.null) }
    arguments[index - 1] = value
  }

  func step() throws -> Bool {
    takeBack()
    let rows = try rows ?? make(arguments)
    self.rows = rows
    guard next < rows.count else {
      reset()
      return false
    }
    row = rows[next]
    next += 1
    return true
  }

  func reset() {
    takeBack()
    (rows, next, row) = (nil, 0, [])
  }

  private func takeBack() {
    for buffer in lent.values { buffer.deallocate() }
    lent = [:]
  }

  // MARK: - Columns

  private func at(_ column: Int) -> Value { row.indices.contains(column) ? row[column] : .null }

  func isNull(_ column: Int) -> Bool { at(column).isNull }

  func storage(_ column: Int) -> StorageType? {
    switch at(column) {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  func integer(_ column: Int) -> Int64 {
    switch at(column) {
    case .integer(let value): value
    case .real(let value): Int64(value)
    default: 0
    }
  }

  func double(_ column: Int) -> Double { isNull(column) ? 0 : at(column).number }

  func text(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    if let known = lent[column] { return UnsafeBufferPointer(known) }
    let bytes: [UInt8]
    switch at(column) {
    case .null: bytes = []
    case .text(let text): bytes = text
    case .blob(let blob): bytes = blob
    case .integer, .real: bytes = Array(at(column).text.utf8)
    }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(fromContentsOf: bytes)
    lent[column] = buffer
    return UnsafeBufferPointer(buffer)
  }

  func blob(_ column: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(text(column)) }

  func string(_ column: Int) -> String { String(decoding: text(column), as: UTF8.self) }
}
