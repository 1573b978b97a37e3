import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Random transactions: observers must receive what differs between the contents before and after.
@Suite(.onSQLite("about SQL of a program's own")) struct RandomChangeTests {
  @Test(arguments: Seeds.first(6, long: 40))
  func changesAreWhatIsDifferent(seed: UInt64) throws {
    var random = Seeded(state: seed)
    let store = try store(Zoo.model)
    let received = ReceivedChanges()
    let token = store.observe { received.add($0) }
    for _ in 0..<25 {
      let before = try ZooState(store)
      var written: Set<String> = []
      let isKept = Int.random(in: 0..<6, using: &random) > 0
      try store.transaction { transaction in
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
          try step(transaction, depth: 0, &written, &random)
        }
        return ((), isKept ? .commit : .rollback)
      }
      let after = try ZooState(store)
      let changes = received.take()
      #expect(changes.count <= 1)
      let differences = before.differences(to: after)
      let lines = Set(changes.first.map { Zoo.lines($0, store) } ?? [])
      #expect(lines.count == changes.first?.tables.values.map(\.count).reduce(0, +) ?? 0)
      // Observers may receive an update for a row that was written with the values that it had.
      let surplus = lines.subtracting(differences)
      #expect(differences.isSubset(of: lines), "\(seed): \(differences.subtracting(lines))")
      let isWritten = surplus.allSatisfy { $0.hasPrefix("~") && written.contains(Self.bare($0)) }
      #expect(isWritten, "\(seed): \(surplus)")
      if !isKept { #expect(changes.isEmpty) }
    }
    token.cancel()
  }

  /// The key without the sign and the entity, which may have changed.
  private static func bare(_ word: String) -> String { String(word.drop { $0 != " " }.dropFirst()) }

  private func step(
    _ transaction: any StoreTransaction, depth: Int, _ written: inout Set<String>, _ random: inout Seeded
  ) throws {
    guard depth == 2 || Int.random(in: 0..<8, using: &random) > 0 else {
      let savepoint = try transaction.sqlite.setSavepoint()
      var inner = written
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        try step(transaction, depth: depth + 1, &inner, &random)
      }
      if Bool.random(using: &random) { return try transaction.sqlite.undo(to: savepoint) }
      written = inner
      return try transaction.sqlite.release(savepoint)
    }
    let statement = ZooStatement(&random)
    // Some statements fail, and some of these have changed rows before.
    if (try? transaction.execute(statement.sql)) != nil { written.formUnion(statement.keys) }
  }
}

/// A random statement, and the keys of all that it may write.
private struct ZooStatement {
  let sql: String
  let keys: Set<String>

  init(_ random: inout Seeded) {
    let (id, other) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
    let value = Int.random(in: 0..<1_000_000, using: &random)
    let label = "abcd".randomElement(using: &random).map(String.init) ?? "a"
    let kind = Bool.random(using: &random) ? "Dog" : "Animal"
    let all = (0..<20).map(String.init)
    let choices: [(String, [String])] = [
      ("INSERT INTO Animal (id, _entity, name) VALUES (\(id), '\(kind)', '\(value)')", ["\(id)"]),
      (
        "INSERT INTO Animal (id, _entity) VALUES (\(id), 'Dog'), (\(id + 1), 'Dog'), (\(other), 'Dog')",
        ["\(id)", "\(id + 1)", "\(other)"]
      ),
      (
        "INSERT INTO Animal (id, _entity) VALUES (\(id), 'Dog') ON CONFLICT DO UPDATE SET name = '\(value)'",
        ["\(id)"]
      ),
      ("UPDATE Animal SET name = '\(value)', _entity = '\(kind)' WHERE id = \(id)", ["\(id)"]),
      ("UPDATE Animal SET id = id + \(other) WHERE id >= \(id)", all),
      ("DELETE FROM Animal WHERE id = \(id)", ["\(id)"]),
      ("DELETE FROM Animal", all),
      ("INSERT INTO Tag VALUES ('\(label)', '\(value)')", [label]),
      ("UPDATE Tag SET color = '\(value)' WHERE label >= '\(label)'", ["a", "b", "c", "d"]),
      ("DELETE FROM Tag WHERE label = '\(label)'", [label]),
      (
        "INSERT OR FAIL INTO Seat VALUES ('\(label)', 1, \(value)), ('\(label)', 2, 0)",
        ["\(label),1", "\(label),2"]
      ),
      ("UPDATE Seat SET number = 3 - number WHERE row = '\(label)'", ["\(label),1", "\(label),2"]),
      ("DELETE FROM Seat WHERE row = '\(label)'", ["\(label),1", "\(label),2"]),
      ("INSERT INTO Note (text) VALUES ('\(value)')", all),
      ("UPDATE Note SET animal = \(id) WHERE _id = \(other)", all),
      ("UPDATE Note SET _id = _id + 1, text = '\(value)' WHERE _id >= \(id)", all),
      ("INSERT INTO Note (_id, text) VALUES (\(id), 'a') ON CONFLICT DO UPDATE SET text = '\(value)'", all),
      ("DELETE FROM Note WHERE _id = \(other)", all),
      ("DELETE FROM Note", all),
      ("INSERT INTO Animal_tags VALUES (\(id), '\(label)', \(value))", ["\(id)", label]),
      ("UPDATE Animal_tags SET tags_order = \(value) WHERE animals = \(id)", ["\(id)"]),
      ("DELETE FROM Animal_tags WHERE tags = '\(label)'", all + [label]),
      ("INSERT INTO Animal_friends VALUES (\(id), \(other))", ["\(id)", "\(other)"]),
      ("DELETE FROM Animal_friends WHERE friends = \(id)", all),
      ("INSERT INTO Seat_viewers VALUES ('\(label)', 1, \(id))", ["\(label),1"]),
      ("UPDATE Seat_viewers SET viewers = \(id)", ["a,1", "b,1", "c,1", "d,1"]),
      ("DELETE FROM Seat_viewers WHERE viewers = \(id)", ["a,1", "b,1", "c,1", "d,1"]),
    ]
    let choice = choices.randomElement(using: &random) ?? choices[0]
    sql = choice.0
    keys = Set(choice.1)
  }
}

/// All objects with their values and links.
private struct ZooState {
  /// The entity, the values and the links of each object, by table and key.
  private var objects: [String: (entity: String, key: String, values: Set<String>)] = [:]

  init(_ store: Store) throws {
    try read(store, "Animal", "SELECT _entity, id, name FROM Animal")
    try read(store, "Tag", "SELECT 'Tag', label, color FROM Tag")
    try read(store, "Seat", "SELECT 'Seat', row || ',' || number, price FROM Seat")
    try read(store, "Note", "SELECT 'Note', _id, text || coalesce(animal, '') FROM Note")
    try link(store, "Animal", "SELECT animals, 'tag ' || tags || tags_order FROM Animal_tags")
    try link(store, "Tag", "SELECT tags, 'animal ' || animals FROM Animal_tags")
    for (one, other) in [("Animal", "friends"), ("friends", "Animal")] {
      try link(store, "Animal", "SELECT \(one), '\(one) ' || \(other) FROM Animal_friends")
    }
    try link(store, "Seat", "SELECT Seat_row || ',' || Seat_number, 'viewer ' || viewers FROM Seat_viewers")
  }

  private mutating func read(_ store: Store, _ table: String, _ sql: String) throws {
    for row in try store.rows(sql) {
      let parts = row.split(separator: " ", maxSplits: 2).map(String.init)
      objects["\(table) \(parts[1])"] = (parts[0], parts[1], [parts[2]])
    }
  }

  private mutating func link(_ store: Store, _ table: String, _ sql: String) throws {
    for row in try store.rows(sql) {
      let parts = row.split(separator: " ", maxSplits: 1).map(String.init)
      objects["\(table) \(parts[0])"]?.values.insert(parts[1])
    }
  }

  /// As ``Zoo/lines(_:_:)`` has them.
  func differences(to after: ZooState) -> Set<String> {
    var lines: Set<String> = []
    for (place, object) in after.objects {
      guard let before = objects[place] else {
        lines.insert("+\(object.entity) \(object.key)")
        continue
      }
      if before != object { lines.insert("~\(object.entity) \(object.key)") }
    }
    for (place, object) in objects where after.objects[place] == nil {
      lines.insert("-\(object.entity) \(object.key)")
    }
    return lines
  }
}
