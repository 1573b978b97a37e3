import ArgumentParser
import Foundation

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

/// The manual page, made of the help of all commands, in the language of `man`.
struct ManualPage {
  private let command: CommandDescription
  private let version: String

  init(_ command: CommandDescription, version: String) {
    self.command = command
    self.version = version
  }

  var text: String {
    let name = command.commandName
    var lines = [
      #".TH \#(name.uppercased()) 1 "" "\#(name) \#(version)" "User Commands""#,
      ".SH NAME", #"\#(name) \- "# + Self.escaped(lowercasedFirst(command.abstract ?? "")),
      ".SH SYNOPSIS",
    ]
    let all = commands(of: command, [name])
    for (path, command) in all { lines += [".HP"] + synopsis(path, command) }
    lines += [".SH DESCRIPTION"] + Self.paragraphs(command.abstract) + Self.paragraphs(command.discussion)
    lines.append(".SH COMMANDS")
    for (path, command) in all { lines += section(path, command) }
    lines += [".SH ENVIRONMENT"]
    for (name, meaning) in Self.environment { lines += [".TP", ".B \(name)", Self.escaped(meaning)] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let environment = [
    ("NO_COLOR", "Means nothing: there are no colours in any case."),
    ("TERM", "A terminal called dumb gets no lines of progress."),
    ("COLUMNS", "How wide tables may be on a terminal, if not as wide as that is."),
    ("TMPDIR", "Where temporary files are."),
  ]

  /// The commands that do something, with the words that call them.
  private func commands(
    of command: CommandDescription, _ path: [String]
  ) -> [(path: [String], command: CommandDescription)] {
    command.shownCommands.flatMap { child in
      let path = path + [child.commandName]
      return child.shownCommands.isEmpty ? [(path, child)] : commands(of: child, path)
    }
  }

  // MARK: - A command

  private func synopsis(_ path: [String], _ command: CommandDescription) -> [String] {
    let words = command.shownArguments.map { argument in
      var word = name(of: argument, isBold: true)
      if argument.isRepeating { word += " ..." }
      return argument.isOptional ? "[\(word)]" : word
    }
    return [#"\fB\#(path.joined(separator: " "))\fR "# + words.joined(separator: " ")]
  }

  private func section(_ path: [String], _ command: CommandDescription) -> [String] {
    var lines = [".SS \(path.joined(separator: " "))"]
    lines += Self.paragraphs(command.abstract) + Self.paragraphs(command.discussion)
    for argument in command.shownArguments {
      let names = (argument.names ?? []).map(\.text)
      let head =
        argument.kind == .positional
        ? name(of: argument, isBold: false)
        : names.map { #"\fB\#(Self.escaped($0))\fR"# }.joined(separator: ", ") + value(of: argument)
      lines += [".TP", head, Self.escaped(words(of: argument))]
    }
    return lines
  }

  private func name(of argument: CommandDescription.Argument, isBold: Bool) -> String {
    guard let name = argument.preferredName else {
      return #"\fI\#(Self.escaped(argument.valueName ?? ""))\fR"#
    }
    return #"\fB\#(Self.escaped(name.text))\fR"# + value(of: argument)
  }

  private func value(of argument: CommandDescription.Argument) -> String {
    guard argument.kind == .option, let name = argument.valueName else { return "" }
    return #" \fI\#(Self.escaped(name))\fR"#
  }

  private func words(of argument: CommandDescription.Argument) -> String {
    var words = [argument.abstract, argument.discussion].compactMap(\.self).joined(separator: " ")
    if let values = argument.allValues, !values.isEmpty {
      words += " One of \(values.joined(separator: ", "))."
    }
    if argument.kind == .option, let value = argument.defaultValue { words += " Unless given, \(value)." }
    return words
  }

  private func lowercasedFirst(_ text: String) -> String {
    let text = text.hasSuffix(".") ? text.dropLast() : text[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  // MARK: - Text

  /// Paragraphs of help. Lines that are indented are examples, and stay as they are.
  private static func paragraphs(_ text: String?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    var lines = [".PP"]
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.hasPrefix(" ")
      if isIndented != isExample { lines.append(isIndented ? ".RS\n.nf" : ".fi\n.RE") }
      isExample = isIndented
      lines.append(line.isEmpty ? ".PP" : escaped(line.drop { $0 == " " }))
    }
    return lines + (isExample ? [".fi", ".RE"] : [])
  }

  /// A text as a line in which nothing is a command.
  private static func escaped(_ text: some StringProtocol) -> String {
    // Not every version reads UTF-8.
    let text = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": #"\e"#
      case "-": #"\-"#
      case _ where scalar.isASCII: String(scalar)
      default: #"\[u\#(String(scalar.value, radix: 16, uppercase: true))]"#
      }
    }.joined()
    return text.hasPrefix(".") || text.hasPrefix("'") ? #"\&"# + text : text
  }
}

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
  fileprivate var shownCommands: [CommandDescription] {
    (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }

  /// The arguments that are its own, without those that every command has.
  fileprivate var shownArguments: [Argument] {
    (arguments ?? []).filter { argument in
      argument.shouldDisplay && !["help", "version"].contains(argument.preferredName?.name)
    }
  }
}
