public import ArgumentParser
import Foundation
import JSONStream
public import Mapping
import ObjectModel
import ObjectStore

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write objects of a store as JSON.",
    discussion: """
      Keys are the API's, by the same mapping as on import, backwards. What is exported can be imported again \
      and changes nothing.

      --nest names relationships whose objects are written themselves, whatever --relationships says of the \
      rest: with keys, the rest are identities; with none, the rest is left out; with nested, what is named is \
      nested beyond --depth too. albums.tracks nests albums, and in each its tracks. No object is written \
      inside itself.

      Without an entity, the whole store is exported: one document with a list for each entity, or with --folder \
      a file for each. Imported into an empty store with the same model, it gives the same store. That is a backup.

      Example:
        broker export --store bands.sqlite --output backup.json
        broker export Band --store bands.sqlite --id Japan --relationships nested --pretty
        broker export Album --store bands.sqlite --where "band.name == 'Japan'"
        broker export Band --store bands.sqlite --nest albums.label,members --relationships none
        broker export Band --store bands.sqlite --nest albums --rails --lines
      """)

  @Argument(help: "The entity; all of them unless given.", completion: EntityCompletion.names)
  var entity: String?

  @OptionGroup var objects: QueryOptions

  @OptionGroup var location: StoreOption

  @Option(help: "What to write of relationships: nothing, identities, or the objects themselves.")
  var relationships = Relationships.keys

  @Option(help: ArgumentHelp("How many relationships deep to nest; 1 unless given.", valueName: "n"))
  var depth: Int?

  @Option(help: ArgumentHelp("Relationships, or key paths of them, to nest.", valueName: "name,…"))
  var nest: String?

  @Flag(
    help: """
      Write relationships as models of Rails take them: nested objects under albums_attributes, identities \
      under album_ids or label_id; keys in snake case.
      """)
  var rails = false

  @Option(help: "The style of keys: camel or snake. Unless given, that in which the JSON came.")
  var keys: ExportOptions.Keys?

  @Option(help: "Whether to write what has no value.")
  var nulls = Nulls.include

  @Flag(help: "One list, or an object a line.")
  var form = Form.array

  @Flag(help: "Break lines and indent.")
  var pretty = false

  @Option(
    help: ArgumentHelp("The file to write; standard output unless given.", valueName: "path"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The folder to write all entities to, a file for each; made if it is not there.", valueName: "path"),
    completion: .directory)
  var folder: String?

  @Option(help: "Whether to tell, with --output or --folder, what was written: json tells, text is silent.")
  var format = ReportFormat.text

  enum Relationships: String, ExpressibleByArgument, CaseIterable {
    case none
    case keys
    case nested
  }

  enum Nulls: String, ExpressibleByArgument, CaseIterable {
    case include
    case omit
  }

  enum Form: String, EnumerableFlag {
    case array
    case lines
  }

  func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth must not be negative.") }
    if depth != nil, relationships != .nested {
      throw ValidationError("--depth goes with --relationships nested.")
    }
    try validateWholeStore()
    if format == .json, output == nil, folder == nil {
      throw ValidationError(
        "--format json tells what --output or --folder wrote. Without them, objects are written as JSON.")
    }
    if let output, ["csv", "tsv"].contains(where: { output.lowercased().hasSuffix("." + $0) }) {
      throw ValidationError(
        "export writes JSON, and \(output) has the name of a table. For a table: broker query \(entity ?? "ENTITY")"
          + " --format csv > \(ShellWord.quoted(output))")
    }
    if pretty, form == .lines { throw ValidationError("--pretty and --lines exclude each other.") }
  }

  private func validateWholeStore() throws {
    guard entity == nil else {
      if folder != nil { throw ValidationError("--folder is for all entities: leave the entity out.") }
      return
    }
    guard objects.isAll, relationships == .keys, depth == nil, nest == nil, !rails else {
      throw ValidationError(
        "Name an entity: --id, --where, --matching, --sort, --limit, --relationships, --nest and --rails are for the objects of"
          + " one. Without an entity, the whole store is exported.")
    }
    if folder != nil, output != nil { throw ValidationError("--output and --folder exclude each other.") }
    if form == .lines, folder == nil {
      throw ValidationError(
        "One document cannot have an object a line. Add --folder PATH for a file for each entity.")
    }
  }

  func run() throws {
    Interruption.watch()
    objects.noteSQLPatterns()
    try location.reading { try write($0) }
  }

  private func write(_ store: Store) throws {
    warnOfProblems(store)
    let exporter = Exporter(store, options)
    if let folder { return try report(try write(store, exporter, toFolder: HomeFolder.expanding(folder))) }
    guard let output = output.map(HomeFolder.expanding) else {
      _ = try write(exporter, to: Terminal.jsonSink())
      return
    }
    try OutputFile.check(output, isNot: HomeFolder.expanding(location.store))
    let file = try OutputFile(output)
    let written = try write(exporter, to: DescriptorSink(descriptor: file.descriptor))
    try file.finish()
    try report([WrittenFile(path: output, entity: entity, written)])
  }

  /// Tells what is left out, since nobody can follow what the model or the mapping says of it.
  private func warnOfProblems(_ store: Store) {
    let problems = store.layout.schema.model.mappingProblems(store.functions)
    for problem in problems { Terminal.writeError("\(problem)\n") }
    guard !problems.isEmpty else { return }
    Terminal.writeError("The export leaves \(problems.count == 1 ? "it" : "them") out too.\n")
  }

  /// A file that was written, as `--format json` tells it.
  private struct WrittenFile: Encodable {
    let path: String
    let entity: String?
    let objects: Int
    let bytes: Int

    init(path: String, entity: String?, _ written: (objects: Int, bytes: Int)) {
      self.path = path
      self.entity = entity
      (objects, bytes) = written
    }
  }

  private func report(_ files: [WrittenFile]) throws {
    guard format == .json else { return }
    try Terminal.write(try ReportText.json(["files": files]) + "\n", as: .json)
  }

  private func write(_ exporter: Exporter, to sink: any ByteSink) throws -> (objects: Int, bytes: Int) {
    do {
      guard let entity else {
        return try exporter.runAll(
          to: sink, isCancelled: { Interruption.isRequested }, noteLoss: { Terminal.writeError("\($0)\n") })
      }
      let written = try QueryOptions.checkingPredicate {
        try exporter.run(
          objects.query(of: entity), to: sink,
          isCancelled: { Interruption.isRequested })
      }
      try checkThatOneIsThere(written.objects, entity)
      return written
    } catch let error as ExportError {
      throw ValidationError(error.description)
    }
  }

  /// An object that was asked for and is not there is an error.
  private func checkThatOneIsThere(_ count: Int, _ entity: String) throws {
    guard count == 0, let id = objects.id else { return }
    throw CleanError("There is no \(entity) \(id).")
  }

  /// Writes a file for each entity, all of one moment.
  private func write(
    _ store: Store, _ exporter: Exporter, toFolder folder: String
  ) throws -> [WrittenFile] {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CleanError("\(folder) cannot be made: \(error.localizedDescription).")
    }
    return try store.read { transaction in
      var files: [WrittenFile] = []
      var open: OutputFile?
      try exporter.runEach(in: transaction) { entity in
        let file = try OutputFile(path(of: entity.name, in: folder))
        open = file
        return DescriptorSink(descriptor: file.descriptor)
      } isCancelled: {
        Interruption.isRequested
      } noteLoss: {
        Terminal.writeError("\($0)\n")
      } close: { entity, written in
        try open?.finish()
        files.append(WrittenFile(path: try path(of: entity.name, in: folder), entity: entity.name, written))
      }
      return files
    }
  }

  /// The file for the objects of an entity.
  private func path(of entity: String, in folder: String) throws -> String {
    // A model's name must not lead out of the folder.
    guard !entity.contains("/"), !entity.hasPrefix(".") else {
      throw CleanError("\(entity) cannot be a file's name. Export it alone, with --output.")
    }
    let path = "\(folder)/\(entity).\(form == .lines ? "jsonl" : "json")"
    try OutputFile.check(path, isNot: HomeFolder.expanding(location.store))
    return path
  }

  private var options: ExportOptions {
    var options = ExportOptions()
    options.relationships =
      switch relationships {
      case .none: .none
      case .keys: .keys
      case .nested: .nested(depth: depth ?? 1)
      }
    options.nested = QueryOptions.list(nest ?? "")
    options.relationshipKeys = rails ? .rails : .names
    options.keys = keys ?? (rails ? .snake : nil)
    options.includesNulls = nulls == .include
    options.form = form == .lines ? .lines : .array
    options.isPretty = pretty
    options.leavesOutUnusable = true
    return options
  }
}

extension ExportOptions.Keys: ExpressibleByArgument {}
