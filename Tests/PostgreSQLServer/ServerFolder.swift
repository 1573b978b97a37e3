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

  /// The temporary folder with the server's data, its log and its socket.
  struct ServerFolder: Sendable {
    let path: String
    /// The user that the server runs as, where this process is root: the server refuses to run as root.
    let user: String?

    var data: String { path + "/data" }
    var log: String { path + "/log" }
    var passwordFile: String { path + "/password" }

    init() throws {
      user = getuid() == 0 ? try Self.unprivilegedUser() : nil
      path = try Self.makeFolder(isShared: user != nil)
      guard let user, let entry = getpwnam(user) else { return }
      guard chown(path, entry.pointee.pw_uid, entry.pointee.pw_gid) == 0 else {
        remove()
        throw PostgreSQLServer.Unavailable(description: "the server's folder cannot be given to \(user)")
      }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func unprivilegedUser() throws -> String {
      for name in ["postgres", "nobody"] where getpwnam(name) != nil { return name }
      throw PostgreSQLServer.Unavailable(
        description: "there is no user postgres or nobody to run a server as")
    }

    /// - Parameter isShared: Another user has to reach the folder.
    private static func makeFolder(isShared: Bool) throws -> String {
      // The path of a socket has about 100 bytes at most.
      let temporary = NSTemporaryDirectory()
      let parent = isShared || temporary.utf8.count > 60 ? "/tmp" : temporary
      var template = Array((parent + "/broker-pg-XXXXXX").utf8CString)
      guard mkdtemp(&template) != nil else {
        throw PostgreSQLServer.Unavailable(description: "no temporary folder can be made in \(parent)")
      }
      return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
