#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
package import JSONStream

/// Where the JSON of an import comes from.
public struct ImportSource: Sendable {
  enum Form: Sendable {
    case bytes([UInt8])
    case file(path: String)
    case descriptor(Int32)
    case stream(@Sendable () -> any ByteSource)
    case remote(String)
  }

  let form: Form
  /// What to call it in messages: a file's path as it was given.
  package let name: String
  /// The name that may tell the entity: a file's, without its extension.
  let entityHint: String?

  /// What to call JSON that has no name.
  package static let unnamed = "the JSON"

  /// Whether its keys and dates show how other programs write JSON. What this program wrote does not show that.
  var isForeign = true

  /// JSON in memory.
  public static func bytes(_ bytes: some Sequence<UInt8>) -> ImportSource {
    ImportSource(form: .bytes(Array(bytes)), name: unnamed, entityHint: nil)
  }

  /// JSON in memory.
  public static func string(_ json: String) -> ImportSource { .bytes(json.utf8) }

  /// A file.
  public static func file(_ path: String) -> ImportSource {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stem = name.split(separator: ".").first.map(String.init)
    return ImportSource(form: .file(path: path), name: path, entityHint: stem)
  }

  /// An address that is no file, which no import can load.
  package static func remote(_ address: String) -> ImportSource {
    ImportSource(form: .remote(address), name: address, entityHint: nil)
  }

  /// An open file descriptor, such as a pipe. The caller closes it.
  public static func descriptor(_ descriptor: Int32, name: String = "standard input") -> ImportSource {
    ImportSource(form: .descriptor(descriptor), name: name, entityHint: nil)
  }

  /// Bytes that come a few at a time. They can be read once.
  package static func stream(
    name: String = unnamed, entityHint: String? = nil, _ open: @escaping @Sendable () -> any ByteSource
  ) -> ImportSource {
    ImportSource(form: .stream(open), name: name, entityHint: entityHint)
  }

  /// Opens the source for `body`.
  func open<Result>(
    isCancelled: @escaping @Sendable () -> Bool, _ body: (any ByteSource) throws -> Result
  ) throws -> Result {
    switch form {
    case .remote(let address): throw ImportError(.remote(address))
    case .bytes(let bytes): return try body(MemorySource(bytes))
    case .stream(let open): return try body(open())
    case .descriptor(let descriptor):
      return try body(DescriptorSource(descriptor: descriptor, isCancelled: isCancelled))
    case .file(let path):
      let opened = path.withCString { sysOpen($0) }
      guard opened >= 0 else {
        throw ImportError.unreadable(path, String(cString: strerror(errno)))
      }
      defer { close(opened) }
      return try body(DescriptorSource(descriptor: opened, isCancelled: isCancelled))
    }
  }

  /// Whether its name says that it has one object on each line.
  var hasLines: Bool { [".jsonl", ".ndjson"].contains { name.lowercased().hasSuffix($0) } }

  /// The name of the file without its extension; nil if it is no file.
  var fileName: String? {
    guard case .file = form else { return nil }
    return entityHint
  }

  /// The name of the folder that the file is in; nil if it is no file, or the path has no folder.
  var folderName: String? {
    guard case .file(let path) = form else { return nil }
    return path.split(separator: "/").dropLast().last.map(String.init)
  }

  /// Whether it is an empty file of lines, which has no objects. An empty file of JSON is an error instead.
  var isEmptyLines: Bool { hasLines && size == 0 }

  /// The size in bytes, if it is known beforehand.
  package var size: Int? {
    switch form {
    case .bytes(let bytes): return bytes.count
    case .descriptor, .stream, .remote: return nil
    case .file(let path):
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Int(status.st_size)
    }
  }
}

private func sysOpen(_ path: UnsafePointer<CChar>) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }
