import Foundation

/// Programs of the system, which tests use where they are there.
enum Tool {
  static func find(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  static func run(_ name: String, _ arguments: [String], in folder: Folder) throws -> Outcome {
    let executable = find(name) ?? URL(fileURLWithPath: "/bin/\(name)")
    return try RunningBroker(arguments, in: folder, input: .file(""), executable: executable).finish()
  }
}
