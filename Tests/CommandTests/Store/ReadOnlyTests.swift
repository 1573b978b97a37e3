import Foundation
import Testing

/// Stores of others, which may be read and not written.
///
/// Nothing is read-only to root, so these run the command as nobody.
@Suite(
  "Stores that may only be read", .onSQLite("about the permissions of files"),
  .enabled(if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
struct ReadOnlyTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.makeStore()
  }

  private func asNobody(_ arguments: String...) throws -> Outcome {
    let running = try RunningBroker(
      ["--reuid=65534", "--regid=65534", "--clear-groups", RunningBroker.executable.path] + arguments,
      in: folder, input: .file(#"[{"id": 6, "name": "N"}]"#),
      executable: URL(fileURLWithPath: "/usr/bin/setpriv"))
    return try running.finish()
  }

  private func permit(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(name))
  }

  @Test(
    "are read, and nothing is left beside them",
    arguments: [(0o755, 0o644), (0o777, 0o644), (0o755, 0o666)])
  func reading(_ folderMode: Int, _ fileMode: Int) throws {
    try permit(".", folderMode)
    try permit("store.sqlite", fileMode)
    let count = try asNobody("query", "Shop", "--count", "--store", "store.sqlite")
    #expect(count.output == "2\n", "\(count.error)")
    #expect(try folder.names(like: "store.sqlite") == ["store.sqlite"])
    let refused = try asNobody("import", "--entity", "Shop", "--store", "store.sqlite")
    #expect(refused.status == 1)
    #expect(refused.error.hasPrefix("Error: The store store.sqlite is read-only"), "\(refused.error)")
    // Whose it is goes on.
    let owner = try broker(
      "import", "--entity", "Shop", "--store", "store.sqlite", input: #"[{"id": 7, "name": "A"}]"#, in: folder
    )
    #expect(owner.status == 0)
    #expect(try asNobody("query", "Shop", "--count", "--store", "store.sqlite").output == "3\n")
  }

  @Test("are read as they were while their owner writes, and as they are then")
  func readingBesideTheOwner() throws {
    try permit(".", 0o777)
    let writer = try RunningBroker(
      ["import", "-", "--entity", "Shop", "--store", "store.sqlite", "--quiet"], in: folder, input: .pipe)
    try writer.input.fileHandleForWriting.write(contentsOf: Data(#"{"id": 8, "name": "B"}"#.utf8))
    writer.waitUntilOpen(folder.url("store.sqlite"))
    #expect(try asNobody("query", "Shop", "--count", "--store", "store.sqlite").output == "2\n")
    try writer.input.fileHandleForWriting.close()
    #expect(try writer.finish().status == 0)
    #expect(try folder.names(like: "store.sqlite") == ["store.sqlite"])
    #expect(try asNobody("query", "Shop", "--count", "--store", "store.sqlite").output == "3\n")
  }
}
