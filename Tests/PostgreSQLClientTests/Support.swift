#if PostgreSQL
  import PostgreSQLClient
  import PostgreSQLServer
  import Synchronization

  /// The connection of a test, to a database of its own.
  struct TestDatabase {
    let url: String
    let connection: PostgreSQLConnection

    init(encoding: String = "UTF8") throws {
      url = try PostgreSQLServer.required().makeDatabase(encoding: encoding)
      connection = try PostgreSQLConnection.open(url)
    }

    func connect() throws -> PostgreSQLConnection { try PostgreSQLConnection.open(url) }
  }

  /// A mark that one thread sets and another one reads.
  final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  extension PostgreSQLRows {
    func int(_ row: Int = 0, _ column: Int = 0) throws -> Int64 { try field(row, column).anyInteger() }
    func string(_ row: Int = 0, _ column: Int = 0) throws -> String { try field(row, column).string() }

    func numeric(_ row: Int = 0, _ column: Int = 0) throws -> String {
      var text: [UInt8] = []
      try field(row, column).appendNumeric(to: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// The error that a call throws.
  func postgreSQLError(_ body: () throws -> Void) throws -> PostgreSQLError {
    do {
      try body()
    } catch let error as PostgreSQLError {
      return error
    }
    throw NoError()
  }

  struct NoError: Error {}
#endif
