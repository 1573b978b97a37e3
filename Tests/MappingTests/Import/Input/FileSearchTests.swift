import Foundation
import Mapping
import Testing

/// The files that a folder or a pattern stands for.
@Suite struct FileSearchTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("search-\(UUID().uuidString)")
    for name in [
      "a.json", "b/1.json", "b/2.jsonl.gz", "b/c/x.csv", "b/c/.hidden.json", ".git/y.json", "z.TSV",
      "read.me",
      "b/c/d/n.ndjson", "b.json/in.json", "data.json.txt",
    ] {
      let url = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("[]".utf8).write(to: url)
    }
  }

  /// The paths below the folder that a path in it stands for.
  private func found(_ path: String) throws -> [String] {
    defer { try? FileManager.default.removeItem(at: folder) }
    return try ImportSource.files(folder.path + path).map { String($0.name.dropFirst(folder.path.count)) }
  }

  @Test func aFolderStandsForItsFilesAndThoseOfItsFolders() throws {
    #expect(
      try found("") == [
        "/a.json", "/b.json/in.json", "/b/1.json", "/b/2.jsonl.gz", "/b/c/d/n.ndjson", "/b/c/x.csv", "/z.TSV",
      ])
  }

  @Test(arguments: [
    ("/*.json", ["/a.json"]), ("/*", ["/a.json", "/data.json.txt", "/read.me", "/z.TSV"]),
    ("/b/?.json", ["/b/1.json"]), ("/[a-b]/*", ["/b/1.json", "/b/2.jsonl.gz"]),
    ("/**/*.json", ["/a.json", "/b.json/in.json", "/b/1.json"]), ("/b/**/x.csv", ["/b/c/x.csv"]),
    ("/b/**/**/x.csv", ["/b/c/x.csv"]), ("/**/c/**", ["/b/c/d/n.ndjson", "/b/c/x.csv"]),
    ("/*/*/*.csv", ["/b/c/x.csv"]),
  ])
  func aPatternStandsForWhatMatches(_ pattern: String, _ expected: [String]) throws {
    #expect(try found(pattern) == expected)
  }

  @Test(arguments: ["/x*.json", "/.git", "/b/c/d/*.json"])
  func noFileIsAnError(_ path: String) throws {
    if path == "/.git" {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(".git/y.json"))
    }
    #expect(throws: ImportError.self) { try found(path) }
  }

  @Test func aFileThatIsNotThereIsLeftToTheImport() throws {
    #expect(try found("/nothing.json") == ["/nothing.json"])
  }

  @Test(.timeLimit(.minutes(1))) func linksThatLeadBackEnd() throws {
    for (name, target) in [("b/loop", ".."), ("self", "self"), ("twice.json", "a.json")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
    }
    #expect(
      try found("") == [
        "/a.json", "/b.json/in.json", "/b/1.json", "/b/2.jsonl.gz", "/b/c/d/n.ndjson", "/b/c/x.csv",
        "/twice.json",
        "/z.TSV",
      ])
  }

  @Test func foldersTellEntitiesWhereFilesDoNot() throws {
    let (bands, albums) = (
      folder.appendingPathComponent("bands"), folder.appendingPathComponent("albums/2024")
    )
    for url in [bands, albums] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    try Data(#"[{"id": 1}]"#.utf8).write(to: bands.appendingPathComponent("1.json"))
    try Data("id\n7\n".utf8).write(to: albums.appendingPathComponent("7.csv"))
    try Data(#"[{"id": 8}]"#.utf8).write(to: bands.appendingPathComponent("albums.json"))
    defer { try? FileManager.default.removeItem(at: folder) }
    let fixture = try Fixture("Band\n  id: integer64\nAlbum\n  id: integer64")
    let sources = try ImportSource.files(folder.path + "/bands") + ImportSource.files(folder.path + "/albums")
    #expect(try fixture.load(sources, fixture.options).counts == "Album +2, Band +1")
    let alone = ImportSource.file(folder.path + "/bands/1.json")
    #expect(try fixture.load([alone], fixture.options).counts == "Band =1")
  }
}
