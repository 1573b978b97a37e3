#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a reader gets its bytes: memory, a file, a pipe.
package protocol ByteSource {
  /// Fills the start of `buffer` and says how many bytes it wrote; 0 means the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int
}

/// Bytes could not be had.
package struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
  package var message: String
  /// Whether the reading was stopped on purpose.
  package var isCancellation: Bool
  /// Whether nobody reads what was written.
  package var isClosedPipe = false
  /// Where the input is broken, if it is.
  package var place: SourcePlace?

  package var description: String { "The output or the input failed: \(message)." }

  package init(_ message: String, isCancellation: Bool = false, place: SourcePlace? = nil) {
    self.message = message
    self.isCancellation = isCancellation
    self.place = place
  }
}

/// A place in an input: the bytes before it, and its line and column from 1.
package struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
  package var offset: Int
  package var line: Int
  package var column: Int

  package init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  package var description: String { "line \(line), column \(column) (byte \(offset))" }
}

/// Bytes that are in memory already.
package struct MemorySource: ByteSource, Sendable {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    guard count > 0 else { return 0 }
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }
}

/// Bytes of an open file descriptor: a file, a pipe, a terminal.
package struct DescriptorSource: ByteSource, Sendable {
  private let descriptor: Int32
  private let isCancelled: @Sendable () -> Bool

  /// Reads from `descriptor`, which stays the caller's to close, until the end or until `isCancelled`.
  package init(descriptor: Int32, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    self.descriptor = descriptor
    self.isCancelled = isCancelled
  }

  package mutating func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SourceError) -> Int {
    try waitForBytes()
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      switch errno {
      case EINTR: try checkCancellation()
      // A pipe that is not waited for by `read` itself: the bytes that were announced went to another reader.
      case EAGAIN: try waitForBytes()
      default: throw SourceError(String(cString: strerror(errno)))
      }
    }
  }

  /// A pipe may stay silent for ever, so the wait looks up now and then.
  private func waitForBytes() throws(SourceError) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      try checkCancellation()
      let count = poll(&request, 1, 100)
      if count > 0 || count < 0 && errno != EINTR { return }
    }
  }

  private func checkCancellation() throws(SourceError) {
    if isCancelled() { throw SourceError("cancelled", isCancellation: true) }
  }
}
