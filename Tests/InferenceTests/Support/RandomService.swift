import TestSettings

/// A service made up at random: its entities, with or without an identity, and the files of its answers.
///
/// An object is the same wherever it stands. What a relationship leads to stands in the object, or is named by its
/// identity.
struct RandomService {
  private struct Kind {
    var name: String
    var identity: String?
    var attributes: [String]
    var links: [(kind: Int, form: Form)]
    var count: Int
  }

  private enum Form: CaseIterable { case object, list, key, keys }

  private let seed: UInt64
  private var kinds: [Kind] = []
  /// The files by their names.
  private(set) var files: [String: String] = [:]

  private static let names = [
    "user", "product", "order", "line", "tag", "team", "match", "event", "place", "book", "author", "city",
  ]
  private static let attributes = [
    "name", "title", "price", "count", "status", "created_at", "email", "active", "note",
  ]

  init(seed: UInt64) {
    self.seed = seed
    var random = Seeded(state: seed)
    let names = Self.distinct([random.pick(Self.names)] + random.some(Self.names, atMost: 3))
    for index in names.indices {
      let identity = random.pick(["id", "id", "id", "code", "uuid", "name", nil])
      let attributes = ["score"] + random.some(Self.attributes, atMost: 5).filter { $0 != identity }
      var links: [(Int, Form)] = []
      for other in names.indices where other > index && random.below(5) < 3 {
        links.append((other, random.pick(Form.allCases)))
      }
      kinds.append(
        Kind(
          name: names[index], identity: identity, attributes: attributes, links: links,
          count: 2 + random.below(13)))
    }
    for index in kinds.indices where index == 0 || random.below(5) < 3 { write(index, &random) }
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private mutating func write(_ index: Int, _ random: inout Seeded) {
    let name = kinds[index].name
    let objects = (0..<kinds[index].count).map { object(index, $0) }
    let list = { (objects: ArraySlice<String>) in "[\(objects.joined(separator: ",\n"))]" }
    switch random.below(4) {
    case 0: files["\(name)s.json"] = list(objects[...])
    case 1: files["\(name)s.json"] = "{\"\(name)s\": \(list(objects[...])), \"total\": \(objects.count)}"
    case 2: files["\(name)s.json"] = "{\"data\": \(list(objects[...]))}"
    default:
      files["\(name)s-1.json"] = list(objects[..<(objects.count / 2)])
      files["\(name)s-2.json"] = list(objects[(objects.count / 2)...])
    }
  }

  /// An object of a kind, always the same for a number.
  private func object(_ index: Int, _ number: Int) -> String {
    let kind = kinds[index]
    var random = Seeded(state: seed &* 1_000_003 &+ UInt64(index * 1_000_000 + number))
    var members = kind.identity.map { ["\"\($0)\": \(key(index, number))"] } ?? []
    for attribute in kind.attributes {
      members.append("\"\(attribute)\": \(value(of: attribute, kind.name, number, &random))")
    }
    for (other, form) in kind.links {
      let target = kinds[other]
      let one = random.below(target.count)
      let several = random.some(Array(0..<target.count), atMost: 3)
      guard let identity = target.identity else {
        // What has no identity belongs to the object alone.
        let own = several.map { object(other, 1_000 * (number + 1) + $0) }
        let isOne = form == .object || form == .key
        members.append(
          isOne
            ? "\"\(target.name)\": \(object(other, 1_000 * (number + 1) + one))"
            : "\"\(target.name)s\": [\(own.joined(separator: ", "))]")
        continue
      }
      switch form {
      case .object: members.append("\"\(target.name)\": \(object(other, one))")
      case .list:
        members.append(
          "\"\(target.name)s\": [\(several.map { object(other, $0) }.joined(separator: ", "))]")
      case .key: members.append("\"\(target.name)_\(identity)\": \(key(other, one))")
      case .keys:
        members.append(
          "\"\(target.name)_\(identity)s\": [\(several.map { key(other, $0) }.joined(separator: ", "))]")
      }
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private func key(_ index: Int, _ number: Int) -> String {
    let name = kinds[index].name
    switch kinds[index].identity {
    case "code": return "\"\(name.prefix(2).uppercased())\(number + 100)\""
    case "uuid": return "\"\(10_000_000 + number)-0000-4000-8000-\(100_000_000_000 + index)\""
    case "name": return "\"\(name) no \(number)\""
    default: return "\(number + 1)"
    }
  }

  private func value(
    of attribute: String, _ name: String, _ number: Int, _ random: inout Seeded
  ) -> String {
    switch attribute {
    case "price": "\(random.below(100)).\(10 + random.below(90))"
    case "count", "score": "\(random.below(100))"
    case "status": random.pick(["\"open\"", "\"closed\""])
    case "created_at": "\"2024-\(10 + random.below(3))-\(10 + random.below(18))T10:00:00Z\""
    case "email": "\"\(name)\(number)@example.org\""
    case "active": random.pick(["true", "false"])
    case "note": random.pick(["null", "\"note \(random.below(1_000))\""])
    default: "\"\(random.pick(["red", "green", "blue", "Oslo", "Rome"])) \(name) \(number)\""
    }
  }
}
