import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// An issue of an object whose identity may not have been read yet.
struct DraftIssue {
  var row: Int
  var issue: ImportIssue
  /// Whether a value came that an attribute, which identifies nothing, does not take.
  var isOfAttribute = false
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

/// Puts what the store reports in the words of issues.
struct ProblemWords {
  let plan: Plan

  /// Describes the problem in an issue.
  ///
  /// - Parameter entity: The entity of the object.
  func describe(_ reason: RowProblem.Reason, _ entity: EntityPlan, in issue: inout ImportIssue) {
    switch reason {
    case .missing, .unknownKind, .valueNotUnique, .notUnique, .missingLink, .deferred:
      describeObject(reason, entity, in: &issue)
    case .severalOwners, .needsOwner, .belongsToAnother, .pruneWithheld: describeList(reason, in: &issue)
    case .deletionDenied, .deletionLeavesWithout, .deletionTakesListed, .deletionTakesUnsent:
      describeDeletion(reason, in: &issue)
    case .attributeNotKept(let attribute, let limit):
      let key = entity.keyName(ofAttribute: attribute)
      issue.key = key
      issue.path += JSONPath.step(key)
      let isIdentity = entity.entity.identityAttributes.contains(attribute)
      describe(limit, isIdentity ? "object skipped" : "value left out", in: &issue)
    case .linkNotKept(let relationship, let limit):
      name(plan.layout.schema.relationships[relationship], in: &issue)
      describe(limit, "left out", in: &issue)
    case .scopeWithheld(let entities):
      let names = entities.prefix(3).map { plan.entities[$0].entity.name }
      let rest = entities.count - names.count
      issue.entity = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      issue.expected = "objects that all can be used, so that what is missing can be deleted"
      issue.found = "some that cannot"
      issue.action = "nothing pruned"
    case .tooManyDeletions(let entity, let count, let most):
      issue.entity = plan.entities[entity].entity.name
      issue.expected = "at most \(most) to be deleted"
      issue.found = "\(count)"
      issue.action = "nothing pruned"
    }
  }

  /// The limits of the database.
  private func describe(_ limit: ValueLimit, _ action: String, in issue: inout ImportIssue) {
    issue.action = action
    switch limit {
    case .zero:
      issue.expected = "a text without U+0000, which the server does not keep"
      issue.found = "one with it"
    case .fraction:
      issue.expected = "at most six digits of a second, which the server keeps"
      issue.found = "more"
      issue.action = "the others cut off"
    case .identity(let bytes):
      issue.expected = "an identity of at most 2,600 bytes, which the server keeps"
      issue.found = "\(bytes) bytes"
    }
  }

  /// Problems that keep an object, or some of its values, from being written.
  private func describeObject(
    _ reason: RowProblem.Reason, _ entity: EntityPlan, in issue: inout ImportIssue
  ) {
    switch reason {
    case .missing(let attribute):
      let key = entity.keyName(ofAttribute: attribute)
      issue.key = key
      issue.path += JSONPath.step(key)
      issue.expected = entity.attributes[attribute].conversion.expectation
      issue.found = "nothing"
    case .unknownKind:
      issue.expected = "an object of a sub-entity of \(entity.entity.name)"
      issue.found = "an object that does not say which"
    case .valueNotUnique(let columns):
      issue.expected = "values that no other object has"
      issue.found = "another with the same \(columns)"
      issue.action = "values left out"
    case .notUnique(let columns):
      issue.expected = "values that no other object has"
      issue.found = "another with the same \(columns)"
    case .missingLink(let relationship):
      let missing = plan.layout.schema.relationships[relationship]
      name(missing, in: &issue)
      issue.expected = plan.entities[missing.destination].entity.name
      issue.found = "nothing"
    default: break
    }
  }

  private func describeList(_ reason: RowProblem.Reason, in issue: inout ImportIssue) {
    switch reason {
    case .severalOwners(let relationship, let count):
      issue.expected = "each \(target(of: relationship, in: &issue)) with one owner, as the model has it"
      issue.identity = nil
      issue.found = "\(count) with several"
      issue.action = "the last owner was kept; if they may have several, make the relationship many-to-many"
    case .needsOwner(let relationship, let key):
      let target = target(of: relationship, in: &issue)
      issue.expected = "\(target) \(key) in the list, since it cannot be without its owner"
      issue.found = "a list without it"
      issue.action = "kept its owner"
    case .belongsToAnother(let relationship, let key):
      issue.expected = "a \(target(of: relationship, in: &issue)) whose identity names this object"
      issue.found = "\(key), which belongs to another"
      issue.action = "not put into the list"
    case .pruneWithheld(let relationship, let key):
      issue.expected = "\(target(of: relationship, in: &issue)) \(key) in the list"
      issue.found = "a list without it, and objects that could not be used"
      issue.action = "not deleted"
    default: break
    }
  }

  private func describeDeletion(_ reason: RowProblem.Reason, in issue: inout ImportIssue) {
    func describe(_ key: String, _ found: String) {
      issue.expected = "\(key) to be deleted"
      issue.found = found
      issue.action = "not deleted"
    }
    func name(_ relationship: Int) -> String { plan.layout.schema.relationships[relationship].name }
    switch reason {
    case .deletionDenied(let relationship, let key):
      describe(key, plan.layout.schema.relationships[relationship].denial)
    case .deletionLeavesWithout(let relationship, let key, let entity, let holder):
      let holding = plan.entities[entity].entity.name
      describe(key, "\(holding) \(holder), which requires it as its \(name(relationship))")
    case .deletionTakesListed(let relationship, let key):
      describe(key, "objects in its \(name(relationship)) that the JSON has and that would go with it")
    case .deletionTakesUnsent(let relationship, let key):
      describe(key, "objects in its \(name(relationship)) with local changes that would go with it")
    default: break
    }
  }

  /// The entity that a list leads to. The issue names the list.
  private func target(of relationship: Int, in issue: inout ImportIssue) -> String {
    let list = plan.layout.schema.relationships[relationship]
    name(list, in: &issue)
    return plan.entities[list.destination].entity.name
  }

  /// Says which relationship an issue is about, by what JSON calls it: its first key, or its name.
  private func name(_ relationship: SchemaRelationship, in issue: inout ImportIssue) {
    let key = relationship.relationship.annotations.keys.first ?? relationship.name
    issue.key = key
    issue.path += JSONPath.step(key)
  }
}

extension SchemaRelationship {
  /// The targets that keep an object from being deleted, in words.
  package var denial: String {
    "\(isToMany ? "objects in its" : "an object as its") \(name), whose delete rule is deny"
  }
}
