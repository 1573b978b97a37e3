import Foundation
import Testing

/// Runs what `docs/RECIPES.md` shows: each section's files are written, and each command has to print what stands below it.
@Suite struct RecipeTests {
  private static let sections = Recipe.all

  @Test(arguments: sections)
  func recipe(_ recipe: Recipe) throws {
    let folder = try Folder()
    for (name, text) in recipe.files { try folder.write(text, to: name) }
    #expect(!recipe.steps.isEmpty)
    for step in recipe.steps {
      let outcome = try broker(step.arguments, in: folder)
      #expect(outcome.error == "")
      #expect(outcome.output == step.output, "\(step.arguments.joined(separator: " "))")
    }
  }

  @Test func thereAreRecipes() {
    #expect(Self.sections.count >= 18)
  }
}

/// A section of the page.
struct Recipe: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    var arguments: [String]
    var output = ""
  }

  var title: String
  var files: [(name: String, text: String)] = []
  var steps: [Step] = []

  var testDescription: String { title }

  /// All sections, in the order of the page.
  static var all: [Recipe] {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../docs/RECIPES.md")
    guard let text = try? String(contentsOf: page.standardized, encoding: .utf8) else { return [] }
    return text.components(separatedBy: "\n## ").dropFirst().map { Recipe(section: $0) }
  }

  private init(section: String) {
    let lines = section.components(separatedBy: "\n")
    title = lines.first ?? ""
    var name: String?
    var index = 0
    while index < lines.count {
      let line = lines[index]
      index += 1
      if line.hasPrefix("`"), line.hasSuffix("`:") { name = String(line.dropFirst().dropLast(2)) }
      guard line.hasPrefix("```") else { continue }
      let end = lines[index...].firstIndex(of: "```") ?? lines.count
      let block = Array(lines[index..<end])
      index = end + 1
      if line == "```console" {
        addSteps(block)
      } else if let file = name {
        files.append((file, block.joined(separator: "\n") + "\n"))
      }
      name = nil
    }
  }

  private mutating func addSteps(_ lines: [String]) {
    for line in lines {
      if line.hasPrefix("$ broker ") {
        steps.append(Step(arguments: Self.words(line.dropFirst(9))))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output += line + "\n"
      }
    }
  }

  /// The words of a command as a shell splits them, with quotes of either kind around some.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
