import Foundation
import Testing

/// What was killed does not keep the same command from its work.
@Suite("After a kill", .onSQLite("about files"))
struct AfterAKillTests {
  private let folder: Folder
  private static let json = #"[{"id": 1, "name": "One"}, {"id": 2, "name": "Two"}]"#

  init() throws {
    folder = try Folder()
    try folder.write(Folder.model, to: "model.json")
    try folder.write(Self.json, to: "shops.json")
  }

  /// Begins to fill a new store, and is killed.
  private func leaveUnfinishedStore(_ name: String) throws {
    let running = try RunningBroker(
      ["import", "-", "--entity", "Shop", "--model", "model.json", "--store", name], in: folder, input: .pipe)
    signal(SIGPIPE, SIG_IGN)
    try running.input.fileHandleForWriting.write(contentsOf: Data("[".utf8))
    running.waitUntilOpen(folder.url(name))
    running.interrupt(by: SIGKILL)
    #expect(try running.finish().status == 128 + SIGKILL)
    #expect(folder.exists(name))
  }

  @Test("the first import into a store takes its model, as if no file were there", arguments: [true, false])
  func firstImport(_ isEmptyFile: Bool) throws {
    if isEmptyFile { try folder.write("", to: "new.sqlite") } else { try leaveUnfinishedStore("new.sqlite") }
    let outcome = try broker("import", "shops.json", "--store", "new.sqlite", "--format", "json", in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.report().inserted == ["Shop": 2])
  }

  @Test("a copy is made, as if no file were there", arguments: [true, false])
  func copy(_ isEmptyFile: Bool) throws {
    try folder.makeStore()
    if isEmptyFile {
      try folder.write("", to: "copy.sqlite")
    } else {
      try leaveUnfinishedStore("copy.sqlite")
    }
    let outcome = try broker("copy", "--from", "store.sqlite", "--to", "copy.sqlite", in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try broker("query", "Shop", "--count", "--store", "copy.sqlite", in: folder).output == "2\n")
  }

  @Test("a migration goes on from the backup that it had made, and takes no other file for that")
  func backup() throws {
    try folder.makeStore()
    try folder.write(
      Folder.model.replacing(#"{"name": "floors", "type": "integer16", "optional": true},"#, with: ""),
      to: "new.json")
    let original = try folder.data("store.sqlite")
    let arguments = [
      "migrate", "--store", "store.sqlite", "--model", "new.json", "--allow-removals", "--backup",
      "backup.sqlite",
    ]
    let done = try broker(arguments, in: folder)
    #expect(done.status == 0, "\(done.error)")
    let backup = try folder.data("backup.sqlite")
    // A process that is killed now leaves the old store, and the backup of it.
    for name in try folder.names(like: "store.sqlite") {
      try FileManager.default.removeItem(at: folder.url(name))
    }
    try folder.write(original, to: "store.sqlite")
    let again = try broker(arguments, in: folder)
    #expect(again.status == 0, "\(again.error)")
    #expect(try folder.data("backup.sqlite") == backup)
    #expect(try folder.names(like: "backup") == ["backup.sqlite"])

    // A file of other bytes is somebody else's.
    for name in try folder.names(like: "store.sqlite") {
      try FileManager.default.removeItem(at: folder.url(name))
    }
    try folder.write(original, to: "store.sqlite")
    let other = try broker(
      "import", "--entity", "Shop", "--store", "store.sqlite", input: #"[{"id": 3, "name": "Three"}]"#,
      in: folder)
    #expect(other.status == 0)
    let refused = try broker(arguments, in: folder)
    #expect(refused.status == 1)
    #expect(refused.error.contains("backup.sqlite is there already"), "\(refused.error)")
    #expect(try folder.data("backup.sqlite") == backup)
    #expect(try folder.names(like: "backup") == ["backup.sqlite"])
  }

  @Test("what a killed export left is removed by the next one, and a living one's is not")
  func leftovers() throws {
    try folder.makeStore()
    // Where the system has files without names, an export leaves nothing. This is what it leaves elsewhere.
    try folder.write("half", to: "out.json.broker-abc123")
    for name in ["out.json.broker-abc1234", "out.json.mine", "in.json.broker-abc123"] {
      try folder.write("mine", to: name)
    }
    try folder.write("living", to: "copy.sqlite.broker-abcdef")
    let living = open(folder.path("copy.sqlite.broker-abcdef"), O_RDWR | O_CLOEXEC)
    defer { close(living) }
    #expect(flock(living, LOCK_EX) == 0)
    try folder.write(
      Folder.model.replacing(#"{"name": "floors", "type": "integer16", "optional": true},"#, with: ""),
      to: "new.json")
    let migrated = try broker(
      "migrate", "--store", "store.sqlite", "--model", "new.json", "--allow-removals", "--backup",
      "copy.sqlite",
      in: folder)
    #expect(migrated.status == 0, "\(migrated.error)")
    #expect(folder.exists("copy.sqlite.broker-abcdef"))
    try folder.write("half", to: "other.sqlite.broker-abc123")
    let copied = try broker(
      "migrate", "--store", "copy.sqlite", "--model", "new.json", "--allow-removals", "--backup",
      "other.sqlite",
      in: folder)
    #expect(copied.status == 0, "\(copied.error)")
    #expect(!folder.exists("other.sqlite.broker-abc123"))
    #expect(folder.exists("in.json.broker-abc123") && folder.exists("out.json.mine"))
  }

  @Test("an export that is killed leaves no file beside its output")
  func killedExport() throws {
    let shops = (0..<60_000).map { #"{"id": \#($0), "name": "A shop with number \#($0)"}"# }
    let filling = try broker(
      "import", "--entity", "Shop", "--model", "model.json", "--store", "store.sqlite", "--quiet",
      input: shops.joined(separator: "\n"), in: folder)
    #expect(filling.status == 0)
    try folder.write("before", to: "out.json")
    let running = try RunningBroker(
      ["export", "Shop", "--store", "store.sqlite", "--output", "out.json"], in: folder, input: .file(""))
    running.waitUntilOpen(folder.url("store.sqlite"))
    running.interrupt(by: SIGKILL)
    let outcome = try running.finish()
    #expect(outcome.status == 0 || outcome.status == 128 + SIGKILL)
    let next = try broker("export", "Shop", "--store", "store.sqlite", "--output", "out.json", in: folder)
    #expect(next.status == 0)
    #expect(try folder.names(like: "out.json") == ["out.json"])
  }
}
