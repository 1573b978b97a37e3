import Mapping
import ObjectStore
import TestSettings
import Testing

/// Random predicates over random graphs: the store must find what a naive evaluation in Swift finds.
@Suite("Random predicates")
struct RandomPredicateTests {
  static let notation = """
    Node
      id: integer64
      n: integer16
      m: integer64
      s: string | indexed
      parent: Node <- children
      children: [Node] <- parent
      items: [Item] <- owner
      links: [Node]
      spot: Spot
      spots: [Spot]
      star: Star
    Item
      id: integer64
      v: integer32
      t: string
      owner: Node <- items
    Star : Item
      b: string
    Spot | identityAttributes=x,y
      x: integer16
      y: string
      w: integer64
    """

  @Test(arguments: Seeds.first(2, long: 24))
  func findWhatANaiveEvaluationFinds(_ seed: UInt64) throws {
    var random = Seeded(state: seed &* 104_729)
    let nodes = Self.nodes(&random)
    let fixture = try Fixture(Self.notation)
    let json = nodes.map(Self.json).joined(separator: ",")
    // So that the keys of stars are those of stars already when they are listed as items.
    let stars = nodes.flatMap(\.items).filter(\.isStar).map { "{\"id\": \($0.id)}" }.joined(separator: ",")
    try fixture.load("[\(stars)]", as: "Star")
    let report = try fixture.load("[\(json)]", as: "Node")
    #expect(report.problems == [])

    var findings = Set<Int>()
    for _ in 0..<250 {
      let predicate = RandomPredicate.make(&random)
      let expected = nodes.filter(predicate.holds).map { String($0.id) }
      let found = try fixture.found("Node", predicate.format)
      try #require(found == expected, "seed \(seed): \(predicate.format)")
      findings.insert(found.count)
    }
    // Predicates that all found nothing, or everything, would have told nothing.
    #expect(findings.count > 5)
  }

  private static func nodes(_ random: inout Seeded) -> [PlainNode] {
    let nodes = (0..<10).map(PlainNode.init)
    for node in nodes {
      node.n = random.below(4) == 0 ? nil : random.below(5)
      node.m = random.below(4) == 0 ? nil : random.below(5)
      node.s = random.below(5) == 0 ? nil : RandomPredicate.word(&random, atMost: 4)
      node.parent = random.below(3) == 0 ? nil : random.pick(nodes)
      node.links = random.some(nodes, atMost: 3)
      for _ in 0..<random.below(4) {
        let item = PlainItem(id: node.id * 10 + node.items.count)
        item.v = random.below(4) == 0 ? nil : random.below(5)
        item.owner = node
        item.isStar = random.below(3) == 0
        node.items.append(item)
      }
    }
    let spots = [0, 1].flatMap { x in ["a", "b"].map { PlainSpot(x: x, y: $0, w: random.below(4)) } }
    for node in nodes {
      node.spot = random.below(3) == 0 ? nil : random.pick(spots)
      node.spots = random.some(spots, atMost: 3)
      node.star = random.pick(nodes).items.first(where: \.isStar)
    }
    return nodes
  }

  private static func json(_ node: PlainNode) -> String {
    func text(_ value: Int?) -> String { value.map(String.init) ?? "null" }
    let items = node.items.map { "{\"id\": \($0.id), \"v\": \(text($0.v))}" }
    func text(_ spot: PlainSpot) -> String {
      "{\"x\": \(spot.x), \"y\": \"\(spot.y)\", \"w\": \(text(spot.w))}"
    }
    // A key that is not there waits for what never comes, and reads as null.
    let parent = node.parent?.id ?? 99
    let spot = node.spot.map(text) ?? "{\"x\": 7, \"y\": \"a\"}"
    let star = node.star?.id ?? node.items.first { !$0.isStar }?.id ?? 999
    let string = node.s.map { "\"\($0.replacing("\\", with: "\\\\"))\"" } ?? "null"
    return """
      {"id": \(node.id), "n": \(text(node.n)), "m": \(text(node.m)), "s": \(string), "parent": \(parent),
       "items": [\(items.joined(separator: ", "))], "links": [\(node.links.map { "\($0.id)" }.joined(separator: ", "))], "spot": \(spot), "star": \(star),
       "spots": [\(node.spots.map(text).joined(separator: ", "))]}
      """
  }
}
