import Foundation
import Testing

/// Several processes on one store.
@Suite("Locks")
struct LockTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(Folder.model, to: "model.json")
  }

  private let intoStore = [
    "import", "-", "--entity", "Shop", "--store", "store.sqlite", "--model", "model.json",
  ]

  /// An import that has begun to write and goes on until its input is closed: it has many times the same object, enough
  /// for a batch. On a server an import keeps nobody waiting before.
  private func begin(_ arguments: [String] = []) throws -> RunningBroker {
    let isThere = folder.hasStore()
    let running = try RunningBroker(intoStore + arguments, in: folder, input: .pipe)
    let shop = #"{"id": 100, "name": "A"}"#
    try running.input.fileHandleForWriting.write(
      contentsOf: Data(("[" + shop + String(repeating: "," + shop, count: 10_000)).utf8))
    // A store that is being made shows no lock, and what is received first takes none.
    if isThere, arguments.isEmpty {
      try running.waitUntilWriting("store.sqlite", in: folder)
    } else {
      running.waitUntilInterruptible()
    }
    return running
  }

  private func end(_ running: RunningBroker) throws -> Outcome {
    try running.input.fileHandleForWriting.write(contentsOf: Data("]".utf8))
    try running.input.fileHandleForWriting.close()
    return try running.finish()
  }

  @Test(
    "Ctrl-C, or a request to end, ends the wait for another's lock", arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(_ number: Int32) throws {
    try folder.makeStore()
    let holder = try begin()
    let waiting = try RunningBroker(intoStore, in: folder, input: .file(#"[{"id": 7, "name": "B"}]"#))
    waiting.waitUntilOpen(folder.url("store.sqlite"))
    usleep(150_000)
    #expect(waiting.isRunning)
    waiting.interrupt(by: number)
    let outcome = try waiting.finish()
    #expect(outcome.status == 128 + number)
    #expect(outcome.error == "Interrupted. Nothing was changed.\n")
    #expect(try end(holder).status == 0)
  }

  @Test("the wait ends after the time that is given")
  func timeout() throws {
    try folder.makeStore()
    let holder = try begin()
    let outcome = try broker(
      intoStore + ["--timeout", "0.1"], input: #"[{"id": 7, "name": "B"}]"#, in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("Error: Others "), "\(outcome.error)")
    #expect(
      outcome.error.contains("have been using the store store.sqlite for longer than the time to wait, "))
    #expect(try end(holder).status == 0)
    for wrong in ["-1", "x", "inf"] {
      #expect(try broker(intoStore + ["--timeout", wrong], in: folder).status == 64)
    }
  }

  @Test("a source that is received first does not keep others from writing")
  func receiveFirst() throws {
    try folder.makeStore()
    let slow = try begin(["--receive-first"])
    let outcome = try broker(
      intoStore + ["--timeout", "5"], input: #"[{"id": 7, "name": "B"}]"#, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try end(slow).status == 0)
    let count = try broker("query", "Shop", "--count", "--store", "store.sqlite", in: folder)
    #expect(count.output == "4\n")
  }

  @Test("who reads a store that is being made is told that there is none yet")
  func readingANewStore() throws {
    let maker = try begin()
    let outcome = try broker("query", "Shop", "--store", "store.sqlite", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error == "Error: There is no store at store.sqlite.\n")
    #expect(try end(maker).status == 0)
    #expect(try broker("query", "Shop", "--count", "--store", "store.sqlite", in: folder).output == "1\n")
  }

  @Test("a first import that fails takes nothing from those that wait for it")
  func failingMaker() throws {
    let maker = try begin()
    let others = try (0..<4).map { number in
      try RunningBroker(intoStore, in: folder, input: .file(#"[{"id": \#(number), "name": "B"}]"#))
    }
    for other in others { other.waitUntilInterruptible() }
    try maker.input.fileHandleForWriting.write(contentsOf: Data("}".utf8))
    try maker.input.fileHandleForWriting.close()
    #expect(try maker.finish().status == 1)
    for other in others { #expect(try other.finish().status == 0) }
    #expect(try broker("query", "Shop", "--count", "--store", "store.sqlite", in: folder).output == "4\n")
  }
}
