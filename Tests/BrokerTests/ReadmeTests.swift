import Broker
import Foundation
import Testing

/// The program in the README, with the example's files.
@Suite struct ReadmeTests {
  private var example: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Examples/Bands")
  }

  @Test func importsAndExports() throws {
    let model = try Model(contentsOf: example.appendingPathComponent("Bands.xcdatamodeld"))
    let store = try Store(path: ":memory:", model: model)

    var options = ImportOptions()
    options.entity = "Band"
    let report = try Importer(store, options).run([
      .file(example.appendingPathComponent("bands.json").path)
    ])
    #expect(report.inserted["Band"] == 36)
    #expect(report.issueCount == 2)

    let json = try Exporter(store).text(of: "Band")
    let again = try Importer(store, options).run([.string(json)])
    #expect(!again.changesAnything)
    #expect(again.unchanged["Band"] == 36)
  }
}
