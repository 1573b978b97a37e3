import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Exports of whole stores in which several owners have the same object without identity.
@Suite struct SharedPartsTests {
  @Test(arguments: Seeds.first(6, long: 200))
  func eachPartStandsInOnePlaceAndKeepsAllOwners(_ seed: UInt64) throws {
    for step in 0..<6 {
      var random = Seeded(state: seed &* 5_000_011 &+ UInt64(step))
      let model = PartsModel(&random)
      let fixture = try Fixture(model.notation)
      try fixture.load(model.json)
      let told = "seed \(seed), step \(step)\n\(model.notation)\n\(model.json)"
      var losses: [ExportLoss] = []
      _ = try Exporter(fixture.store).runAll(to: MemorySink(), noteLoss: { losses.append($0) })
      try #require(losses == [], "\(told)")
      let whole = try wholeStore(fixture)
      for text in try parts(fixture) {
        try #require(whole.ranges(of: "\"text\":\"\(text)\"").count == 1, "\(text) \(told)\n\(whole)")
      }
      let copy = try Fixture(model.notation)
      try #require(try copy.load(whole).problems == [], "\(told)\n\(whole)")
      for entity in PartsModel.owners + PartsModel.parts {
        let (there, here) = (try lines(entity, fixture, model), try lines(entity, copy, model))
        try #require(there == here, "\(entity) \(told)\n\(whole)")
      }
    }
  }

  /// The texts of all parts, each of which has its own.
  private func parts(_ fixture: Fixture) throws -> [String] {
    try PartsModel.parts.flatMap { try fixture.rows("SELECT text FROM \($0)") }
  }

  /// The objects of an entity with all that they are linked to, in no order but that of ordered lists.
  private func lines(_ entity: String, _ fixture: Fixture, _ model: PartsModel) throws -> [String] {
    try fixture.exported(entity).map { line in
      sorted(try JSONSerialization.jsonObject(with: Data(line.utf8)), isOrdered: false, model)
    }.sorted()
  }

  private func sorted(_ json: Any, isOrdered: Bool, _ model: PartsModel) -> String {
    switch json {
    case let object as [String: Any]:
      let members = object.sorted { $0.key < $1.key }.map { key, value in
        "\(key):\(sorted(value, isOrdered: model.ordered.contains(key), model))"
      }
      return "{\(members.joined(separator: ","))}"
    case let list as [Any]:
      let elements = list.map { sorted($0, isOrdered: false, model) }
      return "[\((isOrdered ? elements : elements.sorted()).joined(separator: ","))]"
    default: return "\(json)"
    }
  }

  private let races = """
    Season
      id: integer64
      races: [Race] <- season | ordered
    Circuit
      id: integer64
      races: [Race] <- circuit
    Race
      n: string
      season: Season <- races
      circuit: Circuit <- races
      results: [Result] <- race | ordered
    Driver
      id: integer64
      results: [Result] <- driver
    Result
      pos: integer64
      race: Race <- results
      driver: Driver <- results
    """

  /// What stands in an owner that comes first names the others, who say nothing of it; what nobody else has stands in them.
  @Test func ownersThatAreNamedSayNothing() throws {
    let fixture = try Fixture(races)
    try fixture.load(
      #"{"Season": [{"id": 1, "races": [{"n": "a", "circuit": {"id": 7}, "results": [{"pos": 1, "driver": {"id": 10}}]}]}]}"#
    )
    let whole = try wholeStore(fixture)
    #expect(
      whole.filter { $0 != "\n" }
        == #"{"Season":[{"id":1,"races":[{"n":"a","circuit":7,"results":[{"pos":1,"driver":10}]}]}],"#
        + #""Circuit":[{"id":7}],"Race":[],"Driver":[{"id":10}],"Result":[]}"#)
  }

  /// Where no object has several owners, each stands in its own, whatever the model allows.
  @Test func ownersOfDifferentPartsNestThem() throws {
    let fixture = try Fixture(races)
    try fixture.load(
      #"{"Season": [{"id": 1, "races": [{"n": "a"}]}], "Circuit": [{"id": 7, "races": [{"n": "b"}]}]}"#)
    let whole = try wholeStore(fixture)
    #expect(whole.contains(#"{"id":1,"races":[{"n":"a","circuit":null,"results":[]}]}"#), "\(whole)")
    #expect(whole.contains(#"{"id":7,"races":[{"n":"b","season":null,"results":[]}]}"#), "\(whole)")
    // And again, into the store that it came from.
    #expect(try !fixture.load(whole).changesAnything)
  }

  /// A link to an object without identity that is not there is none: an import would make an object of it.
  @Test func whatIsNotThereIsNoObject() throws {
    let notation = """
      Box
        id: integer64
        items: [Item] <- box
      Tag
        id: integer64
        item: Item <- tag
      Item
        text: string
        box: Box <- items
        tag: Tag <- item
      """
    let fixture = try Fixture(notation)
    // The box has lost the item when the tag comes that it names.
    try fixture.load(
      #"{"Item": [{"text": "a", "tag": 3, "box": 2}], "Box": [{"id": 2, "items": []}], "Tag": [{"id": 3}]}"#)
    let whole = try wholeStore(fixture)
    #expect(whole.contains(#""Tag":[{"id":3,"item":null}]"#), "\(whole)")
    let copy = try Fixture(notation)
    try copy.load(whole)
    #expect(try copy.rows("SELECT count(*) FROM Item") == ["0"])
  }

  /// Of owners that no key can name, only one can have an object in JSON. That is told.
  @Test func whatJSONCannotSayIsTold() throws {
    let notation = """
      Plan
        id: integer64
        tasks: [Task] <- plan | ordered
      Group
        title: string
        tasks: [Task] <- group
      Day
        date: string
        tasks: [Task] <- day
      Task
        text: string
        plan: Plan <- tasks
        group: Group <- tasks
        day: Day <- tasks
      """
    let fixture = try Fixture(notation).alone()
    try fixture.load(
      #"{"Plan": [{"id": 1, "tasks": [{"text": "a"}, {"text": "b"}]}], "Group": [{"title": "g", "tasks": [{"text": "c"}]}], "Day": [{"date": "d"}]}"#
    )
    try fixture.store.transaction { transaction in
      try transaction.execute("UPDATE Task SET \"group\" = 1, day = 1 WHERE text = 'a'")
      return ((), .commit)
    }
    var losses: [String] = []
    let sink = MemorySink()
    _ = try Exporter(fixture.store).runAll(
      to: sink, noteLoss: { losses.append($0.description) })
    let rest = "stand in other owners, and have no identity. Give Task one to have all."
    #expect(
      losses == [
        "1 link of Day.tasks is left out: the objects \(rest)",
        "The order of Plan.tasks is left out: its objects \(rest)",
      ])
    let copy = try Fixture(notation)
    #expect(try copy.load(String(decoding: sink.bytes, as: UTF8.self)).problems == [])
    #expect(
      try copy.rows("SELECT text, plan, \"group\" IS NULL, day IS NULL FROM Task ORDER BY text")
        == ["a 1 0 1", "b 1 1 1", "c - 0 1"])
  }
}

/// A random model of owners and parts with all kinds of relationships between them, and objects in several owners.
private struct PartsModel {
  static let owners = ["A", "B", "C"]
  static let parts = ["P", "Q", "R"]

  private struct Link {
    let name: String
    let owner: String
    let part: String
    let isToMany: Bool
    let isShared: Bool
    let isOrdered: Bool

    var isNamed: Bool { PartsModel.owners.contains(owner) }
  }

  private(set) var notation = ""
  private(set) var json = ""
  /// The lists whose order matters.
  private(set) var ordered: Set<String> = []
  private var links: [Link] = []
  private var texts = 0

  init(_ random: inout Seeded) {
    for _ in 0..<(2 + random.below(5)) { addLink(&random) }
    notation = (Self.owners + Self.parts).map { lines(of: $0, &random) }.joined(separator: "\n")
    ordered = Set(links.filter(\.isOrdered).map(\.name))
    json = document(&random)
  }

  private mutating func addLink(_ random: inout Seeded) {
    let part = random.below(Self.parts.count)
    // Parts of parts make no circle.
    let owner = random.pick(Self.owners + Self.owners + Self.parts.prefix(part))
    let isNamed = Self.owners.contains(owner)
    let (isToMany, isShared) = (random.flip(), isNamed && random.below(3) == 0)
    let hasOrder = links.contains { $0.part == Self.parts[part] && $0.isOrdered }
    links.append(
      Link(
        name: "r\(links.count)", owner: owner, part: Self.parts[part], isToMany: isToMany, isShared: isShared,
        isOrdered: isToMany && !isShared && !hasOrder && random.flip()))
  }

  private func lines(of entity: String, _ random: inout Seeded) -> String {
    var lines = [entity, Self.owners.contains(entity) ? "  id: integer64" : "  text: string"]
    for link in links {
      let rule = random.flip() ? " | delete=cascade" : ""
      if link.owner == entity {
        let type = link.isToMany ? "[\(link.part)]" : link.part
        lines.append("  \(link.name): \(type) <- \(back(link))\(link.isOrdered ? " | ordered" : "")\(rule)")
      }
      if link.part == entity {
        let type = link.isShared ? "[\(link.owner)]" : link.owner
        lines.append("  \(back(link)): \(type) <- \(link.name)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func back(_ link: Link) -> String { "of\(link.name)" }

  private mutating func document(_ random: inout Seeded) -> String {
    var lists: [String] = []
    for entity in random.shuffled(Self.owners + Self.parts) {
      var objects: [String] = []
      for id in 1...3 {
        objects.append(
          Self.owners.contains(entity) ? owner(entity, id, &random) : part(entity, in: nil, &random))
      }
      lists.append("\"\(entity)\": [\(objects.joined(separator: ", "))]")
    }
    return "{\(lists.joined(separator: ",\n"))}"
  }

  private mutating func owner(_ entity: String, _ id: Int, _ random: inout Seeded) -> String {
    var members = ["\"id\": \(id)"]
    for link in links where link.owner == entity && !link.isShared && random.flip() {
      members.append(nested(link, &random))
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func nested(_ link: Link, _ random: inout Seeded) -> String {
    guard link.isToMany else { return "\"\(link.name)\": \(part(link.part, in: link, &random))" }
    var parts: [String] = []
    for _ in 0..<random.below(4) { parts.append(part(link.part, in: link, &random)) }
    return "\"\(link.name)\": [\(parts.joined(separator: ", "))]"
  }

  /// A part with those that it has, naming some owners.
  private mutating func part(_ entity: String, in home: Link?, _ random: inout Seeded) -> String {
    texts += 1
    var members = ["\"text\": \"\(entity)\(texts)\""]
    for link in links where link.owner == entity && random.flip() { members.append(nested(link, &random)) }
    for link in links where link.part == entity && link.isNamed && link.name != home?.name {
      // The place in a list cannot be told from elsewhere.
      guard !link.isOrdered, random.flip() else { continue }
      let keys = random.some([1, 2, 3], atMost: link.isShared ? 3 : 1).map(String.init)
      let value = link.isShared ? "[\(keys.joined(separator: ", "))]" : keys.first ?? "null"
      members.append("\"\(back(link))\": \(value)")
    }
    return "{\(members.joined(separator: ", "))}"
  }
}
