#if PostgreSQL
  import Foundation

  extension PostgreSQLServer {
    /// Starts a server that follows this one by streaming replication.
    ///
    /// - Throws: `Unavailable`, with the reason.
    package func standby() throws -> PostgreSQLServer {
      let programs = try ServerPrograms()
      let copy = try ServerFolder()
      do {
        let command =
          try ServerPrograms.prefix(user: copy.user) + [
            programs.baseBackup, "-D", copy.data, "-h", folder.path, "-p", "\(port)", "-U", Self.role,
            "--checkpoint=fast", "--write-recovery-conf", "--no-sync",
          ]
        let process = try Self.process(command)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.currentDirectoryURL = URL(fileURLWithPath: copy.path)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
          throw Unavailable(description: "pg_basebackup failed: \(text)")
        }
        return try Self.run(copy, programs, password, Options())
      } catch {
        copy.remove()
        throw error
      }
    }
  }
#endif
