import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Whatever is written in whatever way, a search finds what looking at all texts finds.
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

  /// An object as it should be.
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

  /// A search, and who should be found.
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
    var items: [String: Item] = [:]
    for step in 0..<30 {
      try change(fixture, &items, isFirst: step == 0, isInteger, &random)
      for _ in 0..<6 { try compare(fixture, items, &random) }
    }
    try fixture.store.transaction { transaction in
      try transaction.execute("INSERT INTO Item_search (Item_search, rank) VALUES ('integrity-check', 1)")
      return ((), .commit)
    }
  }

  private func change(
    _ fixture: Fixture, _ items: inout [String: Item], isFirst: Bool, _ isInteger: Bool,
    _ random: inout Seeded
  ) throws {
    let ids = (Seeds.first(4, long: 24)).map { isInteger ? "\($0)" : "k\($0)" }
    func json(_ id: String) throws -> Any { isInteger ? (Int(id) ?? 0) as Any : id as Any }
    switch isFirst ? 0 : random.below(6) {
    case 0, 1, 2:
      var list: [[String: Any]] = []
      for id in random.some(ids, atMost: 6) {
        var object: [String: Any] = ["id": try json(id)]
        var item = items[id] ?? Item()
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
        items[id] = item
        list.append(object)
      }
      let prunes = random.below(5) == 0
      if prunes { items = items.filter { item in list.contains { "\($0["id"] ?? "")" == item.key } } }
      try fixture.load(Self.json(list)) { $0.prunes = prunes }
    case 3:
      guard let id = items.keys.sorted().first, let free = ids.first(where: { items[$0] == nil }) else {
        return
      }
      try fixture.load(Self.json(["id": try json(free)])) {
        $0.target = .object(entity: "Item", identity: id)
      }
      items[free] = items.removeValue(forKey: id)
    case 4:
      // Another program, which knows SQL only.
      guard let id = items.keys.sorted().last else { return }
      let text = Self.text(&random)
      try fixture.store.transaction { transaction in
        let update = try transaction.prepare("UPDATE Item SET title = ?1 WHERE id = ?2")
        update.bind(text, at: 1)
        update.bind(id, at: 2)
        try update.run()
        return ((), .commit)
      }
      items[id]?.texts["title"] = text
    default:
      guard let id = items.keys.sorted().first else { return }
      try fixture.store.transaction { transaction in
        let deletion = try transaction.prepare("DELETE FROM Item WHERE id = ?1")
        deletion.bind(id, at: 1)
        try deletion.run()
        return ((), .commit)
      }
      items[id] = nil
    }
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
