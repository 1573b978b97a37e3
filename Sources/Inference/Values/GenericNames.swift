import Mapping

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
    "hasnext", "hasnextpage", "links", "link", "meta", "metadata", "status", "statuscode", "success", "ok",
    "error", "errors", "message", "messages", "version", "apiversion", "copyright", "attribution",
    "attributiontext",
    "attributionhtml", "license", "generated", "generatedat", "took", "timedout", "info", "paging",
    "pagination",
    "resultcount", "searchmetadata", "kind", "etag", "object", "schema", "timestamp", "type", "requestid",
    "resourcetype", "bbox", "crs", "incompleteresults", "shards", "maxscore", "url", "href", "context",
    "jsonapi",
    "code", "cod", "cnt", "lastupdated", "updated", "created", "date", "time", "query", "request", "warnings",
    "pageinfo", "nextlink", "deltalink", "isfulltext", "truncated", "more", "hasmoreitems", "totalrecords",
    "resultsperpage", "itemsperpage", "startindex", "description", "title", "name", "comment", "comments",
    "source",
    "lastmodified", "expires", "ttl", "language", "format", "encoding", "id", "dataset", "signature",
    "$schema", "help", "facets", "searchfacets", "sort", "after", "before",
  ]

  private static let beginnings: Set<String> = ["has", "next", "previous", "prev", "total"]
  private static let endings: Set<String> = [
    "count", "token", "timestamp", "ts", "metadata", "cursor", "version",
  ]

  /// Whether a key says something of an object, such as its name.
  static func describesObject(_ key: String) -> Bool { ofObjects.contains(Names.folded(key)) }

  /// Whether a key stands around messages, which come in place of objects or beside them.
  static func isMessage(_ key: String) -> Bool { messages.contains(Names.folded(key)) }

  private static let messages: Set<String> = [
    "error", "errors", "message", "messages", "warnings", "fault", "faults",
  ]

  static func isWrapper(_ key: String) -> Bool { wrappers.contains(Names.folded(key)) }

  /// What an object that is more than a wrapper may say of itself.
  private static let ofObjects: Set<String> = [
    "name", "title", "description", "id", "url", "created", "updated", "date", "code", "language", "first",
    "last",
  ]

  /// Whether a key around a list is about the list rather than about an object.
  ///
  /// - Parameter isStrict: Whether the list's own key names what is in it, so that the object around it may be one.
  static func isMeta(_ key: String, isStrict: Bool) -> Bool {
    let folded = Names.folded(key)
    if isStrict, ofObjects.contains(folded) { return false }
    let words = Words.words(key)
    if words.count > 1, let first = words.first, let last = words.last,
      endings.contains(last) || beginnings.contains(first)
    {
      return true
    }
    return meta.contains(folded) || folded.contains("@") || folded.contains("$") || folded.hasPrefix("total")
  }
}
