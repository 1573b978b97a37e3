import Mapping

/// What the name of a key says of the object that its values name.
struct LinkName {
  /// The words without endings such as `id`.
  let stem: [String]
  /// Whether the key ends as keys of objects do.
  let hasEnding: Bool

  private static let endings: Set<String> = [
    "id", "ids", "key", "keys", "uuid", "uuids", "guid", "ref", "refs", "reference", "references", "url",
    "urls",
    "uri", "uris", "href", "hrefs", "slug", "slugs", "code", "codes", "no", "number", "nr", "pk", "fk", "iri",
  ]
  private static let strongEndings: Set<String> = [
    "id", "ids", "uuid", "uuids", "guid", "ref", "refs", "reference", "references", "fk", "pk", "key", "keys",
    "iri",
  ]
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
    "parent",
    "invited", "requester", "requested", "created", "updated", "assigned", "modified",
  ]
  private static let selves: Set<String> = [
    "parent", "reply", "root", "previous", "prev", "next", "original", "replaces", "related", "similar",
    "children",
    "child", "ancestor", "quoted", "retweeted", "forked", "source", "kids", "border", "neighbor", "neighbour",
    "adjacent", "depends", "dependency", "blocked", "blocks", "duplicate", "supersedes", "manager", "boss",
    "boundary",
    "quote", "repost", "sibling", "evolves", "thread",
  ]

  init(_ key: String) {
    var words = Words.words(key)
    var ending: String?
    if words.count > 1, let last = words.last, Self.endings.contains(last) {
      ending = last
      words.removeLast()
    }
    stem = words
    hasEnding = ending.map(Self.strongEndings.contains) ?? false
  }

  /// Whether it names several objects.
  var isPlural: Bool { stem.last.map { $0.hasSuffix("s") && Words.singular(ofWord: $0) != $0 } ?? false }

  /// Whether a key says what somebody does rather than what he is.
  static func isRole(_ key: String) -> Bool {
    guard let last = Words.words(key).last else { return false }
    let word = Words.singular(ofWord: last)
    return roles.contains(word) && !people.contains(word)
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

  /// How well the name fits an entity: 3 for its own name, 0 for not at all.
  func score(for entity: String, isSelf: Bool) -> Double {
    let name = Names.words(entity)
    guard let last = name.last, let own = stem.last else { return 0 }
    let singular = Words.singular(ofWord: own)
    let whole = (stem.dropLast() + [singular]).joined()
    let entityName = (name.dropLast() + [Words.singular(ofWord: last)]).joined()
    if whole == entityName { return 3 }
    if singular == Words.singular(ofWord: last), name.count == 1 || stem.count == 1 { return 2 }
    if whole.hasSuffix(entityName), entityName.count >= 4 { return 2 }
    if entityName.hasSuffix(whole), whole.count >= 4 { return 2 }
    if isSelf,
      stem.contains(where: { Self.selves.contains(Words.singular(ofWord: $0)) || Self.selves.contains($0) })
    {
      return 2
    }
    if Self.people.contains(Words.singular(ofWord: last)),
      stem.contains(where: { Self.roles.contains(Words.singular(ofWord: $0)) })
    {
      return 1.5
    }
    return 0
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
