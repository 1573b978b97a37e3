public import Foundation
import JSONStream
public import Mapping
import ObjectModel
import ObjectStore

extension WriteTransaction {
  /// What was changed here and the server has not been told of, the oldest change first. None if the store does not
  /// track it.
  ///
  /// Who asks is taken to tell the server: a new object that is deleted after that is a change to tell, too.
  public func localChanges() throws -> [LocalChange] {
    guard let journal = try Journal(transaction) else { return [] }
    let entries = try journal.entries()
    try journal.markSent()
    return entries.map(LocalChange.init)
  }

  /// Local changes as JSON for the server: a list of objects with `operation` (`insert`, `update`, `delete`),
  /// `entity`, `identity`, `revision`, and but for deletions `object`: the object by the mapping of exports, of an
  /// updated one its identity and what was changed.
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
      let row = try transaction.row(of: entity, key: change.identity)
    else { return nil }
    var options = options
    options.form = .array
    options.isPretty = false
    if change.kind == .updated {
      let identity = entity.identity.map { entity.attributes[$0].name }
      options.onlyProperties[entity.name] = Set(change.properties + identity)
    }
    var builder = try QueryBuilder(entity.name, transaction.layout)
    builder.addRow(row)
    let sink = MemorySink()
    _ = try Exporter(store, options).run(builder, isLone: true, in: transaction, to: sink)
    // The end of the line that a lone object has is not wanted here.
    return sink.bytes.isEmpty ? nil : String(decoding: sink.bytes.dropLast(), as: UTF8.self)
  }

  /// Says that the server knows of changes. What was changed of their objects since, stays to be told.
  public func confirm(_ changes: [LocalChange]) throws {
    guard let journal = try Journal(transaction) else { return }
    for change in changes {
      guard let entity = transaction.layout.schema.entity(change.entity) else { continue }
      try journal.confirm(entity, key: change.identity, revision: change.revision)
    }
  }

  /// Forgets that objects were changed here: the next import may overwrite them. The objects stay as they are.
  public func forget(_ changes: [LocalChange]) throws {
    guard let journal = try Journal(transaction) else { return }
    for change in changes {
      guard let entity = transaction.layout.schema.entity(change.entity) else { continue }
      try journal.remove(entity, key: change.identity)
    }
  }
}

extension LocalChange {
  fileprivate var operation: String {
    switch kind {
    case .inserted: "insert"
    case .updated: "update"
    case .deleted: "delete"
    }
  }
}
