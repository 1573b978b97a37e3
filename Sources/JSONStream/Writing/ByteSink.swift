#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a writer puts its bytes.
package protocol ByteSink {
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SourceError)
}

/// An open file descriptor.
package struct DescriptorSink: ByteSink, Sendable {
  private let descriptor: Int32

  /// Writes to `descriptor`, which stays the caller's to close.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  package mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SourceError) {
    var rest = UnsafeRawBufferPointer(bytes)
    while rest.count > 0 {
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Musl)
        let count = Musl.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        let number = errno
        var error = SourceError(String(cString: strerror(number)))
        error.isClosedPipe = number == EPIPE
        throw error
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}

/// Memory; the bytes are in ``MemorySink/bytes``.
package final class MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes.append(contentsOf: bytes)
  }
}
