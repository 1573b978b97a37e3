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
package import JSONStream
package import ObjectStore

/// Where the JSON of an import comes from.
public struct ImportSource: Sendable {
  enum Form: Sendable {
    case bytes([UInt8])
    case file(path: String)
    case descriptor(Int32)
    case stream(@Sendable () -> any ByteSource)
    case remote(String)
    case rows(any RowSource)
  }

  let form: Form
  /// What to call it in messages: a file's path as it was given.
  package let name: String
  /// The names that may tell the entity, the best first: a file's without its extension, and its folder's.
  package var entityHints: [String]
  /// The form of its content.
  public var format = InputFormat.automatic
  /// The path of the file; nil if it is none. What was received of a pipe with a name keeps that.
  var path: String?
  /// What the store remembers it by; see ``named(_:)``.
  package var recordedName: String?

  /// What to call JSON that has no name.
  package static let unnamed = "the JSON"

  /// Whether its keys and dates show how other programs write JSON. What this program wrote does not show that.
  var isForeign = true

  init(_ form: Form, name: String, entityHints: [String] = []) {
    self.form = form
    self.name = name
    self.entityHints = entityHints
  }

  /// The same source, with a name for the store's history of imports. A file has its path without that, standard input
  /// `-`, and all else no name.
  ///
  /// ```swift
  /// try await store.import(ImportSource.bytes(data).named("GET /bands"), as: Band.self)
  /// ```
  public func named(_ name: String) -> ImportSource {
    var source = self
    source.recordedName = name
    return source
  }

  /// JSON in memory.
  public static func bytes(_ bytes: some Sequence<UInt8>) -> ImportSource {
    ImportSource(.bytes(Array(bytes)), name: unnamed)
  }

  /// JSON in memory.
  public static func string(_ json: String) -> ImportSource { .bytes(json.utf8) }

  /// A file. What is compressed with gzip or zstd, and other Unicode than UTF-8, is recognised by its first bytes, a
  /// table by its name.
  public static func file(_ path: String) -> ImportSource {
    let names = path.split(separator: "/").suffix(2).reversed()
    let stem = names.first.flatMap { $0.split(separator: ".").first }
    // The system's names of open files and pipes say nothing of what is in them.
    let isSystems = ["/dev/", "/proc/"].contains { path.hasPrefix($0) }
    let hints = isSystems ? [] : [stem].compactMap { $0 } + names.dropFirst()
    var source = ImportSource(.file(path: path), name: path, entityHints: hints.map(String.init)).named(path)
    source.path = path
    return source
  }

  /// The same source, whose content has a form that its name does not tell.
  ///
  /// ```swift
  /// let report = try await store.import(ImportSource.file("bands.txt").formatted(as: .csv), as: Band.self)
  /// ```
  public func formatted(as format: InputFormat) -> ImportSource {
    var source = self
    source.format = format
    return source
  }

  /// The same source. If it does not say its form itself, it has this one.
  package func formatted(byDefaultAs other: InputFormat) -> ImportSource {
    format == .automatic ? formatted(as: other) : self
  }

  /// The source, if its objects are rows already.
  var rows: (any RowSource)? {
    if case .rows(let rows) = form { rows } else { nil }
  }

  /// Objects that are rows already.
  package static func rows(_ rows: any RowSource) -> ImportSource {
    var source = ImportSource(.rows(rows), name: rows.name)
    source.isForeign = false
    return source
  }

  /// An address that is no file, which no import can load.
  package static func remote(_ address: String) -> ImportSource {
    ImportSource(.remote(address), name: address).named(address)
  }

  /// An open file descriptor, such as a pipe. The caller closes it.
  public static func descriptor(_ descriptor: Int32, name: String = "standard input") -> ImportSource {
    ImportSource(.descriptor(descriptor), name: name).named(descriptor == STDIN_FILENO ? "-" : name)
  }

  /// Bytes that come a few at a time. They can be read once.
  package static func stream(
    name: String = unnamed, _ open: @escaping @Sendable () -> any ByteSource
  ) -> ImportSource {
    ImportSource(.stream(open), name: name)
  }

  /// Opens the source for `body`.
  func open<Result>(
    isCancelled: @escaping @Sendable () -> Bool, _ body: (any ByteSource) throws -> Result
  ) throws -> Result {
    switch form {
    case .remote(let address): throw ImportError(.remote(address))
    case .rows: throw ImportError(.rowsAsJSON(name))
    case .bytes(let bytes): return try body(MemorySource(bytes))
    case .stream(let open): return try body(open())
    case .descriptor(let descriptor):
      return try body(DescriptorSource(descriptor: descriptor, isCancelled: isCancelled))
    case .file(let path):
      let opened = Self.opened(path)
      guard opened >= 0 else {
        throw ImportError.unreadable(path, String(cString: strerror(errno)))
      }
      defer { close(opened) }
      return try body(DescriptorSource(descriptor: opened, isCancelled: isCancelled))
    }
  }

  /// Opens a file to read.
  ///
  /// To open a pipe with a name waits for who writes to it, which no cancellation ends. So it is opened without that, and
  /// the wait for the first bytes is that of all pipes.
  private static func opened(_ path: String) -> Int32 {
    #if canImport(Darwin)
      // There, a pipe that nobody has opened yet looks like one at its end.
      return sysOpen(path, O_RDONLY | O_CLOEXEC)
    #else
      var status = stat()
      let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
      return sysOpen(path, O_RDONLY | O_CLOEXEC | (isPipe ? O_NONBLOCK : 0))
    #endif
  }

  /// Whether a path names something that can be read only once, as a pipe.
  package static func isReadOnce(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// All its bytes, in memory.
  ///
  /// - Parameter largest: The most bytes that are read.
  /// - Returns: Nil if there are more.
  /// - Throws: ``ImportError`` if it cannot be read, or reading is cancelled.
  package func bytes(
    largest: Int, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> [UInt8]? {
    do {
      return try open(isCancelled: isCancelled) { opened -> [UInt8]? in
        var source = opened
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          let count = try part.withUnsafeMutableBytes { try source.read(into: $0) }
          guard count > 0 else { return result }
          guard result.count + count <= largest else { return nil }
          result += part[..<count]
        }
      }
    } catch let error as SourceError {
      throw error.isCancellation ? ImportError(.cancelled) : ImportError.unreadable(name, error.message)
    }
  }

  /// Whether its name says that it has one object on each line. Without any line it has no objects, where an empty file
  /// of JSON is an error.
  package var hasLines: Bool { table == nil && ["jsonl", "ndjson"].contains(InputFormat.suffix(of: name)) }

  /// The name of the file without its extension, that of a compressed file included; nil if it is no file.
  package var fileName: String? {
    path?.split(separator: "/").last.map { InputFormat.withoutSuffix(String($0)) }
  }

  /// The name of the folder that the file is in; nil if it is no file, or the path has no folder.
  var folderName: String? {
    path?.split(separator: "/").dropLast().last.map(String.init)
  }

  /// Its name among all other sources: the whole path of a file, in which no symbolic link is left, or the name that it
  /// was given; nil if it has none, as pipes.
  var uniqueName: String? {
    guard let path else { return recordedName == "-" ? nil : recordedName }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let whole = realpath(path, nil) else {
      return nil
    }
    defer { free(whole) }
    return String(cString: whole)
  }

  /// How its content is a table; nil if it is JSON.
  var table: InputFormat.Table? { format.table(named: name) }

  /// The size in bytes, if it is known beforehand.
  package var size: Int? {
    switch form {
    case .bytes(let bytes): return bytes.count
    case .descriptor, .stream, .remote: return nil
    case .rows(let rows): return rows.size
    case .file(let path):
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Int(status.st_size)
    }
  }
}

private func sysOpen(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { open(path, flags) }
