import Mapping
import ObjectModel

/// The name of a key as a link to the object that its values name.
struct LinkName {
  /// The words without endings such as `id`.
  let stem: [String]
  /// Whether the key ends as keys of objects do, or begins so.
  let hasEnding: Bool
  /// Whether it is the beginning that says so: `idBoard`, `id_cliente`.
  let hasBeginning: Bool

  private static let endings: Set<String> = [
    "id", "ids", "key", "keys", "uuid", "uuids", "guid", "ref", "refs", "reference", "references", "url",
    "urls",
    "uri", "uris", "href", "hrefs", "slug", "slugs", "code", "codes", "no", "number", "nr", "pk", "fk", "iri",
  ]
  private static let strongEndings: Set<String> = [
    "id", "ids", "uuid", "uuids", "guid", "ref", "refs", "reference", "references", "fk", "pk", "key", "keys",
    "iri",
  ]
  private static let beginnings: Set<String> = ["id", "ids", "fk"]
  private static let people: Set<String> = [
    "user", "person", "account", "member", "player", "employee", "customer", "profile", "actor", "contact",
    "people",
    "participant",
  ]
  private static let roles: Set<String> = [
    "author", "owner", "head", "chair", "coach", "captain", "contact", "creator", "user", "assignee",
    "reporter", "sender", "receiver", "recipient",
    "manager",
    "lead", "leader", "member", "participant", "by", "from", "to", "approver", "reviewer", "editor", "admin",
    "host",
    "guest", "follower", "following", "friend", "commenter", "uploader", "poster", "seller", "buyer", "boss",
    "agent",
    "director", "actor", "performer", "supervisor", "character", "merged", "closed", "organizer", "artist",
    "mention",
    "parent",
    "invited", "requester", "requested", "created", "updated", "assigned", "modified", "rep",
    "representative",
    "salesperson", "collaborator", "watcher", "subscriber", "invitee", "attendee", "submitter", "moderator",
    "maintainer", "contributor",
  ]
  /// Words for people that are roles too: an entity may be called so, and objects under such a key are of another one.
  private static let roleHolders: Set<String> = ["admin", "agent", "staff", "teammate"]
  private static let selves: Set<String> = [
    "parent", "reply", "root", "previous", "prev", "next", "original", "replaces", "related", "similar",
    "children",
    "child", "ancestor", "quoted", "retweeted", "forked", "source", "kids", "border", "neighbor", "neighbour",
    "adjacent", "depends", "dependency", "blocked", "blocks", "duplicate", "supersedes", "manager", "boss",
    "boundary",
    "quote", "repost", "sibling", "evolves", "thread", "reports",
  ]
  /// Roles that people have in a work. Who buys or plays something has none of them.
  private static let worksRoles: Set<String> = [
    "artist", "character", "director", "performer", "author", "editor",
  ]
  private static let outsiders: Set<String> = ["customer", "player", "employee", "contact", "participant"]

  /// The name that what stands before an identity says of an object: `Patient/1`, `Organization?identifier=https://example.org|7`.
  static func said(inPrefix prefix: String) -> LinkName? {
    prefix.prefix { $0 != "?" }.split(separator: "/").last.map { LinkName(String($0)) }
  }

  /// Whether it says who somebody is, or what he does.
  var isOfPeople: Bool {
    stem.contains { word in
      let word = Words.singular(ofWord: word)
      return Self.people.contains(word) || Self.roles.contains(word)
    }
  }

  /// Whether it is nothing but `source`.
  var isSource: Bool { stem == ["source"] }

  init(_ key: String) {
    var words = Words.words(key)
    var ending: String?
    if words.count > 1, let last = words.last, Self.endings.contains(last) {
      ending = last
      words.removeLast()
    }
    hasBeginning = ending == nil && words.count > 1 && Self.beginnings.contains(words[0])
    if hasBeginning { words.removeFirst() }
    stem = words
    hasEnding = hasBeginning || ending.map(Self.strongEndings.contains) ?? false
  }

  /// Whether it is what objects are called, and the key that identifies them behind it: `vessel_imo`.
  func says(_ entity: EntityName, identifiedBy key: String) -> Bool {
    !key.isEmpty && stem.joined() == entity.joined + Names.folded(key)
  }

  /// Whether a key ends as identities do, be it in one word: `thomas_id`, `geonameid`, `crowdanki_uuid`, `CID`.
  static func isKeyOfObjects(_ key: String) -> Bool {
    let words = Words.words(key)
    guard let last = words.last else { return false }
    if words.count > 1 { return ["id", "uuid", "guid"].contains(last) }
    if abbreviations.contains(key) { return true }
    return key.count >= 5 && last.hasSuffix("id") && key.allSatisfy(\.isLowercase)
      && !wordsWithID.contains(key)
  }

  /// Identities of compounds and of papers. A `PID` is one of a process, and a `BID` is a price.
  private static let abbreviations: Set<String> = ["CID", "PMID", "PMCID"]
  private static let wordsWithID: Set<String> = [
    "android", "asteroid", "avoid", "braid", "centroid", "covid", "fluid", "grid", "hybrid", "humid",
    "invalid",
    "isvalid", "liquid", "ovoid", "paid", "plaid", "rapid", "raid", "solid", "squid", "stupid", "unpaid",
    "valid",
    "vivid", "void",
  ]

  /// Whether it names several objects.
  var isPlural: Bool {
    stem.last.map { $0.hasSuffix("s") && Words.singular(ofWord: $0) != $0 } ?? false
  }

  /// Whether it says how much there is of something: `user_notes_count`, `total_users`.
  var isMeasure: Bool {
    [stem.first, stem.last].contains { $0.map(Self.measures.contains) ?? false }
  }

  private static let measures: Set<String> = [
    "count", "counts", "total", "num", "sum", "amount", "quantity", "qty", "size", "score", "rate", "ratio",
    "percent", "percentage", "average", "avg", "duration", "length",
  ]

  /// Whether a key says what somebody does rather than what he is.
  static func isRole(_ key: String) -> Bool {
    guard let last = Words.words(key).last else { return false }
    let word = Words.singular(ofWord: last)
    return roles.contains(word) && !people.contains(word)
  }

  /// Whether a key says what somebody is in a work, or to it: its artist, or one of its characters.
  static func isInWork(_ key: String) -> Bool {
    Words.words(key).last.map { worksRoles.contains(Words.singular(ofWord: $0)) } ?? false
  }

  /// Whether a key leads to another object of the same kind, as `parent` does.
  static func isOfItsKind(_ key: String) -> Bool {
    Words.words(key).contains { selves.contains($0) || selves.contains(Words.singular(ofWord: $0)) }
  }

  /// Keys of which accounts of people have some.
  private static let accountKeys: Set<String> = [
    "login", "username", "screenname", "email", "emailaddress", "avatarurl", "accountid", "firstname",
    "handle",
  ]

  /// Whether objects with these keys are accounts of people, whatever role they have where they stand.
  static func arePeople(_ keys: [String]) -> Bool {
    keys.contains { accountKeys.contains(Names.folded($0)) }
  }

  /// How well the name fits an entity: 3 for its own name, 1.6 for people in a role, 0 for not at all.
  func score(for entity: String, isSelf: Bool) -> Double { score(for: EntityName(entity), isSelf: isSelf) }

  /// How well the name fits an entity: 3 for its own name, 0 for not at all.
  func score(for entity: EntityName, isSelf: Bool) -> Double {
    guard let person = entity.singular, let own = stem.last else { return 0 }
    let singular = Words.singular(ofWord: own)
    let whole = stem.count == 1 ? singular : (stem.dropLast() + [singular]).joined()
    if whole == entity.joined { return 3 }
    if singular == person, entity.words == 1 || stem.count == 1 { return 2 }
    if whole.hasSuffix(entity.joined), entity.joined.count >= 4 { return 2 }
    if entity.joined.hasSuffix(whole), whole.count >= 4 { return 2 }
    if isSelf,
      stem.contains(where: { Self.selves.contains(Words.singular(ofWord: $0)) || Self.selves.contains($0) })
    {
      return 2
    }
    let isRole = stem.contains { word in
      let role = Words.singular(ofWord: word)
      return Self.roles.contains(role)
        && !(Self.worksRoles.contains(role) && Self.outsiders.contains(person))
    }
    guard isRole else { return 0 }
    return Self.people.contains(person) ? 1.6 : Self.roleHolders.contains(person) ? 1.5 : 0
  }

  /// Whether the name is the end of an entity's name, as `service` is of `ConsulService`.
  func isEnd(of entity: EntityName) -> Bool {
    guard let own = stem.last else { return false }
    return entity.joined.hasSuffix((stem.dropLast() + [Words.singular(ofWord: own)]).joined())
  }

  /// The name of a relationship.
  func property(isToMany: Bool, fallback: String) -> String {
    var words = stem
    if words.isEmpty { words = Names.words(fallback) }
    if let last = words.last {
      let singular = Words.singular(ofWord: last)
      words[words.count - 1] = isToMany ? Words.plural(ofWord: singular) : last
    }
    return Words.camelCase(words)
  }
}

/// The name of an entity as names of links are compared with it.
struct EntityName {
  /// How many words it has.
  let words: Int
  /// The last word in the singular; nil if it has no word.
  let singular: String?
  /// All words, the last one in the singular.
  let joined: String

  init(_ name: String) {
    let words = Names.words(name)
    let singular = words.last.map(Words.singular(ofWord:))
    self.words = words.count
    self.singular = singular
    joined = words.dropLast().joined() + (singular ?? "")
  }
}
