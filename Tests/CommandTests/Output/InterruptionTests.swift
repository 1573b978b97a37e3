import Foundation
import Testing

@Suite("Ctrl-C")
struct InterruptionTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  /// Begins an import of a list that never ends, feeds it, and interrupts it.
  private func interrupted(_ arguments: [String], by signalNumber: Int32 = SIGINT) throws -> Outcome {
    let running = try RunningBroker(arguments, in: folder, input: .pipe)
    let writer = running.input.fileHandleForWriting
    signal(SIGPIPE, SIG_IGN)
    try writer.write(contentsOf: Data("[".utf8))
    for batch in 0..<30 {
      let shops = (0..<500).map { #"{"id": \#(1000 + batch * 500 + $0), "name": "Shop"},"# }
      try writer.write(contentsOf: Data(shops.joined().utf8))
    }
    // More than a pipe holds was written: the import reads.
    running.waitUntilInterruptible()
    #expect(running.isRunning)
    running.interrupt(by: signalNumber)
    return try running.finish()
  }

  @Test("an import from a pipe that never ends stops; the store is as it was")
  func existingStore() throws {
    try folder.makeStore()
    let before = folder.store()
    let outcome = try interrupted(["import", "-", "--entity", "Shop", "--store", "store.sqlite"])
    #expect(outcome.status == 130)
    #expect(outcome.output == "")
    #expect(outcome.error == "Interrupted. Nothing was changed.\n")
    #expect(folder.store() == before)
    let next = try broker(
      "import", "--entity", "Shop", "--store", "store.sqlite", input: #"[{"id": 1}]"#, in: folder)
    #expect(next.status == 0)
  }

  @Test("a new store leaves no file")
  func newStore() throws {
    try folder.write(Folder.model, to: "model.json")
    let outcome = try interrupted(
      ["import", "-", "--entity", "Shop", "--store", "new.sqlite", "--model", "model.json"])
    #expect(outcome.status == 130)
    #expect(outcome.error == "Interrupted. Nothing was changed.\n")
    for suffix in ["", "-wal", "-shm", "-journal"] { #expect(!folder.exists("new.sqlite" + suffix)) }
  }

  @Test("an import that is killed leaves the store's objects as they were")
  func killed() throws {
    try folder.makeStore()
    let query = ["query", "Shop", "--store", "store.sqlite", "--format", "lines"]
    let before = try broker(query, in: folder).output
    let outcome = try interrupted(
      ["import", "-", "--entity", "Shop", "--store", "store.sqlite"], by: SIGKILL)
    #expect(outcome.status == 128 + SIGKILL)
    #expect(try broker(query, in: folder).output == before)
  }

  @Test("a new store whose first import is killed can be imported into")
  func killedNewStore() throws {
    try folder.write(Folder.model, to: "model.json")
    let intoShops = ["import", "-", "--entity", "Shop", "--store", "new.sqlite", "--model", "model.json"]
    _ = try interrupted(intoShops, by: SIGKILL)
    let next = try broker(intoShops, input: #"[{"id": 1, "name": "Fopp"}]"#, in: folder)
    #expect(next.status == 0)
    let count = try broker("query", "Shop", "--store", "new.sqlite", "--count", in: folder)
    #expect(count.output == "1\n")
  }

  @Test("a pipe on which nothing comes")
  func silentPipe() throws {
    try folder.makeStore()
    let before = folder.store()
    let running = try RunningBroker(
      ["import", "-", "--entity", "Shop", "--store", "store.sqlite"], in: folder, input: .pipe)
    running.waitUntilOpen(folder.url("store.sqlite"))
    usleep(100_000)
    #expect(running.isRunning)
    running.interrupt()
    #expect(try running.finish().status == 130)
    #expect(folder.store() == before)
  }

  @Test("an export to a file leaves the file as it was, and none beside it")
  func exporting() throws {
    try folder.makeStore()
    let shops = (10..<60_000).map { #"{"id": \#($0), "name": "A shop with number \#($0)"}"# }
    let outcome = try broker(
      "import", "--entity", "Shop", "--store", "store.sqlite", "--quiet",
      input: shops.joined(separator: "\n"),
      in: folder)
    #expect(outcome.status == 0)
    try folder.write("before", to: "out.json")
    let running = try RunningBroker(
      ["export", "Shop", "--store", "store.sqlite", "--relationships", "nested", "--output", "out.json"],
      in: folder, input: .file(""))
    while running.isRunning, try folder.names(like: "out.json").count < 2 { usleep(1_000) }
    running.interrupt()
    let interrupted = try running.finish()
    // Where the machine was quick, the export was done before it could be interrupted.
    guard interrupted.status != 0 else { return }
    #expect(interrupted.status == 130)
    #expect(try folder.read("out.json") == "before")
    let names = try folder.names(like: "out.json")
    #expect(names == ["out.json"])
  }
}
