import ArgumentParser
import Mapping
import ObjectStore

/// How the bytes of sources become JSON, for commands that only look at it.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form of the input: json, csv or tsv. Without it the names of files tell: .csv, .tsv.",
      valueName: "format"))
  var inputFormat: InputForm?

  @Option(
    help: ArgumentHelp(
      "What stands between the values of a table, if it is not the comma, semicolon or tab of its header.",
      valueName: "character"))
  var separator: Separator?

  @Option(
    help: ArgumentHelp("The most that an input may have, after decompression: 500MB, 2GB.", valueName: "size")
  )
  var maxInput: ByteCount?

  @Option(
    help: ArgumentHelp(
      "How many times as long a compressed input may become, past its first 10 MB.", valueName: "n"))
  var maxRatio = 500

  func validate() throws {
    if separator != nil, inputFormat == .json {
      throw ValidationError("--separator is for tables, not for JSON.")
    }
    if maxRatio < 1 { throw ValidationError("--max-ratio needs a number, 1 or more.") }
  }

  /// The options of an import that say the same.
  var options: ImportOptions {
    var options = ImportOptions()
    options.format = format
    options.maximumSize = maxInput?.count
    options.maximumRatio = maxRatio
    return options
  }

  private var format: InputFormat {
    if let separator, inputFormat != .json { return separator.format }
    switch inputFormat {
    case .json: return .json
    case .csv: return .csv
    case .tsv: return .tsv
    case nil: return .automatic
    }
  }

  /// The sources that arguments name: files, folders, patterns, and `-` for standard input.
  func sources(_ paths: [String]) throws -> [ImportSource] {
    let sources = try paths.flatMap { path in
      try DatabaseName.check(path)
      return path == "-" ? [ImportSource.descriptor(0)] : try ImportSource.files(HomeFolder.expanding(path))
    }
    var pipes: [[UInt64]: String] = [:]
    for source in sources {
      guard let number = source.pipeNumber else { continue }
      guard let other = pipes.updateValue(source.name, forKey: number) else { continue }
      throw ValidationError(
        "\(other) and \(source.name) are one pipe, which can be read only once: name it only once.")
    }
    return sources
  }
}
