import ArgumentParser
import CCommandLine

/// The command `broker`.
@main
struct BrokerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "broker",
    abstract: "Turns JSON from any web API into a relational store of objects, and objects into JSON.",
    discussion: """
      Example:
        broker import bands.json --model Bands.xcdatamodeld --store bands.sqlite
        broker query Album --store bands.sqlite --select title,band.name --sort -year
        broker export Band --store bands.sqlite --relationships nested --pretty
      """,
    version: "0.1.0",
    subcommands: [
      ImportCommand.self, ExportCommand.self, ExplainCommand.self, QueryCommand.self, InfoCommand.self,
      ModelCommand.self, MigrateCommand.self, CopyCommand.self, DistributeCommand.self,
      DoctorCommand.self, ManualCommand.self,
    ])

  static func main() {
    do {
      try ProcessLimits.check()
      var command = try parseAsRoot(Arguments.ofProcess)
      try command.run()
    } catch {
      Failure.exit(error)
    }
  }
}

private enum Arguments {
  /// The arguments without the command's own name; nil where Swift knows them.
  ///
  /// On Linux Swift reads them from /proc, which is not there in a container that holds the command and nothing else. Then they
  /// are those that the C library keeps.
  static var ofProcess: [String]? {
    let count = broker_argument_count()
    guard count > 0 else { return nil }
    return (1..<max(1, count)).compactMap { index in broker_argument(index).map { String(cString: $0) } }
  }
}
