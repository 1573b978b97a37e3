#if PostgreSQL
  import Foundation
  import PostgreSQLClient

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A file system in memory with little room, where a server can keep a database. It goes with this object.
  package final class SmallDisk: Sendable {
    private let path: String

    /// Nil where this process may not mount one.
    ///
    /// - Parameter megabytes: Its size. An empty database takes eight.
    package init?(of server: PostgreSQLServer, megabytes: Int) {
      guard let user = server.folder.user, let entry = getpwnam(user) else { return nil }
      path = "/tmp/broker-disk-\(UUID().uuidString)"
      let options = "size=\(megabytes)m,uid=\(entry.pointee.pw_uid),mode=0700"
      guard mkdir(path, 0o755) == 0, Self.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]) else {
        rmdir(path)
        return nil
      }
    }

    deinit {
      // The server may still have a file open there.
      _ = Self.run("umount", ["-l", path])
      rmdir(path)
    }

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
      guard
        let path = ["/usr/bin", "/bin", "/sbin"].map({ "\($0)/\(program)" }).first(
          where: FileManager.default.isExecutableFile)
      else { return false }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
      (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      do { try process.run() } catch { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    /// Makes a database on this disk, and returns its URL.
    package func makeDatabase(of server: PostgreSQLServer) throws -> String {
      let connection = try PostgreSQLConnection.open(server.url(database: "postgres"))
      let name = "t_" + UUID().uuidString.replacing("-", with: "").lowercased()
      try connection.execute("CREATE TABLESPACE \(name) LOCATION '\(path)'")
      try connection.execute(
        "CREATE DATABASE \(name) ENCODING 'UTF8' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C' TABLESPACE \(name)"
      )
      return server.url(database: name)
    }
  }
#endif
