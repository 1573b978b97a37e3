import Foundation
import Testing

@Suite("--chunk")
struct ChunkOptionTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private let importing = ["import", "-", "--entity", "Shop", "--store", "store.sqlite", "--chunk"]

  private func count() throws -> String {
    try broker("query", "Shop", "--store", "store.sqlite", "--where", "id >= 1000", "--count", in: folder)
      .output
  }

  @Test("the report says how many there were; a number is needed")
  func report() throws {
    let outcome = try broker(
      importing + ["2", "--format", "json"],
      input: #"[{"id": 1000, "name": "A"}, {"id": 1001, "name": "B"}, {"id": 1002, "name": "C"}]"#, in: folder
    )
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#""chunks" : 2"#))
    #expect(try broker(importing + ["0"], in: folder).status == 64)
  }

  @Test("what was committed before an error stays, and the status is 4")
  func partial() throws {
    let json =
      #"[{"id": 1000, "name": "A"}, {"id": 1001, "name": "B"}, {"id": 1002, "name": "C", "floors": "x"}]"#
    let outcome = try broker(importing + ["2", "--strict", "--format", "json"], input: json, in: folder)
    #expect(outcome.status == 4)
    #expect(outcome.error.hasPrefix("Error: $[2].floors"))
    #expect(
      outcome.error.contains(
        "The first 2 objects of the JSON were committed before that, in 1 chunk, and stay."))
    #expect(!outcome.error.contains("hanged"))
    #expect(try outcome.report().inserted == ["Shop": 2])
    #expect(try count() == "2\n")
    // What fails before the first commit changes nothing.
    #expect(try broker(importing + ["5", "--strict"], input: json, in: folder).status == 1)
  }

  @Test("another process writes before the import has ended")
  func othersComeBetween() throws {
    let shops = (0..<60_000).map { #"{"id": \#(1000 + $0), "name": "Shop"}"# }
    let running = try RunningBroker(
      importing + ["500"], in: folder, input: .file("[" + shops.joined(separator: ",") + "]"))
    while try count() == "0\n" { usleep(5_000) }
    let write = try broker(
      "import", "-", "--entity", "Shop", "--store", "store.sqlite", input: #"[{"id": 1, "name": "Between"}]"#,
      in: folder)
    #expect(write.status == 0)
    #expect(running.isRunning)
    #expect(try running.finish().status == 0)
    #expect(try count() == "60000\n")
  }

  @Test("interrupted")
  func interrupted() throws {
    let running = try RunningBroker(importing + ["100"], in: folder, input: .pipe)
    let shops = (0..<30_000).map { #"{"id": \#(1000 + $0), "name": "Shop"},"# }
    try running.input.fileHandleForWriting.write(contentsOf: Data(("[" + shops.joined()).utf8))
    while try count() == "0\n" { usleep(5_000) }
    running.interrupt()
    let outcome = try running.finish()
    #expect(outcome.status == 4)
    #expect(outcome.error.hasPrefix("Interrupted. The first "))
    #expect(try count() != "0\n")
  }
}
