import Foundation
import Testing

/// Sources that can be read only once, by whatever name, for imports that take their model from them.
@Suite("Pipes with names", .onSQLite("about names of files"))
struct PipeTests {
  private let folder: Folder
  private static let json = #"[{"id": 1, "name": "One"}, {"id": 2, "name": "Two"}]"#

  init() throws {
    folder = try Folder()
    try folder.write(Self.json, to: "data.json")
    try folder.write("id,name\n1,\"a } [\"\n2,b\n", to: "data.txt")
  }

  /// Runs a line of a shell, in which `broker` is the command.
  private func shell(_ line: String) throws -> Outcome {
    let program = "broker() { '\(RunningBroker.executable.path)' \"$@\"; }; \(line)"
    return try RunningBroker(
      ["-c", program], in: folder, input: .file(""), executable: URL(fileURLWithPath: "/bin/bash")
    ).finish(within: 120)
  }

  private func count(_ store: String = "s.sqlite") throws -> Int {
    let export = try broker("export", "--store", store, in: folder)
    let document = try JSONSerialization.jsonObject(with: Data(export.output.utf8)) as? [String: [Any]]
    return document?.values.reduce(0) { $0 + $1.count } ?? 0
  }

  @Test(
    "all that comes is imported, and again into the store that is there then",
    .enabled(if: Tool.find("bash") != nil),
    arguments: [
      "broker import <(cat data.json) --store s.sqlite",
      "cat data.json | broker import /dev/stdin --store s.sqlite",
      "cat data.json | broker import - --store s.sqlite",
      "broker import /dev/stdin --store s.sqlite < data.json",
      "broker import - --store s.sqlite < data.json",
      "rm -f records.json; mkfifo records.json; (sleep 0.2; cat data.json > records.json) & broker import records.json --store s.sqlite",
      "rm -f p.csv; mkfifo p.csv; cat data.txt > p.csv & broker import p.csv --entity Record --store s.sqlite",
      "cat data.txt | broker import - --input-format csv --store s.sqlite",
    ])
  func received(_ line: String) throws {
    for _ in 0..<2 {
      let outcome = try shell(line)
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(try count() == 2)
    }
  }

  @Test("two names of one pipe are refused, before anything is read", .enabled(if: Tool.find("bash") != nil))
  func twice() throws {
    for line in [
      "cat data.json | broker import - /dev/stdin --store s.sqlite",
      "mkfifo p; broker import p p --store s.sqlite", "mkfifo q; broker model infer q q",
    ] {
      let outcome = try shell(line)
      #expect(outcome.status == 64, "\(line)")
      #expect(outcome.error.contains("read only once"), "\(outcome.error)")
    }
    #expect(!folder.exists("s.sqlite"))
  }

  @Test(
    "models and mappings may come through pipes", .enabled(if: Tool.find("bash") != nil),
    arguments: [
      "broker import data.json --store s.sqlite --entity Record --model <(cat model.yaml)",
      "cat model.yaml | broker import data.json --store s.sqlite --entity Record --model /dev/stdin",
      "broker import data.json --store s.sqlite --entity Record --model model.yaml --mapping <(cat mapping.yaml)",
      "broker import data.json --store s.sqlite --model <(cat schema.json) --entity Record",
    ])
  func models(_ line: String) throws {
    try folder.write("Record: {id: int, name: string}\n", to: "model.yaml")
    try folder.write("Record: {keys: {name: [name]}}\n", to: "mapping.yaml")
    try folder.write(
      #"{"title": "Record", "type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"#,
      to: "schema.json")
    let outcome = try shell(line)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try count() == 2)
  }

  @Test(
    "a model that comes through a pipe and is none is told by the pipe's name",
    .enabled(if: Tool.find("bash") != nil))
  func brokenModel() throws {
    let outcome = try shell("broker model check <(echo '{broken') ; echo $?")
    #expect(outcome.output == "1\n")
    #expect(outcome.error.contains("/dev/fd/") && outcome.error.contains("malformed JSON"))
  }

  @Test(
    "one signal ends the wait for who writes to a pipe, the data or the model",
    arguments: [("shops.json", false), ("shops.json", true), ("model.json", true)])
  func interrupted(_ pipe: String, _ hasModel: Bool) throws {
    for (name, text) in [("shops.json", Self.json), ("model.json", Folder.model)] where name != pipe {
      try folder.write(text, to: name)
    }
    #expect(mkfifo(folder.path(pipe), 0o600) == 0)
    let running = try RunningBroker(
      ["import", "shops.json", "--store", "s.sqlite"] + (hasModel ? ["--model", "model.json"] : []),
      in: folder, input: .file(""))
    running.waitUntilInterruptible()
    running.interrupt()
    let outcome = try running.finish(within: 60)
    #expect(outcome.status == 130)
    #expect(outcome.error == "Interrupted. Nothing was changed.\n")
    #expect(!folder.exists("s.sqlite"))
  }

  @Test("where standard input cannot be kept, it is said why, and nothing is left")
  func withoutRoom() throws {
    let objects = (0..<40_000).map { #"{"id": \#($0), "name": "one of many objects"}"# }
    try folder.write("[" + objects.joined(separator: ",") + "]", to: "many.json")
    let outcome = try shell("TMPDIR=/dev/null/none broker import - --store s.sqlite < many.json")
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("temporary file") && outcome.error.contains("TMPDIR"), "\(outcome.error)")
    #expect(outcome.error.hasSuffix("Nothing was changed.\n"))
    #expect(!folder.exists("s.sqlite"))
  }
}
