import Foundation
import Testing

/// Files that are read and written besides what the commands are about.
@Suite("Files")
struct FileTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private func export(to name: String) throws -> Outcome {
    try broker("export", "Shop", "--store", "store.sqlite", "--output", name, in: folder)
  }

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("a file that is replaced keeps its permissions", arguments: [0o600, 0o640, 0o444])
  func permissions(_ mode: Int) throws {
    try folder.write("old", to: "out.json")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path("out.json"))
    #expect(try export(to: "out.json").status == 0)
    #expect(try self.mode("out.json") == mode)
    #expect(try folder.read("out.json").contains("Amoeba"))
  }

  @Test("a new file has the permissions that new files have")
  func newFile() throws {
    try folder.write("", to: "other")
    #expect(try export(to: "out.json").status == 0)
    #expect(try mode("out.json") == mode("other") & 0o666)
  }

  @Test("the target of a link is replaced, not the link")
  func link() throws {
    try folder.makeFolder("there")
    for (link, target) in [("a.json", "there/a.json"), ("b.json", folder.path("there/b.json"))] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(link), withDestinationPath: target)
      #expect(try export(to: link).status == 0)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(link)) == target)
      #expect(try folder.read("there/\(link)").contains("Amoeba"))
    }
    #expect(try folder.names(like: "a.json") == ["a.json"])
    try FileManager.default.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "c")
    #expect(try export(to: "c").status == 1)
  }

  @Test("what is planted at the names of processes is not followed")
  func planted() throws {
    try folder.write("precious", to: "precious")
    let running = try RunningBroker(
      ["export", "Shop", "--store", "store.sqlite", "--output", "out.json"], in: folder, input: .file(""))
    for id in 1...5 {
      try? FileManager.default.createSymbolicLink(
        atPath: folder.path("out.json.\(running.identifier + Int32(id) - 3)"), withDestinationPath: "precious"
      )
    }
    #expect(try running.finish().status == 0)
    #expect(try folder.read("precious") == "precious")
  }

  @Test("a command that is asked to end leaves no temporary file", arguments: [SIGTERM, SIGHUP])
  func terminated(_ number: Int32) throws {
    let shops = (10..<30_000).map { #"{"id": \#($0), "name": "A shop with number \#($0)"}"# }
    let filling = try broker(
      "import", "--entity", "Shop", "--store", "store.sqlite", "--quiet",
      input: shops.joined(separator: "\n"),
      in: folder)
    #expect(filling.status == 0)
    try folder.write("before", to: "out.json")
    let running = try RunningBroker(
      ["export", "Shop", "--store", "store.sqlite", "--relationships", "nested", "--output", "out.json"],
      in: folder, input: .file(""))
    running.waitUntilOpen(folder.url("store.sqlite"))
    running.interrupt(by: number)
    let outcome = try running.finish()
    #expect(try folder.names(like: "out.json") == ["out.json"])
    // Where the machine was quick, the export was done before.
    guard outcome.status != 0 else { return }
    #expect(outcome.status == 128 + number)
    #expect(try folder.read("out.json") == "before")
  }

  @Test(
    "an output that cannot be written is an error",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      ["model", "show", "model.json"], ["model", "show", "model.json", "--format", "json"],
      ["model", "check", "model.json"], ["query", "Shop", "--store", "store.sqlite"],
    ])
  func full(_ arguments: [String]) throws {
    let running = try RunningBroker(arguments, in: folder, input: .file(""), outputTo: "/dev/full")
    let outcome = try running.finish()
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("No space left"))
  }

  @Test(
    "what was imported or migrated is done, whether its report can be written or not",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func reportWithoutRoom() throws {
    try folder.write(#"[{"id": 7, "name": "Seven"}]"#, to: "shops.json")
    let imported = try RunningBroker(
      ["import", "shops.json", "--store", "store.sqlite"], in: folder, input: .file(""), outputTo: "/dev/full"
    ).finish()
    #expect(imported.status == 3)
    #expect(imported.error.contains("The import is done"))
    #expect(try broker("query", "Shop", "--count", "--store", "store.sqlite", in: folder).output == "3\n")
    try folder.write(
      Folder.model.replacing(
        #"{"name": "rating", "type": "double", "optional": true}"#,
        with:
          #"{"name": "rating", "type": "double", "optional": true}, {"name": "size", "type": "double", "optional": true}"#
      ),
      to: "new.json")
    let migrated = try RunningBroker(
      ["migrate", "--store", "store.sqlite", "--model", "new.json"], in: folder, input: .file(""),
      outputTo: "/dev/full"
    ).finish()
    #expect(migrated.status == 3)
    #expect(migrated.error.contains("The store is migrated"))
    #expect(
      try broker("query", "Shop", "--select", "size", "--store", "store.sqlite", in: folder).status == 0)
  }

  @Test(
    "too few open files are an error that says so", .onSQLite("about open files"),
    .enabled(if: Tool.find("bash") != nil))
  func openFiles() throws {
    for arguments in ["export --store store.sqlite --output o.json", "query Shop --store store.sqlite"] {
      let outcome = try Tool.run(
        "bash", ["-c", "ulimit -n 7; exec '\(RunningBroker.executable.path)' \(arguments)"], in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("ulimit -n 32"), "\(outcome.error)")
    }
    // Where more is allowed, the command takes it.
    let raised = try Tool.run(
      "bash",
      [
        "-c",
        "ulimit -S -n 7; exec '\(RunningBroker.executable.path)' query Shop --count --store store.sqlite",
      ],
      in: folder)
    #expect(raised.output == "2\n", "\(raised.error)")
  }

  // MARK: - Paths

  @Test(
    "a store's name is a path, whatever it looks like", .onSQLite("about names of files"),
    arguments: ["file:x.sqlite", "a?mode=memory", "x%20y"])
  func addresses(_ name: String) throws {
    let outcome = try broker(
      "import", "--entity", "Shop", "--model", "model.json", "--store", name,
      input: #"[{"id": 1, "name": "A"}]"#, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(folder.exists(name))
    #expect(try broker("query", "Shop", "--count", "--store", name, in: folder).output == "1\n")
  }

  @Test("~/ is the home folder, and ~ alone a name")
  func home() throws {
    let query = try broker("query", "Shop", "--store", "~/none/x.sqlite", in: folder)
    #expect(query.status == 1)
    #expect(!folder.exists("~"))
    let outcome = try broker(
      "import", "--entity", "Shop", "--model", "model.json", "--store", "~", input: "[]", in: folder)
    #expect(outcome.status == 0)
    #expect(folder.exists("~"))
  }

  @Test("a model's version that a link leads to elsewhere is refused")
  func linkedVersion() throws {
    try folder.makeFolder("Out.xcdatamodel")
    let contents = #"<model><entity name="E"/></model>"#
    try folder.write(contents, to: "Out.xcdatamodel/contents")
    try folder.makeFolder("M.xcdatamodeld")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("M.xcdatamodeld/M.xcdatamodel"), withDestinationPath: "../Out.xcdatamodel")
    try folder.makeFolder("L.xcdatamodel")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("L.xcdatamodel/contents"), withDestinationPath: "../Out.xcdatamodel/contents")
    for path in ["M.xcdatamodeld", "L.xcdatamodel"] {
      let outcome = try broker("model", "show", path, in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.error.contains("leads out of the model"))
    }
    // The path that the caller gives may be a link.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Link.xcdatamodel"), withDestinationPath: "Out.xcdatamodel")
    #expect(try broker("model", "show", "Link.xcdatamodel", in: folder).status == 0)
  }
}
