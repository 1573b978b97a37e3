import Foundation

/// The files of the project.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The lines of a file of Swift that are no comments.
  static func code(_ path: String) throws -> [Substring] {
    try text(path).split(separator: "\n")
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
  }

  /// The paths of the files below a folder that end in an extension, in order.
  static func files(in folder: String, _ suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    let paths = all?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
  }
}

/// A fenced block of a text.
struct Block {
  /// What stands behind the opening fence.
  var language: String
  var lines: [String]

  /// The blocks of Markdown.
  static func all(in text: String) -> [Block] {
    all(in: text.split(separator: "\n", omittingEmptySubsequences: false))
  }

  /// The blocks in the doc comments of Swift.
  static func all(inCommentsOf source: String) -> [Block] {
    all(
      in: source.split(separator: "\n").compactMap { line in
        let line = line.drop { $0 == " " }
        return line.hasPrefix("///") ? line.dropFirst(3) : nil
      })
  }

  private static func all(in lines: [Substring]) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for line in lines {
      let word = line.drop { $0 == " " }
      if !word.hasPrefix("```") {
        open?.lines.append(String(line))
      } else if let block = open {
        blocks.append(block)
        open = nil
      } else {
        open = Block(language: word.dropFirst(3).trimmingCharacters(in: .whitespaces), lines: [])
      }
    }
    return blocks
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// The lines without their indentation, but for those that have nothing else.
  var essence: [String] { Self.essence(of: lines) }

  static func essence(of lines: [some StringProtocol]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}
