import ArgumentParser

/// `broker manual`, which `scripts/install` calls.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Write the manual page, for man.",
    discussion: """
      Example: broker manual > broker.1
      """, shouldDisplay: false)

  func run() throws {
    let page = ManualPage(try CommandDescription.read(), version: BrokerCommand.configuration.version)
    try Terminal.write(page.text, as: .csv)
  }
}
