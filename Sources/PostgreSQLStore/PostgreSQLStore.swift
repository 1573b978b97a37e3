#if PostgreSQL
  package import ObjectModel
  package import ObjectStore
  import PostgreSQLClient

  /// What a ``Store`` in a schema of a PostgreSQL database is made of.
  package final class PostgreSQLStore: Sendable {
    let address: DatabaseAddress
    package let layout: Layout
    package let description: StoreDescription
    /// What the caller said of it: a model, a mapping.
    let isModelGiven: Bool
    let isMappingGiven: Bool
    package let functions: MappingFunctions
    package let checks: [ValueCheck.Place: ValueCheck]
    let sizes: WriteSizes
    /// Whether what programs change is to be noted until the server that the JSON comes from was told.
    let journalsLocalChanges: Bool
    let delivery = ChangeDelivery()
    let access: Store.Access
    let options: Store.Options
    let tables: ServerTables
    let connections: ConnectionPool<ServerConnection>
    let replica: ReadReplica?
    let state: ServerState
    let listener: ServerListener

    /// Opens a store, or makes a new one. Its schema and its tables are made by the first transaction that writes.
    ///
    /// - Parameters:
    ///   - model: The model; nil for the one that the store remembers.
    ///   - mapping: What is said of the JSON beyond the model's annotations; nil for what the store remembers.
    ///   - checks: What attributes demand of their values beyond what the model says.
    ///   - reads: The address of a replica of the server, for reads.
    /// - Throws: ``StoreError`` if the server cannot be reached, there is something else in the schema, or the store has
    ///   another model; ``MappingError`` if the mapping does not fit the model; ``SchemaError`` if the model cannot be
    ///   used.
    package init(
      _ address: DatabaseAddress, reads: DatabaseAddress? = nil, model: Model?, mapping: JSONMapping? = nil,
      access: Store.Access = .readWrite, options: Store.Options = Store.Options(),
      checks: [ValueCheck.Place: ValueCheck] = [:], journalsLocalChanges: Bool = false,
      sizes: WriteSizes = WriteSizes()
    ) throws {
      (self.address, self.access) = (address, access)
      (self.checks, self.sizes) = (checks, sizes)
      self.journalsLocalChanges = journalsLocalChanges
      functions = mapping?.functions ?? MappingFunctions()
      (isModelGiven, isMappingGiven) = (model != nil, mapping != nil)
      let first = try ServerConnection(address, AccessRequest(options))
      let memory = first.memory(of: address)
      var remembered = try memory.described { try $0.description() }
      if model == nil, remembered == nil, access == .readWrite {
        try memory.waitUntilMade(AccessRequest(options))
        remembered = try memory.described { try $0.description() }
      }
      try options.basis?.check(remembered, path: address.shown)
      guard let known = model ?? remembered?.model else {
        throw access == .readOnly
          ? StoreError.missing(address.shown) : StoreError.modelNeeded(address.shown)
      }
      if access == .readOnly, remembered == nil { throw StoreError.missing(address.shown) }
      let given = StoreDescription(model: known, mapping: try mapping ?? remembered?.mapping(for: known))
      let guesses = try memory.described { memory in
        try InferredIdentities(given, over: model == nil ? nil : remembered, names: address.names) { sql in
          try memory.connection.query(sql).value { try $0.int8() }
        }
      }
      description = guesses.description
      var settled = options
      settled.migration.lostGuesses = guesses.entities
      self.options = settled
      layout = Layout(try Schema(try description.mappedModel()), names: address.names)
      try layout.checkServerLimits()
      tables = ServerTables(layout, hasICU: first.hasICU)
      state = ServerState()
      listener = ServerListener(address)
      replica = reads.map { ReadReplica($0, limit: address.settings.connections) }
      connections = ConnectionPool(
        [first], limit: address.settings.connections, mostPatient: address.settings.writers,
        path: address.shown
      ) {
        try ServerConnection(address, $0)
      }
      if let remembered { try compareModel(with: remembered) }
      if state.needsMigration, !options.migration.isDelayed { try migrate() }
    }

    /// Becomes a store of its model now.
    private func migrate() throws {
      do {
        try transaction(isCancelled: nil) { _ in ((), .commit) }
      } catch {
        try? close()
        throw error
      }
    }

    deinit { connections.closeIdle() }

    /// Whether there is a store at an address.
    ///
    /// - Throws: ``StoreError`` if the server cannot be asked, or there is something else in its place.
    package static func isThere(_ address: DatabaseAddress) throws -> Bool {
      let connection = try ServerConnection(address, nil)
      defer { connection.close() }
      return try connection.memory(of: address).described { try $0.isThere() }
    }

    /// Compares the model with the one that the store remembers, when it is opened.
    ///
    /// - Throws: ``StoreError`` if they are two versions, and the store is only read.
    private func compareModel(with remembered: StoreDescription) throws {
      guard isModelGiven || isMappingGiven else { return }
      let difference = try StoreDifference(from: remembered, to: description, layout)
      if access == .readOnly, difference == .version { throw try changedModel(remembered) }
      state.noteOpening(difference, mayMigrate: access == .readWrite)
    }

    /// How the model differs from the one that the store remembers, as an error.
    func changedModel(_ remembered: StoreDescription) throws -> StoreError {
      let changes = try Model.changes(from: remembered.mappedModel(), to: layout.schema.model)
      return StoreError.modelChanged(address.shown, changes.map(\.description))
    }
  }
#endif
