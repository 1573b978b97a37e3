#if PostgreSQL
  import Foundation
  import PostgreSQLClient

  /// A PostgreSQL server of the tests' own, with its data in a temporary folder.
  ///
  /// It ends with the process that started it, however that ends, and leaves nothing behind.
  package final class PostgreSQLServer: Sendable {
    package struct Options: Sendable {
      /// Whether the server waits until data is on the disk. Tests need that only to measure.
      package var isDurable = false
      /// Settings of the server: `["max_connections": "20"]`.
      package var settings: [String: String] = [:]
      package init() {}
    }

    /// Why there is no server.
    package struct Unavailable: Error, Sendable, CustomStringConvertible {
      package var description: String
    }

    let folder: ServerFolder
    let port: UInt16
    let password: String
    /// The end of a pipe that the server's guardian reads. When it is closed, the guardian ends the server.
    private let lifeline: FileHandle

    init(folder: ServerFolder, port: UInt16, password: String, lifeline: FileHandle) {
      self.folder = folder
      self.port = port
      self.password = password
      self.lifeline = lifeline
    }

    deinit { try? lifeline.close() }

    /// The role of the tests, a superuser.
    static let role = "broker"

    // MARK: - The server of this process

    private static let start = Result { try PostgreSQLServer.started() }

    /// The server that all tests of this process share, or `nil` where none can be started.
    package static var shared: PostgreSQLServer? { try? start.get() }

    /// Why `shared` is `nil`.
    package static var reason: String? {
      guard case .failure(let error) = start else { return nil }
      return "\(error)"
    }

    /// Whether the tests that are about a server run: there is one, or its absence has to be a failure. They do not where the
    /// environment asks for the others, which have their stores on a server in place of files.
    package static var isWanted: Bool {
      switch ProcessInfo.processInfo.environment["BROKER_TESTS_POSTGRESQL"] {
      case "required": true
      case "others": false
      default: shared != nil
      }
    }

    /// - Throws: `Unavailable`, with the reason.
    package static func required() throws -> PostgreSQLServer { try start.get() }

    // MARK: - Databases

    /// Creates an empty database with a name of its own.
    /// - Parameter encoding: `UTF8`, `SQL_ASCII`, `LATIN1`…
    /// - Returns: Its URL, over the Unix socket.
    package func makeDatabase(encoding: String = "UTF8") throws -> String {
      let name = "t_" + UUID().uuidString.replacing("-", with: "").lowercased()
      let connection = try PostgreSQLConnection.open(url(database: "postgres"))
      try connection.execute(
        "CREATE DATABASE \(name) ENCODING '\(encoding)' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
      return url(database: name)
    }

    /// The URL of a database, over the Unix socket: no password is needed.
    package func url(database: String) -> String {
      "postgresql://\(Self.role)@/\(database)?host=\(folder.path)&port=\(port)"
    }

    /// The URL of a database over TCP, where the server asks for the password.
    package func networkURL(database: String, password: String? = nil) -> String {
      "postgresql://\(Self.role):\(password ?? self.password)@127.0.0.1:\(port)/\(database)"
    }
  }
#endif
