import ArgumentParser
import Foundation
import ModelForms
import ObjectModel

/// `broker model swift`
struct ModelSwiftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Write a model as Swift types marked @Entity.",
    discussion: """
      Example: broker model swift Music.xcdatamodeld --output Sources/Music/

      A folder gets a file for each type. What Swift cannot say stands in a comment of its type and is listed on \
      standard error.
      """)

  @OptionGroup var source: ModelSource

  @Option(
    help: ArgumentHelp(
      "The file, or the folder, to write to; without it, the types go to standard output.", valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(help: "Declare the types public, so that other modules can use them.")
  var `public` = false

  func run() throws {
    let code = try SwiftCode(Model(usableAt: source.path, mapping: source.mapping), isPublic: `public`)
    if let output {
      try write(code, to: output)
    } else {
      try Terminal.write(code.text)
    }
    Notes.write(code.remarks)
  }

  private func write(_ code: SwiftCode, to output: String) throws {
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isDirectory)
    let isFolder = exists ? isDirectory.boolValue : output.hasSuffix("/")
    guard isFolder else { return try TextFile.write(code.text, to: output) }
    if !exists { try Self.makeFolder(output) }
    for file in code.files {
      try TextFile.write(file.text, to: URL(fileURLWithPath: output).appendingPathComponent(file.name).path)
    }
  }

  private static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CleanError("\(path) cannot be written: \(error.localizedDescription).")
    }
  }
}
