import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Lists that stand inside an object as the targets of a relationship do: `{"edges": [{"node": {…}}], "pageInfo": {…}}`.
extension DocumentReader {
  /// A list inside an object, the steps from its elements to the objects, and what surrounds it.
  struct Connection {
    let entity: Int
    let step: String
    let inner: [JSONKeyPath.Step]
    /// The depth outside the object around the list.
    let outside: Int
    var position = 0
  }

  /// Begins with the list inside the object whose opening brace was just read. False, with nothing read, if there is none.
  mutating func beginConnection(_ entity: Int, _ step: String) throws -> Bool {
    let plan = plan.entities[entity]
    guard let paths = plan.forms.targetPaths[entity]?.all?.paths else { return false }
    let outside = records.json.depth - 1
    for path in paths where path.steps.first != .elements {
      let plain = path.steps.prefix { $0 != .elements }
      let start = records.json.checkpoint()
      if try records.follow(plain) == .beginArray {
        records.json.release(start)
        listed.insert(entity)
        frames.append(
          .connection(
            Connection(
              entity: entity, step: step + plain.map(\.text).joined(),
              inner: Array(path.steps.dropFirst(plain.count + 1)), outside: outside)))
        return true
      }
      records.json.rewind(to: start)
      records.json.release(start)
    }
    return false
  }

  /// Reads the next element of the list, or the rest of the object around it.
  mutating func advanceConnection(_ connection: Connection) throws {
    let token = try records.json.next()
    guard token != .endArray else {
      while records.json.depth > connection.outside { _ = try records.json.next() }
      frames.removeLast()
      return
    }
    var next = connection
    next.position += 1
    frames[frames.count - 1] = .connection(next)
    let outside = records.json.depth - (token == .beginObject || token == .beginArray ? 1 : 0)
    var inner: JSONToken? = token
    for step in token == .beginObject ? connection.inner : [] {
      guard let outer = inner else { break }
      inner = try records.enter(outer, step)
    }
    try read(inner, connection)
    while records.json.depth > outside { _ = try records.json.next() }
  }

  private mutating func read(_ token: JSONToken?, _ connection: Connection) throws {
    let plan = plan.entities[connection.entity]
    if token == .null, plan.omitsNulls { return }
    let step = records.step(connection.step)
    guard token != .beginObject else {
      _ = try records.readNewObject(
        plan, parent: -1, step: step, position: connection.position, isRoot: true)
      return
    }
    let row = records.addRow(plan, parent: -1, step: step, position: connection.position)
    records.batch.rows.roots.append(row)
    records.batch.rows.rows[row].state = .skipped
    let found = token.map { records.found($0) } ?? "nothing"
    if let token { try records.json.skip(from: token) }
    records.report(row, key: nil, expected: "an object", found: found, action: "element left out")
  }
}
