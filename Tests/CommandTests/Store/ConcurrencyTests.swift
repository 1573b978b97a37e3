import Foundation
import Testing

@Suite("Several at once")
struct ConcurrencyTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(Folder.model, to: "model.json")
  }

  private func importTogether(_ processes: Int) throws -> [Outcome] {
    let shops = (0..<5_000).map {
      #"{"id": \#($0), "name": "Shop \#($0)", "records": [{"id": \#($0), "title": "a"}]}"#
    }
    let json = shops.joined(separator: "\n")
    let arguments = [
      "--entity", "Shop", "--store", "store.sqlite", "--model", "model.json", "--format", "json",
    ]
    let running = try (0..<processes).map { _ in
      try RunningBroker(["import"] + arguments, in: folder, input: .file(json))
    }
    return try running.map { try $0.finish() }
  }

  @Test("imports of the same objects into one store do not fail, and duplicate nothing")
  func existingStore() throws {
    try folder.makeStore()
    let outcomes = try importTogether(4)
    #expect(outcomes.map(\.status) == [0, 0, 0, 0], "\(outcomes.map(\.error))")
    let reports = try outcomes.map { try $0.report() }
    #expect(reports.compactMap { $0.inserted["Record"] } == [5_000])
    let count = try broker("query", "Record", "--count", "--store", "store.sqlite", in: folder)
    #expect(count.output == "5000\n")
  }

  @Test("imports into a store that is new to all of them")
  func newStore() throws {
    let outcomes = try importTogether(4)
    let reports = outcomes.compactMap { try? $0.report() }
    #expect(outcomes.map(\.status) == [0, 0, 0, 0])
    #expect(reports.count == 4)
    #expect(reports.compactMap { $0.inserted["Shop"] } == [5_000])
    let count = try broker("query", "Shop", "--count", "--store", "store.sqlite", in: folder)
    #expect(count.output == "5000\n")
  }

  @Test("a query while an import is going on sees the store as it was")
  func reading() throws {
    try folder.makeStore()
    let running = try RunningBroker(
      ["import", "-", "--entity", "Shop", "--store", "store.sqlite", "--quiet"], in: folder, input: .pipe)
    let writer = running.input.fileHandleForWriting
    let shops = (10..<10_000).map { #"{"id": \#($0), "name": "Shop \#($0)"}"# + "\n" }
    try writer.write(contentsOf: Data(shops.joined().utf8))
    usleep(200_000)
    #expect(running.isRunning)
    let during = try broker("query", "Shop", "--count", "--store", "store.sqlite", in: folder)
    #expect(during.status == 0)
    #expect(during.output == "2\n")
    try writer.close()
    #expect(try running.finish().status == 0)
    let after = try broker("query", "Shop", "--count", "--store", "store.sqlite", in: folder)
    #expect(after.output == "9992\n")
  }
}
