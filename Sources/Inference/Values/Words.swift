import Mapping
import ObjectModel

/// Names for entities and properties, made of the keys of JSON.
enum Words {
  private static let unchanged: Set<String> = [
    "series", "timeseries", "species", "news", "means", "lens", "gps", "sms", "dns", "https", "kubernetes",
    "css", "js",
    "aws", "always",
    "os", "ios", "data", "media", "canvas", "gas", "atlas", "bias", "alias", "pancreas", "this", "has", "is",
    "was", "plus",
    "yes",
  ]
  private static let keepsE: Set<String> = [
    "movies", "cookies", "ties", "pies", "zombies", "calories", "selfies", "lies", "hoodies", "genies",
    "sorties",
    "brownies", "rookies", "cookies",
  ]
  private static let irregular = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse", "feet": "foot",
    "geese": "goose", "teeth": "tooth", "indices": "index", "matrices": "matrix", "vertices": "vertex",
    "criteria": "criterion", "phenomena": "phenomenon", "genera": "genus", "taxa": "taxon",
    "aliases": "alias",
    "wolves": "wolf", "knives": "knife", "wives": "wife", "lives": "life", "shelves": "shelf",
    "halves": "half",
    "leaves": "leaf", "thieves": "thief", "loaves": "loaf", "analyses": "analysis", "bases": "base",
    "diagnoses": "diagnosis", "hypotheses": "hypothesis", "axes": "axis", "quizzes": "quiz",
  ]

  /// The singular of a word in lower case.
  static func singular(ofWord word: String) -> String {
    if let known = irregular[word] { return known }
    guard word.utf8.last == UInt8(ascii: "s"), word.count >= 3, !unchanged.contains(word),
      !isAbbreviation(word)
    else { return word }
    if keepsE.contains(word) { return String(word.dropLast()) }
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    for ending in ["xes", "ches", "shes", "sses", "zzes", "tuses", "ruses", "buses", "nuses", "mpuses"]
    where word.hasSuffix(ending) {
      return String(word.dropLast(2))
    }
    if word.hasSuffix("oes"), word.count > 4, word != "shoes" { return String(word.dropLast(2)) }
    if word.hasSuffix("ss") || word.hasSuffix("us") || word.hasSuffix("is") { return word }
    return String(word.dropLast())
  }

  /// Whether a word has no vowel, as `gtfs`.
  private static func isAbbreviation(_ word: String) -> Bool {
    !word.utf8.contains { "aeiouy".utf8.contains($0) }
  }

  /// The plural of a word in lower case.
  static func plural(ofWord word: String) -> String {
    if let known = irregular.first(where: { $0.value == word })?.key { return known }
    if unchanged.contains(word) { return word }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    for ending in ["s", "x", "ch", "sh", "z"] where word.hasSuffix(ending) { return word + "es" }
    return word + "s"
  }

  /// The words of a key: letters and digits only, in lower case.
  static func words(_ key: String) -> [String] {
    let key = unnumbered(key)
    if key.utf8.allSatisfy({ $0 < 0x80 }) { return words(ofASCII: key) }
    var plain = ""
    for (index, character) in zip(key.indices, key) {
      // Of `+1` and `-1`, the sign is all that tells them apart.
      if character == "+" || character == "-" && index == key.startIndex {
        plain += character == "+" ? "_plus_" : "_minus_"
      }
      plain.append(character.isLetter || character.isNumber ? character : "_")
    }
    return Names.words(plain)
  }

  /// The same for keys of ASCII, which most are.
  private static func words(ofASCII key: String) -> [String] {
    var plain: [UInt8] = []
    plain.reserveCapacity(key.utf8.count + 8)
    for byte in key.utf8 {
      if byte == UInt8(ascii: "+") { plain += "_plus_".utf8 }
      if byte == UInt8(ascii: "-"), plain.isEmpty { plain += "_minus_".utf8 }
      let isInWord = (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      plain.append(isInWord ? byte : UInt8(ascii: "_"))
    }
    return Names.words(ofASCII: plain)
  }

  /// `open` for `1. open`, `high (USD)` for `2a. high (USD)`: the number is the key's place in a list.
  static func unnumbered(_ key: String) -> String {
    if let byte = key.utf8.first, byte < 0x80, byte &- UInt8(ascii: "0") >= 10 { return key }
    guard key.first?.isNumber ?? false, let dot = key.firstIndex(of: "."), key[dot...].hasPrefix(". "),
      case let number = key[..<dot], number.count <= 3,
      number.drop(while: \.isNumber).allSatisfy(\.isLetter)
    else { return key }
    let name = key[dot...].dropFirst(2)
    return name.contains(where: \.isLetter) ? String(name) : key
  }

  /// `goals` for `goals1`, which stands beside `goals2`.
  static func withoutNumber(_ key: String) -> String {
    var text = key[...]
    while text.last?.isNumber ?? false { text.removeLast() }
    if text.last == "_" || text.last == "-" { text.removeLast() }
    return text.isEmpty ? key : String(text)
  }

  /// `BandMember` for `band_members`.
  static func entityName(_ key: String) -> String {
    var words = words(key)
    guard let last = words.last else { return "Record" }
    words[words.count - 1] = singular(ofWord: last)
    let name = words.map(Names.capitalized).joined()
    return name.first?.isNumber == true ? "Item\(name)" : name
  }

  /// `bandMembers` for the entity `BandMember`.
  static func plural(ofEntity name: String) -> String {
    var words = Names.words(name)
    guard let last = words.last else { return "objects" }
    words[words.count - 1] = plural(ofWord: last)
    return camelCase(words)
  }

  /// `bandMember` for the entity `BandMember`.
  static func property(ofEntity name: String) -> String { camelCase(Names.words(name)) }

  static func camelCase(_ words: [String]) -> String {
    (words.first ?? "") + words.dropFirst().map(Names.capitalized).joined()
  }

  /// The name of a property: the key itself if it is one in camel case already, else its words in camel case.
  static func propertyName(_ key: String) -> String {
    let isPlain = key.allSatisfy { $0.isLetter || $0.isNumber }
    if isPlain, key.first?.isLowercase == true { return key }
    let name = camelCase(words(key))
    if name.isEmpty { return "value" }
    return name.first?.isNumber == true ? "value\(Names.capitalized(name))" : name
  }

  /// A key folded, in the singular, to compare names.
  static func folded(_ key: String) -> String {
    var words = words(key)
    guard let last = words.last else { return key }
    words[words.count - 1] = singular(ofWord: last)
    return words.joined()
  }
}

/// Keys that say nothing about the objects under them.
enum GenericNames {
  private static let wrappers: Set<String> = [
    "data", "results", "result", "items", "item", "records", "record", "entries", "entry", "hits", "docs",
    "rows",
    "value", "values", "list", "objects", "elements", "content", "contents", "response", "body", "payload",
    "nodes",
    "edges", "node", "features", "collection", "members", "member", "resource", "resources", "included",
    "embedded",
    "children", "all", "output", "export", "dump", "sample", "example", "input", "json",
    "document",
    "documents", "array", "root", "stdin", "file", "response", "results", "feed",
  ]

  private static let meta: Set<String> = [
    "count", "total", "totalcount", "totalitems", "totalresults", "totalpages", "totalhits", "numfound",
    "page",
    "pages", "perpage", "pagesize", "pagenumber", "limit", "offset", "start", "size", "next", "previous",
    "prev",
    "first", "last", "self", "cursor", "nextcursor", "nextpage", "nextpagetoken", "prevpagetoken", "hasmore",
    "hasnext", "hasnextpage", "links", "link", "meta", "metadata", "sys", "stat", "status", "statuscode",
    "success",
    "ok",
    "error", "errors", "message", "messages", "version", "apiversion", "copyright", "attribution",
    "attributiontext",
    "attributionhtml", "license", "generated", "generatedat", "took", "timedout", "info", "paging",
    "pagination",
    "resultcount", "searchmetadata", "kind", "etag", "object", "schema", "timestamp", "type", "requestid",
    "resourcetype", "bbox", "crs", "incompleteresults", "shards", "maxscore", "url", "href", "context",
    "jsonapi",
    "code", "cod", "cnt", "lastupdated", "updated", "created", "date", "time", "query", "request", "warnings",
    "pageinfo", "nextlink", "deltalink", "isfulltext", "truncated", "more", "done", "hasmoreitems",
    "totalrecords",
    "resultsperpage", "itemsperpage", "startindex", "description", "title", "name", "comment", "comments",
    "source",
    "lastmodified", "expires", "ttl", "language", "format", "encoding", "id", "dataset", "signature",
    "$schema", "help", "facets", "searchfacets", "sort", "after", "before", "searchcriteria", "backoff",
    "skip", "end", "uri", "continue", "batchcomplete", "searchinfo", "responseheader", "generator", "osm3s",
  ]

  /// Words behind `has` in keys that are about a list.
  private static let ofLists: Set<String> = ["more", "next", "previous", "prev", "items"]
  private static let beginnings: Set<String> = ["next", "previous", "prev", "total", "quota"]
  private static let endings: Set<String> = [
    "count", "token", "timestamp", "ts", "metadata", "cursor", "version",
  ]

  /// Whether a key says something of an object, such as its name.
  static func describesObject(_ key: String) -> Bool { ofObjects.contains(Names.folded(key)) }

  /// Whether keys around a list say how many objects there are, and which of them are in it.
  static func sayPart(_ keys: [String]) -> Bool {
    let keys = Set(keys.map(Names.folded))
    return !keys.isDisjoint(with: counts) && !keys.isDisjoint(with: positions)
  }

  /// Whether one of the keys around a list says how many objects there are.
  static func sayCount(_ keys: [String]) -> Bool { keys.contains { counts.contains(Names.folded($0)) } }

  /// Whether one of the keys around lists says that there is more to ask for.
  static func sayMore(_ keys: [String]) -> Bool {
    keys.contains { ["hasmore", "nextcursor", "nextpagetoken", "cursor"].contains(Names.folded($0)) }
  }

  private static let counts: Set<String> = [
    "count", "total", "totalcount", "totalitems", "totalresults", "totalhits", "totalrecords", "numfound",
    "limit", "perpage", "pagesize",
  ]
  private static let positions: Set<String> = [
    "offset", "page", "start", "startindex", "skip", "cursor", "pagenumber", "nextpage", "next",
  ]

  /// Whether a key holds an address, which a page has as an object does.
  static func isAddress(_ key: String) -> Bool { ["url", "href", "self"].contains(Names.folded(key)) }

  /// Whether objects under a key are messages, which come in place of others or beside them. Those of a conversation have
  /// keys that these have not.
  static func areMessages(under key: String, with keys: [String]) -> Bool {
    let key = Names.folded(key)
    return failures.contains(key)
      || ["message", "messages"].contains(key) && keys.allSatisfy { ofMessages.contains(Names.folded($0)) }
  }

  /// Whether a document says that there is no answer: an error in words, what RFC 9457 calls a problem, or a message beside the number
  /// of a failure.
  ///
  /// - Parameter types: The types of its values by the plain keys, JSON for objects and lists.
  static func sayFailure(_ types: [String: AttributeType]) -> Bool {
    func isNumber(_ key: String) -> Bool { types[key]?.isWholeNumber ?? false }
    if let failure = types.first(where: { failures.contains($0.key) }) {
      return [.string, .boolean, .transformable].contains(failure.value)
    }
    if types["title"] != nil, types["detail"] != nil, isNumber("status") { return true }
    guard types["message"] == .string || types["msg"] == .string else { return false }
    return types["documentationurl"] != nil
      || ["code", "status", "statuscode", "errorcode"].contains(where: isNumber)
  }

  /// Whether keys that an answer without objects may have are those of an object here: it has a version, an address or a day, or counts
  /// several things, and says nothing that only answers say.
  static func mayBeOfObject(_ keys: some Sequence<String>) -> Bool {
    var counted = 0
    var saysFact = false
    for key in keys {
      let folded = Names.folded(key)
      let words = Words.words(key)
      switch words.last {
      case _ where facts.contains(folded): saysFact = true
      case _ where labels.contains(folded): continue
      case _ where words.count < 2 || ofAnswers.contains(words[0]) || counts.contains(folded): return false
      case "version": saysFact = true
      case "count": counted += 1
      case "timestamp", "ts": continue
      default: return false
      }
    }
    return saysFact || counted > 1
  }

  /// The first words of keys that are about an answer: `api_version`, `result_count`.
  private static let ofAnswers: Set<String> = [
    "api", "schema", "response", "request", "result", "results", "search", "page", "item", "items", "total",
    "next",
  ]
  private static let facts: Set<String> = [
    "url", "href", "uri", "link", "version", "date", "created", "updated", "lastmodified", "lastupdated",
    "license",
    "size", "name", "language",
  ]
  private static let labels: Set<String> = [
    "title", "description", "type", "kind", "object", "source", "comment", "format", "encoding", "first",
    "last", "id",
    "time", "timestamp",
  ]

  /// Whether messages have a key.
  static func isOfMessages(_ key: String) -> Bool { ofMessages.contains(Names.folded(key)) }

  private static let failures: Set<String> = ["error", "errors", "warnings", "fault", "faults"]
  private static let ofMessages: Set<String> = [
    "message", "msg", "text", "code", "status", "statuscode", "detail", "details", "title", "type", "kind",
    "field", "path", "location", "severity", "level", "reason", "error", "errorcode", "description", "help",
    "documentationurl", "domain", "source", "pointer", "parameter", "parameters", "id", "name", "value",
    "instance", "faultstring", "exception", "locations", "extensions", "invalidparams", "traceid",
  ]

  /// Whether a key says in which state a thing is: `state`, `startMode`.
  static func isState(_ key: String) -> Bool {
    Words.words(key).last.map { ["state", "mode"].contains($0) } ?? false
  }

  /// Whether a scalar under a key says how an answer went: `"Response": "True"`.
  static func isAnswer(_ key: String) -> Bool { ["response", "result"].contains(Names.folded(key)) }

  static func isWrapper(_ key: String) -> Bool { wrappers.contains(Names.folded(key)) || isPage(key) }

  /// Whether a key says nothing but that a page of something is under it: `items_page`, `nodesPage`.
  private static func isPage(_ key: String) -> Bool {
    guard key.hasSuffix("_page") || key.hasSuffix("Page") else { return false }
    let words = Words.words(key)
    return words.count == 2 && wrappers.contains(words[0])
  }

  /// Whether objects of all kinds have a key: it says nothing of what they are.
  static func isOfAnyObject(_ key: String) -> Bool {
    let key = Names.folded(key)
    return ofAnyObject.contains(key) || !LabelNames.flags(of: key).isDisjoint(with: [.label, .address])
  }

  private static let ofAnyObject: Set<String> = [
    "id", "_id", "index", "key", "code", "type", "kind", "object", "description", "summary", "image", "links",
    "_links",
    "created", "updated", "createdat", "updatedat", "count", "value", "text", "status", "date",
  ]

  /// Whether a name that lists of any objects have says of a file what is in it: people call it so for that.
  static func areObjects(_ name: String) -> Bool { objects.contains(Names.folded(name)) }

  private static let objects: Set<String> = ["members", "member", "entries", "entry", "documents"]

  /// Keys of an object that is more than a wrapper.
  private static let ofObjects: Set<String> = [
    "name", "title", "description", "id", "url", "created", "updated", "date", "code", "language", "first",
    "last",
  ]

  /// Whether a key around a list names the object that the list belongs to, as `userId` does, and not the request, the page or the
  /// answer.
  static func namesOwner(_ key: String) -> Bool {
    LinkName(key).hasEnding && !isMeta(key, isStrict: false)
      && !(Words.words(key).first.map(technical.contains) ?? false)
  }

  private static let technical: Set<String> = [
    "request", "query", "session", "scroll", "trace", "correlation", "transaction", "search", "response",
    "page", "cursor", "job", "operation", "execution", "log", "batch", "client", "api", "since", "max", "min",
    "next", "last", "first", "start", "end", "from", "to", "refresh", "x", "schema", "version", "view",
    "span",
  ]

  /// Whether a key around a list is about the list rather than about an object.
  ///
  /// - Parameter isStrict: Whether the list's own key names what is in it, so that the object around it may be one.
  static func isMeta(_ key: String, isStrict: Bool) -> Bool {
    let folded = Names.folded(key)
    if isStrict, ofObjects.contains(folded) { return false }
    let words = Words.words(key)
    if words.count > 1, let first = words.first, let last = words.last,
      endings.contains(last) || beginnings.contains(first) || words.contains("page")
        || first == "has" && ofLists.contains(words[1])
    {
      return true
    }
    return meta.contains(folded) || folded.contains("@") || folded.contains("$") || folded.hasPrefix("total")
  }
}

/// The keys of addresses that letters are sent to.
enum PostalNames {
  static func contain(_ key: String) -> Bool { names.contains(Names.folded(key)) }

  private static let names: Set<String> = [
    "address1", "addressline1", "street", "street1", "streetaddress", "line1", "postcode", "postalcode",
    "zip",
    "zipcode",
  ]
}

/// Names that identities have, the most usual first.
enum IdentityNames {
  private static let names = [
    "id", "_id", "uuid", "guid", "@id", "objectid", "identifier", "uid", "gid", "sid", "pk", "puuid", "key",
    "did",
    "uri", "code",
    "slug",
    "permalink", "handle",
    "sku", "doi", "isbn", "issn", "ean", "gtin", "upc", "asin", "vin", "lei", "ticker", "cik", "mmsi", "arn",
    "cve",
    "cveid",
    "orcid", "shortid", "publicid", "bomref", "iata", "icao", "cca2", "cca3", "alpha2", "alpha3",
    "iso2",
    "iso3", "isocode",
    "iso31661",
    "iso6391", "iso6392", "symbol",
    "accountid", "userid", "personid", "memberid", "login", "username", "screenname", "email",
    "sha", "hash",
    "number", "url", "href", "self", "resourceuri",
    "@odata.id", "name", "title",
  ]

  private static let ranks = Dictionary(
    uniqueKeysWithValues: names.enumerated().map { ($1, Int32($0 + 1)) })

  /// The rank of names that identify objects unless the data says otherwise.
  static let strongest: Int32 = 12
  /// The rank of a key whose values files are called like: an `id` comes before it, by which others name the objects.
  static let ofFiles: Int32 = 5
  /// From here on, a name alone says too little: several objects have to have it.
  static let unsure = ranks["number"] ?? .max
  /// Names and titles are identities only where others refer to them or nothing else is unique.
  static let weakest = ranks["name"] ?? .max

  /// Whether a key names an account or a person, whose objects may be.
  static func isOfSomebody(_ key: String) -> Bool { ofSomebody.contains(Names.folded(key)) }

  private static let ofSomebody: Set<String> = ["accountid", "userid", "personid", "memberid"]

  /// Whether a key names the account that somebody goes by.
  static func isOfAccount(_ key: String) -> Bool { ofAccounts.contains(Names.folded(key)) }

  private static let ofAccounts: Set<String> = ["login", "username", "screenname", "handle"]

  /// Whether a key holds an address of mail, which a person goes by.
  static func isMail(_ key: String) -> Bool { Names.folded(key) == "email" }

  /// Whether the values under a key change whenever the object does.
  static func isVersion(_ key: String) -> Bool { versions.contains(Names.folded(key)) }

  private static let versions: Set<String> = [
    "etag", "rev", "revision", "version", "checksum", "digest", "md5", "crc32", "sha1", "sha256", "nonce",
    "signature", "cursor", "token",
  ]

  /// Whether the values under a key are computed from what objects say.
  static func isHash(_ key: String) -> Bool { ["sha", "hash"].contains(Names.folded(key)) }

  /// Whether an object under a key is about which object it is in: `identificationModule`.
  static func sayIdentity(_ key: String) -> Bool {
    Words.words(key).contains { ["identification", "identifiers", "identity"].contains($0) }
  }

  /// Words for pieces of a whole, which name what they are a piece for.
  private static let pieces: Set<String> = [
    "item", "line", "entry", "row", "member", "part", "element", "record", "reference", "link", "detail",
  ]

  /// Lists of what people did in films and series.
  private static let creditLists: Set<String> = [
    "cast", "crew", "gueststars", "createdby",
  ]

  /// Whether a key says that the identities of one object are under it: `ids`, `externalIds`, `identifiers`.
  static func areIdentities(_ key: String) -> Bool {
    Words.words(key).last.map { ["ids", "identifiers", "identities"].contains($0) } ?? false
  }

  /// How likely a key is the identity of objects that stand under another key: less is better, nil is not at all.
  static func rank(of key: String, owner: String) -> Int32? {
    let folded = Names.folded(Words.unnumbered(key))
    if key == "_id" { return ranks["_id"] }
    // In SPDX it holds in one document only.
    if folded == "spdxid" { return nil }
    // The `id` of a credit is that of the person.
    if folded == "creditid", creditLists.contains(Names.folded(owner)) { return 0 }
    let known = ranks[folded]
    guard !owner.isEmpty, known.map({ $0 > strongest }) ?? true else { return known }
    for name in Names.singulars(Names.folded(owner)) where !name.isEmpty && folded.hasPrefix(name) {
      let rest = String(folded.dropFirst(name.count))
      // `member_no` and `kunde_nr` are numbers.
      let rank = ranks[["no", "nr"].contains(rest) ? "number" : rest]
      // The `speciesKey` of a species is that of another one, if it has a `key` too.
      if rest == "key" { return rank }
      if let rank, rank < weakest { return min(rank, 4) + 5 }
    }
    if let known { return known }
    // `id_cliente` of a cliente.
    if folded.hasPrefix("id"), Names.singulars(Names.folded(owner)).contains(String(folded.dropFirst(2))) {
      return 6
    }
    // `AmazonOrderId` of an order.
    if Names.singulars(Names.folded(owner)).contains(where: { $0.count >= 3 && folded.hasSuffix("\($0)id") })
    {
      return ranks["uri"]
    }
    // `GroupId` of a security group. The `item_id` of a line item is that of another object.
    let last = Words.words(owner).last.map(Words.singular(ofWord:)) ?? ""
    if last.count >= 3, !pieces.contains(last), folded == "\(last)id", Names.folded(owner) != last {
      return strongest
    }
    // `contactid` of a `primarycontactid`.
    if folded.count >= 5, folded.hasSuffix("id"), Names.folded(owner).hasSuffix(folded) { return strongest }
    // `revid` of a revision.
    let stem = folded.hasSuffix("id") ? folded.dropLast(2) : ""
    return stem.count >= 3 && Names.folded(owner).hasPrefix(stem) ? ranks["key"] : nil
  }
}

/// Names of the keys under which people write, or which many objects may say the same of: their values identify nothing, however
/// different they are.
enum TextNames {
  private static let words: Set<String> = [
    "text", "message", "body", "comment", "content", "subject", "description", "summary", "note", "notes",
    "title", "label", "phone", "telephone", "fax", "mobile", "ip", "address", "street", "password", "state",
    "status", "city", "country", "firstname", "lastname", "surname", "caption", "headline", "quote", "reason",
    "answer", "question", "remark", "bio", "color", "colour", "host", "hostname", "image", "photo", "picture",
  ]

  static func contain(_ key: String) -> Bool { words.contains(Names.folded(key)) }
}

/// Names of the keys whose texts stay the same as long as an object is the same.
enum LabelNames {
  private static let addresses: Set<String> = [
    "url", "htmlurl", "weburl", "apiurl", "href", "uri", "resourceuri", "self", "permalink", "nodeid", "gid",
    "guid", "uuid",
    "globalid",
  ]
  private static let labels: Set<String> = [
    "name", "title", "label", "login", "username", "fullname", "displayname", "screenname", "email", "slug",
    "handle", "acct", "titel", "titre", "titulo", "bezeichnung", "nombre", "nome", "nom", "naam",
  ]
  private static let spaces: Set<String> = [
    "system", "codesystem", "scheme", "namespace", "realm", "tenant", "dataset", "lang", "locale",
  ]

  /// Whether the texts under a key are addresses, names, or the space in which an identity holds.
  static func flags(of key: String) -> ShapeNode.Flags {
    let folded = Names.folded(key)
    if addresses.contains(folded) { return .address }
    if spaces.contains(folded) { return .space }
    return labels.contains(folded) ? .label : []
  }
}

/// Names and forms of moments.
enum DateNames {
  private static let words: Set<String> = [
    "at", "date", "time", "timestamp", "ts", "created", "updated", "modified", "deleted", "published",
    "expires",
    "expiry", "expiration", "start", "end", "begin", "from", "until", "since", "on", "dt", "sunrise",
    "sunset", "utc",
    "epoch", "when", "seen", "due", "begins", "ends", "starts", "arrival", "departure", "datetime", "opened",
    "closed",
    "moment", "joined", "lastlogin", "expire", "registered", "added", "changed", "sent", "received", "logged",
  ]

  private static let ofChanges: Set<String> = [
    "updated", "update", "modified", "changed", "seen", "last", "latest", "synced", "refreshed", "accessed",
    "expires", "expiry", "expiration", "deleted", "closed", "ended", "finished", "due", "until",
  ]

  /// Whether a key says when an object changed, which is another moment each time.
  static func sayChange(_ key: String) -> Bool { Names.words(key).contains(where: ofChanges.contains) }

  static let patterns = [
    "dd.MM.yyyy", "dd.MM.yyyy HH:mm", "dd.MM.yyyy HH:mm:ss", "d.M.yyyy", "yyyy/MM/dd", "yyyy/MM/dd HH:mm",
    "yyyy/MM/dd HH:mm:ss", "yyyy/MM/dd HH:mm:ss ZZZZZ", "dd/MM/yyyy", "dd/MM/yyyy HH:mm",
    "dd/MM/yyyy HH:mm:ss",
    "MM/dd/yyyy", "MM/dd/yyyy HH:mm", "MM/dd/yyyy HH:mm:ss", "M/d/yyyy", "yyyy.MM.dd",
  ]

  /// The number of characters that the shortest text by a pattern has, without a zone.
  static func length(of pattern: String) -> Int {
    pattern.utf8.count - (pattern.hasSuffix(" ZZZZZ") ? 6 : 0)
  }

  /// Whether texts under a key may be dates by a pattern: versions are written like some, `2026.08.30`.
  static func mayBeDates(_ key: String, by pattern: String) -> Bool {
    pattern != "yyyy.MM.dd" || Names.words(key).contains(where: words.contains)
  }

  /// The unit in which whole numbers under a key are moments; nil if they are something else.
  static func unit(of key: String, from least: Int64, to greatest: Int64) -> String? {
    let words = Names.words(key)
    guard words.contains(where: Self.words.contains) else { return nil }
    // From 1990 to 2050.
    if least >= 631_152_000, greatest <= 2_524_608_000 { return "seconds" }
    if least >= 631_152_000_000, greatest <= 2_524_608_000_000 { return "milliseconds" }
    return nil
  }
}

/// Names of amounts of money, which are exact numbers.
enum MoneyNames {
  private static let words: Set<String> = [
    "price", "amount", "cost", "fee", "total", "subtotal", "balance", "tax", "salary", "discount", "budget",
    "revenue",
    "payment", "paid", "due", "value", "rate", "open", "close", "high", "low", "bid", "ask", "volume",
    "deposit",
    "credit", "debit", "money", "wage", "rent", "sum", "net", "gross", "vat", "refund", "tip",
  ]
  private static let strong: Set<String> = words.subtracting([
    "value", "rate", "high", "low", "volume", "sum",
  ])

  static func contain(_ key: String) -> Bool { Names.words(key).contains(where: strong.contains) }
}
