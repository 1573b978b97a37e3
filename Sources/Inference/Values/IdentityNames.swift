import Mapping

/// Names that identities have, the most usual first.
enum IdentityNames {
  private static let names = [
    "id", "_id", "uuid", "guid", "@id", "objectid", "identifier", "uid", "gid", "pk", "key", "code", "slug",
    "permalink", "handle",
    "sku", "isbn", "iata", "icao", "cca2", "cca3", "alpha2", "alpha3", "iso2", "iso3", "isocode", "iso31661",
    "iso6391", "iso6392", "symbol",
    "ticker", "accountid", "userid", "personid", "memberid", "login", "username", "screenname", "email",
    "sha", "hash",
    "number", "url", "href", "self", "uri",
    "@odata.id", "name", "title",
  ]

  private static let ranks = Dictionary(
    uniqueKeysWithValues: names.enumerated().map { ($1, Int32($0 + 1)) })

  /// What identifies objects unless the data says otherwise: an identity by its very name.
  static let strongest: Int32 = 10
  /// From here on, a name alone says too little: several objects have to have it.
  static let unsure = ranks["number"] ?? .max
  /// Names and titles are identities only where others refer to them or nothing else is unique.
  static let weakest = ranks["name"] ?? .max

  /// How likely a key is the identity of objects that stand under another key: less is better, nil is not at all.
  static func rank(of key: String, owner: String) -> Int32? {
    let folded = Names.folded(key)
    if key == "_id" { return ranks["_id"] }
    if let rank = ranks[folded] { return rank }
    guard !owner.isEmpty else { return nil }
    for name in Names.singulars(Names.folded(owner)) where folded.hasPrefix(name) {
      let rest = folded.dropFirst(name.count)
      if let rank = ranks[String(rest)], rank < weakest { return min(rank, 4) + 5 }
    }
    // `revid` of a revision.
    let stem = folded.hasSuffix("id") ? folded.dropLast(2) : ""
    return stem.count >= 3 && Names.folded(owner).hasPrefix(stem) ? ranks["key"] : nil
  }
}
