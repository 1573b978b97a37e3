import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Lists of objects of several entities, which a value of each object tells.
extension DocumentReader {
  /// Begins with such a list, or with one such object.
  mutating func beginMixed(_ token: JSONToken, _ step: String) throws {
    switch token {
    case .beginArray: frames.append(.mixedList(step: step, position: 0))
    case .beginObject: try readOfKind(step, position: -1)
    default: throw try failure(.notObjects(source: source.name, found: records.found(token)))
    }
  }

  mutating func advanceMixedList(_ step: String, _ position: Int) throws {
    let token = try records.json.next()
    guard token != .endArray else {
      frames.removeLast()
      return
    }
    frames[frames.count - 1] = .mixedList(step: step, position: position + 1)
    guard token == .beginObject else {
      if token != .null { otherKind(records.found(token), step, position) }
      return try records.json.skip(from: token)
    }
    try readOfKind(step, position: position)
  }

  /// Reads an object, whose opening brace was just read, of the entity that its kind names.
  private mutating func readOfKind(_ step: String, position: Int) throws {
    let start = records.json.checkpoint()
    let name = try kindName()
    records.json.rewind(to: start)
    records.json.release(start)
    guard let entity = name.flatMap({ plan.entity(ofKind: $0) }) else {
      otherKind(name.map { "\"\($0)\"" } ?? "an object that does not say it", step, position)
      return try records.json.skip(from: .beginObject)
    }
    if position >= 0 { listed.insert(entity) } else { countLone(entity) }
    _ = try records.readNewObject(
      plan.entities[entity], parent: -1, step: records.step(step), position: position, isRoot: true)
  }

  /// The text that tells the kind of the object whose opening brace was just read.
  private mutating func kindName() throws -> String? {
    var token: JSONToken? = .beginObject
    for step in documentKind?.path.steps ?? [] {
      guard let outer = token else { return nil }
      token = try records.enter(outer, step)
    }
    guard token == .string else { return nil }
    return String(decoding: records.json.text, as: UTF8.self)
  }

  /// Notes an object that is of no entity of the model.
  private mutating func otherKind(_ found: String, _ step: String, _ position: Int) {
    records.batch.hasLeftOutObjects = true
    let key = documentKind?.path.text ?? ""
    if documentKind?.skipsOthers ?? false {
      unmatched["\(key) = \(found)", default: 0] += 1
    } else {
      records.reportOther(
        at: step + (position >= 0 ? "[\(position)]" : ""), key: key, expected: plan.kindExpectation,
        found: found)
    }
  }
}

extension RecordReader {
  /// Notes an object at the top of the JSON that is of no entity.
  fileprivate mutating func reportOther(at path: String, key: String, expected: String, found: String) {
    let source = batch.sourceName
    let isNumbered = path.utf8.first.map { $0 != UInt8(ascii: "$") } ?? false
    let place =
      isNumbered ? source.ofLines.map { "\($0):" } ?? "line " : source.amongSeveral.map { "\($0): " } ?? ""
    batch.issues.append(
      DraftIssue(
        row: -1,
        issue: ImportIssue(
          path: place + path, entity: "", key: key, expected: expected, found: found, action: "object skipped"
        )))
  }
}

extension Plan {
  /// The entity that a value names: by its name, in any style and number, or by the values that stand for it.
  func entity(ofKind value: String) -> Int? {
    if let known = entity(namedBy: value) { return known }
    return layout.schema.model.entities.firstIndex { $0.annotations.kinds.contains(value) }
  }

  /// What a kind should have been, for issues.
  var kindExpectation: String {
    let names = entities.map(\.entity).filter { !$0.isAbstract }.map(\.name)
    return "a kind of object: " + names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }
}
