import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What the server was not told of comes along with every kind of change.
@Suite("Versions: the journal") struct JournalVersionTests {
  private static let old = """
    Band | unique=name
      name: string
      number: integer64
      formed: integer16
      albums: [Album] <- band | ordered
    Album | unique=id
      id: integer64
      title: string
      band: Band <- albums
    """

  /// A store in which all has been changed, and some of it waits: an update of a band, an insertion and a deletion of albums.
  private func changed() throws -> Versions {
    let versions = try Versions(
      Self.old,
      #"{"Band": [{"name": "Japan", "number": 4, "formed": 1974, "albums": [1, 9]}], "Album": [{"id": 1, "title": "Tin Drum"}]}"#
    )
    let store = Store(try SQLiteStore(path: versions.path, journalsLocalChanges: true))
    try store.transaction { transaction in
      let journal = try #require(try transaction.journal())
      let (band, album) = (
        try transaction.layout.entity(named: "Band"), try transaction.layout.entity(named: "Album")
      )
      try journal.noteUpdated(band, key: "Japan", ["formed", "albums"])
      try journal.noteInserted(album, key: "1")
      try journal.noteDeleted(album, key: "7")
      return ((), .commit)
    }
    try store.close()
    return versions
  }

  private func journal(_ versions: Versions) throws -> [String] {
    try versions.rows(
      "SELECT root, key, entity, kind, properties, revision FROM broker_changes ORDER BY revision")
  }

  @Test(
    "kinds of changes",
    arguments: [
      (
        "nothing of it", "number: integer64", "number: integer64\n  note: string", "Band Japan Band updated",
        "Album 1", "Album 7"
      ),
      (
        "an attribute's name", "formed: integer16", "founded: integer16 | was=formed", #""founded":1"#,
        "Album 1", "Album 7"
      ),
      (
        "an attribute that becomes a to-one", "formed: integer16", "first: Album | was=formed", #""first":1"#,
        "Album 1", "Album 7"
      ),
      (
        "a relationship's name", "albums: [Album] <- band | ordered", "albums: [Album] <- band",
        #""albums":1"#, "Album 1", "Album 7"
      ),
      ("the identity", "unique=name", "unique=number", "Band 4 Band updated", "Album 1", "Album 7"),
      (
        "the type of an identity", "id: integer64", "id: string", "Band Japan", "Album 1 Album inserted",
        "Album 7 Album deleted"
      ),
      (
        "the type of an attribute", "formed: integer16", "formed: string", #""formed":1"#, "Album 1",
        "Album 7"
      ),
      (
        "a required attribute", "number: integer64", "number: integer64! | default=0", "Band Japan",
        "Album 1", "Album 7"
      ),
      (
        "a constraint", "Band | unique=name", "Band | unique=name | unique=number | broker.identity=name",
        "Band Japan", "Album 1", "Album 7"
      ),
    ])
  func kinds(
    _ what: String, _ from: String, _ to: String, _ band: String, _ inserted: String, _ deleted: String
  ) throws {
    let versions = try changed()
    try versions.migrate(to: Self.old.replacing(from, with: to))
    let lines = try journal(versions)
    #expect(lines.count == 3, "\(lines)")
    for (line, expected) in zip(lines, [band, inserted, deleted]) {
      #expect(line.contains(expected), "\(lines)")
    }
    // The album that waits is linked once it comes, whatever has changed.
    try versions.fixture().load(#"{"Album": [{"id": 9, "title": "Ghosts"}]}"#)
    #expect(try versions.rows("SELECT count(*) FROM Album WHERE band IS NOT NULL") == ["2"])
  }

  @Test("entities that are renamed, or move into a hierarchy")
  func entities() throws {
    let versions = try changed()
    try versions.migrate(
      to: Self.old.replacing("\nAlbum |", with: "\nRecord | was=Album |").replacing(
        "[Album]", with: "[Record]"))
    #expect(try journal(versions).map { $0.prefix(12) } == ["Band Japan B", "Record 1 Rec", "Record 7 Rec"])
    try versions.migrate(
      to: Self.old.replacing(
        "\nAlbum | unique=id\n  id: integer64", with: "\nWork | unique=id\n  id: integer64\nRecord : Work"
      )
      .replacing("[Album]", with: "[Record]"))
    #expect(try journal(versions).map { $0.prefix(12) } == ["Band Japan B", "Work 1 Recor", "Work 7 Recor"])
  }

  @Test("what would go of it is counted, and needs consent")
  func consent() throws {
    let versions = try changed()
    let store = Store(try SQLiteStore(path: versions.path))
    func plan(_ notation: String) throws -> String { try store.plan(for: model(notation)).description }
    let removals = try plan("Band | unique=name\n  name: string\n  number: integer64")
    #expect(
      removals.contains(
        "Band.formed is removed (1 object); 1 without a place; 1 local change that the server"))
    #expect(
      removals.contains(
        "Album is removed; 1 without a place; 2 local changes that the server was not told of would go"))
    // There is no value to lose, and yet a change.
    try store.transaction { transaction in
      try transaction.execute("UPDATE Band SET formed = NULL")
      return ((), .commit)
    }
    let without = Self.old.replacing("  formed: integer16\n", with: "")
    #expect(try plan(without).contains("Band.formed is removed (1 object); 1 local change that the server"))
    try store.close()
    #expect(throws: StoreError.self) { try Store(path: versions.path, model: model(without)) }
    #expect(try journal(versions).count == 3)
    var options = Store.Options()
    options.migration = .automatic.allowing(.removals)
    try Store(path: versions.path, model: model(without), options: options).close()
    #expect(try journal(versions).count == 3)
    #expect(try journal(versions).first?.contains("formed") == false)
  }

  @Test("what is gone is not told any more")
  func removals() throws {
    let versions = try changed()
    try versions.migrate(
      to: "Band | unique=name\n  name: string\n  number: integer64", .automatic.allowing(.removals))
    #expect(try journal(versions) == [])
  }
}

@Suite("Versions: progress") struct MigrationProgressTests {
  private func store() throws -> Versions {
    let rows = (0..<120_000).map { #"{"id": \#($0), "n": \#($0 % 100)}"# }
    return try Versions(
      "A | unique=id\n  id: integer64\n  n: integer16", "{\"A\": [\(rows.joined(separator: ","))]}")
  }

  private let new = "A | unique=id\n  id: integer64\n  n: string"

  @Test("it is told up to the end") func told() throws {
    let versions = try store()
    let parts = Parts()
    var options = Store.Options()
    options.migration.onProgress = { parts.add($0) }
    _ = try Store(path: versions.path, model: model(new), options: options)
    #expect(parts.all.count == 3)
    #expect(parts.all == parts.all.sorted())
    #expect(parts.all.last == 1)
  }

  @Test("a cancelled migration leaves the store as it was") func cancelled() throws {
    let versions = try store()
    let before = try versions.json()
    let parts = Parts()
    var options = Store.Options()
    options.migration.onProgress = { parts.add($0) }
    options.isCancelled = { !parts.all.isEmpty }
    #expect(throws: CancellationError.self) {
      try Store(path: versions.path, model: model(new), options: options)
    }
    #expect(try versions.json() == before)
    #expect(parts.all.count == 1)
  }
}

private final class Parts: @unchecked Sendable {
  private let lock = NSLock()
  private var parts: [Double] = []

  func add(_ part: Double) { lock.withLock { parts.append(part) } }
  var all: [Double] { lock.withLock { parts } }
}
