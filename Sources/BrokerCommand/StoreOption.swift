import ArgumentParser
import Foundation
import ObjectModel
import ObjectStore

/// `--store`, for commands that read one.
struct StoreOption: ParsableArguments {
  @Option(help: ArgumentHelp("The store's file.", valueName: "path"))
  var store: String

  /// Opens a store that must exist.
  func open() throws -> Store {
    try Store(path: store, access: .readOnly)
  }
}

/// The form of a report.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}
