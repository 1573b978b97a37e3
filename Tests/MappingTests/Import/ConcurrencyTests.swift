import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Many import at once: nothing is there twice, and nobody fails.
@Suite(.serialized) struct ConcurrencyTests {
  private let bands = """
    Band
      id: integer64
      name: string
      label: Label
      albums: [Album] <- band
      tags: [Tag] <- bands
    Label
      id: integer64
      name: string
    Album
      id: integer64
      title: string
      band: Band <- albums
    Tag
      id: integer64
      bands: [Band] <- tags
    """

  /// Bands that overlap with those of other workers.
  private static func json(_ worker: Int, round: Int) -> String {
    let records = (0..<40).map { number in
      let id = (worker * 20 + number * 3 + round) % 100
      return """
        {"id": \(id), "name": "Band \(id)", "label": {"id": \(id % 7), "name": "Label"},
         "albums": [{"id": \(id), "title": "\(worker)"}, \(id + 1000)],
         "tags": [\(id % 5), {"id": \(id % 3)}]}
        """
    }
    return "[\(records.joined(separator: ","))]"
  }

  private static let summary = """
    SELECT (SELECT count(*) FROM Band), (SELECT count(DISTINCT id) FROM Band),
      (SELECT count(*) FROM Label), (SELECT count(*) FROM Album),
      (SELECT count(*) FROM Band WHERE name IS NULL),
      (SELECT count(*) FROM Album WHERE band IS NOT id)
    """

  /// Runs `body` on as many threads and returns what they threw.
  private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
    let errors = Texts()
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread {
        do { try body(index) } catch { errors.add("\(index): \(error)") }
        group.leave()
      }.start()
    }
    group.wait()
    return errors.list.withLock { $0 }
  }

  private final class Texts: Sendable {
    let list = Locked<[String]>([])
    func add(_ text: String) { list.withLock { $0.append(text) } }
  }

  @Test(arguments: [true, false])
  func eightImportIntoOneFile(isThere: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    let model = try model(bands)
    if isThere { try Fixture(model: model, entity: "Band", path: path).load("[]") }
    let errors = inParallel(8) { worker in
      for round in 0..<5 {
        let fixture = try Fixture(model: model, entity: "Band", path: path)
        try fixture.load(Self.json(worker, round: round))
        if round % 2 == 0 { try fixture.store.close() }
      }
    }
    #expect(errors == [])
    let fixture = try Fixture(model: nil, path: path)
    if errors.isEmpty { #expect(try fixture.rows(Self.summary) == ["100 100 7 100 0 0"]) }
    #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
    #expect(try fixture.rows("PRAGMA journal_mode") == ["wal"])
  }

  @Test func aStoreMayBeOpenBeforeAnotherMakesTheTables() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    let model = try model(bands)
    let first = try Fixture(model: model, entity: "Band", path: path)
    let second = try Fixture(model: model, entity: "Band", path: path)
    #expect(try first.rows("SELECT id FROM Band") == [])
    try second.load(#"{"id": 1}"#)
    try #expect(first.rows("SELECT id FROM Band") == ["1"])
    try #expect(first.load(#"{"id": 1}"#).counts == "Band =1")
  }

  @Test func eightImportIntoOneStore() throws {
    let fixture = try Fixture(bands)
    let store = fixture.store
    let errors = inParallel(8) { worker in
      var options = ImportOptions()
      options.entity = "Band"
      for round in 0..<5 {
        _ = try Importer(store, options).run([.string(Self.json(worker, round: round))])
      }
    }
    #expect(errors == [])
    #expect(try fixture.rows(Self.summary) == ["100 100 7 100 0 0"])
  }

  @Test func whoReadsSeesAllOfAnImportOrNothing() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    let model = try model(bands)
    try Fixture(model: model, entity: "Band", path: path).load(
      #"[{"id": 0, "name": "0"}, {"id": 1, "name": "0"}]"#)
    let errors = inParallel(3) { worker in
      let fixture = try Fixture(model: model, entity: "Band", path: path)
      for round in 1...60 {
        if worker == 0 {
          try fixture.load(#"[{"id": 0, "name": "\#(round)"}, {"id": 1, "name": "\#(round)"}]"#)
        } else {
          let names = try fixture.rows("SELECT count(DISTINCT name), count(*) FROM Band")
          if names != ["1 2"] { throw NotationError(line: names.joined()) }
        }
      }
    }
    #expect(errors == [])
  }

  @Test func anExportDuringAnImportHasTheStateBefore() throws {
    let directory = try TemporaryDirectory()
    let fixture = try Fixture(bands, entity: "Band", path: directory.path("bands.sqlite"))
    try fixture.load(#"{"id": 1, "name": "before", "albums": [1]}"#)
    let store = fixture.store
    var options = ImportOptions()
    options.entity = "Band"
    let exports = Texts()
    // On the thread that imports, and on another.
    let json = #"[{"id": 1, "name": "after"}, {"id": 2}]"#
    _ = try Importer(store, options).run(
      [.string(json)],
      progress: { _ in
        let errors = inParallel(2) { _ in try exports.add(Exporter(store).text(of: "Band")) }
        #expect(errors == [])
        exports.add((try? Exporter(store).text(of: "Band")) ?? "")
      })
    let during = Set(exports.list.withLock { $0 })
    #expect(during.count == 1)
    #expect(during.first?.contains("before") == true)
    #expect(try Exporter(store).text(of: "Band").contains("after"))
  }

  @Test func failuresOfOthersDoNoHarm() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    let model = try model(bands)
    try Fixture(model: model, entity: "Band", path: path).load("[]")
    let errors = inParallel(8) { worker in
      for round in 0..<5 {
        let fixture = try Fixture(model: model, entity: "Band", path: path)
        if worker % 2 == 0 {
          try fixture.load(Self.json(worker, round: round))
        } else {
          _ = try? fixture.load(Self.json(worker, round: round) + "}")
          _ = try fixture.load(Self.json(worker, round: round)) { $0.isDryRun = true }
        }
      }
    }
    #expect(errors == [])
    let fixture = try Fixture(model: nil, path: path)
    #expect(try fixture.rows("SELECT count(*) - count(DISTINCT id) FROM Band") == ["0"])
  }

  private static let broker = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("broker").path

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: broker)))
  func sixProcessesImportIntoANewFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("bands.sqlite")
    let modelPath = try directory.write(model(bands).json(), to: "bands.json")
    var processes: [Process] = []
    for worker in 0..<6 {
      let process = Process()
      process.executableURL = URL(filePath: Self.broker)
      process.arguments = [
        "import", try directory.write(Self.json(worker * 5 / 6, round: worker), to: "\(worker).json"),
        "--store", path, "--model", modelPath, "--entity", "Band", "--quiet",
      ]
      try process.run()
      processes.append(process)
    }
    for process in processes { process.waitUntilExit() }
    #expect(processes.map(\.terminationStatus) == [0, 0, 0, 0, 0, 0])
    let fixture = try Fixture(model: nil, path: path)
    #expect(try fixture.rows("SELECT count(*) - count(DISTINCT id) FROM Band") == ["0"])
  }
}
