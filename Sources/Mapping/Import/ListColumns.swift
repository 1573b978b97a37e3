import JSONStream
import ObjectModel

/// The place of the names of the columns, for objects that are given as lists: `{"columns": ["id"], "rows": [[7]]}`.
enum ColumnsPlace: Sendable, Equatable {
  /// In the list itself, as its first element.
  case first
  /// At a path in an object around the list, found after so many steps of the root path. The steps from the first `[]` on
  /// lead from each element to its name.
  case path(level: Int, plain: [JSONKeyPath.Step], rest: [JSONKeyPath.Step])

  /// Reads `first`, `$.meta.columns`, `^.columns` or `$.columns[].name`.
  ///
  /// - Throws: ``ImportError`` for what is no path, and for a level that the root path does not have.
  init(_ text: String, _ root: RootPath) throws(ImportError) {
    if text == "first" {
      self = .first
      return
    }
    let level: Int
    let path: String
    switch AddedValue(text) {
    case .document(let text): (level, path) = (0, text)
    case .enclosing(let up, let text): (level, path) = (try root.level(up), text)
    default: throw ImportError(.noKeyPath(text, "is neither first nor a path with $ or ^ before it"))
    }
    do throws(JSONKeyPathError) {
      let steps = try JSONKeyPath(path).steps
      let plain = steps.prefix { $0 != .elements }
      self = .path(level: level, plain: Array(plain), rest: Array(steps.dropFirst(plain.count + 1)))
    } catch {
      throw ImportError(.noKeyPath(text, error.message))
    }
  }
}

/// The names of the columns of a list of lists.
struct ListColumns {
  let names: [String]
  /// By entity, the entries of the names among its keys.
  private var entries: [Int: [Int]] = [:]

  /// Nil for a value that is no list of names.
  ///
  /// - Parameter rest: The steps from each element to its name.
  init?(_ value: JSONValue, at rest: [JSONKeyPath.Step] = []) {
    guard case .array(let elements) = value, !elements.isEmpty else { return nil }
    var names: [String] = []
    for var element in elements {
      for step in rest {
        guard case .key(let key) = step, case .object(let members) = element, let inner = members[key] else {
          return nil
        }
        element = inner
      }
      guard let name = element.stringValue else { return nil }
      names.append(name)
    }
    self.names = names
  }

  /// The entries of the names among the keys of an entity.
  mutating func entries(of entity: EntityPlan) -> [Int] {
    let index = entity.entity.index
    if let known = entries[index] { return known }
    let found = names.map { entity.keys.index(of: $0) }
    entries[index] = found
    return found
  }
}

extension RecordReader {
  /// Reads an object that is given as a list of values in the order of the columns; its opening bracket was just read.
  mutating func readColumns(
    of entity: EntityPlan, into row: Int, _ content: inout ObjectContent
  ) throws(JSONError) {
    let entries = columns?.entries(of: entity) ?? []
    var count = 0
    while true {
      let start = json.checkpoint()
      let token = try json.next()
      json.rewind(to: start)
      json.release(start)
      guard token != .endArray else { break }
      if count < entries.count {
        let index = entries[count]
        entity.keys.use(index)
        let rank = entity.keys.entry(index).rank
        try readUnusual(KeyPlace(row: row, node: entity.keys, index: index, rank: rank), of: entity, &content)
      } else {
        try json.skip(from: json.next())
      }
      count += 1
    }
    _ = try json.next()
    guard count > entries.count else { return }
    batch.hasLeftOutObjects = true
    report(
      row, key: nil, expected: "\(entries.count) values, one for each column", found: "\(count)",
      action: "the values beyond left out")
  }
}

extension DocumentReader {
  /// Takes the names of the columns from a value on the way to the objects, whose first token was just read. The reader
  /// stays where it is.
  mutating func lookUpColumns(from token: JSONToken, at index: Int) throws {
    guard case .path(index, let plain, let rest)? = columnsPlace else { return }
    records.columns = nil
    let start = records.json.checkpoint()
    var found: JSONToken? = token
    for step in plain {
      guard let token = found else { break }
      found = try records.enter(token, step)
    }
    if let found { records.columns = ListColumns(try records.json.value(from: found), at: rest) }
    records.json.rewind(to: start)
    records.json.release(start)
  }

  /// Takes the names of the columns from the first element of the list that was just begun.
  mutating func readFirstColumns() throws {
    guard columnsPlace == .first else { return }
    records.columns = nil
    // Lists whose values have places need no names.
    if case .list(let entity, _, _)? = frames.last, plan.entities[entity].isReadFromLists { return }
    let start = records.json.checkpoint()
    let token = try records.json.next()
    if token == .beginArray, let columns = ListColumns(try records.json.value(from: token)) {
      records.columns = columns
      records.json.release(start)
      if case .list(let entity, let step, _)? = frames.last {
        frames[frames.count - 1] = .list(entity: entity, step: step, position: 1)
      }
    } else {
      records.json.rewind(to: start)
      records.json.release(start)
    }
  }
}
