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

  extension PostgreSQLServer {
    /// Makes a cluster and starts a server on it.
    /// - Throws: `Unavailable`, with the reason.
    package static func started(_ options: Options = Options()) throws -> PostgreSQLServer {
      let programs = try ServerPrograms()
      let folder = try ServerFolder()
      do {
        let password = UUID().uuidString
        try initialise(folder, programs, password: password)
        // Another process may take the port before the server does.
        for _ in 0..<2 {
          if let server = try? run(folder, programs, password, options) { return server }
        }
        return try run(folder, programs, password, options)
      } catch {
        folder.remove()
        throw error
      }
    }

    private static func initialise(_ folder: ServerFolder, _ programs: ServerPrograms, password: String)
      throws
    {
      try Data((password + "\n").utf8).write(to: URL(fileURLWithPath: folder.passwordFile))
      let command =
        try ServerPrograms.prefix(user: folder.user) + [
          programs.initdb, "-D", folder.data, "-U", role, "--encoding=UTF8", "--locale=C", "--no-sync",
          "--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile=\(folder.passwordFile)",
        ]
      let process = try process(command)
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Unavailable(description: "initdb failed: \(text)") }
    }

    static func process(_ command: [String]) throws -> Process {
      guard let program = command.first else { throw Unavailable(description: "no command") }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = Array(command.dropFirst())
      return process
    }

    /// Ends the server and removes its folder when its standard input ends: that is when the process of the
    /// tests closes the pipe, exits or is killed. Arguments: the folder, then the server's command.
    ///
    /// It does not use `wait`, which needs SIGCHLD: the thread that starts it may have blocked that signal, and
    /// children inherit this. Each `sleep` lets the shell collect the server when it has ended.
    private static let guardian = """
      trap '' INT TERM HUP
      folder=$1; shift
      "$@" </dev/null >"$folder/log" 2>&1 &
      server=$!
      while read -r line; do :; done
      kill -QUIT "$server" 2>/dev/null
      left=200
      while kill -0 "$server" 2>/dev/null && [ "$left" -gt 0 ]; do sleep 0.05; left=$((left - 1)); done
      kill -KILL "$server" 2>/dev/null
      rm -f "$folder/data/postmaster.pid"
      [ -e "$folder/keep" ] || rm -rf "$folder"
      """

    static func run(
      _ folder: ServerFolder, _ programs: ServerPrograms, _ password: String, _ options: Options
    ) throws -> PostgreSQLServer {
      let port = try freePort()
      let server =
        try ServerPrograms.prefix(user: folder.user) + [programs.postgres] + arguments(folder, port, options)
      let process = try process(["/bin/sh", "-c", guardian, "guardian", folder.path] + server)
      let pipe = Pipe()
      // No other child of this process may hold the pipe open.
      _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      process.standardInput = pipe
      // The guardian outlives this process a little: whoever reads its output must not wait for that.
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.currentDirectoryURL = URL(fileURLWithPath: "/")
      // A failed start keeps the folder: another port is tried with it.
      let keep = folder.path + "/keep"
      _ = FileManager.default.createFile(atPath: keep, contents: nil)
      try process.run()
      do {
        try waitUntilReady(folder)
      } catch {
        try? pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        throw error
      }
      try FileManager.default.removeItem(atPath: keep)
      return PostgreSQLServer(
        folder: folder, port: port, password: password, lifeline: pipe.fileHandleForWriting)
    }

    private static func arguments(_ folder: ServerFolder, _ port: UInt16, _ options: Options) -> [String] {
      var settings = [
        "listen_addresses": "127.0.0.1", "port": "\(port)", "unix_socket_directories": folder.path,
        "fsync": options.isDurable ? "on" : "off", "lc_messages": "C", "deadlock_timeout": "100ms",
        // Tests run at the same time, each with stores of its own.
        "max_connections": "500",
      ]
      settings.merge(options.settings) { $1 }
      return ["-D", folder.data]
        + settings.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
    }

    private static func waitUntilReady(_ folder: ServerFolder) throws {
      let limit = Date(timeIntervalSinceNow: 30)
      while Date() < limit {
        usleep(20_000)
        // The last line of this file says when the server takes connections.
        let state = (try? String(contentsOfFile: folder.data + "/postmaster.pid", encoding: .utf8)) ?? ""
        if state.contains("ready") { return }
        let log = (try? String(contentsOfFile: folder.log, encoding: .utf8)) ?? ""
        if log.contains("FATAL:") { break }
      }
      let log = (try? String(contentsOfFile: folder.log, encoding: .utf8)) ?? ""
      throw Unavailable(description: "the PostgreSQL server did not start: \(log)")
    }

    /// A port of the loopback interface that nothing listens on.
    package static func freePort() throws -> UInt16 {
      #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
      #else
        let kind = SOCK_STREAM
      #endif
      let descriptor = socket(AF_INET, kind, 0)
      guard descriptor >= 0 else { throw Unavailable(description: "no socket can be made") }
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
        }
      }
      guard status == 0 else { throw Unavailable(description: "no port of the loopback interface is free") }
      return UInt16(bigEndian: address.sin_port)
    }
  }
#endif
