import Foundation
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// Random writes of every kind, and random searches: a search must find the same as a look at all texts.
@Suite struct RandomSearchTests {
  private static let model = """
    Item | broker.discriminator=kind
      %KEY%
      title: string | broker.search=true
      tags: transformable | broker.search=true
      plain: string
    Special : Item | broker.kind=special
      note: string | broker.search=true
    """

  private static let words = [
    "rock", "Rock", "röck", "indie", "pop", "poppy", "a", "été", "ETE", "x1", "live",
  ]
  private static let separators = [" ", "-", ", ", "\n", "\"", "\\", "/", "\t", "'"]

  /// An object that the store should have.
  private struct Item {
    var isSpecial = false
    var texts: [String: String] = [:]
    var tags: [String]?
  }

  private static func text(_ random: inout Seeded) -> String {
    (0..<random.below(5)).map { _ in random.pick(words) + random.pick(separators) }.joined()
  }

  private static func json(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed]), as: UTF8.self
    )
  }

  private static func folded(_ text: String) -> [String] {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Whether an object has a phrase, in one of its texts, or a word that begins so.
  private static func has(_ item: Item, _ term: String, isPrefix: Bool, in attributes: [String]?) -> Bool {
    var texts = item.texts
    texts["plain"] = nil
    if let tags = item.tags { texts["tags"] = tags.joined(separator: " ") }
    let wanted = folded(term)
    return texts.filter { attributes?.contains($0.key) ?? true }.values.contains { text in
      let words = folded(text)
      guard words.count >= wanted.count else { return false }
      return (0...words.count - wanted.count).contains { start in
        let part = words[start..<start + wanted.count]
        guard isPrefix, let last = wanted.last else { return part.elementsEqual(wanted) }
        return part.dropLast().elementsEqual(wanted.dropLast()) && part.last?.hasPrefix(last) == true
      }
    }
  }

  /// A search, and the objects that it should find.
  private static func search(
    _ items: [String: Item], _ attributes: [String]?, _ random: inout Seeded
  ) -> (text: String, found: [String]) {
    var pieces: [String] = []
    var found = Set(items.keys)
    for place in 0...random.below(3) {
      let isPhrase = random.below(4) == 0
      let term = isPhrase ? random.pick(words) + " " + random.pick(words) : random.pick(words)
      let isPrefix = random.below(4) == 0
      func matching(_ term: String, _ isPrefix: Bool) -> Set<String> {
        Set(items.filter { has($0.value, term, isPrefix: isPrefix, in: attributes) }.keys)
      }
      var piece = (isPhrase ? "\"\(term)\"" : term) + (isPrefix ? "*" : "")
      var those = matching(term, isPrefix)
      switch random.below(4) {
      case 0 where place > 0:
        piece = (random.flip() ? "-" : "NOT ") + piece
        found.subtract(those)
        pieces.append(piece)
        continue
      case 1:
        let other = random.pick(words)
        piece += " OR " + other
        those.formUnion(matching(other, false))
      default: break
      }
      found.formIntersection(those)
      pieces.append(piece)
    }
    return (pieces.joined(separator: " "), found.sorted())
  }

  @Test(arguments: Seeds.first(4, long: 24))
  func finds(_ seed: UInt64) throws {
    var random = Seeded(state: seed)
    let isInteger = seed % 2 == 0
    let notation = Self.model.replacing(
      "%KEY%", with: isInteger ? "id: integer64" : "id: string | broker.identity=true")
    let fixture = try Fixture(notation, entity: "Item")
    var state = State(fixture: fixture, isInteger: isInteger)
    for step in 0..<30 {
      try change(&state, isFirst: step == 0, &random)
      for _ in 0..<6 { try compare(fixture, state.items, &random) }
    }
    try fixture.store.transaction { transaction in
      try transaction.execute("INSERT INTO Item_search (Item_search, rank) VALUES ('integrity-check', 1)")
      return ((), .commit)
    }
  }

  /// A store, the items that it should have, and whether their identities are integers.
  private struct State {
    let fixture: Fixture
    let isInteger: Bool
    var items: [String: Item] = [:]

    var ids: [String] { (0..<12).map { isInteger ? "\($0)" : "k\($0)" } }

    func json(_ id: String) -> Any { isInteger ? (Int(id) ?? 0) as Any : id as Any }
  }

  private func change(_ state: inout State, isFirst: Bool, _ random: inout Seeded) throws {
    switch isFirst ? 0 : random.below(6) {
    case 0, 1, 2: try importItems(&state, &random)
    case 3: try rename(&state)
    case 4: try updateBySQL(&state, &random)
    default: try deleteBySQL(&state)
    }
  }

  private func importItems(_ state: inout State, _ random: inout Seeded) throws {
    var list: [[String: Any]] = []
    for id in random.some(state.ids, atMost: 6) {
      var object: [String: Any] = ["id": state.json(id)]
      var item = state.items[id] ?? Item()
      if random.below(3) == 0 { item.isSpecial = true }
      if item.isSpecial { object["kind"] = "special" }
      for name in ["title", "plain"] + (item.isSpecial ? ["note"] : []) where random.flip() {
        let text = random.below(6) == 0 ? nil : Self.text(&random)
        object[name] = text ?? NSNull()
        item.texts[name] = text
      }
      if random.flip() {
        let tags = (0..<random.below(3)).map { _ in Self.text(&random) }
        object["tags"] = tags
        item.tags = tags
      }
      state.items[id] = item
      list.append(object)
    }
    let prunes = random.below(5) == 0
    if prunes {
      state.items = state.items.filter { item in list.contains { "\($0["id"] ?? "")" == item.key } }
    }
    try state.fixture.load(Self.json(list)) { $0.prunes = prunes }
  }

  private func rename(_ state: inout State) throws {
    guard let id = state.items.keys.sorted().first,
      let free = state.ids.first(where: { state.items[$0] == nil })
    else { return }
    try state.fixture.load(Self.json(["id": state.json(free)])) {
      $0.target = .object(entity: "Item", identity: id)
    }
    state.items[free] = state.items.removeValue(forKey: id)
  }

  /// As another program does.
  private func updateBySQL(_ state: inout State, _ random: inout Seeded) throws {
    guard let id = state.items.keys.sorted().last else { return }
    let text = Self.text(&random)
    try state.fixture.store.transaction { transaction in
      let update = try transaction.prepare("UPDATE Item SET title = ?1 WHERE id = ?2")
      update.bind(text, at: 1)
      update.bind(id, at: 2)
      try update.run()
      return ((), .commit)
    }
    state.items[id]?.texts["title"] = text
  }

  private func deleteBySQL(_ state: inout State) throws {
    guard let id = state.items.keys.sorted().first else { return }
    try state.fixture.store.transaction { transaction in
      let deletion = try transaction.prepare("DELETE FROM Item WHERE id = ?1")
      deletion.bind(id, at: 1)
      try deletion.run()
      return ((), .commit)
    }
    state.items[id] = nil
  }

  private func compare(_ fixture: Fixture, _ items: [String: Item], _ random: inout Seeded) throws {
    let attributes = random.pick([nil, nil, ["title"], ["tags"], ["title", "tags"]] as [[String]?])
    let (text, expected) = Self.search(items, attributes, &random)
    var query = Query("Item")
    query.search = [SearchCondition(text, in: attributes ?? [])]
    #expect(try ids(query, fixture).sorted() == expected, "\(text)")
    query.limit = 3
    #expect(try ids(query, fixture).allSatisfy(expected.contains))
    var condition = Query("Item")
    let places = attributes ?? ["SELF"]
    guard places.count == 1 else { return }
    condition.predicate = try ObjectPredicate(format: "NOT \(places[0]) MATCHES_TEXT %@", [.init(text)])
    #expect(
      try ids(condition, fixture).sorted() == items.keys.filter { !expected.contains($0) }.sorted(), "\(text)"
    )
  }

  private func ids(_ query: Query, _ fixture: Fixture) throws -> [String] {
    try fixture.store.read { transaction in
      let rows = try Projection(query, selecting: ["id"], transaction)
      var result: [String] = []
      while let row = try rows.next() {
        if case .integer(let id) = row[0] { result.append("\(id)") }
        if case .text(let id, _) = row[0] { result.append(id) }
      }
      return result
    }
  }
}
