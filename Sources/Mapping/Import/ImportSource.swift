import Foundation
package import JSONStream
package import ObjectStore

/// The source of the JSON of an import.
public struct ImportSource: Sendable {
  enum Form: Sendable {
    case bytes([UInt8])
    case file(path: String)
    case descriptor(Int32)
    case stream(@Sendable () -> any ByteSource)
    case remote(String)
    case rows(CoreDataStore)
  }

  let form: Form
  /// The name in messages: a file's path as it was given.
  package let name: String
  /// The names that may tell the entity, the best first: a file's without its extension, and its folder's.
  package var entityHints: [String]
  /// The form of its content.
  public var format = InputFormat.automatic
  /// The path of the file; nil if it is none. What was received of a pipe with a name keeps that.
  var path: String?
  /// The name that the store remembers it by; see ``named(_:)``.
  package var recordedName: String?

  /// The name of JSON that has none.
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
  var rows: CoreDataStore? {
    if case .rows(let rows) = form { rows } else { nil }
  }

  /// Objects that are rows already.
  package static func rows(_ rows: CoreDataStore) -> ImportSource {
    var source = ImportSource(.rows(rows), name: rows.path)
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

  /// The name of the file behind that of its folder, `users/1.json`; nil if it is no file.
  package var placeName: String? {
    fileName.map { name in folderName.map { "\($0)/\(name)" } ?? name }
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

/// The bytes of a source on their way to the reader of JSON: decompressed, in UTF-8, and JSON if they were a table.
struct SourceInput {
  let source: any ByteSource
  /// The notes of a table; nil if the source is none.
  let table: TableNotes?
  private let decoded: DecodedInput

  /// - Throws: ``SourceError`` if the first bytes cannot be read.
  init(_ source: ImportSource, _ bytes: any ByteSource, _ options: ImportOptions) throws(SourceError) {
    let limits = InputLimits(maximumSize: options.maximumSize, maximumRatio: options.maximumRatio)
    decoded = try DecodedInput(bytes, limits: limits)
    if let form = source.table {
      let notes = TableNotes()
      self.source = CSVSource(decoded.source, separator: form.separator, notes: notes)
      table = notes
    } else {
      self.source = decoded.source
      table = nil
    }
  }

  /// How many bytes of text, and how many of the source, have been read when the reader of JSON has come to an offset.
  /// Where the text is not the JSON itself, these are a little more: what has been read ahead counts too.
  func position(ofReader offset: Int) -> (text: Int, received: Int) {
    if table == nil, decoded.isUnchanged { return (offset, offset) }
    return (decoded.meter.text, decoded.meter.received)
  }
}

extension ImportSource {
  /// Opens the source as JSON, as an import would read it, for who only looks at it.
  ///
  /// - Parameter body: Is given the bytes of the JSON, and whether they were made of a table.
  /// - Throws: ``ImportError`` for what cannot be read, and for JSON that is broken.
  package func scan<Result>(
    _ options: ImportOptions, isCancelled: @escaping @Sendable () -> Bool,
    _ body: (_ bytes: any ByteSource, _ isTable: Bool) throws -> Result
  ) throws -> Result {
    try formatted(byDefaultAs: options.format).open(isCancelled: isCancelled) { bytes in
      let input: SourceInput
      do throws(SourceError) {
        input = try SourceInput(formatted(byDefaultAs: options.format), bytes, options)
      } catch {
        throw RecordProducer.failure(error, self)
      }
      do {
        return try body(input.source, input.table != nil)
      } catch let error as JSONError {
        throw RecordProducer.failure(error, self, input)
      }
    }
  }

  /// The issue of a source that is left out since it is broken.
  package func issue(of fault: ImportError) -> ImportIssue {
    ImportIssue(
      path: name, entity: "", expected: "JSON or a table", found: fault.text(isWhole: false),
      action: "file left out")
  }

  /// The fault of the source, if it cannot be read to its end as JSON or as a table; nil if it can be.
  ///
  /// - Throws: ``ImportError`` if it cannot be opened, or if reading was cancelled.
  package func fault(
    _ options: ImportOptions, isCancelled: @escaping @Sendable () -> Bool
  ) throws -> ImportError? {
    do {
      try scan(options, isCancelled: isCancelled) { bytes, _ in
        var json = JSONReader(bytes, options: JSONReader.Options(maximumDepth: options.maximumDepth))
        do {
          while try json.next() != .end {}
        } catch let error as JSONError where error.kind == .empty && hasLines {
          // A file of lines may have none.
        }
      }
      return nil
    } catch let error as ImportError where error.isOfContent {
      return error
    }
  }
}

/// The sources of rows whose objects a store has taken over, so that the objects of one are not taken for those of another.
package enum TakenSources {
  /// The place where the store keeps them.
  private static let key = "sources"

  /// The sources by what tells them apart, in the order in which they came.
  package static func all(_ transaction: any EngineTransaction) throws -> [String] {
    try transaction.remembered(under: key)?.split(separator: ",").map(String.init) ?? []
  }

  /// Adds sources.
  ///
  /// - Throws: ``StoreError`` if objects of one would be taken for those of another.
  static func note(
    _ sources: [CoreDataStore], _ transaction: any EngineTransaction, isDryRun: Bool
  ) throws {
    let before = try all(transaction)
    var taken = before
    for source in sources { try source.add(to: &taken) }
    if !isDryRun { try set(taken, before, transaction) }
  }

  /// Adds the sources of another store, whose objects were copied.
  static func restore(_ sources: [String], _ transaction: any EngineTransaction) throws {
    let before = try all(transaction)
    try set(sources + before.filter { !sources.contains($0) }, before, transaction)
  }

  private static func set(
    _ taken: [String], _ before: [String], _ transaction: any EngineTransaction
  ) throws {
    if taken != before { try transaction.remember(taken.joined(separator: ","), under: key) }
  }
}

/// The form of what is imported.
///
/// Whether it is compressed, and the form of Unicode, are recognised by its first bytes.
public struct InputFormat: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case automatic
    case json
    case table(Table)
  }

  /// A table of values.
  struct Table: Sendable, Hashable {
    /// The separator of values; nil for the comma, semicolon or tab that the header shows.
    var separator: UInt8?
  }

  let kind: Kind

  /// The form that the source's name tells: a table for `.csv` and `.tsv`, also with `.gz` or `.zst` behind it, JSON
  /// otherwise.
  public static let automatic = InputFormat(kind: .automatic)

  /// JSON, or JSON Lines.
  public static let json = InputFormat(kind: .json)

  /// A table with commas, semicolons or tabs between its values, whichever its header has most.
  public static let csv = InputFormat(kind: .table(Table()))

  /// A table with tabs between its values.
  public static let tsv = InputFormat(kind: .table(Table(separator: UInt8(ascii: "\t"))))

  /// A table with this character between its values; nil if it cannot be one: it is not of ASCII, a quote, or the end of
  /// a line.
  public static func csv(separator: Character) -> InputFormat? {
    guard let byte = separator.asciiValue, !["\"", "\n", "\r", "\r\n"].contains(separator) else { return nil }
    return InputFormat(kind: .table(Table(separator: byte)))
  }

  /// Whether it is a table, whatever a source's name is.
  package var isTable: Bool { if case .table = kind { true } else { false } }

  /// How a source with this name is a table; nil if it is JSON.
  func table(named name: String) -> Table? {
    switch kind {
    case .json: nil
    case .table(let table): table
    case .automatic:
      switch Self.suffix(of: name) {
      case "csv": Table()
      case "tsv": Table(separator: UInt8(ascii: "\t"))
      default: nil
      }
    }
  }

  private static let compressed = ["gz", "zst", "zstd"]

  /// A file's name without its extension, that of a compressed file included.
  fileprivate static func withoutSuffix(_ name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isCompressed = parts.count > 2 && compressed.contains(parts[parts.count - 1].lowercased())
    return parts.prefix(max(1, parts.count - (isCompressed ? 2 : 1))).joined(separator: ".")
  }

  /// The extension of a file's name in lower case, that of a compressed file left out; empty if there is none.
  static func suffix(of name: String) -> String {
    let parts = name.lowercased().split(separator: "/").last?.split(separator: ".").dropFirst() ?? []
    let plain = parts.last.map { compressed.contains(String($0)) } == true ? parts.dropLast() : parts
    return plain.last.map(String.init) ?? ""
  }
}
