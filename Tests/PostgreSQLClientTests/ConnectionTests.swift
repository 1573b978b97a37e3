#if PostgreSQL
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct ConnectionTests {
    @Test func facts() throws {
      let database = try TestDatabase()
      let connection = database.connection
      #expect(connection.parameter("server_encoding") == "UTF8")
      #expect(connection.parameter("client_encoding") == "UTF8")
      #expect(connection.parameter("no_such_parameter") == nil)
      #expect(try connection.query("SELECT pg_backend_pid()").int() == Int64(connection.processID))
      #expect(try connection.query("SHOW application_name").string() == "broker")
      let named = try PostgreSQLConnection.open(database.url + "&application_name=other")
      #expect(try named.query("SHOW application_name").string() == "other")
      #expect(!connection.isBroken)
      connection.close()
      #expect(connection.isBroken)
      #expect(try postgreSQLError { try connection.execute("SELECT 1") }.isConnectionLost)
    }

    @Test(arguments: ["SQL_ASCII", "LATIN1"])
    func otherEncodings(_ encoding: String) throws {
      let connection = try TestDatabase(encoding: encoding).connection
      #expect(connection.parameter("server_encoding") == encoding)
      #expect(try connection.query("SELECT $1", .text("é")).string() == "é")
    }

    @Test func overTheNetwork() throws {
      let url = try PostgreSQLServer.required().networkURL(database: "postgres")
      #expect(try PostgreSQLConnection.open(url).query("SELECT 1").int() == 1)
    }

    @Test func serverThatIsAway() throws {
      let port = try PostgreSQLServer.freePort()
      let error = try postgreSQLError {
        _ = try PostgreSQLConnection.open("postgresql://me:s3cretword@127.0.0.1:\(port)/x")
      }
      #expect(error.isConnectionLost)
      #expect(error.message.contains("Connection refused"))
      #expect(error.message.contains("\(port)"))
      #expect(!"\(error)".contains("s3cretword"))
    }

    @Test func wrongDatabase() throws {
      let server = try PostgreSQLServer.required()
      let error = try postgreSQLError { _ = try PostgreSQLConnection.open(server.url(database: "no_such")) }
      #expect(error.isMissingDatabase)
      #expect(error.message.contains("\"no_such\" does not exist"))
    }

    @Test func wrongPassword() throws {
      let server = try PostgreSQLServer.required()
      let url = server.networkURL(database: "postgres", password: "s3cretword")
      let error = try postgreSQLError { _ = try PostgreSQLConnection.open(url) }
      #expect(error.isAuthenticationFailure)
      #expect(!"\(error)".contains("s3cretword"))
      let none = url.replacing(":s3cretword", with: "")
      #expect(try postgreSQLError { _ = try PostgreSQLConnection.open(none) }.isAuthenticationFailure)
    }

    @Test(arguments: [
      "postgresql://me:s3cret@word@127.0.0.1/x", "postgresql://me:s3cret/word@127.0.0.1/x",
      "postgresql://me:12/s3cret@127.0.0.1/x", "postgresql://me:s3cret:word@127.0.0.1:s3cret/x",
      "postgresql://me:s3cret%zz@127.0.0.1/x", "postgresql://me:s3cret]@[::1/x",
      "host=127.0.0.1 password=a s3cret",
      "host=127.0.0.1 port=s3cret", "postgresql://me:s3cret@127.0.0.1/x?s3cret", "s3cret",
      "postgresql://me:s3cret?x@127.0.0.1/x", "postgresql://me:s3cret#x@127.0.0.1:1/x", "\0s3cret",
      "postgresql://127.0.0.1/?connect_timeout=s3cret",
    ])
    func stringsThatCannotBeRead(_ string: String) throws {
      let error = try postgreSQLError { _ = try PostgreSQLConnection.open(string) }
      #expect(!"\(error)\(error.detail ?? "")\(error.hint ?? "")".contains("s3cret"))
      #expect(!error.message.isEmpty)
    }

    @Test func openingCanBeCancelled() throws {
      let server = try PostgreSQLServer.required()
      #expect(throws: CancellationError.self) {
        try PostgreSQLConnection.open(server.url(database: "postgres")) { true }
      }
    }

    @Test func serverThatDoesNotAnswer() throws {
      // A socket that listens and never accepts.
      let listener = try LocalPort()
      let url = "postgresql://me@127.0.0.1:\(listener.number)/x?connect_timeout=2&sslmode=disable"
      let error = try postgreSQLError { _ = try PostgreSQLConnection.open(url) }
      #expect(error.isConnectionLost)
      #expect(error.message.contains("after 2 seconds"))
      let start = ContinuousClock.now
      #expect(throws: CancellationError.self) {
        try PostgreSQLConnection.open(url) { ContinuousClock.now - start > .milliseconds(100) }
      }
    }

    @Test func notices() throws {
      let connection = try TestDatabase().connection
      try connection.execute("DROP TABLE IF EXISTS a; DROP TABLE IF EXISTS b")
      let notices = connection.takeNotices()
      #expect(
        notices.map(\.message) == [
          "table \"a\" does not exist, skipping", "table \"b\" does not exist, skipping",
        ])
      #expect(notices.first?.sqlState == "00000")
      #expect(connection.takeNotices().isEmpty)
      try connection.execute("DO $$ BEGIN FOR i IN 1..500 LOOP RAISE NOTICE '%', i; END LOOP; END $$")
      #expect(connection.takeNotices().map(\.message) == (401...500).map { "\($0)" })
    }

    @Test func notifications() throws {
      let database = try TestDatabase()
      let (listener, sender) = (database.connection, try database.connect())
      try listener.execute("LISTEN news")
      #expect(try listener.waitForNotifications(timeout: .milliseconds(60)).isEmpty)
      try sender.query("SELECT pg_notify('news', 'Straße 1'), pg_notify('other', 'no')")
      let received = try listener.waitForNotifications(timeout: .seconds(10))
      #expect(received.map(\.channel) == ["news"] && received.map(\.payload) == ["Straße 1"])
      #expect(received.map(\.processID) == [sender.processID])
      #expect(try listener.takeNotifications().isEmpty)
      // Those that arrive with the results of a statement are kept.
      try sender.execute("NOTIFY news, 'again'")
      try listener.execute("SELECT pg_sleep(0.05)")
      #expect(try listener.takeNotifications().map(\.payload) == ["again"])
      listener.isCancelled = { true }
      #expect(throws: CancellationError.self) { try listener.waitForNotifications(timeout: .seconds(10)) }
      listener.isCancelled = { false }
      #expect(try listener.query("SELECT 1").int() == 1)
    }
  }
#endif
