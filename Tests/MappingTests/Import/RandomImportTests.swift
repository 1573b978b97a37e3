import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Random graphs of objects, told in random shapes: what is in the store must be what was told.
@Suite struct RandomImportTests {
  static let notation = """
    Node
      id: integer64
      name: string
      count: integer16
      parent: Node <- children
      children: [Node] <- parent | ordered
      links: [Node] <- linkedBy
      linkedBy: [Node] <- links
      friends: [Node] <- friends
      likes: [Tag] | ordered
      tags: [Tag] <- nodes
      home: Place
      notes: [Note]
    Tag
      code: string | broker.identity=true
      label: string
      nodes: [Node] <- tags
    Place | identityAttributes=x,y
      x: integer16
      y: string
      name: string
    Note
      text: string
    """

  /// Everything the store holds, in the terms of ``Graph/lines``.
  private func lines(_ fixture: Fixture) throws -> [String] {
    try [
      "SELECT 'node', id, name, count, home_x, home_y FROM Node",
      "SELECT 'child', parent, id FROM Node WHERE parent IS NOT NULL ORDER BY parent, parent_order NULLS LAST, id",
      "SELECT 'link', linkedBy, links FROM Node_links", "SELECT 'friend', * FROM Node_friends",
      "SELECT 'like', Node, likes FROM Node_likes ORDER BY Node, likes_order NULLS LAST",
      "SELECT 'tag', nodes, tags FROM Node_tags", "SELECT 'label', code, label FROM Tag",
      "SELECT 'place', x, y, name FROM Place",
      "SELECT 'note', l.Node, n.text FROM Node_notes l JOIN Note n ON n._id = l.notes ORDER BY l.Node, n._id",
    ].flatMap { sql in
      let rows = try fixture.rows(sql)
      return sql.contains("ORDER BY") ? rows : rows.sorted()
    }
  }

  @Test(arguments: 1...8)
  func theStoreHoldsWhatWasTold(_ seed: UInt64) throws {
    try tellAndCompare(seed, saysParents: false)
  }

  @Test(arguments: 1...4)
  func theStoreHoldsWhatWasToldTwice(_ seed: UInt64) throws {
    try tellAndCompare(seed, saysParents: true)
  }

  private func tellAndCompare(_ seed: UInt64, saysParents: Bool) throws {
    var random = Seeded(state: seed)
    let fixture = try Fixture(Self.notation)
    var graph = Graph()
    for step in 0..<20 {
      graph.change(&random)
      let json = RandomJSONWriter(graph: graph, saysParents: saysParents).tell(&random)
      let report = try fixture.load(json)
      #expect(report.problems == [], "seed \(seed), step \(step): \(json)")
      #expect(report.waiting == [], "seed \(seed), step \(step): \(json)")
      let found = try lines(fixture)
      try #require(found == graph.lines, "seed \(seed), step \(step): \(json)")

      // The same again, in the same and in another shape, changes nothing.
      let writes = try fixture.writes()
      for json in [json, RandomJSONWriter(graph: graph, saysParents: saysParents).tell(&random)] {
        let again = try fixture.load(json)
        try #require(!again.changesAnything, "seed \(seed), step \(step): \(again.counts) by \(json)")
        try #require(try fixture.writes() == writes, "seed \(seed), step \(step): \(json)")
      }
    }
  }

  /// Anything at all: whatever the JSON says, what must hold holds.
  @Test(arguments: 1...8)
  func bothEndsAgreeWhateverIsImported(_ seed: UInt64) throws {
    try babble(seed, [.replace, .merge], [.pending])
  }

  @Test(arguments: 1...4)
  func bothEndsAgreeWhateverIsPruned(_ seed: UInt64) throws {
    try babble(seed, [.replace, .prune], [.pending])
  }

  @Test(arguments: 1...4)
  func bothEndsAgreeWhateverIsMadeUp(_ seed: UInt64) throws {
    try babble(seed, [.replace], [.pending, .stub])
  }

  private func babble(
    _ seed: UInt64, _ lists: [ToManyPolicy], _ references: [ReferencePolicy]
  ) throws {
    var random = Seeded(state: seed &* 7919)
    let fixture = try Fixture(Self.notation)
    for _ in 0..<40 {
      let json = "{\"nodes\": [\((0..<3).map { _ in Babble.node(&random, 3) }.joined(separator: ","))]}"
      try fixture.load(json) {
        $0.toMany = random.pick(lists)
        $0.references = random.pick(references)
      }
      for (sql, what) in Babble.violations {
        try #require(try fixture.rows(sql) == ["0"], "seed \(seed): \(what) after \(json)")
      }
    }
  }
}
