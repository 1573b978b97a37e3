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

  /// A connection pooler between clients and a server, as far as a client can tell: it invents the numbers of processes, and
  /// gives each connection a session, or each transaction another one.
  package final class Pooler: Sendable {
    package enum Kind: Sendable {
      case sessions, transactions
    }

    private let port: LocalPort

    package init(to server: PostgreSQLServer, pooling kind: Kind) throws {
      port = try LocalPort()
      let (listener, path) = (port.descriptor, "\(server.folder.path)/.s.PGSQL.\(server.port)")
      Thread.detachNewThread {
        while case let client = accept(listener, nil, nil), client >= 0 {
          Thread.detachNewThread { Session(client, path, kind)?.run() }
        }
      }
    }

    /// The URL of a database of the server, by way of the pooler.
    package func url(database: String) -> String {
      "postgresql://\(PostgreSQLServer.role)@127.0.0.1:\(port.number)/\(database)?sslmode=disable&gssencmode=disable"
    }
  }

  /// A connection of a client, and its sessions on the server.
  private final class Session {
    private let client: Int32
    /// The sessions; the first is the one that the client has now.
    private var servers: [Int32] = []
    private let kind: Pooler.Kind

    /// Nil where there is no server, or no session is asked for.
    init?(_ client: Int32, _ path: String, _ kind: Pooler.Kind) {
      (self.client, self.kind) = (client, kind)
      guard let length = Self.read(4, client), let rest = Self.read(Self.number(length) - 4, client),
        // The protocol that is asked for; requests to cancel have a number of their own.
        rest.starts(with: [0, 3])
      else {
        close(client)
        return nil
      }
      for _ in 0..<(kind == .sessions ? 1 : 2) {
        guard let server = Self.connect(path) else {
          close(client)
          return nil
        }
        Self.write(length + rest, server)
        servers.append(server)
      }
      // The client sees the beginning of one of them.
      for server in servers.dropFirst() {
        while let next = Self.message(server), next[0] != UInt8(ascii: "Z") {}
      }
    }

    deinit { for descriptor in [client] + servers { close(descriptor) } }

    func run() {
      var isLoggedIn = false
      while true {
        var descriptors = [client, servers[0]].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&descriptors, 2, 600_000) > 0 else { return }
        if descriptors[1].revents != 0 {
          guard var message = Self.message(servers[0]) else { return }
          if message[0] == UInt8(ascii: "K") { message[7] ^= 1 }
          Self.write(message, client)
          // Ready, and in no transaction.
          if message[0] == UInt8(ascii: "Z"), message[5] == UInt8(ascii: "I") {
            if isLoggedIn { servers.append(servers.removeFirst()) }
            isLoggedIn = true
          }
        } else {
          var buffer = [UInt8](repeating: 0, count: 65_536)
          let count = recv(client, &buffer, buffer.count, 0)
          guard count > 0 else { return }
          Self.write(Array(buffer[..<count]), servers[0])
        }
      }
    }

    // MARK: - Bytes

    private static func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func message(_ descriptor: Int32) -> [UInt8]? {
      guard let head = read(5, descriptor), let body = read(number(Array(head[1...])) - 4, descriptor) else {
        return nil
      }
      return head + body
    }

    private static func read(_ count: Int, _ descriptor: Int32) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: max(0, count))
      var done = 0
      while done < count {
        let more = bytes.withUnsafeMutableBytes { buffer in
          recv(descriptor, buffer.baseAddress.map { $0 + done }, count - done, 0)
        }
        guard more > 0 else { return nil }
        done += more
      }
      return bytes
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32) {
      var done = 0
      while done < bytes.count {
        let more = bytes.withUnsafeBytes { buffer in
          send(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done, Int32(MSG_NOSIGNAL))
        }
        guard more > 0 else { return }
        done += more
      }
    }

    private static func connect(_ path: String) -> Int32? {
      let descriptor = LocalPort.socket(AF_UNIX)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      let status = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          #if canImport(Glibc)
            Glibc.connect(descriptor, address, length)
          #elseif canImport(Musl)
            Musl.connect(descriptor, address, length)
          #else
            Darwin.connect(descriptor, address, length)
          #endif
        }
      }
      return status == 0 ? descriptor : nil
    }
  }
#endif
