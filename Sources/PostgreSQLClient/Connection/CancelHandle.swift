#if PostgreSQL
  import CLibPQ

  /// Cancels what a connection executes, from any thread.
  ///
  /// `@unchecked Sendable`: libpq's object does not change after it was made, and PQcancel is thread-safe.
  package final class PostgreSQLCancelHandle: @unchecked Sendable {
    private let handle: OpaquePointer

    init?(_ connection: OpaquePointer) {
      guard let handle = PQgetCancel(connection) else { return nil }
      self.handle = handle
    }

    deinit { PQfreeCancel(handle) }

    /// Asks the server to cancel the statement, and returns when the server has the request. The connection
    /// then gets an error with `isQueryCancelled`, or its result if that was ready before.
    ///
    /// It opens a connection of its own and blocks until that is done.
    package func cancel() throws {
      var message = [CChar](repeating: 0, count: 256)
      guard PQcancel(handle, &message, Int32(message.count)) == 1 else {
        let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw PostgreSQLError(message: PostgreSQLError.trimmed(String(decoding: bytes, as: UTF8.self)))
      }
    }
  }
#endif
