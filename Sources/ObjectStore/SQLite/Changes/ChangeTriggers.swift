import Bytes
import GRDBSQLite
import ObjectModel

/// The triggers that tell the log what is written, on one connection and in no file.
///
/// Of tables for which ``ChangeHook`` does, they tell only of what it cannot: rows that go, since SQLite deletes
/// all of a table without telling the hook, and keys that change.
struct ChangeTriggers {
  let layout: Layout

  /// The message of a trigger, as ``ChangeFunction`` takes it apart.
  enum Event: Int64, CaseIterable {
    case insert
    case update
    case delete
    case link
    case rekey
    case ownerOrder
    case targetOrder
  }

  static func code(_ event: Event, _ place: Int) -> Int64 { Int64(place) << 3 | event.rawValue }

  /// The statements that make them.
  var creations: [String] { triggers.map { "CREATE TEMP TRIGGER \(SQL.quoted($0.name)) \($0.body)" } }

  /// The statements that take them away.
  var removals: [String] { triggers.map { "DROP TRIGGER IF EXISTS temp.\(SQL.quoted($0.name))" } }

  private typealias Trigger = (name: String, body: String)

  private var triggers: [Trigger] {
    layout.tables.indices.flatMap(triggers(ofTable:)) + layout.joins.indices.flatMap(triggers(ofJoin:))
  }

  private func triggers(ofTable index: Int) -> [Trigger] {
    let table = layout.tables[index]
    let key = table.key.map { table.columns[$0].name }
    func values(_ row: String) -> [String] {
      (key + [table.kindColumn].compactMap { $0 }).map { "\(row).\(SQL.quoted($0))" }
    }
    let old = key.map { "OLD.\(SQL.quoted($0))" }
    if ChangeHook.tells(of: table) {
      // Before, since the hook tells of an update in between.
      return [
        trigger(
          .rekey, index, on: "UPDATE OF \(SQL.list(key))", of: table.name,
          calls: [values("OLD") + values("NEW")],
          isBefore: true),
        trigger(.delete, index, on: "DELETE", of: table.name, calls: [values("OLD")]),
      ]
    }
    return [
      trigger(.insert, index, on: "INSERT", of: table.name, calls: [values("NEW")]),
      trigger(.update, index, on: "UPDATE", of: table.name, calls: [values("NEW") + old]),
      trigger(.delete, index, on: "DELETE", of: table.name, calls: [values("OLD")]),
    ]
  }

  private func triggers(ofJoin index: Int) -> [Trigger] {
    let join = layout.joins[index]
    let place = layout.tables.count + index
    let columns = join.keyColumns.map(\.name)
    func values(_ row: String) -> [String] { columns.map { "\(row).\(SQL.quoted($0))" } }
    var triggers = [
      trigger(.link, place, on: "INSERT", of: join.name, calls: [values("NEW")]),
      trigger(.link, place, on: "DELETE", of: join.name, calls: [values("OLD")]),
      trigger(
        .link, place, on: "UPDATE OF \(SQL.list(columns))", of: join.name,
        calls: [values("OLD"), values("NEW")]),
    ]
    // The order of the targets is a matter of the owner, and the other way round.
    for (event, column) in [(Event.ownerOrder, join.targetOrder), (.targetOrder, join.ownerOrder)] {
      guard let column else { continue }
      triggers.append(
        trigger(event, place, on: "UPDATE OF \(SQL.quoted(column))", of: join.name, calls: [values("NEW")]))
    }
    return triggers
  }

  private func trigger(
    _ event: Event, _ place: Int, on statement: String, of table: String, calls: [[String]],
    isBefore: Bool = false
  ) -> Trigger {
    let words = statement.prefix { $0 != " " }.lowercased()
    let calls = calls.map { values in
      "SELECT \(ChangeFunction.name)(\(Self.code(event, place)), \(values.joined(separator: ", ")));"
    }
    return (
      "broker_\(place)_\(event)_\(words)",
      "\(isBefore ? "BEFORE" : "AFTER") \(statement) ON main.\(SQL.quoted(table)) BEGIN \(calls.joined(separator: " ")) END"
    )
  }
}

/// `broker_changed(what, values…)`, which the triggers call.
///
/// Used by one connection, which calls it where it is accessed.
final class ChangeFunction {
  static let name = "broker_changed"

  private let log: ChangeLog
  private var tables: [ObjectTable]
  private let joins: [Join]

  /// The properties of a table that matter for the log.
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

/// Has SQLite tell a log of rows that are inserted and updated. It costs a tenth of a trigger, but knows only the
/// row id.
enum ChangeHook {
  /// Whether a row id is all that there is to know of an object.
  static func tells(of table: Table) -> Bool { table.keyIsRowID && table.kindColumn == nil }

  /// Sets the hook of a connection, which must live no longer than the log.
  static func set(on connection: OpaquePointer, _ log: ChangeLog) {
    sqlite3_update_hook(
      connection,
      { log, operation, database, table, row in
        // Not of tables called the same in other databases, as the temporary one.
        guard let log, let table, let database, database[0] == CChar(UInt8(ascii: "m")) else { return }
        guard operation != SQLITE_DELETE else { return }
        Unmanaged<ChangeLog>.fromOpaque(log)._withUnsafeGuaranteedRef {
          $0.add(row: row, operation == SQLITE_INSERT ? .insert : .update, ofTable: table)
        }
      }, Unmanaged.passUnretained(log).toOpaque())
  }

  static func remove(from connection: OpaquePointer) { sqlite3_update_hook(connection, nil, nil) }
}

/// How a log has a key.
enum KeyForm: UInt8, BitwiseCopyable {
  case integer
  /// As UTF-8.
  case text
  /// As ``EncodedKey`` has it.
  case composite
}

/// The arguments of an SQL function that are a key, as long as the function runs.
struct KeyArguments {
  let values: UnsafeMutablePointer<OpaquePointer?>
  let width: Int

  /// Appends the key, unless it is one integer.
  func append(to bytes: inout ByteBuffer) -> (form: KeyForm, bits: Int64) {
    if width == 1 {
      switch sqlite3_value_type(values[0]) {
      case SQLITE_INTEGER: return (.integer, sqlite3_value_int64(values[0]))
      case SQLITE_TEXT:
        bytes.append(Self.bytes(of: values[0]))
        return (.text, 0)
      default: break
      }
    }
    for part in 0..<width { EncodedKey.append(values[part], to: &bytes) }
    return (.composite, 0)
  }

  func equals(_ other: KeyArguments) -> Bool {
    (0..<width).allSatisfy { part in
      let (left, right) = (values[part], other.values[part])
      guard sqlite3_value_type(left) == sqlite3_value_type(right) else { return false }
      switch sqlite3_value_type(left) {
      case SQLITE_INTEGER: return sqlite3_value_int64(left) == sqlite3_value_int64(right)
      case SQLITE_FLOAT: return sqlite3_value_double(left) == sqlite3_value_double(right)
      default: return Self.bytes(of: left).elementsEqual(Self.bytes(of: right))
      }
    }
  }

  /// The bytes of a text or blob. As a blob, a text is not copied to get a zero behind it.
  static func bytes(of value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_blob(value)
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: Int(sqlite3_value_bytes(value)))
  }
}

/// Keys of several parts as bytes: a byte for the type of each, then eight of the number, or of the count of the
/// bytes that follow.
enum EncodedKey {
  private enum Tag: UInt8 {
    case null, integer, real, text, blob
  }

  static func append(_ value: OpaquePointer?, to bytes: inout ByteBuffer) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: append(.integer, UInt64(bitPattern: sqlite3_value_int64(value)), to: &bytes)
    case SQLITE_FLOAT: append(.real, sqlite3_value_double(value).bitPattern, to: &bytes)
    case SQLITE_NULL: append(.null, 0, to: &bytes)
    case let type:
      let content = KeyArguments.bytes(of: value)
      append(type == SQLITE_TEXT ? .text : .blob, UInt64(content.count), to: &bytes)
      bytes.append(content)
    }
  }

  private static func append(_ tag: Tag, _ word: UInt64, to bytes: inout ByteBuffer) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: word) { bytes.append($0.assumingMemoryBound(to: UInt8.self)) }
  }

  static func parts(_ bytes: UnsafeBufferPointer<UInt8>) -> [SQLValue] {
    let bytes = UnsafeRawBufferPointer(bytes)
    var parts: [SQLValue] = []
    var index = 0
    while index + 9 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index + 1, as: UInt64.self)
      let tag = Tag(rawValue: bytes[index])
      index += 9
      switch tag {
      case .integer: parts.append(.integer(Int64(bitPattern: word)))
      case .real: parts.append(.real(Double(bitPattern: word)))
      case .text, .blob:
        let content = bytes[index..<min(index + Int(word), bytes.count)]
        index = content.endIndex
        parts.append(tag == .text ? .text(String(decoding: content, as: UTF8.self)) : .blob(Array(content)))
      case .null, nil: parts.append(.null)
      }
    }
    return parts
  }
}
