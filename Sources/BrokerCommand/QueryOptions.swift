import ArgumentParser
import ObjectStore

/// Which objects, for the commands that read them.
struct QueryOptions: ParsableArguments {
  @Argument(help: "The entity.")
  var entity: String

  @Option(help: ArgumentHelp("Only the object with this identity.", valueName: "id"))
  var id: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Key paths to order by; - before one for descending.", valueName: "key,-key"))
  var sort: String?

  @Option(help: ArgumentHelp("At most so many objects.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  var query: Query {
    var query = Query(entity)
    query.identity = id
    query.limit = limit
    query.sort = Self.list(sort ?? "").map { key in
      key.hasPrefix("-") ? Query.Sort(String(key.dropFirst()), isAscending: false) : Query.Sort(key)
    }
    return query
  }

  /// `a,b.c` as its parts.
  static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { item in
      var item = item
      while item.first == " " { item.removeFirst() }
      while item.last == " " { item.removeLast() }
      return String(item)
    }
  }
}
