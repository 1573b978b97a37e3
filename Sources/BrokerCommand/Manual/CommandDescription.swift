import ArgumentParser
import Foundation

/// A command and its arguments, as the argument parser describes them.
struct CommandDescription: Decodable {
  struct Argument: Decodable {
    enum Kind: String, Decodable {
      case positional, option, flag
    }

    struct Name: Decodable {
      let kind: String
      let name: String

      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: Kind
    let names: [Name]?
    let preferredName: Name?
    let valueName: String?
    let abstract: String?
    let discussion: String?
    let defaultValue: String?
    let allValues: [String]?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let arguments: [Argument]?
  let subcommands: [CommandDescription]?
  let shouldDisplay: Bool?

  private struct Dump: Decodable {
    let command: CommandDescription
  }

  /// That of the whole command.
  static func read() throws -> CommandDescription {
    try JSONDecoder().decode(Dump.self, from: Data(BrokerCommand._dumpHelp().utf8)).command
  }

  /// The commands that it has, those that only help is made of left out.
  var shownCommands: [CommandDescription] {
    (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }

  /// The arguments that are its own, without those that every command has.
  var shownArguments: [Argument] {
    (arguments ?? []).filter { argument in
      argument.shouldDisplay && !["help", "version"].contains(argument.preferredName?.name)
    }
  }
}
