import ArgumentParser
import Foundation
import ObjectModel
import ObjectStore
import Stores

/// How the store is used, for the commands that open one.
struct StoreUse: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long to wait for others that write; without end unless given.", valueName: "seconds"))
  var timeout: Double?

  @Option(
    help: ArgumentHelp(
      "How much of the store to keep in memory; 16 unless given. More helps large imports of random identities.",
      valueName: "megabytes"))
  var memory: Int?

  @Flag(help: "Write to the store though its file has triggers that Broker did not make. They run.")
  var allowTriggers = false

  func validate() throws {
    if let timeout, !(0...1e9).contains(timeout) {
      throw ValidationError("--timeout needs seconds, 0 or more.")
    }
    if let memory, !(1...1_000_000).contains(memory) {
      throw ValidationError("--memory needs megabytes, 1 or more.")
    }
  }

  /// Ctrl-C ends all waiting; a terminal is told what is waited for.
  func options(for store: String) -> Store.Options {
    var options = Store.Options(timeout: timeout.map { .seconds($0) })
    options.isCancelled = { Interruption.isRequested }
    options.allowsOtherTriggers = allowTriggers
    // A command that has ended well has its work on the disk, also after a loss of power.
    options.waitsForDisk = true
    if let memory { options.pageCacheSize = memory << 20 }
    guard Terminal.isErrorATerminal else { return options }
    options.onLongWaitForWriter = { writer in
      let who = writer.map { " (\($0))" } ?? ""
      Terminal.writeError(
        "Waiting for another program\(who) that has locked \(StorePlace(store).shown). Ctrl-C ends this.\n")
    }
    return options
  }
}

/// `--store`, for commands that read one.
struct StoreOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store's file, or postgresql://HOST/DATABASE?schema=NAME.", valueName: "store"),
    completion: .file())
  var store: String

  @OptionGroup var use: StoreUse

  /// Runs `body` with a store that must exist.
  ///
  /// Where another program gives the store another version of its model between its opening and the first look into it,
  /// it is opened again: who only reads does not fail for that.
  func reading<Result>(_ body: (Store) throws -> Result) throws -> Result {
    try Self.reading({ try open() }, body)
  }

  /// Runs `body` with a store that is opened to be read, again and again while other programs change its model.
  ///
  /// - Parameter body: Writes nothing before it has seen the store.
  static func reading<Result>(_ open: () throws -> Store, _ body: (Store) throws -> Result) throws -> Result {
    while true {
      let store = try open()
      defer { try? store.close() }
      do {
        return try body(store)
      } catch let error as StoreError where error.isOvertaken {
        if Interruption.isRequested { throw CancellationError() }
      }
    }
  }

  /// Opens a store that must exist.
  ///
  /// What a Core Data store has is put into a store of ours in a temporary file first.
  func open() throws -> Store {
    if CoreDataStore.isThere(at: store) {
      return try CoreDataInput(store, CoreDataOptions.none).temporaryStore()
    }
    return try Store(readingAt: store, use.options(for: store))
  }
}

/// The form of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json

  /// Writes a result to standard output, in its words for people or as JSON.
  func write<Result: Encodable>(
    _ result: @autoclosure () throws -> Result, text: @autoclosure () throws -> String
  ) throws {
    switch self {
    case .text: try Terminal.write(text())
    case .json: try Terminal.write(ReportText.json(result()) + "\n", as: .json)
    }
  }
}
