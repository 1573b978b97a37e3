import Foundation
import GRDB
import Testing

/// Stores that cannot be used.
@Suite("Bad stores")
struct BadStoreTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private let intoShops = ["--entity", "Shop", "--store", "store.sqlite"]

  @Test(
    "a text file is no store, even one of a single byte, which SQLite takes for an empty file",
    arguments: [String(repeating: "Not a database. ", count: 20), "x"])
  func textFile(_ text: String) throws {
    try folder.write(text, to: "text.sqlite")
    for model in [[], ["--model", "model.json"]] {
      try folder.refused(
        ["-", "--entity", "Shop", "--store", "text.sqlite"] + model, input: "[]",
        because: "text.sqlite is not a Broker store: it is not an SQLite database. Name another file with"
          + " --store; Broker creates it.")
    }
    #expect(try folder.read("text.sqlite") == text)
  }

  @Test("an SQLite database of something else is no store")
  func otherDatabase() throws {
    let database = try DatabaseQueue(path: folder.path("other.sqlite"))
    try database.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try database.close()
    let other = try folder.data("other.sqlite")
    for model in [[], ["--model", "model.json"]] {
      try folder.refused(
        ["-", "--entity", "Shop", "--store", "other.sqlite"] + model, input: "[]",
        because: "other.sqlite is not a Broker store: it is an SQLite database that Broker did not make. Name"
          + " another file with --store; Broker creates it.")
    }
    #expect(try folder.data("other.sqlite") == other)
    for suffix in ["-wal", "-shm", "-journal"] { #expect(!folder.exists("other.sqlite" + suffix)) }
  }

  @Test(
    "of an address that is written wrongly, no message shows the password",
    arguments: [
      "POSTGRES//me:s3cret@db.example.com/music", "postgresql:me:s3cret@127.0.0.1/music",
      "mysql://me:s3cret@db.example.com/music", "PASSWORD=s3cret HOST=127.0.0.1",
      "hostname=db passwd = s3cret", "jdbc:postgresql://me:s3cret@db.example.com/music",
      " postgresql://me:s3cret@127.0.0.1:1/music", "'postgresql://me:s3cret@db.example.com/music'",
      "postgresql+psycopg2://me:s3cret@db.example.com/music", "me:s3cret@db.example.com/music",
      "POSTGRESQL://me:s3cret@127.0.0.1:1/music", "postgresql://me:s3cret@127.0.0.1:1/music",
    ])
  func addresses(_ address: String) throws {
    for command in [
      ["info", "--store", address], ["export", "--store", address], ["query", "Shop", "--store", address],
      ["import", "-", "--model", "model.json", "--store", address], ["import", "-", "--store", address],
      ["import", "-", "--identity", "A=b", "--store", address], ["doctor", address],
      ["migrate", "--model", "model.json", "--store", address], ["copy", address, "new.sqlite"],
      ["copy", "store.sqlite", address], ["model", "show", address], ["infer", "--refine", address, "-"],
    ] {
      let outcome = try broker(command, input: "[]", in: folder)
      #expect(outcome.status != 0, "\(command)")
      #expect(!(outcome.error + outcome.output).contains("s3cret"), "\(command): \(outcome.error)")
    }
  }

  @Test(
    "a file may have a name that looks like an address", arguments: ["a:b@c.sqlite", "x.sqlite?password=1"])
  func filesLikeAddresses(_ name: String) throws {
    let outcome = try broker(
      "import", "-", "--entity", "Shop", "--model", "model.json", "--store", "./" + name, input: "[]",
      in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(folder.exists(name))
  }

  @Test("a folder is no store")
  func folderAsStore() throws {
    try folder.makeFolder("shops")
    try folder.refused(
      ["-", "--entity", "Shop", "--model", "model.json", "--store", "shops"], input: "[]",
      because:
        "shops is not a Broker store: it is a folder. Name another file with --store; Broker creates it.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("shops")) == [])
  }

  @Test("a store in a folder that does not exist")
  func noFolder() throws {
    let outcome = try broker(
      "import", "--entity", "Shop", "--model", "model.json", "--store", "none/new.sqlite", input: "[]",
      in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("Error: The store none/new.sqlite cannot be opened: "))
    #expect(outcome.error.contains("folder"))
    #expect(!folder.exists("none"))
  }

  @Test(
    "a store that may not be written", .enabled(if: getuid() != 0, "nothing is read-only to root"),
    .onSQLite("about the permissions of a file"))
  func readOnlyStore() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: folder.path("store.sqlite"))
    let before = folder.store()
    let outcome = try broker(
      ["import", "-"] + intoShops, input: #"[{"id": 9, "name": "New"}]"#, in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.error
        == "Error: The store store.sqlite is read-only: allow writing to the file and its folder.\n")
    #expect(folder.store() == before)
  }

  @Test(
    "a store on a file system that may not be written",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/version")))
  func readOnlyFolder() throws {
    let outcome = try broker(
      "import", "--entity", "Shop", "--model", "model.json", "--store", "/proc/new.sqlite", input: "[]",
      in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("Error: The store /proc/new.sqlite cannot be opened: "))
  }

  @Test("a store without a name")
  func noName() throws {
    let outcome = try broker(
      "import", "--entity", "Shop", "--model", "model.json", "--store", "",
      input: #"[{"id": 1, "name": "Lost"}]"#,
      in: folder)
    #expect(outcome.status != 0)
    #expect(outcome.output == "")
  }

  @Test("a store that is broken off in the middle", .onSQLite("about a damaged file"))
  func damagedStore() throws {
    let whole = try folder.data("store.sqlite")
    try folder.write(whole.prefix(whole.count / 2), to: "half.sqlite")
    let before = folder.store("half.sqlite")
    let outcome = try broker(
      "import", "--entity", "Shop", "--store", "half.sqlite", input: #"[{"id": 9, "name": "New"}]"#,
      in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.error.hasPrefix("Error: "))
    #expect(folder.store("half.sqlite") == before)
  }

  @Test("no store, no model to make one, and JSON that has none")
  func noStore() throws {
    try folder.refused(
      ["-", "--entity", "Shop", "--store", "new.sqlite"], input: "[]",
      because: "There is nothing to infer a model from: the JSON has no objects. Add --model PATH."
    )
    #expect(!folder.hasStore("new.sqlite"))
  }

  @Test("a failed import into a new store leaves no file")
  func failedNewStore() throws {
    for json in ["[", #"[{"id": "x"}]"#] {
      let outcome = try broker(
        "import", "--entity", "Shop", "--strict", "--model", "model.json", "--store", "new.sqlite",
        input: json,
        in: folder)
      #expect(outcome.status == 1)
      for suffix in ["", "-wal", "-shm", "-journal"] { #expect(!folder.exists("new.sqlite" + suffix)) }
    }
  }
}
