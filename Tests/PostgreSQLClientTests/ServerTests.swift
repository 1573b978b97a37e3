#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isWanted))
  struct ServerTests {
    @Test func endsWithItsOwner() throws {
      var options = PostgreSQLServer.Options()
      options.isDurable = true
      options.settings["max_connections"] = "7"
      var server: PostgreSQLServer? = try PostgreSQLServer.started(options)
      let url = try #require(server).makeDatabase()
      let connection = try PostgreSQLConnection.open(url)
      #expect(try connection.query("SHOW fsync").string() == "on")
      #expect(try connection.query("SHOW max_connections").string() == "7")
      let folder = try connection.query("SHOW unix_socket_directories").string()
      server = nil
      let limit = Date(timeIntervalSinceNow: 30)
      while FileManager.default.fileExists(atPath: folder), Date() < limit {
        Thread.sleep(forTimeInterval: 0.05)
      }
      #expect(!FileManager.default.fileExists(atPath: folder))
      #expect(try postgreSQLError { try connection.query("SELECT 1") }.isConnectionLost)
    }
  }
#endif
