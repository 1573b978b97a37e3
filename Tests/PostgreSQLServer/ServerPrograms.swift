#if PostgreSQL
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

  /// The programs of a PostgreSQL server.
  struct ServerPrograms {
    let initdb: String
    let postgres: String
    let baseBackup: String

    /// Finds the programs in PATH, then where Debian and others install them, the latest version first.
    init() throws {
      let manager = FileManager.default
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let versions = (try? manager.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
      let latestFirst = versions.sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }
      let folders =
        path.split(separator: ":").map(String.init)
        + latestFirst.map { "/usr/lib/postgresql/\($0)/bin" }
        + ["/usr/pgsql/bin", "/opt/homebrew/opt/postgresql/bin", "/usr/local/opt/postgresql/bin"]
      let complete = folders.first { folder in
        ["initdb", "postgres"].allSatisfy { manager.isExecutableFile(atPath: "\(folder)/\($0)") }
      }
      guard let complete else {
        throw PostgreSQLServer.Unavailable(
          description: "no PostgreSQL server is installed: scripts/setup --postgresql installs one")
      }
      initdb = "\(complete)/initdb"
      postgres = "\(complete)/postgres"
      let withBackup = folders.first { manager.isExecutableFile(atPath: "\($0)/pg_basebackup") }
      baseBackup = "\(withBackup ?? complete)/pg_basebackup"
    }

    /// The command that runs a program as another user.
    static func prefix(user: String?) throws -> [String] {
      guard let user else { return [] }
      let commands = [
        ("setpriv", ["--reuid=\(user)", "--regid=\(group(of: user))", "--clear-groups", "--"]),
        ("runuser", ["-u", user, "--"]),
      ]
      for (name, arguments) in commands {
        for folder in ["/usr/bin", "/usr/sbin", "/bin", "/sbin"] {
          let path = "\(folder)/\(name)"
          if FileManager.default.isExecutableFile(atPath: path) { return [path] + arguments }
        }
      }
      throw PostgreSQLServer.Unavailable(description: "neither setpriv nor runuser is there to leave root")
    }

    private static func group(of user: String) -> String {
      // By its number: `nobody` has groups of different names.
      getpwnam(user).map { String($0.pointee.pw_gid) } ?? user
    }
  }
#endif
