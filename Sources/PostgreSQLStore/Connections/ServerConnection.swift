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
    init(_ address: DatabaseAddress, _ access: PendingAccess?) throws {
      (link, hasICU) = try Self.open(address, access)
    }

    /// Makes the connection anew, after it was lost.
    func reconnect(_ address: DatabaseAddress, _ access: PendingAccess?) throws {
      link.close()
      (link, _) = try Self.open(address, access)
    }

    private static func open(
      _ address: DatabaseAddress, _ access: PendingAccess?
    ) throws -> (link: PostgreSQLConnection, hasICU: Bool) {
      do {
        let link = try PostgreSQLConnection.open(address.connection) { access?.isCancelled ?? false }
        link.isCancelled = { false }
        let hasICU = try check(link, address)
        // Memory for temporary tables can only be asked for before the first of them. Cursors are read to their end. What
        // conditions look for in other tables is found by hashes where there is room.
        _ = try link.execute(
          """
          SET client_min_messages = warning; SET temp_buffers = '64MB'; SET cursor_tuple_fraction = 1;
          SET work_mem = '64MB'; SET search_path = \(SQL.quoted(address.schema))
          """)
        return (link, hasICU)
      } catch {
        throw ServerFailure(address).described(error)
      }
    }

    func memory(of address: DatabaseAddress) -> ServerMemory {
      ServerMemory(connection: link, address: address)
    }

    var isOutdated: Bool { link.isBroken }

    func close() { link.close() }

    // MARK: - What a server has to be

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
      let process = try facts.field(0, 0).anyInteger()
      guard process == Int64(link.processID) else {
        throw StoreError.invalid(
          "A connection pooler stands between this program and \(address.shown). Broker keeps temporary tables, locks"
            + " and prepared statements in its session: connect to the server itself.")
      }
      return try facts.field(0, 1).bool()
    }
  }
#endif
