import Foundation
public import ObjectModel

/// A relational store of objects in one SQLite file.
///
/// ```swift
/// let store = try Store(path: "bands.sqlite", model: model)
/// ```
///
/// The file is in WAL mode once it has tables, and any SQLite tool can read it. Two stores on one file, in one
/// process or several, do not disturb each other: who wants to write waits for whoever is writing.
public final class Store: Sendable {
  /// Where the file is, or `:memory:`.
  public let path: String
  package let layout: Layout
  /// What the store is to remember of itself.
  let description: StoreDescription
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
  let writer: ConnectionPool
  /// Connections that only read, while another writes.
  let readers: ConnectionPool
  let state: StoreState
  let delivery = ChangeDelivery()
  let outside = OutsideWatch()
  let opening: StoreOpening
  let options: Options

  /// What may be done with a store.
  public enum Access: Sendable {
    case readWrite
    case readOnly
  }

  /// The model of what is in the store, with what the mapping says as annotations.
  public var model: Model { layout.schema.model }

  /// Opens a store, or makes a new one.
  ///
  /// A new store gets its file and its tables with the first transaction that writes, so that nothing is left behind
  /// if that fails. Until that is committed, it reads as an empty store, whoever makes it.
  ///
  /// - Parameters:
  ///   - path: The file's path; `:memory:` for a store in memory, or nothing for one in a temporary file, both
  ///     of which go with this object.
  ///   - model: The model. A store that exists remembers its own, so `nil` will do. If this is another version, the
  ///     store becomes one of it, as far as ``Options/migration`` allows; one that is only read stays as it is.
  ///   - mapping: What is said of the JSON beyond the model's annotations. A store remembers it too, but for
  ///     its functions, until it is given another.
  ///   - access: Whether the store may be written.
  ///   - options: How it is used: how long to wait for others, how much memory to take.
  /// - Throws: ``StoreError`` if the file cannot be opened, is no store, cannot become one of the model without more
  ///   consent, or does not exist while there is no model to create it; ``MappingError`` if the mapping does not fit the model;
  ///   ``SchemaError`` if the model cannot be used.
  public convenience init(
    path: String, model: Model? = nil, mapping: JSONMapping? = nil, access: Access = .readWrite,
    options: Options = Options()
  ) throws {
    try self.init(
      path: path, model: model, mapping: mapping, access: access, options: options, checks: [:])
  }

  /// - Parameter checks: What attributes demand of their values beyond what the model says.
  package init(
    path: String, model: Model?, mapping: JSONMapping?, access: Access, options: Options = Options(),
    checks: [ValueCheck.Place: ValueCheck], journalsLocalChanges: Bool = false
  ) throws {
    self.path = path
    self.journalsLocalChanges = journalsLocalChanges
    self.checks = checks
    self.options = options
    functions = mapping?.functions ?? MappingFunctions()
    isModelGiven = model != nil
    isMappingGiven = mapping != nil
    var opening = StoreOpening(path: path, access: access, options: options)
    try opening.checkPath()
    let found = try opening.look(isModelKnown: model != nil)
    do {
      let remembered = found.remembered?.description
      guard let known = model ?? remembered?.model else {
        throw StoreError(access == .readOnly ? .missing(path: path) : .modelNeeded(path: path))
      }
      description = StoreDescription(
        model: known, mapping: try mapping ?? remembered?.mapping(for: known))
      layout = Layout(try Schema(try description.mappedModel()))
      try layout.checkLimits()
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

  /// Makes an empty store with the model, and unless it is given another the mapping, of one that exists.
  package convenience init(path: String, like other: String, mapping: JSONMapping? = nil) throws {
    let known = try Store(path: other, access: .readOnly)
    defer { try? known.close() }
    try self.init(
      path: path, model: known.description.model, mapping: mapping ?? known.description.mapping)
  }

  /// Whether who reads keeps all others from the store, as in memory.
  package var hasOneConnection: Bool { !state.hasReaders }

  // MARK: - Leaving

  deinit {
    // The connection that may write goes last: only it can clear away what SQLite keeps beside the file.
    readers.closeIdle()
  }

  /// Closes the file, as soon as what goes on has ended. A new store that nothing was written to leaves no file.
  /// Nothing can be done with the store after that.
  ///
  /// - Throws: ``StoreError`` if it is called within a transaction of the store.
  public func close() throws {
    guard OngoingAccess.all(of: self).isEmpty else {
      throw StoreError.invalid("A store cannot be closed within one of its transactions.")
    }
    outside.end()
    try readers.close()
    guard !writer.isClosed else { return }
    try writer.close()
    delivery.observers.end()
    state.endCreation()
  }
}
