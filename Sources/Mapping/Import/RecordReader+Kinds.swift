import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Finds out which sub-entity an object is of, before the object is read.
extension RecordReader {
  private enum Kind {
    /// The object says its entity, by a value or otherwise.
    case entity(Int, value: String? = nil)
    /// The object says nothing.
    case unsaid
    /// The object says a kind that is not known, by a value or otherwise.
    case unknown(key: String?, found: String, value: String? = nil)

    /// The value that was told.
    var value: String? {
      switch self {
      case .entity(_, let value), .unknown(_, _, let value): value
      case .unsaid: nil
      }
    }
  }

  /// Reads an object, whose opening brace or bracket was just read, into a new row of the sub-entity that the object
  /// says.
  ///
  /// - Parameter list: The relationship by which another object nests it; -1 if none does.
  /// - Returns: The row.
  mutating func readNewObject(
    _ entity: EntityPlan, parent: Int, step: PathStep, position: Int = -1, identity: KnownIdentity = .none,
    nestedBy list: Int = -1, isRoot: Bool = false, isList: Bool = false
  ) throws(JSONError) -> Int {
    keepValues(around: parent, of: entity)
    guard entity.kinds == nil else {
      return try readOfKind(
        entity, parent: parent, step: step, position: position, identity: identity, nestedBy: list,
        isRoot: isRoot, isList: isList)
    }
    let row = addRow(entity, parent: parent, step: step, position: position)
    if isRoot { batch.rows.roots.append(row) }
    try readObject(
      entity, into: row, identity: identity, nestedBy: list, isList: isList,
      takesAdditions: takesAdditions(isRoot, parent: parent))
    return row
  }

  /// The new object may be the same as one of the objects around it. Then what comes later counts, so this keeps what
  /// the innermost of these has said so far. The objects further out have said nothing since that one began.
  private mutating func keepValues(around parent: Int, of entity: EntityPlan) {
    let table = entity.layout.table
    var row = parent
    while row >= 0 {
      let around = batch.rows.rows.base[row].entity
      if plan.tables[around] == table {
        return batch.rows.takeSnapshot(of: row, slots: plan.layout.entities[around].slots.count)
      }
      row = batch.rows.rows.base[row].parent
    }
  }

  private mutating func readOfKind(
    _ entity: EntityPlan, parent: Int, step: PathStep, position: Int, identity: KnownIdentity,
    nestedBy list: Int, isRoot: Bool, isList: Bool
  ) throws(JSONError) -> Int {
    let start = json.checkpoint()
    var kind = try findKind(entity, isList ? .beginArray : .beginObject)
    json.rewind(to: start)
    json.release(start)
    if let kinds = entity.kinds, kinds.isAlone {
      kind = .entity(entity.entity.index, value: kind.value ?? (kinds.defaultKind == nil ? nil : ""))
    }
    if case .unsaid = kind, entity.mayBeOtherKind, identity.isOpen, !isList {
      return try readOfEachKind(
        entity, parent: parent, step: step, position: position, identity: identity, nestedBy: list,
        isRoot: isRoot)
    }
    var actual = entity
    var value: String?
    switch kind {
    case .entity(let index, let told): (actual, value) = (plan.entities[index], told)
    case .unknown(_, _, let told):
      if case .entity(let index) = entity.kinds?.unknown { (actual, value) = (plan.entities[index], told) }
    case .unsaid: if let index = entity.kinds?.defaultKind { (actual, value) = (plan.entities[index], "") }
    }
    let row = addRow(actual, parent: parent, step: step, position: position)
    if let value { keepKind(value, of: row, actual) }
    if isRoot { batch.rows.roots.append(row) }
    if case .unknown(let key, let found, _) = kind, let kinds = entity.kinds {
      switch kinds.unknown {
      case .entity: break
      case .skip: batch.rows.rows[row].state = .skipped
      case .issue:
        batch.rows.rows[row].state = .skipped
        report(row, key: key, expected: kinds.expectation, found: found, action: "object skipped")
      }
    }
    try readObject(
      actual, into: row, identity: identity, nestedBy: list, isList: isList,
      takesAdditions: takesAdditions(isRoot, parent: parent))
    return row
  }

  /// Keeps the value that told the kind of an object, unless it is the entity's usual one.
  private mutating func keepKind(_ value: String, of row: Int, _ entity: EntityPlan) {
    guard let slot = entity.layout.kindValueSlot else { return }
    var value = value
    guard value != entity.kindValue else { return batch.rows[row, slot] = .null }
    let cell = value.withUTF8 { batch.rows.text($0) }
    batch.rows[row, slot] = cell
  }

  // MARK: - Looking ahead

  private mutating func findKind(_ entity: EntityPlan, _ token: JSONToken) throws(JSONError) -> Kind {
    guard let kinds = entity.kinds else { return .unsaid }
    switch kinds.form {
    case .key(let path):
      return try kind(in: token, at: path.steps[...], kinds, whole: path)
    case .wrapper where token == .beginArray: return .unknown(key: nil, found: "a list")
    case .convention where token == .beginArray: return .unsaid
    case .wrapper: return try wrappedKind(kinds) ?? .unknown(key: nil, found: "an object without such a key")
    case .function(let function):
      guard let name = function(try json.value(from: token)) else { return .unsaid }
      return kinds.kind(ofValue: name).map { .entity($0) } ?? .unknown(key: nil, found: "\"\(name)\"")
    case .convention: return try conventionalKind(kinds, entity)
    }
  }

  /// The kind that the value at the end of a key path tells. The first token of what the path leads through was just
  /// read.
  private mutating func kind(
    in token: JSONToken, at path: ArraySlice<JSONKeyPath.Step>, _ kinds: KindPlan, whole: JSONKeyPath
  ) throws(JSONError) -> Kind {
    if token == .null { return .unsaid }
    if let step = path.first {
      guard let inner = try enter(token, step) else { return .unsaid }
      return try kind(in: inner, at: path.dropFirst(), kinds, whole: whole)
    }
    guard let value = scalarText(token) else { return .unknown(key: whole.text, found: found(token)) }
    return kinds.kind(ofValue: value).map { .entity($0, value: value) }
      ?? .unknown(key: whole.text, found: found(token), value: value)
  }

  /// The kind that the key around an object tells; nil if the object has no key but those of its own.
  private mutating func wrappedKind(_ kinds: KindPlan) throws(JSONError) -> Kind? {
    while try json.next() == .key {
      let key = String(decoding: json.text, as: UTF8.self)
      let token = try json.next()
      if token == .beginObject {
        return kinds.kind(named: key).map { .entity($0, value: key) }
          ?? .unknown(key: nil, found: "\"\(key)\"")
      }
      try json.skip(from: token)
    }
    return nil
  }

  /// The kind that a wrapper, or a key that commonly tells it, names.
  private mutating func conventionalKind(
    _ kinds: KindPlan, _ entity: EntityPlan
  ) throws(JSONError) -> Kind {
    while try json.next() == .key {
      let key = String(decoding: json.text, as: UTF8.self)
      let isProperty = matchesSomething(entity)
      let token = try json.next()
      if token == .beginObject, !isProperty, let kind = kinds.kind(named: key) { return .entity(kind) }
      if KindPlan.isCommon(key), let value = scalarText(token), let kind = kinds.kind(ofValue: value) {
        return .entity(kind)
      }
      try json.skip(from: token)
    }
    return .unsaid
  }

  /// The text of a scalar whose token was just read; nil for anything else.
  func scalarText(_ token: JSONToken) -> String? {
    switch token {
    case .string, .number: String(decoding: json.text, as: UTF8.self)
    case .true: "true"
    case .false: "false"
    default: nil
    }
  }
}
