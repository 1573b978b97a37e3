/// Tells all of a graph as JSON, in one of the many shapes that APIs have: nested or by keys, from one end of
/// a relationship or the other, in any order.
struct RandomJSONWriter {
  let graph: Graph
  /// Whether nodes name their parents, which their parents' lists say too.
  let saysParents: Bool

  func tell(_ random: inout Seeded) -> String {
    var told: Set<Int> = []
    let parents = graph.parents
    let nestsChildren = random.flip()
    let saysLinks = random.flip()
    let saysTags = random.flip()
    let namesTags = random.flip()

    func node(_ id: Int, _ random: inout Seeded) -> String {
      guard told.insert(id).inserted, let node = graph.nodes[id] else { return "{\"id\": \"\(id)\"}" }
      var members = [
        "\"id\": \(random.flip() ? "\(id)" : "\"\(id)\"")", "\"name\": \(Self.text(node.name))",
        "\"count\": \(node.count.map { random.flip() ? "\($0)" : "\"\($0)\"" } ?? "null")",
        "\"likes\": [\(node.likes.map { Self.text($0) }.joined(separator: ", "))]",
        "\"notes\": [\(node.notes.map { "{\"text\": \"\($0)\"}" }.joined(separator: ", "))]",
        "\"friends\": [\(random.shuffled(node.friends.sorted()).map(String.init).joined(separator: ","))]",
        "\"home\": \(node.home.map { place($0, &random) } ?? "null")",
      ]
      // The order of children is told by their parent only; who the parent is may be said twice.
      let children = node.children.map { nestsChildren ? self.child($0, node, &random) ?? "\($0)" : "\($0)" }
      members.append("\"children\": [\(children.joined(separator: ","))]")
      if saysParents { members.append("\"parent\": \(parents[id].map(String.init) ?? "null")") }
      if saysLinks {
        members.append(
          "\"link_ids\": [\(random.shuffled(node.links.sorted()).map(String.init).joined(separator: ","))]")
      } else {
        let sources = graph.nodes.filter { $0.value.links.contains(id) }.keys.sorted()
        members.append("\"linked_by\": [\(sources.map(String.init).joined(separator: ","))]")
      }
      if saysTags {
        let tags = random.shuffled(node.tags.sorted())
          .map { random.flip() ? tag($0, &random) : Self.text($0) }
        members.append("\"tags\": [\(tags.joined(separator: ","))]")
      }
      return "{\(random.shuffled(members).joined(separator: ", "))}"
    }

    func tagWithNodes(_ code: String, _ random: inout Seeded) -> String {
      let nodes = graph.nodes.filter { $0.value.tags.contains(code) }.keys.sorted().map(String.init)
      let list = saysTags ? "" : ", \"nodes\": [\(nodes.joined(separator: ","))]"
      return "{\"code\": \(Self.text(code)), \"label\": \(Self.text(graph.tags[code] ?? nil))\(list)}"
    }

    let ids = graph.nodes.keys.sorted()
    let nodes = random.shuffled(ids).map { node($0, &random) }
    let tags = random.shuffled(graph.tags.keys.sorted()).map { tagWithNodes($0, &random) }
    let places = graph.places.keys.map { place($0, &random, isWhole: true) }.sorted()
    let parts = [
      "\"nodes\": [\(nodes.joined(separator: ",\n"))]",
      "\"\(namesTags ? "tags" : "Tag")\": [\(tags.joined(separator: ", "))]",
      "\"places\": [\(places.joined(separator: ", "))]",
    ]
    return "{\(random.shuffled(parts).joined(separator: ",\n"))}"
  }

  /// A child as an object that says less than all.
  private func child(_ id: Int, _ parent: Graph.Node, _ random: inout Seeded) -> String? {
    guard let node = graph.nodes[id], random.flip() else { return nil }
    return "{\"id\": \(id), \"name\": \(Self.text(node.name))}"
  }

  private func tag(_ code: String, _ random: inout Seeded) -> String {
    let label = random.flip() ? ", \"label\": \(Self.text(graph.tags[code] ?? nil))" : ""
    return "{\"code\": \(Self.text(code))\(label)}"
  }

  private func place(_ place: Graph.Place, _ random: inout Seeded, isWhole: Bool = false) -> String {
    let name = isWhole || random.flip() ? ", \"name\": \(Self.text(graph.places[place] ?? nil))" : ""
    return "{\"x\": \(place.x), \"y\": \(Self.text(place.y))\(name)}"
  }

  static func text(_ text: String?) -> String {
    guard let text else { return "null" }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

/// JSON without consistency, for tests of what must hold all the same.
enum Babble {
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

  /// Queries that count what must never be, and what that would be.
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
