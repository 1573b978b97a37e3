import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Random JSON of objects whose identity names others, with whatever contradicts itself. Both engines give the same,
/// and what they hold agrees in itself.
@Suite struct RandomOwnerTests {
  private static let notation = """
    Crate
      id: string
      name: string
      versions: [Version] <- crate | ordered
      featured: Version
      users: [User] <- crates
    Version | identityAttributes=crate,num
      num: integer16
      size: integer64
      crate: Crate <- versions
      downloads: [Download] <- version | delete=cascade
      votes: [Vote] <- version
      likes: [Version] <- likedBy
      likedBy: [Version] <- likes
      partner: Version <- partner
    Download | identityAttributes=version,day
      day: integer16
      count: integer64
      version: Version <- downloads
      notes: [Note]
    Vote | identityAttributes=user,version
      user: User <- votes
      version: Version <- votes
    User
      id: integer64
      votes: [Vote] <- user
      crates: [Crate] <- users
      last: Vote
      profile: Profile <- user
    Profile | identityAttributes=user
      text: string
      user: User <- profile
    Note
      text: string
    """

  @Test(arguments: Seeds.first(6, long: 120))
  func importsAgree(_ seed: UInt64) throws {
    try run(seed, [.replace, .merge], [.pending])
  }

  @Test(arguments: Seeds.first(4, long: 40))
  func prunesAndStubsAgree(_ seed: UInt64) throws {
    try run(seed &+ 1_000, [.replace, .prune, .merge], [.pending, .stub], prunes: true)
  }

  private func run(
    _ seed: UInt64, _ lists: [ToManyPolicy], _ references: [ReferencePolicy], prunes: Bool = false
  ) throws {
    var random = Seeded(state: seed &* 7919)
    let fixture = try Fixture(Self.notation)
    for _ in 0..<30 {
      var json = OwnerJSON(random: random)
      let text = json.document()
      let identity = json.key()
      let target: ImportTarget =
        json.random.below(5) == 0
        ? .object(entity: json.random.pick(["Crate", "Version"]), identity: "") : .store
      random = json.random
      do {
        if case .object(let entity, _) = target {
          try rename(fixture, entity, &random, identity)
        } else {
          try fixture.load(text) {
            $0.toMany = random.pick(lists)
            $0.references = random.pick(references)
            if random.below(4) == 0 { $0.chunks = .objects(1) }
            $0.prunes = prunes && random.below(3) == 0
            if random.below(6) == 0 {
              $0.operations = random.pick([[.update], [.insert], [.insert, .update]])
            }
          }
        }
      } catch {
        Issue.record("seed \(seed): \(error) after \(text)")
        return
      }
      for (sql, what) in Self.violations {
        try #require(try fixture.rows(sql) == ["0"], "seed \(seed): \(what) after \(target) \(text)")
      }
    }
    let exported = try Exporter(fixture.store).wholeText()
    let copy = try Fixture(Self.notation)
    let report = try copy.load(exported)
    #expect(report.problems == [], "seed \(seed)")
    #expect(try Exporter(copy.store).wholeText() == exported, "seed \(seed)")
    #expect(try !copy.load(exported).changesAnything, "seed \(seed)")
  }

  /// Gives an object that is there another identity.
  private func rename(
    _ fixture: Fixture, _ entity: String, _ random: inout Seeded, _ key: (crate: String, num: Int)
  ) throws {
    let there = try fixture.rows(
      entity == "Crate" ? "SELECT id FROM Crate" : "SELECT crate || ',' || num FROM Version")
    guard !there.isEmpty else { return }
    let json =
      entity == "Crate"
      ? #"{"id": "\#(key.crate)", "name": "renamed"}"#
      : random.flip()
        ? #"{"crate": "\#(key.crate)", "num": \#(key.num), "size": 77}"#
        : #"{"size": 78, "crate": {"id": "\#(key.crate)", "name": "nested"}}"#
    try fixture.load(json) { $0.target = .object(entity: entity, identity: random.pick(there)) }
  }

  /// Queries that count what must never be in the store, with descriptions.
  private static let violations = [
    ("SELECT count(*) FROM Version WHERE crate IS NULL OR num IS NULL", "a version without identity"),
    (
      "SELECT count(*) FROM (SELECT 1 FROM Version GROUP BY crate, num HAVING count(*) > 1)",
      "two versions with one identity"
    ),
    (
      "SELECT count(*) FROM Vote WHERE user IS NULL OR version_crate IS NULL OR version_num IS NULL",
      "half a vote"
    ),
    ("SELECT count(*) FROM Profile WHERE rowid <> user", "a profile whose key is not its row"),
    (
      "SELECT count(*) FROM broker_pending JOIN Version ON target = crate || ',' || num AND entity = 'Version'",
      "a reference that waits for what is there"
    ),
    (
      """
      SELECT count(*) FROM broker_pending JOIN Download
      ON target = version_crate || ',' || version_num || ',' || day AND entity = 'Download'
      """,
      "a reference that waits for a download that is there"
    ),
    (
      """
      SELECT count(*) FROM Version a JOIN Version b ON a.partner_crate = b.crate AND a.partner_num = b.num
      WHERE (b.partner_crate, b.partner_num) IS NOT (a.crate, a.num)
      """,
      "a partner that does not know it"
    ),
  ]
}

/// Random objects of crates, their versions and what hangs on these.
private struct OwnerJSON {
  var random: Seeded

  mutating func key() -> (crate: String, num: Int) { ("c\(random.below(4))", random.below(3)) }

  mutating func document() -> String {
    let lists = random.shuffled(["crates", "versions", "downloads", "votes", "users", "profiles"])
      .prefix(1 + random.below(3))
    return "{" + lists.map { list in "\"\(list)\": [\(elements(list))]" }.joined(separator: ", ") + "}"
  }

  private mutating func elements(_ list: String) -> String {
    (0..<1 + random.below(3)).map { _ in
      switch list {
      case "crates": crate(3)
      case "versions": version(3)
      case "downloads": download(3)
      case "votes": vote(3)
      case "users": user(3)
      default: profile(3)
      }
    }.joined(separator: ", ")
  }

  private mutating func object(_ members: [String]) -> String {
    "{\(random.shuffled(members).joined(separator: ", "))}"
  }

  /// A member that is there at times.
  private mutating func add(
    _ key: String, to members: inout [String], oneIn chance: Int = 2, _ value: (inout OwnerJSON) -> String
  ) {
    guard random.below(chance) == 0 else { return }
    let text = value(&self)
    members.append("\"\(key)\": \(text)")
  }

  private mutating func many(_ element: (inout OwnerJSON) -> String) -> String {
    if random.below(12) == 0 { return "null" }
    var elements: [String] = []
    for _ in 0..<random.below(4) { elements.append(element(&self)) }
    return "[\(elements.joined(separator: ", "))]"
  }

  private mutating func crate(_ depth: Int) -> String {
    var members: [String] = []
    if random.below(12) > 0 { members.append("\"id\": \"\(key().crate)\"") }
    add("name", to: &members) { "\"n\($0.random.below(3))\"" }
    guard depth > 0 else { return object(members) }
    add("versions", to: &members) { $0.many { $0.ownVersion(depth - 1) } }
    add("featured", to: &members, oneIn: 4) { $0.versionOrKey(depth - 1) }
    add("users", to: &members, oneIn: 4) { $0.many { $0.random.flip() ? "1" : $0.user(depth - 1) } }
    return object(members)
  }

  /// A version in its crate's list.
  private mutating func ownVersion(_ depth: Int) -> String {
    switch random.below(6) {
    case 0: return "\(random.below(3))"
    case 1: return "{\"num\": \(random.below(3))}"
    case 2: return versionOrKey(depth)
    default: return version(depth, owner: false)
    }
  }

  private mutating func versionOrKey(_ depth: Int) -> String {
    let key = key()
    switch random.below(4) {
    case 0: return "\"\(key.crate),\(key.num)\""
    case 1: return "{\"crate\": \"\(key.crate)\", \"num\": \(key.num)}"
    case 2: return "{\"num\": \(key.num), \"crate\": {\"id\": \"\(key.crate)\"}}"
    default: return version(depth)
    }
  }

  private mutating func version(_ depth: Int, owner: Bool = true) -> String {
    var members: [String] = []
    if random.below(20) > 0 { members.append("\"num\": \(random.below(3))") }
    if owner, random.below(20) > 0 {
      let isNested = depth > 0 && random.below(3) == 0
      members.append(isNested ? "\"crate\": \(crate(depth - 1))" : "\"crate_id\": \"\(key().crate)\"")
    }
    add("size", to: &members) { "\($0.random.below(4))" }
    guard depth > 0 else { return object(members) }
    add("downloads", to: &members, oneIn: 3) { $0.many { $0.ownDownload(depth - 1) } }
    add("votes", to: &members, oneIn: 4) { $0.many { $0.ownVote(depth - 1) } }
    add("likes", to: &members, oneIn: 4) { $0.many { $0.versionOrKey(depth - 1) } }
    add("partner", to: &members, oneIn: 5) { $0.versionOrKey(depth - 1) }
    return object(members)
  }

  private mutating func ownDownload(_ depth: Int) -> String {
    random.below(4) == 0 ? "\(random.below(3))" : download(depth, owner: random.below(5) == 0)
  }

  private mutating func download(_ depth: Int, owner: Bool = true) -> String {
    var members = ["\"day\": \(random.below(3))"]
    if owner { members.append("\"version\": \(versionOrKey(depth - 1))") }
    add("count", to: &members) { "\($0.random.below(4))" }
    add("notes", to: &members, oneIn: 4) { $0.random.flip() ? "[]" : "[{\"text\": \"t\"}]" }
    return object(members)
  }

  private mutating func ownVote(_ depth: Int) -> String {
    random.flip() ? "\(1 + random.below(3))" : "{\"user\": \(random.flip() ? "2" : user(depth - 1))}"
  }

  private mutating func vote(_ depth: Int) -> String {
    object(["\"user\": \(1 + random.below(3))", "\"version\": \(versionOrKey(depth - 1))"])
  }

  private mutating func user(_ depth: Int) -> String {
    var members = ["\"id\": \(1 + random.below(3))"]
    guard depth > 0 else { return object(members) }
    add("profile", to: &members, oneIn: 3) { $0.random.below(4) == 0 ? "null" : "{\"text\": \"p\"}" }
    add("last", to: &members, oneIn: 4) { json in
      let key = json.key()
      return "\"\(1 + json.random.below(3)),\(key.crate),\(key.num)\""
    }
    add("votes", to: &members, oneIn: 4) { $0.many { "{\"version\": \($0.versionOrKey(depth - 1))}" } }
    return object(members)
  }

  private mutating func profile(_ depth: Int) -> String {
    object(["\"user\": \(random.flip() ? "1" : user(depth - 1))", "\"text\": \"q\(random.below(3))\""])
  }
}
