import ArgumentParser
import Foundation
import Inference
import Mapping
import ObjectModel
import ObjectStore

/// `broker model infer`
struct ModelInferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Propose a model of what JSON has.",
    discussion: """
      The JSON is read once. Entities, identities, types, links and kinds are taken from it, each with the evidence, \
      and what is doubtful first. Without --output, the model is printed as an overview.

      Example:
        broker model infer data/ --output model.json --mapping mapping.yaml
        broker model infer more.json --refine model.json --mapping mapping.yaml --output model.json
      """)

  @Argument(
    help: ArgumentHelp(
      "Files of JSON, JSON Lines, CSV or TSV, also compressed with gzip or zstd; folders; - is standard input.",
      valueName: "file"), completion: .file())
  var files: [String] = ["-"]

  @Option(
    help: ArgumentHelp("Where to write the model: .json, .xcdatamodel or .xcdatamodeld.", valueName: "path"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Where to write the mapping, in YAML. With --refine, what it says there stays.", valueName: "path"),
    completion: .file())
  var mapping: String?

  @Option(
    help: ArgumentHelp(
      "A model that is there: what it says stays, and what the JSON has beyond it is added. --identity and, for new keys, --link"
        + " are written into it.",
      valueName: "path"), completion: .file())
  var refine: String?

  @Option(
    help: ArgumentHelp(
      "Look at no more of each file than so many records, or so much text: 1000, 50MB.", valueName: "n|size"))
  var sample: SampleSize?

  @Option(
    help: ArgumentHelp(
      "Where in the JSON the objects are, if that is not to be found out: response.items, data.{country}.cities.",
      valueName: "key.path"))
  var at: String?

  @Option(
    help: ArgumentHelp("The name of the entity of the objects at the top of the JSON.", valueName: "name"))
  var entity: String?

  @Option(
    help: ArgumentHelp("The keys that identify the objects of an entity.", valueName: "entity=key,key"))
  var identity: [Assignment] = []

  @OptionGroup var wishes: WishOptions

  @OptionGroup var input: InputOptions

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func validate() throws {
    if files.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input can be read only once: give - only once.")
    }
  }

  func run() throws {
    Interruption.watch()
    SchemaFiles.note(among: files)
    let inferred = try infer()
    if let output { try inferred.model.write(to: URL(fileURLWithPath: HomeFolder.expanding(output))) }
    if let mapping {
      // A file without a rule is read as one with none, and an empty one as a mistake.
      let text = inferred.mapping.text()
      try TextFile.write(text.isEmpty ? "{}\n" : text, to: HomeFolder.expanding(mapping))
    }
    switch format {
    case .json: try Terminal.write(try InferenceJSON.text(inferred) + "\n", as: .json)
    case .text:
      var text = InferenceText(inferred, files: files, output: output, mapping: mapping)
      text.isRefinement = refine != nil
      try Terminal.write(text.text)
    }
  }

  private func infer() throws -> InferredModel {
    var options = InferenceOptions()
    options.input = input.options
    options.input.root = at
    options.records = sample?.records
    options.bytes = sample?.bytes
    options.wishes = wishes.wishes(
      entity: entity, identities: Dictionary(identity.map { ($0.name, $0.value) }) { _, last in last })
    do {
      guard let refine else { return try infer(options) }
      let known = try Model(usableAt: refine)
      let mapping = try knownMapping() ?? JSONMapping()
      let words = try RefinementWishes(options.wishes, known, mapping, path: refine)
      options.wishes = words.inference
      options.read(as: mapping)
      let drafted = try infer(options)
      try words.check(drafted)
      var inferred = drafted.refining(known, mapping: mapping)
      try words.fulfill(in: &inferred)
      return inferred
    } catch let error as InferenceError {
      // Elsewhere the advice is to give a model, for which there is no option here.
      throw CleanError(error.description)
    } catch let error as ImportError where error.isCancellation {
      Terminal.writeError("\(error)\n")
      throw ExitCode(Interruption.exitStatus)
    }
  }

  private func infer(_ options: InferenceOptions) throws -> InferredModel {
    try InferredModel(
      from: input.sources(files), options: options, isCancelled: { Interruption.isRequested })
  }

  /// The mapping that goes with the model that is refined; nil if its file is not there, or is empty.
  private func knownMapping() throws -> JSONMapping? {
    guard let mapping else { return nil }
    let path = HomeFolder.expanding(mapping)
    guard FileManager.default.fileExists(atPath: path),
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int != 0
    else { return nil }
    return try JSONMapping(argument: mapping)
  }
}

/// `1000` for records, `50MB` for bytes.
struct SampleSize: ExpressibleByArgument {
  var records: Int?
  var bytes: Int?

  init?(argument: String) {
    if let records = Int(argument) {
      guard records > 0 else { return nil }
      self.records = records
    } else {
      guard let size = ByteCount(argument: argument), size.count > 0 else { return nil }
      bytes = size.count
    }
  }
}

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

/// The sources of an import, which are read more than once if a model is taken from them.
final class PreparedSources {
  private(set) var sources: [ImportSource]
  private var areReceived = false
  /// The issues of those that were left out.
  private(set) var leftOut: [ImportIssue] = []

  /// - Parameter options: How they are to be read: of a table, all bytes are received.
  init(_ sources: [ImportSource], _ options: ImportOptions) {
    self.sources = sources.map { $0.formatted(byDefaultAs: options.format) }
  }

  /// The sources. Of those that can be read only once, such as pipes, all is received now, once.
  func readableTwice() throws -> [ImportSource] {
    if !areReceived {
      sources = try sources.map { try $0.readableAgain(isCancelled: { Interruption.isRequested }) }
      areReceived = true
    }
    return sources
  }

  /// Leaves out the sources that are broken.
  ///
  /// - Throws: ``ImportError`` if all of them are.
  func leaveOutBroken(_ options: ImportOptions) throws {
    var usable: [ImportSource] = []
    var first: ImportError?
    for source in try readableTwice() {
      if let fault = try source.fault(options, isCancelled: { Interruption.isRequested }) {
        first = first ?? fault
        leftOut.append(source.issue(of: fault))
      } else {
        usable.append(source)
      }
    }
    if usable.isEmpty, let first { throw first }
    sources = usable
  }
}
