import ArgumentParser

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
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Failure.exit(error)
    }
  }
}
