import Foundation
import Testing

#if PostgreSQL
  import PostgreSQLServer
#endif

/// `broker migrate`, `broker model diff`, and imports with another version of the model.
@Suite("Migrating by the command") struct MigrateTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private func version(_ name: String, _ changes: (String, String)...) throws {
    let text = changes.reduce(Folder.model) { text, change in text.replacing(change.0, with: change.1) }
    try folder.write(text, to: name)
  }

  private let floors = #"{"name": "floors", "type": "integer16", "optional": true},"#

  /// Where the store is that a test migrates.
  enum Place: CaseIterable {
    case file, server

    /// A server only where there is one.
    static var all: [Place] {
      #if PostgreSQL
        return PostgreSQLServer.isWanted ? allCases : [.file]
      #else
        return [.file]
      #endif
    }
  }

  /// The store with its two shops, as the command is told of it.
  private func store(_ place: Place) throws -> String {
    guard place == .server else { return "store.sqlite" }
    #if PostgreSQL
      let url = try PostgreSQLServer.required().makeDatabase()
      let copy = try broker("copy", "--from", "store.sqlite", "--to", url, in: folder)
      #expect(copy.status == 0, "\(copy.error)")
      return url
    #else
      return "store.sqlite"
    #endif
  }

  /// What a store holds; of a file, each byte.
  private func contents(_ store: String) throws -> [Data?] {
    guard store == "store.sqlite" else {
      return try [Data(broker("export", "--store", store, in: folder).output.utf8)]
    }
    return folder.store()
  }

  private func migrate(_ arguments: String..., store: String = "store.sqlite") throws -> Outcome {
    try broker(["migrate", "--store", store] + arguments, in: folder)
  }

  @Test("what loses nothing just happens, and is told", arguments: Place.all)
  func additions(_ place: Place) throws {
    let store = try store(place)
    try version("new.json", (floors, floors + #"{"name": "city", "type": "string", "optional": true},"#))
    let outcome = try migrate("--model", "new.json", store: store)
    #expect(outcome.output == "Made 1 change.\n  + Shop.city is new (2 objects)\n")
    #expect(outcome.status == 0)
    #expect(
      try migrate("--model", "new.json", store: store).output
        == "Nothing to do: the store is of this version.\n")
    let shops = try broker(
      "query", "Shop", "--store", store, "--select", "name,city", "--format", "json", in: folder)
    #expect(shops.output.contains(#"{"name":"Rough Trade","city":null}"#))
  }

  @Test("a dry run changes nothing", arguments: Place.all)
  func dryRun(_ place: Place) throws {
    let store = try store(place)
    try version("new.json", (floors, ""))
    let before = try contents(store)
    let outcome = try migrate("--model", "new.json", "--dry-run", "--allow-removals", store: store)
    #expect(
      outcome.output
        == "Would make 1 change. Nothing was changed.\n  - Shop.floors is removed (2 objects); 2 without a place; for example 1; 2\n"
    )
    #expect(outcome.status == 0)
    #expect(try contents(store) == before)
  }

  @Test(
    "removals are refused with their counts, and done with consent, after a copy",
    .onSQLite("a server has no --backup"))
  func removals() throws {
    try version("new.json", (floors, ""))
    let before = folder.store()
    let refused = try migrate("--model", "new.json")
    #expect(refused.status == 1)
    #expect(
      refused.output == """
        Refused: 1 change. Nothing was changed.
          ! Shop.floors is removed (2 objects); 2 without a place; for example 1; 2
        Removals need consent: --allow-removals, with --backup PATH to keep a copy.

        """)
    #expect(folder.store() == before)
    let done = try migrate("--model", "new.json", "--allow-removals", "--backup", "copy.sqlite")
    #expect(done.status == 0, "\(done.error)")
    let copy = try broker(
      "query", "Shop", "--store", "copy.sqlite", "--select", "floors", "--format", "csv", in: folder)
    #expect(copy.output == "floors\r\n2\r\n1\r\n" || copy.output == "floors\n2\n1\n", "\(copy.output)")
    #expect(try migrate("--model", "model.json", "--backup", "copy.sqlite").status == 0)
    #expect(
      try migrate("--model", "new.json", "--allow-removals", "--backup", "copy.sqlite").error.contains(
        "is there already"))
  }

  @Test("decisions: values, objects that go, and what is wrong about them", arguments: Place.all)
  func decisions(_ place: Place) throws {
    let store = try store(place)
    try version("new.json", (floors, floors + #"{"name": "staff", "type": "integer16"},"#))
    let refused = try migrate("--model", "new.json", store: store)
    #expect(
      refused.output.contains("! Shop.staff is new, and required (2 objects): 2 objects would have no value"))
    #expect(refused.output.contains("--set ENTITY.ATTRIBUTE=VALUE"))
    #expect(try migrate("--model", "new.json", "--set", "Shop.staff", store: store).status == 64)
    #expect(
      try migrate("--model", "new.json", "--set", "Shop.stuff=4", store: store).output.contains(
        "did you mean Shop.staff?"))
    #expect(try migrate("--model", "new.json", "--set", "Shop.staff=4", store: store).status == 0)
    let drop = try migrate("--model", "model.json", "--allow-removals", store: store)
    #expect(drop.status == 0)
    #expect(
      try migrate("--model", "new.json", "--drop", "Shop.staff", "--allow-removals", store: store).status == 0
    )
    #expect(try broker("query", "Shop", "--count", "--store", store, in: folder).output == "0\n")
  }

  @Test("the plan as JSON")
  func json() throws {
    try version("new.json", (floors, ""))
    let outcome = try migrate("--model", "new.json", "--format", "json")
    let plan = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(plan["isDone"] as? Bool == false)
    let step = try #require((plan["steps"] as? [[String: Any]])?.first)
    #expect(step["entity"] as? String == "Shop")
    #expect(step["property"] as? String == "floors")
    #expect(step["removed"] as? Int == 2)
    #expect(step["isRefused"] as? Bool == true)
  }

  @Test("an import with another version migrates and imports, both or neither", arguments: Place.all)
  func importing(_ place: Place) throws {
    let store = try store(place)
    try version("new.json", (floors, floors + #"{"name": "city", "type": "string", "optional": true},"#))
    let arguments = ["import", "-", "--store", store, "--model", "new.json", "--entity", "Shop"]
    let before = try contents(store)
    let dry = try broker(arguments + ["--dry-run"], input: #"[{"id": 1, "city": "London"}]"#, in: folder)
    #expect(dry.status == 0, "\(dry.error)")
    #expect(try contents(store) == before)
    #expect(try broker(arguments, input: #"[{"id": 1, "city": "London"}"#, in: folder).status == 1)
    #expect(try contents(store) == before)
    let outcome = try broker(arguments, input: #"[{"id": 1, "city": "London"}]"#, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    let shops = try broker(
      "query", "Shop", "--store", store, "--select", "name,city", "--format", "json", in: folder)
    #expect(shops.output.contains(#"{"name":"Rough Trade","city":"London"}"#))
  }

  @Test("an import whose model removes something is refused, and says how to decide")
  func refusedImport() throws {
    try version("new.json", (floors, ""))
    let arguments = ["-", "--store", "store.sqlite", "--model", "new.json", "--entity", "Shop"]
    try folder.refused(
      arguments, input: "[]",
      because: """
        The store store.sqlite is of another version of the model, and cannot be of this one without being told more. \
        Nothing was changed.
          Shop.floors is removed; 2 without a place; for example 1; 2. See “broker migrate --help” for how to decide; --dry-run tries it.
        """)
    #expect(try broker(["import"] + arguments + ["--allow-removals"], input: "[]", in: folder).status == 0)
  }

  @Test("the difference of two models")
  func difference() throws {
    try version(
      "new.json", ("floors", "storeys"),
      (#""name": "Record""#, #""name": "Disc", "renamingIdentifier": "Record""#),
      (#""destination": "Record""#, #""destination": "Disc""#))
    let outcome = try broker("model", "diff", "model.json", "new.json", in: folder)
    #expect(outcome.output == "Shop.storeys is new\nShop.floors is removed\nDisc was called Record\n")
    #expect(try broker("model", "diff", "model.json", "model.json", in: folder).output == "No difference.\n")
    let json = try broker("model", "diff", "model.json", "new.json", "--format", "json", in: folder)
    #expect(json.output.contains(#""action" : "renamed""#))
  }

  @Test("what is no store, or no model, is said")
  func mistakes() throws {
    #expect(
      try broker("migrate", "--store", "none.sqlite", "--model", "model.json", in: folder).error
        == "Error: There is no store at none.sqlite.\n")
    #expect(try migrate("--model", "none.json").status == 1)
  }

  @Test("a disk that is full leaves the store as it was")
  func fullDisk() throws {
    let shops = (10..<4_000).map { #"{"id": \#($0), "name": "A shop with the number \#($0)", "floors": 1}"# }
    _ = try broker(
      "import", "-", "--entity", "Shop", "--store", "store.sqlite", input: shops.joined(separator: "\n"),
      in: folder)
    try version(
      "new.json", (#""name": "floors", "type": "integer16""#, #""name": "floors", "type": "string""#))
    let before = try broker("export", "Shop", "--store", "store.sqlite", in: folder).output
    let script = #"ulimit -f 64; exec "$0" migrate --store store.sqlite --model new.json"#
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "trap '' XFSZ; " + script, RunningBroker.executable.path]
    process.currentDirectoryURL = folder.url
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus != 0)
    #expect(try broker("export", "Shop", "--store", "store.sqlite", in: folder).output == before)
    #expect(try migrate("--model", "new.json").status == 0)
  }

  @Test(
    "killed at any moment, the store is of the old version or of the new one", arguments: [0, 3, 8, 20, 40])
  func killed(_ milliseconds: UInt32) throws {
    let shops = (10..<6_000).map {
      #"{"id": \#($0), "name": "A shop with the number \#($0)", "floors": \#($0 % 9)}"#
    }
    _ = try broker(
      "import", "-", "--entity", "Shop", "--store", "store.sqlite", input: shops.joined(separator: "\n"),
      in: folder)
    try version(
      "new.json", (#""name": "floors", "type": "integer16""#, #""name": "floors", "type": "string""#))
    let before = try broker("export", "Shop", "--store", "store.sqlite", in: folder).output
    let running = try RunningBroker(
      ["migrate", "--store", "store.sqlite", "--model", "new.json"], in: folder, input: .file(""))
    running.waitUntilOpen(folder.url("store.sqlite"))
    usleep(milliseconds * 1_000)
    running.interrupt(by: SIGKILL)
    _ = try running.finish()
    let after = try broker("export", "Shop", "--store", "store.sqlite", in: folder).output
    let migrated = before.replacing(/"floors":(\d)/) { "\"floors\":\"\($0.output.1)\"" }
    #expect(after == before || after == migrated)
    #expect(try migrate("--model", "new.json").status == 0)
  }
}
