#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is needed of the file system and the clock. Without Foundation, to keep this process small: a child's
/// peak memory is never less than its parent's.
enum Files {
  static let temporaryFolder: String = {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/bench-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) } ?? folder
  }()

  static func removeTemporaryFolder() {
    for name in ["output", "errors"] { unlink("\(temporaryFolder)/\(name)") }
    rmdir(temporaryFolder)
  }

  /// Tells whoever waits, on standard error, how far it has come.
  static func note(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }

  /// The folder that this executable lies in.
  static var executableFolder: String {
    let path = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil)
    defer { free(path) }
    let name = path.map { String(cString: $0) } ?? CommandLine.arguments[0]
    return name.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  static func size(_ path: String) -> Int? {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : nil
  }

  static func isExecutable(_ path: String) -> Bool {
    access(path, X_OK) == 0
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The command that a shell would find under this name.
  static func find(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure(path) }
  }

  /// Removes a database and what lies beside it.
  static func removeStore(_ path: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      guard unlink(path + suffix) == 0 || errno == ENOENT else { throw failure(path + suffix) }
    }
  }

  static func read(_ path: String) throws -> String {
    var bytes: [UInt8] = []
    try forEachPiece(of: path) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func save(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw failure(path) }
    let bytes = Array(text.utf8)
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw failure(path) }
  }

  static func forEachPiece(of path: String, _ body: (ArraySlice<UInt8>) -> Void) throws {
    guard let file = fopen(path, "r") else { throw failure(path) }
    defer { fclose(file) }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return }
      body(piece[..<count])
    }
  }

  /// The most memory that this process has used, which its children's figures are never less than.
  static var peakMiB: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss) >> 20
    #else
      getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
      return Int(usage.ru_maxrss) >> 10
    #endif
  }

  static func failure(_ path: String) -> Failure {
    Failure(description: "\(path): \(String(cString: strerror(errno)))")
  }

  /// Seconds on a clock that only goes forward.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
