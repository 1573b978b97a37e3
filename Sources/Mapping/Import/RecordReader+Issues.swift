import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// An issue of an object whose identity may not have been read yet.
struct DraftIssue {
  var row: Int
  var issue: ImportIssue
}

extension RecordReader {
  /// Notes that the value of a key could not be used.
  mutating func report(
    _ key: KeyPlace, position: Int = -1, expected: String, found: String, action: String
  ) {
    report(
      key.row, key: key.path, position: position, expected: expected, found: found, action: action)
  }

  /// Notes what could not be used of the value of a key, at a step below the object.
  mutating func report(
    _ key: KeyPlace, below step: PathStep, position: Int, expected: String, found: String, action: String
  ) {
    report(key, position: position, expected: expected, found: found, action: action)
    let path = JSONPath.path(of: key.row, batch) + batch.text(of: step)
    batch.issues[batch.issues.count - 1].issue.path = path + (position >= 0 ? "[\(position)]" : "")
  }

  /// Notes what could not be used of a row's object.
  mutating func report(
    _ row: Int, key: String?, position: Int = -1, expected: String, found: String, action: String
  ) {
    let entity = plan.entities[batch.rows.rows[row].entity]
    var path = JSONPath.path(of: row, batch)
    if let key, row != bareRow { path += JSONPath.step(wrapper + key) }
    if position >= 0 { path += "[\(position)]" }
    batch.issues.append(
      DraftIssue(
        row: row,
        issue: ImportIssue(
          path: path, entity: entity.entity.name, key: key, expected: expected, found: found, action: action))
    )
  }

  /// Notes what a table has besides its values.
  mutating func report(_ row: Int, _ note: TableNotes.Note) {
    report(row, key: nil, expected: note.expected, found: note.found, action: note.action)
    let place = (sourceName.ofLines.map { "\($0):" } ?? "line ") + JSONPath.root(atLine: note.line)
    batch.issues[batch.issues.count - 1].issue.path = place
  }

  /// Notes that a value was left out, whose first token is given. It may have held objects: then nothing can be
  /// pruned for being missing.
  mutating func noteLeftOut(_ token: JSONToken) {
    if token != .null { batch.hasLeftOutObjects = true }
  }

  /// How messages show a value whose token was just read, shortened.
  func found(_ token: JSONToken) -> String {
    switch token {
    case .beginObject: "an object"
    case .beginArray: "a list"
    case .string: shortened(json.text, isString: true)
    case .number: shortened(json.text, isString: false)
    case .true: "true"
    case .false: "false"
    case .null: "null"
    case .key, .endObject, .endArray, .end: "nothing"
    }
  }

  func shortened(_ text: UnsafeBufferPointer<UInt8>, isString: Bool) -> String {
    let most = 40
    // Only whole characters: the cut must not split one.
    let start = String(decoding: text.prefix(most * 4), as: UTF8.self)
    let cut = start.count > most || text.count > most * 4
    let shown = cut ? start.prefix(most) + "…" : start[...]
    return isString ? "\"\(shown)\"" : String(shown)
  }

  // MARK: - Steps of a path

  /// The step from an object to the value of one of its keys.
  mutating func step(to key: KeyPlace) -> PathStep {
    let node = key.node
    let offset = batch.steps.count
    if node.isList {
      batch.steps.append(utf8: JSONPath.step(wrapper + key.path))
      return PathStep(offset: offset, count: batch.steps.count - offset)
    }
    if !node.prefix.isEmpty || !wrapper.isEmpty {
      batch.steps.append(utf8: JSONPath.step(String((wrapper + node.prefix).dropLast())))
    }
    JSONPath.append(node.keyBytes(key.index), to: &batch.steps)
    return PathStep(offset: offset, count: batch.steps.count - offset)
  }

  /// The step to a dictionary and to the value of one of its keys.
  mutating func keyedStep(_ step: PathStep, _ key: Cell) -> PathStep {
    // The bytes of steps may move when more are added.
    let prefix = Array(batch.bytes(of: step))
    let offset = batch.steps.count
    prefix.withUnsafeBufferPointer { batch.steps.append($0) }
    JSONPath.append(batch.rows.bytes(of: key), to: &batch.steps)
    return PathStep(offset: offset, count: batch.steps.count - offset)
  }

  /// Any text as a step. All elements of a list have the same one.
  mutating func step(_ text: String) -> PathStep {
    if let last = lastStep, last.text == text { return last.step }
    let offset = batch.steps.count
    batch.steps.append(utf8: text)
    let step = PathStep(offset: offset, count: batch.steps.count - offset)
    lastStep = (text, step)
    return step
  }
}

/// How the paths of issues name a source.
struct SourceName: Sendable {
  /// Its name, where an import has several sources.
  var amongSeveral: String?
  /// Its name before the number of a line; nil if it has none.
  var ofLines: String?
}

/// Paths to places in JSON: `$.bands[3].formed`. With lines: `bands.jsonl:17: $.formed`.
enum JSONPath {
  /// The path of a row's object.
  static func path(of row: Int, _ batch: borrowing RecordBatch) -> String {
    let source = batch.sourceName
    var steps: [String] = []
    var current = row
    var hasLine = false
    while current >= 0, !hasLine {
      let place = batch.places[current]
      var step = batch.text(of: place.step)
      if step == rowOfTable {
        step = root(atLine: place.position)
        hasLine = true
      } else {
        // Only a step that begins with a line has a digit in front.
        hasLine = step.utf8.first.map(TextCursor.isDigit) ?? false
        if place.position >= 0 { step += "[\(place.position)]" }
      }
      steps.append(step)
      current = batch.rows.rows[current].parent
    }
    let path = steps.reversed().joined()
    if hasLine { return (source.ofLines.map { "\($0):" } ?? "line ") + path }
    return (source.amongSeveral.map { "\($0): " } ?? "") + path
  }

  /// The first step to the object of a row of a table. Its position is the line.
  static let rowOfTable = ": $"

  /// The first step to a value that stands on a line of its own.
  static func root(atLine line: Int) -> String { "\(line): $" }

  /// `.formed`, `.state.label`, or `['two words']`. The dots of a key path stay.
  static func step(_ key: String) -> String {
    if key.utf8.contains(UInt8(ascii: "[")), let path = try? JSONKeyPath(key) {
      return path.steps.map(step).joined()
    }
    return key.split(separator: ".", omittingEmptySubsequences: false).map { part in
      isPlain(part.utf8) ? ".\(part)" : "['\(part)']"
    }.joined()
  }

  private static func step(_ step: JSONKeyPath.Step) -> String {
    guard case .key(let key) = step else { return step.text }
    return isPlain(key.utf8) ? ".\(key)" : "['\(key)']"
  }

  /// The step to the value of one key, whatever is in it.
  static func step(key: String) -> String { step(.key(key)) }

  static func append(_ key: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) {
    if isPlain(key) {
      bytes.append(UInt8(ascii: "."))
      bytes.append(key)
    } else {
      bytes.append("['")
      bytes.append(UnsafeBufferPointer(rebasing: key.prefix(80)))
      bytes.append("']")
    }
  }

  private static func isPlain(_ key: some Sequence<UInt8>) -> Bool {
    var count = 0
    for byte in key {
      let isAllowed = TextCursor.isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
      guard isAllowed || (count > 0 && (TextCursor.isDigit(byte) || byte == UInt8(ascii: "-"))) else {
        return false
      }
      count += 1
    }
    return count > 0 && count <= 80
  }
}
