import Foundation
package import JSONStream

/// Bytes that came a few at a time and wait for their import: in memory, or if there are many, in a temporary file
/// without a name.
package struct ReceivedBytes: ~Copyable {
  private var memory: [UInt8] = []
  private var file: TemporaryFile?
  private var brackets = BracketScan()
  /// Whether the bytes are those of JSON: not compressed, in UTF-8, and no table.
  private var isPlainJSON: Bool?
  private static let most = 1 << 20

  /// - Parameter isTable: Whether the bytes are those of a table.
  package init(isTable: Bool) {
    isPlainJSON = isTable ? false : nil
  }

  /// - Throws: ``SourceError`` if they cannot be kept.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SourceError) {
    if isPlainJSON == nil, let first = bytes.first {
      isPlainJSON = !DecodedInput.isEncoded(firstByte: first)
    }
    if isPlainJSON == true { brackets.scan(bytes) }
    memory.append(contentsOf: bytes)
    if memory.count > Self.most { try flush() }
  }

  /// Whether what has come cannot be JSON. Then nothing more needs to come: the import of what is there says what is
  /// wrong.
  package var isBroken: Bool { brackets.isBroken }

  private mutating func flush() throws(SourceError) {
    let file: TemporaryFile
    if let opened = self.file { file = opened } else { file = try TemporaryFile() }
    self.file = file
    try file.append(memory)
    memory.removeAll(keepingCapacity: true)
  }

  /// All bytes, to be imported.
  package consuming func source(name: String = ImportSource.unnamed) throws(SourceError) -> ImportSource {
    if file != nil { try flush() }
    let (file, memory) = (file, memory)
    return .stream(name: name) {
      guard let file else { return MemorySource(memory) }
      return TemporaryFileSource(file: file)
    }
  }
}

extension ImportSource {
  /// Whether it comes a few bytes at a time.
  package var isPipe: Bool {
    switch form {
    case .bytes, .stream, .remote, .rows: return false
    case .file(let path):
      var status = stat()
      return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    case .descriptor(let descriptor):
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
  }

  /// The source, after all that is still to come has been received.
  ///
  /// - Throws: ``ImportError`` if it cannot be read or kept, or was cancelled.
  package func received(isCancelled: @escaping @Sendable () -> Bool) throws -> ImportSource {
    isPipe ? try kept(isCancelled: isCancelled) : self
  }

  /// The source, if it can be read again and again; what can be read only once is received first, whatever its name.
  ///
  /// - Throws: ``ImportError`` if it cannot be read or kept, or was cancelled.
  package func readableAgain(isCancelled: @escaping @Sendable () -> Bool) throws -> ImportSource {
    if case .descriptor = form { return try kept(isCancelled: isCancelled) }
    return try received(isCancelled: isCancelled)
  }

  /// The bytes that a pipe is, as the system counts files; nil if the source is none. Two sources of one number would
  /// take from each other.
  package var pipeNumber: [UInt64]? {
    var status = stat()
    let isKnown =
      switch form {
      case .bytes, .stream, .remote, .rows: false
      case .file(let path): stat(path, &status) == 0
      case .descriptor(let descriptor): fstat(descriptor, &status) == 0
      }
    guard isKnown, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  private func kept(isCancelled: @escaping @Sendable () -> Bool) throws -> ImportSource {
    do {
      return try open(isCancelled: isCancelled) { source in
        var source = source
        var bytes = ReceivedBytes(isTable: table != nil)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
          let count = try source.read(into: buffer)
          if count == 0 || bytes.isBroken {
            var received = try bytes.source(name: name).formatted(as: format)
            received.entityHints = entityHints
            received.recordedName = recordedName
            received.path = path
            received.isForeign = isForeign
            return received
          }
          try bytes.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
    } catch let error as SourceError {
      throw error.isCancellation ? ImportError(.cancelled) : ImportError(.brokenInput(source: name, error))
    }
  }
}

/// A file without a name, which is deleted with this object.
private final class TemporaryFile: Sendable {
  fileprivate let descriptor: Int32

  init() throws(SourceError) {
    var template = Array("\(NSTemporaryDirectory())broker.XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Self.failure(String(cString: strerror(errno))) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    close(descriptor)
  }

  func append(_ bytes: [UInt8]) throws(SourceError) {
    var sink = DescriptorSink(descriptor: descriptor)
    let failure: SourceError? = bytes.withUnsafeBufferPointer { bytes in
      do throws(SourceError) {
        try sink.write(bytes)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw Self.failure(failure.message) }
  }

  private static func failure(_ why: String) -> SourceError {
    SourceError(
      "it is kept in a temporary file, which cannot be written in \(NSTemporaryDirectory()): \(why); TMPDIR names another"
        + " folder")
  }
}

/// Reads a file from its beginning.
private struct TemporaryFileSource: ByteSource {
  let file: TemporaryFile
  private var position = 0

  init(file: TemporaryFile) { self.file = file }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    while true {
      let count = pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(position))
      if count >= 0 {
        position += count
        return count
      }
      guard errno == EINTR else { throw SourceError(String(cString: strerror(errno))) }
    }
  }
}
