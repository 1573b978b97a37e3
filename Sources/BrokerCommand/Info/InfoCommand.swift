import ArgumentParser
import ObjectModel
import ObjectStore
import Stores

/// `broker info`
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what is in a store: model, objects, sizes, what waits, the last imports.",
    discussion: """
      Sizes are the bytes of all pages that a table or an index has, as SQLite's dbstat counts them; where SQLite was \
      built without that, only the size of the whole file is told. Every page is read for it.

      Of a Core Data store it says what broker explain says: the model, the objects, and where they are.

      Example:
        broker info bands.sqlite
        broker info --store bands.sqlite --format json
      """)

  @Argument(help: "The store's file.", completion: .file())
  var path: String?

  @Option(
    help: ArgumentHelp("The store's file, in place of the argument.", valueName: "path"), completion: .file())
  var store: String?

  @OptionGroup var use: StoreUse

  @Option(help: "The form of the output: text or json.")
  var format = ReportFormat.text

  func validate() throws {
    if (path == nil) == (store == nil) { throw ValidationError("Name one store: broker info PATH.") }
  }

  func run() throws {
    Interruption.watch()
    let path = path ?? store ?? ""
    if CoreDataStore.isThere(at: path) { return try CoreDataInput(path, .none).explain(as: format) }
    let info = try StoreOption.reading({ try Store(readingAt: path, use.options(for: path)) }, StoreInfo.init)
    switch format {
    case .text: try Terminal.write(InfoText(info).text)
    case .json: try Terminal.write(try ReportText.json(info) + "\n", as: .json)
    }
  }
}
