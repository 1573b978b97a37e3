import Foundation
import GRDB
package import ObjectModel

/// What a ``Store`` in an SQLite file is made of.
package final class SQLiteStore: StoreBackend {
  /// Where the file is, or `:memory:`.
  package let path: String
  package let layout: Layout
  /// What the store is to remember of itself.
  package let description: StoreDescription
  /// What the caller said of it: a model, a mapping.
  let isModelGiven: Bool
  let isMappingGiven: Bool
  /// The functions that the model's annotations name.
  package let functions: MappingFunctions
  /// Whether the store is to keep a journal of what a program changes.
  let journalsLocalChanges: Bool
  /// What attributes demand of their values beyond what the model says.
  package let checks: [ValueCheck.Place: ValueCheck]
  /// The connection that writes.
  let writer: ConnectionPool<Connection>
  /// Connections that only read, while another writes.
  let readers: ConnectionPool<Connection>
  let state: StoreState
  let delivery = ChangeDelivery()
  let outside = ExternalChangeMonitor()
  let opening: StoreOpening
  let options: Store.Options

  var model: Model { layout.schema.model }

  /// - Parameter checks: What attributes demand of their values beyond what the model says.
  package init(
    path: String, model: Model? = nil, mapping: JSONMapping? = nil, access: Store.Access = .readWrite,
    options: Store.Options = Store.Options(), checks: [ValueCheck.Place: ValueCheck] = [:],
    journalsLocalChanges: Bool = false
  ) throws {
    self.path = path
    self.journalsLocalChanges = journalsLocalChanges
    self.checks = checks
    functions = mapping?.functions ?? MappingFunctions()
    isModelGiven = model != nil
    isMappingGiven = mapping != nil
    var opening = StoreOpening(path: path, access: access, options: options)
    try opening.checkPath()
    let found = try opening.look(isModelKnown: model != nil)
    do {
      let remembered = found.remembered?.description
      try options.basis?.check(remembered, path: path)
      guard let known = model ?? remembered?.model else {
        throw StoreError(access == .readOnly ? .missing(path: path) : .modelNeeded(path: path))
      }
      let given = StoreDescription(model: known, mapping: try mapping ?? remembered?.mapping(for: known))
      let guesses = try InferredIdentities(given, over: model == nil ? nil : remembered) { sql in
        try found.connection?.access { try Int64.fetchOne($0, sql: sql) ?? 0 } ?? 0
      }
      description = guesses.description
      var settled = options
      settled.migration.lostGuesses = guesses.entities
      self.options = settled
      layout = Layout(try Schema(try description.mappedModel()))
      try layout.checkLimits()
      try opening.note([layout] + [remembered].compactMap(\.self).map { try $0.layout() }, found)
      let isGiven = model != nil || mapping != nil
      let difference = try isGiven ? StoreDifference(from: remembered, to: description, layout) : .none
      if difference == .version, let remembered { try opening.showAsNew(found, remembered, layout) }
      self.opening = opening
      let state = StoreState(
        opening.file, version: found.remembered?.version, difference,
        mayMigrate: access == .readWrite && difference == .version)
      self.state = state
      if let connection = found.connection, found.remembered != nil {
        try state.chooseJournalMode(connection, mayWrite: access == .readWrite)
      }
      let openingNow = opening
      writer = ConnectionPool(found.connection.map { [$0] } ?? [], limit: 1, path: path) { pending in
        guard openingNow.file != nil else { throw StoreError.closed }
        state.beginCreation()
        return try openingNow.connect(pending)
      }
      readers = ConnectionPool(limit: 4, path: path) { try openingNow.connectReader($0) }
    } catch {
      try? found.connection?.close()
      throw opening.described(error)
    }
    if access == .readWrite, state.needsMigration, !options.migration.isDelayed { try migrate() }
  }

  /// Becomes a store of its model now.
  private func migrate() throws {
    do {
      try transaction { _ in ((), .commit) }
    } catch {
      try? close()
      throw error
    }
  }

  /// Whether who reads keeps all others from the store, as in memory.
  package var hasOneConnection: Bool { !state.hasReaders }

  // MARK: - Leaving

  deinit {
    // The connection that may write goes last: only it can clear away what SQLite keeps beside the file.
    readers.closeIdle()
  }

  package func close() throws {
    guard OngoingAccess.all(of: self).isEmpty else {
      throw StoreError.invalid("A store cannot be closed within one of its transactions.")
    }
    outside.end()
    // Whether closing fails or not, nothing more can be observed.
    defer { delivery.observers.end() }
    try readers.close()
    guard !writer.isClosed else { return }
    try writer.close()
    state.endCreation()
  }
}
