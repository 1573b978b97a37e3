import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// The way from the root to what is imported.
extension DocumentReader {
  /// An object or a list on the way.
  struct Level {
    /// The step of the root path that leads on from it.
    let index: Int
    let isObject: Bool
    /// The path to it, for messages.
    let path: String
    /// The next element of a list.
    var position = 0
    /// The one element of a list that is meant; nil if all are.
    var wanted: Int?
    var hasFound = false
    /// The keys that it has, for the error where none is meant.
    var keys: [String] = []
  }

  /// The first token of the next value that is to be imported, and the path to it; nil at the end.
  mutating func nextRoot() throws -> (token: JSONToken, step: String)? {
    while true {
      var found: (token: JSONToken, path: String, index: Int)?
      if case .level(let level)? = frames.last {
        guard let inner = try advance(level) else { continue }
        found = inner
      } else {
        guard let root = try beginRoot() else { return nil }
        found = (root.token, root.path, 0)
      }
      guard let (token, path, index) = found else { continue }
      if let value = try enter(token, path, at: index) { return value }
    }
  }

  /// The next value at the root of the JSON.
  private mutating func beginRoot() throws -> (token: JSONToken, path: String)? {
    let token = try records.json.next()
    guard token != .end else { return nil }
    countRoot()
    records.additions.leave(0)
    return (token, isNumbered ? JSONPath.root(atLine: records.json.line) : "$")
  }

  /// Begins with an object or a list on the way. If the way ends here, gives it back.
  private mutating func enter(
    _ token: JSONToken, _ path: String, at index: Int
  ) throws -> (token: JSONToken, step: String)? {
    try lookUp(from: token, at: index)
    if columnsPlace != nil { try lookUpColumns(from: token, at: index) }
    guard index < rootPath.steps.count else { return (token, path) }
    let step = rootPath.steps[index]
    switch (step, token) {
    case (_, .beginObject) where step.isInObject:
      frames.append(.level(Level(index: index, isObject: true, path: path)))
    case (.position(let position), .beginArray):
      let wanted = position < 0 ? position + (try records.countElements()) : position
      frames.append(.level(Level(index: index, isObject: false, path: path, wanted: wanted)))
    case (.elements, .beginArray):
      frames.append(.level(Level(index: index, isObject: false, path: path)))
    case (.elements, .beginObject):
      // One object counts as a list of one.
      return try enter(token, path, at: index + 1)
    default:
      if rootPath.isNeeded(index) { throw try missing(index, keys: []) }
      try records.json.skip(from: token)
    }
    return nil
  }

  /// Reads on in an object or a list on the way, to the next value that is meant. Nil if there is none.
  private mutating func advance(_ level: Level) throws -> (token: JSONToken, path: String, index: Int)? {
    var level = level
    let step = rootPath.steps[level.index]
    if level.isObject {
      while try records.json.next() == .key {
        let key = String(decoding: records.json.text, as: UTF8.self)
        let token = try records.json.next()
        if step.matches(key) {
          level.hasFound = true
          frames[frames.count - 1] = .level(level)
          records.additions.leave(level.index + 1)
          if case .anyKey(let name?) = step {
            records.additions.set(name, .string(key), level: level.index + 1)
          }
          return (token, level.path + JSONPath.step(key: key), level.index + 1)
        }
        if level.keys.count < Self.mostKeysInError { level.keys.append(key) }
        try records.json.skip(from: token)
      }
    } else {
      while case let token = try records.json.next(), token != .endArray {
        let position = level.position
        level.position += 1
        if level.wanted == nil || level.wanted == position {
          level.hasFound = true
          frames[frames.count - 1] = .level(level)
          return (token, level.path + "[\(position)]", level.index + 1)
        }
        try records.json.skip(from: token)
      }
    }
    frames.removeLast()
    if !level.hasFound, rootPath.isNeeded(level.index) { throw try missing(level.index, keys: level.keys) }
    return nil
  }

  private static var mostKeysInError: Int { 1_000 }

  private mutating func missing(_ index: Int, keys: [String]) throws -> ImportError {
    let step = rootPath.steps[index]
    let name = if case .position(let position) = step { "[\(position)]" } else { step.key ?? "a list" }
    return try failure(.noSuchPath(rootPath.text, source: source.name, missing: name, keys: keys))
  }

  // MARK: - Values outside the objects

  /// Looks up the values that objects get from a value whose first token was just read. The reader stays where it is,
  /// and the bytes up to the last of these values stay in memory.
  private mutating func lookUp(from token: JSONToken, at index: Int) throws {
    for (key, path) in records.additions.paths(at: index) {
      let start = records.json.checkpoint()
      var found: JSONToken? = token
      for step in path.steps {
        guard let token = found else { break }
        found = try records.enter(token, step)
      }
      if let found { records.additions.set(key, try records.json.value(from: found), level: index) }
      records.json.rewind(to: start)
      records.json.release(start)
    }
  }
}
