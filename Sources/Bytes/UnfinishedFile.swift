#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file in the making, beside the place that it is for: `out.json.broker-x3Tq9A`.
///
/// Its maker holds a lock on it. So whoever makes the next one for the same place sees which of those that are there are
/// left by a process that was killed, and removes them.
package final class UnfinishedFile {
  package let descriptor: Int32
  package let path: String
  private var isThere = true

  /// A name of a file has at most 255 bytes, of which the mark takes 15.
  private static let longestName = 240
  private static let mark = ".broker-"
  private static let randomLength = 6

  /// - Parameter target: The place that the file is for.
  /// - Throws: ``SystemError`` if no file can be made there.
  package init(beside target: String) throws(SystemError) {
    let (folder, prefix) = Self.parts(of: target)
    Self.removeAbandoned(in: folder, prefix)
    while true {
      // The name cannot be foretold, and nothing that has it already is opened.
      var template = Array((folder + prefix + String(repeating: "X", count: Self.randomLength)).utf8CString)
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw SystemError(String(cString: strerror(errno))) }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var status = stat()
      // Where files cannot be locked, nobody removes those of others either.
      if flock(descriptor, LOCK_EX) != 0 || fstat(descriptor, &status) != 0 || status.st_nlink > 0 {
        self.descriptor = descriptor
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return
      }
      // Another process took it for an abandoned one, between its making and the lock.
      close(descriptor)
    }
  }

  deinit {
    if isThere { unlink(path) }
    close(descriptor)
  }

  #if os(Linux)
    /// Puts an open file without a name in a place, where it replaces what is there.
    package static func name(_ descriptor: Int32, _ target: String) throws(SystemError) {
      let open = "/proc/self/fd/\(descriptor)"
      // A new file needs no name beside its place.
      if linkat(AT_FDCWD, open, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 { return }
      guard errno == EEXIST else { throw SystemError(String(cString: strerror(errno))) }
      let named = try UnfinishedFile(beside: target)
      guard unlink(named.path) == 0, linkat(AT_FDCWD, open, AT_FDCWD, named.path, AT_SYMLINK_FOLLOW) == 0
      else {
        throw SystemError(String(cString: strerror(errno)))
      }
      try named.move(to: target)
    }
  #endif

  /// Puts the file in its place, where it replaces what is there.
  package func move(to target: String) throws(SystemError) {
    guard rename(path, target) == 0 else { throw SystemError(String(cString: strerror(errno))) }
    isThere = false
  }

  /// Puts the file in its place, unless there is one already.
  ///
  /// - Returns: Whether the place was free.
  package func moveUnlessThere(_ target: String) throws(SystemError) -> Bool {
    if link(path, target) == 0 { return true }
    guard errno != EEXIST else { return false }
    throw SystemError(String(cString: strerror(errno)))
  }

  /// Whether a file has the bytes of this one.
  package func hasSameBytes(as other: String) throws(SystemError) -> Bool {
    let opened = open(other, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { throw SystemError(String(cString: strerror(errno))) }
    defer { close(opened) }
    let size = 1 << 16
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 16)
    defer { buffer.deallocate() }
    let (own, others) = (
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]),
      UnsafeMutableRawBufferPointer(rebasing: buffer[size...])
    )
    var offset = 0
    while true {
      let count = try Self.fill(own, from: descriptor, at: offset)
      guard try Self.fill(others, from: opened, at: offset) == count,
        own.prefix(count).elementsEqual(others.prefix(count))
      else { return false }
      if count == 0 { return true }
      offset += count
    }
  }

  /// Reads as much as there is, and says how much.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw SystemError(String(cString: strerror(errno)))
      }
    }
    return filled
  }

  /// The folder of a place with a slash at its end, and how the names of files in the making for it begin.
  private static func parts(of target: String) -> (folder: String, prefix: String) {
    let end = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    var name = target[end...]
    while name.utf8.count + mark.utf8.count + randomLength > longestName { name.removeLast() }
    return (String(target[..<end]), name + mark)
  }

  private static func removeAbandoned(in folder: String, _ prefix: String) {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      guard name.utf8.count == prefix.utf8.count + randomLength, name.hasPrefix(prefix) else { continue }
      removeIfAbandoned(folder + name)
    }
  }

  private static func removeIfAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }
}

/// Synchronisation of files and folders, which keeps a file where it was put through a loss of power.
package enum DurableFile {
  /// Waits until the bytes of a file are on the disk.
  package static func synchronize(_ descriptor: Int32) throws(SystemError) {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      throw SystemError(String(cString: strerror(errno)))
    }
  }

  /// Waits until the name of a file is on the disk. Some systems cannot do that for a folder, and need not.
  package static func synchronizeFolder(of path: String) throws(SystemError) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = path.contains("/") ? (end == path.startIndex ? "/" : String(path[..<end])) : "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else {
      // A folder that may be written to need not be readable.
      if errno == EACCES { return }
      throw SystemError(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      if errno == EINVAL || errno == ENOTSUP || errno == EBADF { return }
      throw SystemError(String(cString: strerror(errno)))
    }
  }
}
