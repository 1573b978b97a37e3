import Foundation
import Testing

#if os(Linux)
  /// The gate that keeps the command from needing more instructions or memory, with counts that are given to it.
  @Suite struct InstructionsTests {
    private struct Counts {
      var versions = ["Swift": "6.3.1", "machine": "x86_64"]
      var instructions = ["flat new": 1_000_000, "query": 500_000]
      var allocations = ["flat new": 40_000]

      var lines: String {
        let all =
          versions.map { "counted|\($0)|\($1)" } + instructions.map { "instructions|\($0)|\($1)" }
          + allocations.map { "allocations|\($0)|\($1)" }
        return all.joined(separator: "\n") + "\n"
      }
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private var file: String { folder.appending(path: "counts.json").path }

    /// Judges counts by the file, or writes them there.
    private func judge(_ counts: Counts, updates: Bool = false) throws -> (status: Int32, said: String) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let given = folder.appending(path: "given.txt")
      try counts.lines.write(to: given, atomically: true, encoding: .utf8)
      let process = Process()
      process.executableURL = Repository.root.appending(path: "scripts/instructions")
      process.arguments = ["--counts", given.path, "--file", file] + (updates ? ["--update"] : [])
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let said = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    @Test("three percent are let through, more are not, above and below")
    func limits() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      #expect(try judge(Counts(), updates: true).status == 0)
      for change in [0, 29_000, -29_000] {
        var counts = Counts()
        counts.instructions["flat new"] = 1_000_000 + change
        #expect(try judge(counts).status == 0)
      }
      for change in [31_000, -31_000] {
        var counts = Counts()
        counts.instructions["flat new"] = 1_000_000 + change
        let (status, said) = try judge(counts)
        #expect(status == 1)
        #expect(
          said.contains("instructions of “flat new” \(change > 0 ? "grew" : "fell") by 3.1%"), "\(said)")
      }
    }

    @Test("one allocation more for each object is found")
    func allocations() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      _ = try judge(Counts(), updates: true)
      var counts = Counts()
      counts.allocations["flat new"] = 60_000
      let (status, said) = try judge(counts)
      #expect(status == 1)
      #expect(
        said.contains("allocations of “flat new” grew by 50.0%") && said.contains("3.00 for each object"))
    }

    @Test("counts of other versions are not judged, and that is said; corrections of a version are")
    func versions() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      _ = try judge(Counts(), updates: true)
      var counts = Counts()
      counts.instructions["query"] = 600_000
      counts.versions["Swift"] = "6.4.0"
      let (status, said) = try judge(counts)
      #expect(status == 0)
      #expect(said.contains("NOT JUDGED") && said.contains("Swift 6.4.0 (the file: 6.3.1)"))
      counts.versions["Swift"] = "6.3.9"
      #expect(try judge(counts).status == 1)
    }

    @Test("a workload that is not in the file fails, and so does a file that is missing")
    func unknown() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      #expect(try judge(Counts()).status == 1)
      _ = try judge(Counts(), updates: true)
      var counts = Counts()
      counts.instructions["another"] = 1
      #expect(try judge(counts).status == 1)
    }
  }
#endif
