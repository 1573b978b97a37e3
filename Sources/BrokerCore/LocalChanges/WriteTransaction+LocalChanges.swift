public import Foundation
import JSONStream
public import Mapping
import ObjectModel
import ObjectStore

extension WriteTransaction {
  /// The changes that programs made and the server has not been told of, the oldest first. Renamed objects come before
  /// all others, since the others may name them. Empty if the store does not track local changes.
  ///
  /// After this call, the store assumes that the program tells the server: if a new object is deleted afterwards,
  /// that is a change to tell as well.
  public func localChanges() throws -> [LocalChange] {
    guard let journal = try transaction.journal() else { return [] }
    // Of others, no change may come in between.
    try journal.markSent()
    let layout = transaction.layout
    return try journal.entriesToSend().map { entry in
      var change = LocalChange(entry)
      if let entity = layout.schema.entity(entry.entity) {
        change.identity = layout.identityText(ofKey: entry.key, of: entity)
        change.formerIdentity = entry.former.map { layout.identityText(ofKey: $0, of: entity) }
      }
      return change
    }
  }

  /// Local changes as JSON for the server. It is a list of objects with `operation` (`insert`, `update`, `rename`,
  /// `delete`), `entity`, `identity` and `revision`. What was renamed also has `formerIdentity`. All but deletions also
  /// have `object`, which is written by the mapping of exports: the whole new object, or the identity and the changed
  /// properties.
  ///
  /// ```json
  /// [{"operation":"update","entity":"Band","identity":"Japan","revision":7,"object":{"name":"Japan","formed":1975}}]
  /// ```
  ///
  /// - Throws: ``PlanError`` if the mapping cannot be followed.
  public func exportLocalChanges(
    _ changes: [LocalChange], options: ExportOptions = ExportOptions()
  ) throws -> Data {
    let sink = MemorySink()
    var writer = JSONWriter(sink, isPretty: options.isPretty)
    writer.beginArray()
    for change in changes {
      writer.beginObject()
      writer.key("operation")
      writer.string(change.operation)
      writer.key("entity")
      writer.string(change.entity)
      writer.key("identity")
      writer.string(change.identity)
      if let former = change.formerIdentity {
        writer.key("formerIdentity")
        writer.string(former)
      }
      writer.key("revision")
      writer.value(.integer(change.revision))
      if let object = try exported(change, options) {
        writer.key("object")
        writer.raw(object)
      }
      writer.endObject()
    }
    writer.endArray()
    try writer.flush()
    return Data(sink.bytes)
  }

  private func exported(_ change: LocalChange, _ options: ExportOptions) throws -> String? {
    guard change.kind != .deleted, let entity = transaction.layout.schema.entity(change.entity),
      let row = try transaction.row(of: entity, identity: change.identity)
    else { return nil }
    var options = options
    options.form = .array
    options.isPretty = false
    if change.kind == .updated || change.kind == .renamed {
      let identity = transaction.layout.schema.identityNames(of: entity)
      options.onlyProperties[entity.name] = Set(change.properties + identity)
    }
    let sink = MemorySink()
    _ = try Exporter(store, options)
      .run(StoredQuery(entity.name, .rows([row])), isLone: true, in: transaction, to: sink)
    // A single object ends with a line break, which is not wanted here.
    return sink.bytes.isEmpty ? nil : String(decoding: sink.bytes.dropLast(), as: UTF8.self)
  }

  private func told(_ change: LocalChange, _ entity: SchemaEntity) -> ConfirmedChange {
    let layout = transaction.layout
    return ConfirmedChange(
      kind: change.told, key: layout.keyText(ofIdentity: change.identity, of: entity),
      former: change.formerIdentity.map { layout.keyText(ofIdentity: $0, of: entity) },
      revision: change.revision)
  }

  /// Says that the server knows of changes. Later changes of the same objects still have to be told.
  public func confirm(_ changes: [LocalChange]) throws {
    guard let journal = try transaction.journal() else { return }
    for change in changes {
      guard let entity = transaction.layout.schema.entity(change.entity) else { continue }
      try journal.confirm(entity, told(change, entity))
    }
  }

  /// Says that the server knows of a new object and has given it an identity.
  ///
  /// ```swift
  /// try transaction.confirm(draft, identity: answer.identity)
  /// ```
  ///
  /// The object gets the identity, and all links to it follow. Changes since `localChanges()` still have to be told,
  /// under the new identity. If an import has already brought an object with that identity, the two become that one:
  /// it gets the links, and the values that were changed since.
  ///
  /// - Parameter identity: The identity as text, the values of a composite one joined by commas.
  /// - Throws: ``SaveError`` if the entity can have no such identity.
  public func confirm(_ change: LocalChange, identity: String) throws {
    guard let journal = try transaction.journal(),
      let entity = transaction.layout.schema.entity(change.entity)
    else { return }
    guard entity.hasIdentity, let values = transaction.layout.identity(identity, of: entity) else {
      throw SaveError([
        SaveProblem(
          object: ObjectReference(entity: change.entity, identity: change.identity),
          expected: "an identity of \(change.entity)", found: "\"\(identity)\"")
      ])
    }
    let new = KeyText.text(of: transaction.layout.key(ofIdentity: values, of: entity))
    var told = told(change, entity)
    guard ExactText(told.key) != ExactText(new) else { return try journal.confirm(entity, told) }
    let entry = try journal.entry(of: entity, told)
    if let entry, entry.kind != .deleted, ExactText(entry.key) != ExactText(told.key) {
      // A program has renamed the object since, so it keeps that identity. The server has to be told so.
      try takeImported(new, into: entry, entity, sent: change.revision)
      (told.former, told.key) = (entry.former, new)
      return try journal.confirm(entity, told)
    }
    // Local changes of the object that has the identity already still have to be told as well.
    let other = try journal.entry(of: entity, key: new)
    try rename(entity, told.key, to: (key: new, values: values), for: change, journal)
    (told.former, told.key) = (nil, new)
    try journal.confirm(entity, told)
    if let other, other.kind != .deleted { try journal.add(other, to: entity) }
  }

  /// Makes an object that an import has brought meanwhile the one with a journal's entry.
  private func takeImported(
    _ key: String, into entry: JournalEntry, _ entity: SchemaEntity, sent: Int64
  ) throws {
    let layout = transaction.layout
    let identity = layout.identityText(ofKey: entry.key, of: entity)
    guard let row = try transaction.row(of: entity, key: key),
      let target = layout.identity(identity, of: entity)
    else { return }
    let properties =
      entity.attributes.map(\.name) + entity.relationships.map { layout.schema.relationships[$0].name }
    let imported = Set(properties).subtracting(entry.properties.filter { $0.value > sent }.keys)
    try writing { try $0.merge(row, of: entity, into: target, taking: imported) }
  }

  /// Gives the object that was changed, whose key is `old`, another identity.
  private func rename(
    _ entity: SchemaEntity, _ old: String, to new: (key: String, values: [SQLValue]),
    for change: LocalChange, _ journal: Journal
  ) throws {
    guard let row = try transaction.row(of: entity, key: old) else {
      // The object was deleted since. The server has to be told so under the new identity.
      return try journal.rename(entity, key: old, to: new.key)
    }
    try writing { writer in
      guard try writer.rename(row, of: entity, to: new.values) == .taken else { return }
      let changed =
        try journal.entry(of: entity, key: old)?.properties.filter { $0.value > change.revision } ?? [:]
      try writer.merge(row, of: entity, into: new.values, taking: Set(changed.keys))
    }
  }

  /// Forgets that programs changed objects: the next import may overwrite the changes. The objects stay as they are.
  public func forget(_ changes: [LocalChange]) throws {
    guard let journal = try transaction.journal() else { return }
    for change in changes {
      guard let entity = transaction.layout.schema.entity(change.entity) else { continue }
      if let entry = try journal.entry(of: entity, told(change, entity)) {
        try journal.remove(entity, key: entry.key)
      }
    }
  }
}

extension LocalChange {
  /// The changes that the server was told of.
  fileprivate var told: JournalEntry.Kind {
    switch kind {
    case .inserted: .inserted
    case .updated, .renamed: .updated
    case .deleted: .deleted
    }
  }

  fileprivate var operation: String {
    switch kind {
    case .inserted: "insert"
    case .updated: "update"
    case .renamed: "rename"
    case .deleted: "delete"
    }
  }
}
