/// A graph of objects for random tests: what the store should hold.
struct Graph {
  struct Node {
    var name: String?
    var count: Int?
    var children: [Int] = []
    var links: Set<Int> = []
    var friends: Set<Int> = []
    var likes: [String] = []
    var tags: Set<String> = []
    var home: Place?
    var notes: [String] = []
  }

  struct Place: Hashable {
    var x: Int
    var y: String
  }

  private(set) var nodes: [Int: Node] = [:]
  private(set) var tags: [String: String?] = [:]
  private(set) var places: [Place: String?] = [:]

  /// The parent of each node that has one.
  var parents: [Int: Int] {
    var result: [Int: Int] = [:]
    for (id, node) in nodes { for child in node.children { result[child] = id } }
    return result
  }

  /// Adds objects and changes a few at random.
  mutating func change(_ random: inout Seeded) {
    for id in 0..<12 where nodes[id] == nil && random.below(3) == 0 { nodes[id] = Node() }
    for code in ["a", "b", "c,d", "e'f", "ü"] where random.below(3) == 0 {
      tags[code] = random.flip() ? "label \(random.below(3))" : .some(nil)
    }
    for x in 0..<3 where random.below(3) == 0 {
      places[Place(x: x, y: random.flip() ? "," : "\\")] = random.flip() ? "place" : .some(nil)
    }
    for id in nodes.keys.sorted() where random.below(3) == 0 { change(id, &random) }
  }

  private mutating func change(_ id: Int, _ random: inout Seeded) {
    let ids = nodes.keys.sorted()
    let codes = tags.keys.sorted()
    nodes[id]?.name = random.flip() ? "node \(random.below(4))" : nil
    nodes[id]?.count = random.flip() ? random.below(1000) - 500 : nil
    nodes[id]?.links = Set(random.some(ids, atMost: 4))
    nodes[id]?.tags = Set(random.some(codes, atMost: 3))
    nodes[id]?.likes = random.some(codes, atMost: 4)
    nodes[id]?.home =
      places.isEmpty || random.flip() ? nil : random.pick(places.keys.sorted { "\($0)" < "\($1)" })
    nodes[id]?.notes = (0..<random.below(4)).map { "note \($0 + random.below(2))" }
    let children = random.some(ids.filter { $0 > id }, atMost: 3)
    for other in ids { nodes[other]?.children.removeAll { children.contains($0) } }
    nodes[id]?.children = children
    let friends = Set(random.some(ids, atMost: 3))
    for other in ids {
      if friends.contains(other) {
        nodes[other]?.friends.insert(id)
      } else {
        nodes[other]?.friends.remove(id)
      }
    }
    nodes[id]?.friends = friends
  }

  /// All that the graph holds, table by table.
  var lines: [String] {
    let ids = nodes.keys.sorted()
    func each(_ line: (Int, Node) -> [String]) -> [String] {
      ids.flatMap { id in line(id, nodes[id] ?? Node()) }
    }
    return each { id, node in
      let home = node.home.map { "\($0.x) \($0.y)" } ?? "- -"
      return ["node \(id) \(node.name ?? "-") \(node.count.map(String.init) ?? "-") \(home)"]
    }.sorted()
      + each { id, node in node.children.map { "child \(id) \($0)" } }
      + each { id, node in node.links.map { "link \(id) \($0)" } }.sorted()
      + each { id, node in node.friends.map { "friend \(id) \($0)" } }.sorted()
      + each { id, node in node.likes.map { "like \(id) \($0)" } }
      + each { id, node in node.tags.map { "tag \(id) \($0)" } }.sorted()
      + tags.map { "label \($0.key) \($0.value ?? "-")" }.sorted()
      + places.map { "place \($0.key.x) \($0.key.y) \($0.value ?? "-")" }.sorted()
      + each { id, node in node.notes.map { "note \(id) \($0)" } }
  }
}
