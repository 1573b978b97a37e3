#if PostgreSQL
  @preconcurrency import Dispatch
  import ObjectStore
  import PostgreSQLClient

  /// A connection to the server of a store, and what lives as long as it.
  ///
  /// `@unchecked`, since what it keeps is no value. Its guard: ``ConnectionPool`` grants it to one access at a time.
  final class ServerConnection: PooledConnection, @unchecked Sendable {
    private(set) var link: PostgreSQLConnection
    /// Whether the server knows the letters of all scripts; it is built without ICU otherwise.
    let hasICU: Bool
    let queue = DispatchQueue(label: "broker.postgresql")

    /// - Throws: ``StoreError`` if the server cannot be reached or is none that can keep a store.
    init(_ address: DatabaseAddress, _ access: AccessRequest?) throws {
      (link, hasICU) = try Self.open(address, access)
    }

    /// Makes the connection anew, after it was lost.
    func reconnect(_ address: DatabaseAddress, _ access: AccessRequest?) throws {
      link.close()
      (link, _) = try Self.open(address, access)
    }

    private static func open(
      _ address: DatabaseAddress, _ access: AccessRequest?
    ) throws -> (link: PostgreSQLConnection, hasICU: Bool) {
      do {
        let link = try PostgreSQLConnection.open(address.connection) { access?.isCancelled ?? false }
        link.isCancelled = { false }
        // Before any statement that names a function or an operator, since others may have made some in schemas of the usual
        // path: names of the server's own are found there only, and tables are named with their schema.
        _ = try link.execute("SET search_path = pg_catalog, pg_temp")
        let hasICU = try check(link, address)
        // Memory for temporary tables can only be asked for before the first of them. Cursors are read to their end. What
        // conditions look for in other tables is found by hashes where there is room.
        _ = try link.execute(
          """
          SET client_min_messages = warning; SET temp_buffers = '64MB'; SET cursor_tuple_fraction = 1;
          SET work_mem = '\(address.settings.workMemory)'
          """)
        link.silenceCheck = ServerProbe(address, process: link.processID).silenceCheck
        return (link, hasICU)
      } catch {
        throw ServerFailure(address).described(error)
      }
    }

    func memory(of address: DatabaseAddress) -> MetadataTable {
      MetadataTable(connection: link, address: address)
    }

    var isOutdated: Bool { link.isBroken }

    func close() { link.close() }

    // MARK: - What a server has to be

    /// Whether a pooler leaves a connection its session while others have transactions.
    private static func keepsSession(_ link: PostgreSQLConnection, _ address: DatabaseAddress) throws -> Bool
    {
      let other = try PostgreSQLConnection.open(address.connection)
      defer { other.close() }
      _ = try other.execute("SET search_path = pg_catalog, pg_temp")
      func process() throws -> Int64 {
        try link.query("SELECT pg_backend_pid()").value { try $0.anyInteger() }
      }
      // A session that is given back is the first to be given away again, or the last.
      var processes: Set<Int64> = []
      for _ in 0..<3 {
        processes.insert(try process())
        _ = try other.execute("BEGIN")
        processes.insert(try process())
        _ = try other.execute("COMMIT")
      }
      return processes.count == 1
    }

    private static let oldestVersion = 13

    /// Refuses a server that cannot keep a store. Returns whether it has ICU.
    private static func check(_ link: PostgreSQLConnection, _ address: DatabaseAddress) throws -> Bool {
      guard link.serverVersion >= oldestVersion * 10_000 else {
        throw StoreError.invalid(
          "The server of \(address.shown) is PostgreSQL \(link.serverVersion / 10_000): Broker needs \(oldestVersion)"
            + " or later.")
      }
      let encoding = link.parameter("server_encoding") ?? ""
      guard encoding == "UTF8" else {
        throw StoreError.invalid(
          "The database \(address.shown) keeps texts in \(encoding), which not all texts fit in: create one with"
            + " ENCODING 'UTF8'.")
      }
      // A pooler invents the number of the process that it tells.
      let facts = try link.query(
        """
        SELECT pg_backend_pid(), EXISTS (SELECT FROM pg_collation
        WHERE collnamespace = 'pg_catalog'::regnamespace AND collname = '\(ServerFolding.collation)')
        """)
      let process = Int32(clamping: try facts.field(0, 0).anyInteger())
      if process != link.processID {
        guard try keepsSession(link, address) else {
          throw StoreError.invalid(
            "A connection pooler stands between this program and \(address.shown), and gives each transaction another"
              + " session. Broker keeps temporary tables, locks and prepared statements in its session: connect to the server"
              + " itself, or have the pooler pool sessions.")
        }
        link.noteProcess(process)
      }
      return try facts.field(0, 1).bool()
    }
  }
#endif
