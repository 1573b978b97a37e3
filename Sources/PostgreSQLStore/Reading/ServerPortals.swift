#if PostgreSQL
  import PostgreSQLClient

  /// The cursors that a transaction has open on the server.
  final class ServerPortals {
    private let session: ServerSession
    private var last = 0
    /// Those that nobody reads from any more. They are closed with the next that is opened, since the connection may be
    /// busy when they are let go of.
    private var outdated: [String] = []

    init(_ session: ServerSession) { self.session = session }

    /// Opens a cursor over the rows of a statement, and returns its name.
    func open(_ sql: String, _ parameters: PostgreSQLParameters) throws -> String {
      for name in outdated { try session.idle().execute("CLOSE \(name)") }
      outdated = []
      last += 1
      let name = "broker_cursor_\(last)"
      try session.idle().query("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", parameters)
      return name
    }

    /// The next rows.
    func fetch(_ count: Int, from name: String) throws -> PostgreSQLRows {
      try session.idle().query("FETCH \(count) FROM \(name)", PostgreSQLParameters())
    }

    func close(_ name: String) { outdated.append(name) }

    /// Forgets all cursors, since the server has closed those that were opened in a step that was undone.
    func forgetOutdated() { outdated = [] }
  }
#endif
