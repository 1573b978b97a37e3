#if PostgreSQL
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A port that takes connections and never answers.
  final class SilentListener {
    struct Failure: Error {}
    private let descriptor: Int32
    let port: UInt16

    init() throws {
      #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
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
      port = UInt16(bigEndian: address.sin_port)
      guard status == 0 else { throw Failure() }
    }

    deinit { close(descriptor) }
  }
#endif
