import GRDBSQLite
import ObjectModel

/// `broker_changed(what, values…)`, which the triggers call.
///
/// Used by one connection, which calls it where it is accessed.
final class ChangeFunction {
  static let name = "broker_changed"

  private let log: ChangeLog
  private var tables: [ObjectTable]
  private let joins: [Join]

  /// What of a table matters for the log.
  private struct ObjectTable {
    let root: Int
    let width: Int
    let hasKind: Bool
    let entities: [(name: [UInt8], index: Int)]
    /// The entity that was met last, since it is mostly the next one's too.
    var last = 0
  }

  private struct Join {
    let owner: (table: Int, width: Int)
    let target: (table: Int, width: Int)
    let hasInverse: Bool
  }

  private init(_ log: ChangeLog, _ layout: Layout) {
    self.log = log
    tables = layout.tables.map { table in
      ObjectTable(
        root: table.root, width: table.key.count, hasKind: table.kindColumn != nil,
        entities: layout.schema.family(of: table.root).map {
          (Array(layout.schema.entities[$0].name.utf8), $0)
        })
    }
    joins = layout.joins.map { join in
      let relationship = layout.schema.relationships[join.relationship]
      return Join(
        owner: (layout.entities[relationship.owner].table, join.ownerColumns.count),
        target: (layout.entities[relationship.destination].table, join.targetColumns.count),
        hasInverse: relationship.inverse != nil)
    }
  }

  /// Adds it to a connection.
  static func register(on connection: OpaquePointer, _ log: ChangeLog, _ layout: Layout) throws {
    let function = Unmanaged.passRetained(ChangeFunction(log, layout)).toOpaque()
    let code = sqlite3_create_function_v2(
      connection, name, -1, SQLITE_UTF8, function,
      { context, count, values in
        guard let values, count > 1, let function = sqlite3_user_data(context) else { return }
        Unmanaged<ChangeFunction>.fromOpaque(function)._withUnsafeGuaranteedRef {
          $0.call(sqlite3_value_int64(values[0]), values + 1, Int(count) - 1)
        }
      }, nil, nil,
      { function in
        if let function { Unmanaged<ChangeFunction>.fromOpaque(function).release() }
      })
    guard code == SQLITE_OK else {
      throw StoreError.sqlite(code, message: "\(name) cannot be added", sql: "")
    }
  }

  // MARK: - Calls

  private func call(_ code: Int64, _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int) {
    let place = Int(code >> 3)
    guard let event = ChangeTriggers.Event(rawValue: code & 7) else { return }
    if place < tables.count {
      changed(event, place, values, count)
    } else if place - tables.count < joins.count {
      linked(event, joins[place - tables.count], values, count)
    }
  }

  private func changed(
    _ event: ChangeTriggers.Event, _ place: Int, _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int
  ) {
    let width = tables[place].width
    if event == .rekey { return rekeyed(place, values, count) }
    let next = tables[place].hasKind ? width + 1 : width
    guard count >= (event == .update ? next + width : next) else { return }
    let key = KeyArguments(values: values, width: width)
    let entity = tables[place].hasKind ? kind(values[width], place) : tables[place].root
    switch event {
    case .insert: log.add(key, .insert, entity: entity, table: place)
    case .delete: log.add(key, .delete, entity: entity, table: place)
    default:
      let old = KeyArguments(values: values + next, width: width)
      if old.equals(key) { return log.add(key, .update, entity: entity, table: place) }
      log.add(old, .delete, entity: entity, table: place)
      log.add(key, .insert, entity: entity, table: place)
    }
  }

  /// Of a row whose key is its row id, and of one entity.
  private func rekeyed(_ place: Int, _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int) {
    guard count == 2 else { return }
    let (old, new) = (KeyArguments(values: values, width: 1), KeyArguments(values: values + 1, width: 1))
    guard !old.equals(new) else { return }
    log.add(old, .delete, entity: tables[place].root, table: place)
    log.add(new, .insert, entity: tables[place].root, table: place)
  }

  private func linked(
    _ event: ChangeTriggers.Event, _ join: Join, _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int
  ) {
    guard count >= join.owner.width + join.target.width else { return }
    if event != .targetOrder {
      let owner = KeyArguments(values: values, width: join.owner.width)
      log.add(owner, .touch, table: join.owner.table)
    }
    if event == .targetOrder || event == .link && join.hasInverse {
      let target = KeyArguments(values: values + join.owner.width, width: join.target.width)
      log.add(target, .touch, table: join.target.table)
    }
  }

  /// The entity with a name.
  private func kind(_ name: OpaquePointer?, _ place: Int) -> Int {
    let bytes = KeyArguments.bytes(of: name)
    let last = tables[place].last
    if bytes.elementsEqual(tables[place].entities[last].name) { return tables[place].entities[last].index }
    guard let found = tables[place].entities.firstIndex(where: { bytes.elementsEqual($0.name) }) else {
      return tables[place].root
    }
    tables[place].last = found
    return tables[place].entities[found].index
  }
}
