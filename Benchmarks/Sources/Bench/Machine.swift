import GRDBSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the figures were taken on, without saying whose machine it is.
enum Machine {
  static var description: String {
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return "Taken on \(processor), \(cores) cores, SQLite \(String(cString: sqlite3_libversion())), \(swift)."
  }

  private static var processor: String {
    let information = (try? Files.read("/proc/cpuinfo")) ?? ""
    let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = line?.split(separator: ":").last.map { $0.drop { $0 == " " } }
    return name.map(String.init) ?? "an unnamed processor"
  }

  /// The compiler that is installed, which built what is measured.
  private static var swift: String {
    guard let path = Files.find("swift"), let child = try? Child.run([path, "--version"]) else {
      return "an unknown Swift"
    }
    let words = child.output.split(whereSeparator: \.isWhitespace)
    let version = words.firstIndex(of: "version").map { words.dropFirst($0 + 1).first ?? "" } ?? ""
    return "Swift \(version)"
  }
}
