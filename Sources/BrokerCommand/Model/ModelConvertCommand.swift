import ArgumentParser
import Foundation
import ObjectModel

/// `broker model convert`
struct ModelConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a model in another form.",
    discussion: """
      Example: broker model convert Music.xcdatamodeld music.json

      The extension of the output names the form: .xcdatamodeld, .xcdatamodel or .json. A file that exists is \
      replaced; in a bundle that exists, its current version.
      """)

  @Argument(help: "The model to read.", completion: .file())
  var input: String

  @Argument(help: "Where to write it.", completion: .file())
  var output: String

  func run() throws {
    let model = try Model(usableAt: input)
    try model.write(to: URL(fileURLWithPath: output))
  }
}
