#if PostgreSQL
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A server that takes every login and then says nothing more, as one does whose machine hangs.
  package final class SilentServer: Sendable {
    private let port: LocalPort

    package init() throws {
      port = try LocalPort()
      let listener = port.descriptor
      Thread.detachNewThread {
        while case let client = accept(listener, nil, nil), client >= 0 {
          Thread.detachNewThread {
            Self.logIn(client)
            close(client)
          }
        }
      }
    }

    /// The URL of a database of the server.
    package var url: String {
      "postgresql://broker@127.0.0.1:\(port.number)/bands?sslmode=disable&gssencmode=disable"
    }

    /// Takes a login, and waits until the client has gone.
    private static func logIn(_ client: Int32) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      guard recv(client, &bytes, bytes.count, 0) > 0 else { return }
      // That the login was right, and that a statement may come.
      let answer: [UInt8] =
        Array("R".utf8) + [0, 0, 0, 8, 0, 0, 0, 0] + Array("Z".utf8) + [0, 0, 0, 5] + Array("I".utf8)
      send(client, answer, answer.count, 0)
      while recv(client, &bytes, bytes.count, 0) > 0 {}
    }
  }
#endif
