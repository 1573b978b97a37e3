import ArgumentParser
import Foundation
import ObjectModel

/// `broker model diff`
struct ModelDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "List in what a version of a model differs from an earlier one.",
    discussion: """
      Example: broker model diff Music.xcdatamodeld/Music.xcdatamodel "Music.xcdatamodeld/Music 2.xcdatamodel"

      What that means for a store, broker migrate --dry-run tells.
      """)

  @Argument(help: "The earlier version.", completion: .file())
  var old: String

  @Argument(help: "The later version.", completion: .file())
  var new: String

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let changes = try Model.changes(from: try Model(usableAt: old), to: try Model(usableAt: new))
    switch format {
    case .text:
      let lines = changes.isEmpty ? ["No difference."] : changes.map { VisibleText.onOneLine($0.description) }
      try Terminal.write(lines.joined(separator: "\n") + "\n")
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try Terminal.write(
        String(decoding: try encoder.encode(changes.map(Line.init)), as: UTF8.self) + "\n", as: .json)
    }
  }

  /// A change as it is printed.
  private struct Line: Encodable {
    let entity: String
    let property: String?
    let action: String
    let summary: String

    init(_ change: ModelChange) {
      entity = change.entity
      property = change.property
      action = change.action.rawValue
      summary = change.summary
    }
  }
}
