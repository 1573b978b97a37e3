#if PostgreSQL
  import PostgreSQLClient

  /// The cursors that a transaction has open on the server, by their numbers.
  final class ServerPortals {
    private let session: ServerSession
    /// The number of the last one.
    private(set) var last = 0
    private var open: Set<Int> = []
    /// Those that nobody reads from any more. They are closed with the next that is opened, since the connection may be
    /// busy when they are let go of.
    private var outdated: Set<Int> = []

    init(_ session: ServerSession) { self.session = session }

    private func name(_ number: Int) -> String { "\(session.cursorPrefix)_\(number)" }

    /// Opens a cursor over the rows of a statement, and returns its number.
    func open(_ sql: String, _ parameters: PostgreSQLParameters) throws -> Int {
      let closing = outdated
      outdated = []
      for number in closing { try session.idle().execute("CLOSE \(name(number))") }
      last += 1
      try session.idle().query("DECLARE \(name(last)) NO SCROLL CURSOR FOR \(sql)", parameters)
      open.insert(last)
      return last
    }

    /// The next rows.
    func fetch(_ count: Int, from number: Int) throws -> PostgreSQLRows {
      try session.idle().query("FETCH \(count) FROM \(name(number))", PostgreSQLParameters())
    }

    func close(_ number: Int) { if open.remove(number) != nil { outdated.insert(number) } }

    /// Forgets the cursors behind one, since a step was undone, and the server has closed what was opened in it.
    func forget(after number: Int) {
      open = open.filter { $0 <= number }
      outdated = outdated.filter { $0 <= number }
    }
  }
#endif
