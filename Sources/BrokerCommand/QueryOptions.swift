import ArgumentParser
import ObjectStore

/// The choice of objects, for the commands that read them.
struct QueryOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only the object with this identity.", valueName: "id"))
  var id: String?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Only objects that fulfil this, in NSPredicate's language: \"formed > 1970 AND name BEGINSWITH 'J'\".",
      valueName: "predicate"))
  var predicate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only objects that words are found in, the best first: \"rock OR indie -pop\".", valueName: "words"))
  var matching: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Key paths to order by; - before one for descending.", valueName: "key,-key"))
  var sort: String?

  @Option(help: ArgumentHelp("At most so many objects.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    do {
      _ = try parsedPredicate()
    } catch {
      throw ValidationError("--where: \(error)")
    }
  }

  /// Whether nothing is asked for but all objects.
  var isAll: Bool { id == nil && predicate == nil && matching == nil && sort == nil && limit == nil }

  func query(of entity: String) throws -> Query {
    var query = Query(entity)
    query.predicate = try parsedPredicate()
    query.identity = id
    query.search = matching.map { [SearchCondition($0)] } ?? []
    query.limit = limit
    query.sort = Self.list(sort ?? "").map { key in
      key.hasPrefix("-") ? Query.Sort(String(key.dropFirst()), isAscending: false) : Query.Sort(key)
    }
    return query
  }

  /// A pattern of LIKE with the sign that SQL has for any characters, and none that LIKE has here: it finds what has the
  /// sign in it, which few mean.
  private static var patternOfSQL: Regex<(Substring, Substring?, Substring?)> {
    /(?i)LIKE\s*(?:\[[a-z]+\]\s*)?(?:'([^'*?]*%[^'*?]*)'|"([^"*?]*%[^"*?]*)")/
  }

  /// Says what a pattern means that is written as in SQL.
  func noteSQLPatterns() {
    guard let predicate, let found = predicate.firstMatch(of: Self.patternOfSQL) else { return }
    let pattern = String(found.output.1 ?? found.output.2 ?? "")
    Terminal.writeError(
      "Note: in LIKE, % is itself, and * stands for any characters: '\(pattern.replacing("%", with: "*"))'.\n"
    )
  }

  private func parsedPredicate() throws(ObjectPredicateError) -> ObjectPredicate? {
    guard let predicate else { return nil }
    return try ObjectPredicate(format: predicate)
  }

  /// Runs what may find that a predicate does not fit the model. That is wrong usage too.
  static func checkingPredicate<Result>(
    of option: String = "--where", _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as ObjectPredicateError {
      Terminal.writeError("Error: \(option): \(error)\n")
      throw ExitCode.validationFailure
    }
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
