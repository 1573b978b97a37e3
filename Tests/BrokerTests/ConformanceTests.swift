import Foundation
import Testing

/// docs/CONFORMANCE.md names tests that are there.
@Suite struct ConformanceTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The names in the right-hand columns of the tables, `File.function`.
  private func names() throws -> [String] {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("docs/CONFORMANCE.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`") }
    return rows.flatMap { row in
      row.split(separator: "|").last?.split(separator: "`").filter { $0.contains(".") }.map(String.init) ?? []
    }
  }

  /// The sources of the tests, by the names of their files.
  private func sources() throws -> [String: [String]] {
    let tests = Self.root.appendingPathComponent("Tests")
    let paths = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
    var result: [String: [String]] = [:]
    for path in paths where path.hasSuffix("Tests.swift") {
      let name = path.split(separator: "/").last?.dropLast(".swift".count).description ?? ""
      result[name, default: []].append(
        try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8))
    }
    return result
  }

  @Test func everyTestThatIsNamedIsThere() throws {
    let names = try names()
    let sources = try sources()
    #expect(names.count > 100)
    let missing = names.filter { name in
      let parts = name.split(separator: ".").map(String.init)
      return parts.count != 2
        || !(sources[parts[0]] ?? []).contains { $0.contains("func \(parts[1])(") && $0.contains("@Test") }
    }
    #expect(missing == [])
  }
}
