import TestSettings

/// A node of a graph as plain values, for predicates to be judged by.
final class PlainNode {
  let id: Int
  var n: Int?
  var m: Int?
  var s: String?
  var parent: PlainNode?
  var items: [PlainItem] = []
  var links: [PlainNode] = []
  var spot: PlainSpot?
  var spots: [PlainSpot] = []
  var star: PlainItem?

  init(id: Int) {
    self.id = id
  }
}

final class PlainItem {
  let id: Int
  var v: Int?
  var t: String?
  var owner: PlainNode?
  /// Whether it is of the sub-entity Star.
  var isStar = false

  init(id: Int) {
    self.id = id
  }
}

/// An object whose identity has two parts.
struct PlainSpot: Equatable {
  var x: Int
  var y: String
  var w: Int?

  var identity: String { "\(x),\(y)" }
}

/// A predicate as a format, and as a function of Swift that says the same without any of Broker's code.
struct RandomPredicate {
  let format: String
  let holds: (PlainNode) -> Bool

  init(_ format: String, _ holds: @escaping (PlainNode) -> Bool) {
    self.format = format
    self.holds = holds
  }

  static func make(_ random: inout Seeded, depth: Int = 3) -> RandomPredicate {
    guard depth > 0, random.below(4) > 0 else { return leaf(&random) }
    let first = make(&random, depth: depth - 1)
    if random.below(3) == 0 { return RandomPredicate("NOT (\(first.format))") { !first.holds($0) } }
    let second = make(&random, depth: depth - 1)
    if random.flip() {
      return RandomPredicate("(\(first.format)) AND (\(second.format))") {
        first.holds($0) && second.holds($0)
      }
    }
    return RandomPredicate("(\(first.format)) OR (\(second.format))") { first.holds($0) || second.holds($0) }
  }

  private static func leaf(_ random: inout Seeded) -> RandomPredicate {
    switch random.below(12) {
    case 10: spots(&random)
    case 11: existence(&random)
    case 0, 1: numbers(&random)
    case 2, 3: texts(&random)
    case 4: identities(&random)
    case 5, 6: quantified(&random)
    case 7: counted(&random)
    case 8: listed(&random)
    default: subquery(&random)
    }
  }

  // MARK: - Values

  private static func number(_ random: inout Seeded) -> (String, (PlainNode) -> Int?) {
    switch random.below(12) {
    case 9: return ("spot.w", { $0.spot?.w })
    case 10: return ("parent.spot.w", { $0.parent?.spot?.w })
    case 11: return ("star.v", { $0.star?.v })
    case 0: return ("n", { $0.n })
    case 1: return ("m", { $0.m })
    case 2: return ("parent.n", { $0.parent?.n })
    case 3: return ("parent.parent.m", { $0.parent?.parent?.m })
    case 4: return ("items.@count", { $0.items.count })
    case 5: return ("links.items.@count", { $0.links.reduce(0) { $0 + $1.items.count } })
    case 6: return ("items.@max.v", { $0.items.compactMap(\.v).max() })
    case 7: return ("links.@sum.n", { $0.links.compactMap(\.n).reduce(0, +) })
    default:
      let value = random.below(7)
      return ("(n + \(value))", { $0.n.map { $0 + value } })
    }
  }

  private static func numbers(_ random: inout Seeded) -> RandomPredicate {
    let (path, value) = number(&random)
    if random.flip() {
      let (other, second) = number(&random)
      return compared(path, value, other, second, &random)
    }
    if random.below(8) == 0 {
      let isEqual = random.flip()
      return RandomPredicate("\(path) \(isEqual ? "==" : "!=") nil") { (value($0) == nil) == isEqual }
    }
    let constant = random.below(6) - 1
    if random.below(4) == 0 { return compared("\(constant)", { _ in constant }, path, value, &random) }
    return compared(path, value, "\(constant)", { _ in constant }, &random)
  }

  /// Null equals null and nothing else, and has no order.
  private static func compared(
    _ left: String, _ first: @escaping (PlainNode) -> Int?, _ right: String,
    _ second: @escaping (PlainNode) -> Int?, _ random: inout Seeded
  ) -> RandomPredicate {
    let (operation, holds) = relation(&random)
    return RandomPredicate("\(left) \(operation) \(right)") { holds(first($0), second($0)) }
  }

  private static func relation(_ random: inout Seeded) -> (String, (Int?, Int?) -> Bool) {
    func both(_ holds: @escaping (Int, Int) -> Bool) -> (Int?, Int?) -> Bool {
      { a, b in a.flatMap { a in b.map { holds(a, $0) } } ?? false }
    }
    switch random.below(6) {
    case 0: return ("==", { $0 == $1 })
    case 1: return ("!=", { $0 != $1 })
    case 2: return ("<", both(<))
    case 3: return ("<=", both(<=))
    case 4: return (">", both(>))
    default: return (">=", both(>=))
    }
  }

  private static func listed(_ random: inout Seeded) -> RandomPredicate {
    let (path, value) = number(&random)
    if random.flip() {
      let (low, high) = (random.below(4), random.below(6))
      return RandomPredicate("\(path) BETWEEN {\(low), \(high)}") {
        value($0).map { low <= $0 && $0 <= high } ?? false
      }
    }
    let hasNull = random.below(3) == 0
    let values = (0..<random.below(4)).map { _ in random.below(5) }
    let list = values.map(String.init) + (hasNull ? ["nil"] : [])
    return RandomPredicate("\(path) IN {\(list.joined(separator: ", "))}") { node in
      value(node).map(values.contains) ?? hasNull
    }
  }

  // MARK: - Texts

  static let letters = ["a", "A", "b", "é", "É", "e", "ß", "ss", "*", "?", "'", "👍", "\\"]

  static func word(_ random: inout Seeded, atMost most: Int) -> String {
    (0..<random.below(most + 1)).map { _ in random.pick(letters) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  /// Folds the letters of ``letters``, told one by one.
  static func folded(_ text: String, _ options: String) -> String {
    var text = text
    if options.contains("c") {
      for (large, small) in [("A", "a"), ("É", "é"), ("ß", "ss")] {
        text = text.replacing(large, with: small)
      }
    }
    if options.contains("d") {
      for (accented, plain) in [("é", "e"), ("É", "E")] { text = text.replacing(accented, with: plain) }
    }
    return text
  }

  private static func texts(_ random: inout Seeded) -> RandomPredicate {
    let (path, value): (String, (PlainNode) -> String?) =
      random.flip() ? ("s", { $0.s }) : ("parent.s", { $0.parent?.s })
    let (operation, holds) = textRelation(&random)
    let wanted = word(&random, atMost: operation.hasPrefix("LIKE") ? 4 : 2)
    return RandomPredicate("\(path) \(operation) \(quoted(wanted))") { holds(value($0), wanted) }
  }

  private static func textRelation(_ random: inout Seeded) -> (String, (String?, String) -> Bool) {
    let options = random.pick(["", "", "c", "d", "cd"])
    let suffix = options.isEmpty ? "" : "[\(options)]"
    func both(_ holds: @escaping ([Character], [Character]) -> Bool) -> (String?, String) -> Bool {
      { a, b in a.map { holds(Array(folded($0, options)), Array(folded(b, options))) } ?? false }
    }
    switch random.below(7) {
    case 0: return ("==" + suffix, both(==))
    case 1: return ("!=" + suffix, { !both(==)($0, $1) })
    case 2: return ("BEGINSWITH" + suffix, both { $0.starts(with: $1) })
    case 3: return ("ENDSWITH" + suffix, both { $0.reversed().starts(with: $1.reversed()) })
    case 4: return ("CONTAINS" + suffix, both { text, part in contains(text[...], part) })
    default: return ("LIKE" + suffix, both { isLike($0[...], $1[...]) })
    }
  }

  private static func contains(_ text: ArraySlice<Character>, _ part: [Character]) -> Bool {
    text.starts(with: part) || (!text.isEmpty && contains(text.dropFirst(), part))
  }

  private static func isLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return isLike(text, pattern.dropFirst()) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
    }
    if first == "\\", pattern.count > 1 {
      return text.first == pattern.dropFirst().first && isLike(text.dropFirst(), pattern.dropFirst(2))
    }
    return !text.isEmpty && (first == "?" || text.first == first)
      && isLike(text.dropFirst(), pattern.dropFirst())
  }

  // MARK: - Relationships

  private static func identities(_ random: inout Seeded) -> RandomPredicate {
    let (path, value): (String, (PlainNode) -> Int?) = random.pick([
      ("parent", { $0.parent?.id }), ("parent.parent", { $0.parent?.parent?.id }), ("SELF", { $0.id }),
      ("star", { $0.star?.id }), ("parent.star.owner", { $0.parent?.star?.owner?.id }),
    ])
    let isEqual = random.flip()
    let id = random.flip() ? random.below(10) : random.below(10) * 10 + random.below(3)
    let wanted: Int? = random.below(3) == 0 ? nil : id
    return RandomPredicate("\(path) \(isEqual ? "==" : "!=") \(wanted.map(String.init) ?? "nil")") {
      (value($0) == wanted) == isEqual
    }
  }

  private typealias Many = (path: String, values: @Sendable (PlainNode) -> [Int?])

  private static let manyPaths: [Many] = [
    ("items.v", { node in node.items.map(\.v) }),
    ("links.n", { node in node.links.map(\.n) }),
    ("links.items.v", { node in node.links.flatMap { $0.items.map(\.v) } }),
    ("parent.items.v", { node in node.parent?.items.map(\.v) ?? [] }),
    ("links.parent.n", { node in node.links.map { $0.parent?.n } }),
    ("items.owner", { node in node.items.map { $0.owner?.id } }),
    ("links.parent", { node in node.links.map { $0.parent?.id } }),
    ("parent.parent.links.star.v", { node in node.parent?.parent?.links.map { $0.star?.v } ?? [] }),
    ("spots.w", { node in node.spots.map(\.w) }),
    ("links.spots.w", { node in node.links.flatMap { $0.spots.map(\.w) } }),
    ("items.owner.spot.w", { node in node.items.map { $0.owner?.spot?.w } }),
    ("links.parent.links", { node in node.links.flatMap { ids($0.parent?.links) } }),
  ]

  /// Objects with keys of two parts.
  private static func spots(_ random: inout Seeded) -> RandomPredicate {
    let wanted = "\(random.below(2)),\(random.pick(["a", "b"]))"
    let isEqual = random.flip()
    let sign = isEqual ? "==" : "!="
    switch random.below(4) {
    case 0:
      return RandomPredicate("spot \(sign) '\(wanted)'") { ($0.spot?.identity == wanted) == isEqual }
    case 1:
      return RandomPredicate("parent.spot \(sign) '\(wanted)'") {
        ($0.parent?.spot?.identity == wanted) == isEqual
      }
    case 2:
      return RandomPredicate("ANY spots \(sign) '\(wanted)'") { node in
        node.spots.contains { ($0.identity == wanted) == isEqual }
      }
    default:
      return RandomPredicate("ALL links.spot \(sign) '\(wanted)'") { node in
        node.links.allSatisfy { ($0.spot?.identity == wanted) == isEqual }
      }
    }
  }

  /// Whether there is any.
  private static func existence(_ random: inout Seeded) -> RandomPredicate {
    let (sign, isAny) = random.pick([
      ("> 0", true), ("!= 0", true), (">= 1", true), ("== 0", false), ("<= 0", false), ("< 1", false),
    ])
    let value = random.below(5)
    let (path, counts): (String, (PlainNode) -> Int) = random.pick([
      ("items.@count", { $0.items.count }),
      ("links.items.@count", { $0.links.map(\.items.count).reduce(0, +) }),
      ("SUBQUERY(items, $i, $i.v == \(value)).@count", { $0.items.count { $0.v == value } }),
      (
        "SUBQUERY(links.items, $i, $i.v > n).@count",
        { node in
          node.links.flatMap(\.items).count { item in item.v.flatMap { v in node.n.map { v > $0 } } ?? false }
        }
      ),
      (
        "SUBQUERY(links, $l, ANY $l.spots.w == \(value)).@count",
        {
          $0.links.count { $0.spots.contains { $0.w == value } }
        }
      ),
    ])
    return RandomPredicate("\(path) \(sign)") { (counts($0) > 0) == isAny }
  }

  private static func ids(_ nodes: [PlainNode]?) -> [Int?] { (nodes ?? []).map(\.id) }

  private static func quantified(_ random: inout Seeded) -> RandomPredicate {
    let (path, values) = random.pick(manyPaths)
    let (operation, holds) = relation(&random)
    let value = random.below(5)
    let isPath = random.flip()
    let other = isPath ? "n" : "\(value)"
    let right: (PlainNode) -> Int? = { isPath ? $0.n : value }
    switch random.below(4) {
    case 0:
      return RandomPredicate("ALL \(path) \(operation) \(other)") { node in
        values(node).allSatisfy { holds($0, right(node)) }
      }
    case 1:
      return RandomPredicate("NONE \(path) \(operation) \(other)") { node in
        !values(node).contains { holds($0, right(node)) }
      }
    case 2:
      return RandomPredicate("\(other) IN \(path)") { node in values(node).contains(right(node)) }
    default:
      return RandomPredicate("ANY \(path) \(operation) \(other)") { node in
        values(node).contains { holds($0, right(node)) }
      }
    }
  }

  private static func counted(_ random: inout Seeded) -> RandomPredicate {
    let count = random.below(3)
    let (operation, holds) = relation(&random)
    return RandomPredicate("items.@count \(operation) \(count)") { holds($0.items.count, count) }
  }

  private static func subquery(_ random: inout Seeded) -> RandomPredicate {
    let (first, isFirst) = relation(&random)
    let (second, isSecond) = relation(&random)
    let value = random.below(5)
    let count = random.below(3)
    let format = "SUBQUERY(links, $x, $x.n \(first) \(value) OR $x.m == n).@count \(second) \(count)"
    return RandomPredicate(format) { node in
      isSecond(node.links.count { isFirst($0.n, value) || $0.m == node.n }, count)
    }
  }
}
