import Foundation
import Testing

/// Whatever Swift the documentation shows is compiled: it stands in the files under `Examples`.
@Suite struct ShownTests {
  private func compiled() throws -> [[String]] {
    let paths =
      Repository.files(in: "Tests/DocumentationTests/Examples", ".swift")
      + Repository.files(in: "Examples/Swift", ".swift")
    return try paths.map {
      Block.essence(of: try Repository.text($0).split(separator: "\n"))
    }
  }

  private func expectCompiled(_ blocks: [Block], of path: String) throws {
    let compiled = try compiled()
    for block in blocks where block.language == "swift" {
      let lines = block.essence
      let isThere = compiled.contains { $0.contains(lines) }
      #expect(isThere, "\(path) shows code that no example has; it begins with “\(lines.first ?? "")”")
    }
  }

  @Test(arguments: Repository.files(in: "Sources/Broker/Broker.docc", ".md"))
  func articles(_ path: String) throws {
    try expectCompiled(Block.all(in: try Repository.text(path)), of: path)
  }

  @Test(arguments: ["README.md"] + Repository.files(in: "docs", ".md"))
  func documents(_ path: String) throws {
    try expectCompiled(Block.all(in: try Repository.text(path)), of: path)
  }

  @Test(
    arguments: Repository.files(in: "Sources/BrokerCore", ".swift")
      + Repository.files(in: "Sources/BrokerSwiftUI", ".swift")
      + ["Sources/Broker/Macros.swift"])
  func comments(_ path: String) throws {
    try expectCompiled(Block.all(inCommentsOf: try Repository.text(path)), of: path)
  }

  @Test func thereIsSomethingToCheck() throws {
    let articles = Repository.files(in: "Sources/Broker/Broker.docc", ".md")
    #expect(articles.count > 12)
    let blocks = try articles.flatMap { Block.all(in: try Repository.text($0)) }
    #expect(blocks.count { $0.language == "swift" } > 60)
  }
}

extension [String] {
  /// Whether other lines stand in these, one after another.
  fileprivate func contains(_ lines: [String]) -> Bool {
    guard let first = lines.first else { return true }
    return indices.contains { start in
      self[start] == first && start + lines.count <= count
        && self[start..<start + lines.count].elementsEqual(lines)
    }
  }
}
