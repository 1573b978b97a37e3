import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Random JSON whose parts contradict each other. ``NaiveTests`` covers JSON with a definite meaning.
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

  @Test(arguments: Seeds.first(3, long: 8))
  func bothEndsAgreeWhateverIsImported(_ seed: UInt64) throws {
    try importAndCheck(seed, [.replace, .merge], [.pending])
  }

  @Test(arguments: Seeds.first(2, long: 6))
  func bothEndsAgreeWhateverIsPruned(_ seed: UInt64) throws {
    try importAndCheck(seed, [.replace, .prune], [.pending])
  }

  @Test(arguments: Seeds.first(2, long: 6))
  func bothEndsAgreeWhateverStubsAreMade(_ seed: UInt64) throws {
    try importAndCheck(seed, [.replace], [.pending, .stub])
  }

  private func importAndCheck(
    _ seed: UInt64, _ lists: [ToManyPolicy], _ references: [ReferencePolicy]
  ) throws {
    var random = Seeded(state: seed &* 7919)
    let fixture = try Fixture(Self.notation)
    for _ in 0..<40 {
      let json =
        "{\"nodes\": [\((0..<3).map { _ in ContradictoryJSON.node(&random, 3) }.joined(separator: ","))]}"
      try fixture.load(json) {
        $0.toMany = random.pick(lists)
        $0.references = random.pick(references)
      }
      for (sql, what) in ContradictoryJSON.violations {
        try #require(try fixture.rows(sql) == ["0"], "seed \(seed): \(what) after \(json)")
      }
    }
  }
}
