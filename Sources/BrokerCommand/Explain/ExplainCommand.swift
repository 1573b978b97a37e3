import ArgumentParser
import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Stores

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say which keys of JSON fill which properties, and why not.",
    discussion: """
      The JSON is read as an import would read it, and nothing is changed. Keys that fill nothing are listed \
      with what they may have been meant for, properties that stay empty with the keys that would fill them.

      Example:
        broker explain bands.json --model Bands.xcdatamodeld --entity Band
      """)

  @Argument(
    help: ArgumentHelp(
      "Files of JSON, JSON Lines, CSV or TSV, also compressed with gzip or zstd; folders; - is standard input.",
      valueName: "file"), completion: .file())
  var files: [String] = ["-"]

  @Option(
    help: ArgumentHelp("The model, or a schema that a model is made of.", valueName: "path"),
    completion: .file())
  var model: String?

  @Option(
    help: ArgumentHelp("A store whose model and mapping to use, in place of --model.", valueName: "path"),
    completion: .file())
  var store: String?

  @OptionGroup var document: DocumentOptions

  @Option(help: "The form of the explanation.")
  var format = ReportFormat.text

  func validate() throws {
    if isCoreData {
      if store != nil {
        throw ValidationError("A Core Data store is explained by itself: leave --store out.")
      }
      return
    }
    if (model == nil) == (store == nil) { throw ValidationError("Give either --model or --store.") }
    if files.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input can be read only once: give - only once.")
    }
  }

  /// Whether the file to explain is a database.
  private var isCoreData: Bool { files.count == 1 && files[0] != "-" && CoreDataFile.isDatabase(files[0]) }

  func run() throws {
    Interruption.watch()
    if isCoreData { return try CoreDataInput(files[0], .none).explain(as: format, model: model) }
    SchemaFiles.note(among: files)
    let store = try openStore()
    defer { try? store.close() }
    let explanation: Explanation
    do {
      explanation = try Importer(store, document.options).explain(
        document.sources(files), isCancelled: { Interruption.isRequested })
    } catch let error as ImportError where error.isCancellation {
      Terminal.writeError("\(error)\n")
      throw ExitCode(Interruption.exitStatus)
    }
    switch format {
    case .json: try Terminal.write(try ReportText.json(explanation) + "\n", as: .json)
    case .text: try Terminal.write(ExplanationText(explanation).text)
    }
  }

  /// A store in a temporary file, so that large documents are no matter of memory.
  private func openStore() throws -> Store {
    let mapping = try document.readMapping()
    if let store, !CoreDataFile.isDatabase(store) || !CoreDataStore.isThere(at: store) {
      let known = try Store(readingAt: store)
      defer { try? known.close() }
      return try Store(path: "", like: known, mapping: mapping)
    }
    let model =
      try self.model.map { try Model(usableAt: $0) } ?? store.map { try CoreDataStore(path: $0).model }
    return try Store(path: "", model: model, mapping: mapping)
  }
}
