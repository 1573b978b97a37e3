#if PostgreSQL
  package import ObjectModel
  package import ObjectStore

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
    package let batchSize: BatchSize
    /// From how many changes on a batch is written by a statement for each table.
    let changesTogether: Int
    let delivery = ChangeDelivery()
    let access: Store.Access
    let options: Store.Options
    let tables: ServerTables
    let connections: ConnectionPool<ServerConnection>
    let state: ServerState
    let listener: ServerListener

    /// How many connections a store keeps.
    private static let mostConnections = 8

    /// Opens a store, or makes a new one. Its schema and its tables are made by the first transaction that writes.
    ///
    /// - Parameters:
    ///   - model: The model; nil for the one that the store remembers.
    ///   - mapping: What is said of the JSON beyond the model's annotations; nil for what the store remembers.
    ///   - checks: What attributes demand of their values beyond what the model says.
    /// - Throws: ``StoreError`` if the server cannot be reached, there is something else in the schema, or the store has
    ///   another model; ``MappingError`` if the mapping does not fit the model; ``SchemaError`` if the model cannot be
    ///   used.
    package init(
      _ address: DatabaseAddress, model: Model?, mapping: JSONMapping? = nil,
      access: Store.Access = .readWrite, options: Store.Options = Store.Options(),
      checks: [ValueCheck.Place: ValueCheck] = [:], journalsLocalChanges: Bool = false,
      batchSize: BatchSize? = nil, changesTogether: Int = 200
    ) throws {
      (self.address, self.access, self.options) = (address, access, options)
      (self.checks, self.batchSize, self.changesTogether) = (checks, batchSize ?? .server, changesTogether)
      guard !journalsLocalChanges else {
        throw StoreError.invalid(
          "Stores in PostgreSQL do not track local changes: keep those in a store in a file.")
      }
      functions = mapping?.functions ?? MappingFunctions()
      (isModelGiven, isMappingGiven) = (model != nil, mapping != nil)
      let first = try ServerConnection(address, PendingAccess(options))
      let remembered = try first.memory(of: address).described { try $0.description() }
      guard let known = model ?? remembered?.model else {
        throw access == .readOnly
          ? StoreError.missing(address.shown) : StoreError.modelNeeded(address.shown)
      }
      if access == .readOnly, remembered == nil { throw StoreError.missing(address.shown) }
      description = StoreDescription(
        model: known, mapping: try mapping ?? remembered?.mapping(for: known))
      layout = Layout(try Schema(try description.mappedModel()), names: .server)
      try layout.checkServerLimits()
      tables = ServerTables(layout)
      state = ServerState()
      listener = ServerListener(address)
      connections = ConnectionPool([first], limit: Self.mostConnections, path: address.shown) {
        try ServerConnection(address, $0)
      }
      guard let remembered else { return }
      try first.memory(of: address).described { memory in
        let catalog = CitusCatalog(connection: memory.connection, schema: address.schema)
        try checkModel(
          against: remembered, catalog.isThere() ? catalog.distribution() : Distribution())
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

    /// Compares the model with the one that the store remembers.
    ///
    /// - Throws: ``StoreError`` if they are two versions.
    func checkModel(against remembered: StoreDescription, _ distribution: Distribution) throws {
      guard isModelGiven || isMappingGiven else {
        let same = try description.isSame(as: remembered)
        guard same else { throw StoreError.migratedByOthers(address.shown) }
        return
      }
      switch try StoreDifference(from: remembered, to: description, layout) {
      case .none: break
      case .words: state.noteNewWords()
      case .version:
        if distribution.isDistributed {
          let former = Layout(try Schema(try remembered.mappedModel()), names: .server)
          if let obstacle = distribution.obstacle(from: former, to: layout) {
            throw Distribution.refusal(obstacle, address.shown)
          }
        }
        let changes = try Model.changes(from: remembered.mappedModel(), to: layout.schema.model)
        throw StoreError.modelChanged(address.shown, changes.map(\.description))
      }
    }
  }
#endif
