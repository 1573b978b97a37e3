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

  /// Imports that take their model, each with a key of its own; half of them have a value that differs in type.
  private func importWithoutModel(_ processes: Int, _ options: [String]) throws -> [Outcome] {
    let running = try (0..<processes).map { process in
      try folder.makeFolder("\(process)")
      let value = process % 2 == 0 ? "\(process)" : "\"text \(process)\""
      let shops = (0..<300).map {
        #"{"id": \#(process * 1_000 + $0), "name": "Shop", "own\#(process)": \#($0), "mixed": \#(value)}"#
      }
      try folder.write("[" + shops.joined(separator: ",") + "]", to: "\(process)/shops.json")
      return try RunningBroker(
        ["import", "\(process)/shops.json", "--store", "taken.sqlite", "--format", "json"] + options,
        in: folder, input: .file(""))
    }
    return try running.map { try $0.finish() }
  }

  @Test(
    "imports that take or widen the model neither fail nor lose a key, and readers beside them do not",
    arguments: [true, false], [[], ["--chunk", "25"]])
  func takenModels(_ isNew: Bool, _ options: [String]) throws {
    if !isNew {
      let first = try broker(
        "import", "-", "--store", "taken.sqlite", "--quiet", input: #"[{"id": 900000, "name": "First"}]"#,
        in: folder)
      #expect(first.status == 0, "\(first.error)")
    }
    let readers =
      try isNew
      ? []
      : (0..<3).map { _ in
        try RunningBroker(["export", "--store", "taken.sqlite"], in: folder, input: .file(""))
      }
    let outcomes = try importWithoutModel(6, options)
    #expect(outcomes.map(\.status) == Array(repeating: 0, count: 6), "\(outcomes.map(\.error))")
    for reader in readers {
      let outcome = try reader.finish()
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    let export = try broker("export", "--store", "taken.sqlite", "--nulls", "omit", in: folder)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(export.output.utf8)) as? [String: [[String: Any]]])
    let objects = document.values.flatMap { $0 }
    for process in 0..<6 { #expect(objects.count { $0["own\(process)"] != nil } == 300, "\(process)") }
    #expect(objects.count { $0["mixed"] != nil } == 1_800)
  }

  @Test("a query while an import is going on sees the store as it was")
  func reading() throws {
    try folder.makeStore()
    let running = try RunningBroker(
      ["import", "-", "--entity", "Shop", "--store", "store.sqlite", "--quiet"], in: folder, input: .pipe)
    let writer = running.input.fileHandleForWriting
    let shops = (10..<10_000).map { #"{"id": \#($0), "name": "Shop \#($0)"}"# + "\n" }
    try writer.write(contentsOf: Data(shops.joined().utf8))
    running.waitUntilOpen(folder.url("store.sqlite"))
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
