#if PostgreSQL
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A port of this machine that takes connections. Nobody answers unless somebody accepts them.
  package final class LocalPort: Sendable {
    package struct Failure: Error {}

    /// The socket that listens.
    package let descriptor: Int32
    package let number: UInt16

    package init() throws {
      descriptor = Self.socket(AF_INET)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      let status = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
            ? getsockname(descriptor, address, &length) : -1
        }
      }
      number = UInt16(bigEndian: address.sin_port)
      guard status == 0 else { throw Failure() }
    }

    deinit {
      // Ends an `accept` that waits.
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
    }

    static func socket(_ family: Int32) -> Int32 {
      #if canImport(Glibc)
        return Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
      #elseif canImport(Musl)
        return Musl.socket(family, SOCK_STREAM, 0)
      #else
        return Darwin.socket(family, SOCK_STREAM, 0)
      #endif
    }
  }
#endif
