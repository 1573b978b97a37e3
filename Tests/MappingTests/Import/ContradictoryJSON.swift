import TestSettings

/// Random JSON whose parts contradict each other, and what must hold after its import all the same.
enum ContradictoryJSON {
  static func node(_ random: inout Seeded, _ depth: Int) -> String {
    var members = ["\"id\": \(random.below(8))"]
    for key in ["parent", "children", "links", "linkedBy", "friends"] where random.below(3) == 0 {
      members.append("\"\(key)\": \(key == "parent" ? one(&random, depth) : many(&random, depth))")
    }
    if random.below(3) == 0 {
      members.append("\"tags\": [\"\(random.below(4))\", {\"code\": \"\(random.below(4))\"}]")
    }
    if random.below(3) == 0 { members.append("\"likes\": [\"\(random.below(4))\", \"\(random.below(4))\"]") }
    if random.below(3) == 0 { members.append("\"notes\": [\(random.flip() ? "{\"text\": \"n\"}" : "")]") }
    if random.below(4) == 0 { members.append("\"count\": \(random.flip() ? "99999" : "7")") }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func one(_ random: inout Seeded, _ depth: Int) -> String {
    switch random.below(depth > 0 ? 4 : 3) {
    case 0: "null"
    case 1: "\(random.below(8))"
    case 2: "{\"id\": \(random.below(8))}"
    default: node(&random, depth - 1)
    }
  }

  private static func many(_ random: inout Seeded, _ depth: Int) -> String {
    if random.below(6) == 0 { return "null" }
    return "[\((0..<random.below(4)).map { _ in one(&random, depth) }.joined(separator: ","))]"
  }

  /// Queries that count what must never be in the store, with descriptions.
  static let violations = [
    ("SELECT count(*) - count(DISTINCT id) FROM Node", "two nodes with one identity"),
    ("SELECT count(*) FROM Node WHERE id IS NULL", "a node without identity"),
    (
      "SELECT count(*) FROM (SELECT 1 FROM Node_links GROUP BY linkedBy, links HAVING count(*) > 1)",
      "a link twice"
    ),
    (
      """
      SELECT count(*) FROM (
        SELECT Node, friends FROM Node_friends EXCEPT SELECT friends, Node FROM Node_friends)
      """,
      "a friendship that one side does not know"
    ),
    ("SELECT count(*) FROM Node_friends WHERE Node IS NULL OR friends IS NULL", "half a friendship"),
    ("SELECT count(*) FROM Note WHERE _id NOT IN (SELECT notes FROM Node_notes)", "a note without owner"),
    (
      "SELECT count(*) FROM Node_notes WHERE notes NOT IN (SELECT _id FROM Note)",
      "a link to a note that is gone"
    ),
    ("SELECT count(*) FROM Node_notes WHERE Node NOT IN (SELECT id FROM Node)", "a note whose owner is gone"),
    (
      "SELECT count(*) FROM broker_pending JOIN Node ON id = target AND entity = 'Node'",
      "a reference that waits for what is there"
    ),
  ]
}
