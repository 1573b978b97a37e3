import ObjectModel

/// The triggers that tell the log what is written, on one connection and in no file.
///
/// Of tables for which ``ChangeHook`` does, they tell only of what it cannot: rows that go, since SQLite deletes
/// all of a table without telling the hook, and keys that change.
struct ChangeTriggers {
  let layout: Layout

  /// What a trigger tells, as ``ChangeFunction`` takes it apart.
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
