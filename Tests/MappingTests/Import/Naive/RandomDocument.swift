import TestSettings
import ObjectModel

/// Makes random JSON for a model. Most of it fits the model, and some of it does not.
struct RandomDocument {
  let model: NaiveModel
  var random: Seeded
  init(model: NaiveModel, random: Seeded) {
    self.model = model
    self.random = random
  }

  /// How many percent of the values are wrong.
  var mistakes = 4

  /// A document of several lists.
  mutating func document() -> TestJSON {
    let kinds = model.kinds.indices.filter { !model.kinds[$0].isAbstract }
    let isTop = random.below(8) == 0
    let chosen = random.shuffled(kinds.filter { isTop || !model.isPart($0) }).prefix(
      1 + random.below(kinds.count))
    return .object(chosen.map { kind in .init(listName(kind), list(kind)) })
  }

  /// Objects of one entity: a list, a dictionary keyed by identity, or one object.
  mutating func objects(_ kind: Int) -> TestJSON {
    switch random.below(4) {
    case 0: return .object(object(kind, depth: 1))
    case 1 where model.identity(kind).count == 1: return keyed(kind)
    default: return list(kind)
    }
  }

  private mutating func keyed(_ kind: Int) -> TestJSON {
    var members: [TestJSON.Member] = []
    for number in random.some(Array(0..<5), atMost: 3) {
      guard let attribute = model.identity(kind).first else { continue }
      var value = identityValue(attribute)
      while numbers([.init("", value)]) != "\(number)" { value = identityValue(attribute) }
      let inner = object(kind, depth: 1, keyedBy: "\(number)")
      let key = if case .string(let text) = value { text } else { value.text }
      if inner.first.map({ $0.key != "surplus" }) ?? false { members.append(.init(key, .object(inner))) }
    }
    return members.isEmpty ? list(kind) : .object(members)
  }

  func listName(_ kind: Int) -> String { model.kinds[kind].name.lowercased() + "s" }

  /// The identities of the objects around the present one, by root.
  private var taken: [Int: [String]] = [:]

  private mutating func list(_ kind: Int) -> TestJSON {
    .list((0..<random.below(4)).map { _ in .object(object(kind, depth: 1 + random.below(2))) })
  }

  // MARK: - Objects

  /// An object that is nested in an end `way` does not have the inverse, since the contract leaves open which of them
  /// counts more. No object is nested in itself.
  mutating func object(_ kind: Int, depth: Int, from way: Int? = nil, keyedBy key: String? = nil) -> [TestJSON
    .Member]
  {
    var members = key != nil ? [] : identity(kind, avoiding: taken[model.root(kind), default: []])
    let name = key ?? numbers(members)
    taken[model.root(kind), default: []].append(name)
    defer { taken[model.root(kind)]?.removeLast() }
    for attribute in model.attributes(kind) where !model.identity(kind).contains(attribute) {
      if random.below(100) < (attribute.isOptional ? 40 : 85) {
        members.append(.init(spelled(attribute.name), value(attribute)))
      }
    }
    var usedEnds: [Int] = []
    for end in model.namedEnds(of: kind)
    where end != way.map({ model.ends[$0].inverse }) && !contradicts(end, usedEnds) && !model.ends[end].isBack
      && random.below(100) < (model.ends[end].isRequired ? 85 : 35)
    {
      members.append(link(end, depth))
      usedEnds.append(end)
    }
    let kinds = model.kinds.indices.filter { model.isKind($0, of: kind) && !model.kinds[$0].isAbstract }
    if kinds.count > 1 && members.count > 1 && random.flip() {
      members.append(.init("type", .string(model.kinds[random.pick(kinds)].name.lowercased())))
    }
    if random.below(20) == 0 && !members.isEmpty { members.append(.init("surplus", .number("1"))) }
    return members
  }

  /// Both ends of a relationship to its own entity, in one object, may contradict each other about itself.
  private func contradicts(_ end: Int, _ usedEnds: [Int]) -> Bool {
    usedEnds.contains(model.ends[end].inverse)
  }

  /// The last digits of an identity's values, by which identities differ however they are written.
  private func numbers(_ members: [TestJSON.Member]) -> String {
    members.sorted { $0.key.lowercased() < $1.key.lowercased() }
      .map { $0.value.text.filter(\.isNumber).suffix(1) }.joined()
  }

  private mutating func identity(_ kind: Int, avoiding taken: [String]) -> [TestJSON.Member] {
    if model.isPart(kind) { return [] }
    var members = identity(kind)
    while !members.isEmpty && taken.contains(numbers(members)) { members = identity(kind) }
    return members
  }

  private mutating func identity(_ kind: Int) -> [TestJSON.Member] {
    if random.below(100) < mistakes { return [] }
    let identity = model.identity(kind)
    let members = identity.map { attribute in
      let key = identity.count == 1 && random.below(4) == 0 ? "id" : spelled(attribute.name)
      return TestJSON.Member(key, identityValue(attribute))
    }
    return random.shuffled(members)
  }

  private mutating func identityValue(_ attribute: Attribute) -> TestJSON {
    let number = random.below(5)
    switch attribute.type {
    case .integer16, .integer64: return random.flip() ? .number("\(number)") : .string("\(number)")
    case .uuid:
      let text = "6ba7b810-9dad-11d1-80b4-00c04fd4300\(number)"
      return .string(random.flip() ? text : text.uppercased().filter { $0 != "-" })
    default:
      let isNumber = random.flip() && number == 0
      return isNumber ? .number("0") : .string(Self.texts[number])
    }
  }

  /// Identities that are texts, with signs that JSON, SQL and the texts of composite keys treat in their own way.
  private static let texts = ["0", "x,1", "y'2", "\\ü3", "\"4, z"]

  private mutating func spelled(_ name: String) -> String {
    switch random.below(3) {
    case 0: name
    case 1: String(name.flatMap { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" })
    default: name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  // MARK: - Values

  private mutating func value(_ attribute: Attribute) -> TestJSON {
    if random.below(100) < mistakes { return wrong(attribute.type) }
    if attribute.isOptional && random.below(6) == 0 { return .null }
    let number = random.below(4)
    switch attribute.type {
    case .boolean:
      return random.pick([.bool(true), .bool(false), .number("1"), .string("no"), .string("TRUE")])
    case .integer16, .integer64, .integer32:
      return random.pick([.number("\(number)"), .string("\(number)"), .number("\(number).0"), .bool(true)])
    case .double: return random.pick([.number("\(number).5"), .string("\(number).5"), .number("\(number)")])
    case .decimal:
      return random.pick([
        .number("\(number).50"), .string("\(number).5"), .number("\(number)"), .number("1\(number)"),
      ])
    case .string: return random.pick([.string("w\(number)"), .number("\(number)"), .bool(false)])
    case .uuid: return identityValue(attribute)
    default: return .string(random.flip() ? "2020-01-1\(number)" : "2020011\(number)")
    }
  }

  private mutating func wrong(_ type: AttributeType) -> TestJSON {
    switch type {
    case .boolean: random.pick([.string("maybe"), .number("2"), .null])
    case .integer16, .integer64:
      random.pick([.number("99999999999999999999"), .number("1.5"), .string("x"), .null])
    case .string: random.pick([.string("too long, maybe"), .null])
    default: random.pick([.string("x"), .null])
    }
  }

  // MARK: - Links

  private mutating func link(_ end: Int, _ depth: Int) -> TestJSON.Member {
    let one = model.ends[end]
    let isKeys = random.below(3) == 0 && !model.isPart(one.target)
    let name = model.name(end)
    let key: String
    switch (isKeys, one.isToMany) {
    case (false, _): key = name
    case (true, false): key = random.pick(["\(name)_id", "\(name)ID", "\(name)Id"])
    case (true, true): key = random.pick(["\(name.dropLast())_ids", "\(name)Ids", "\(name.dropLast())IDs"])
    }
    if random.below(8) == 0 { return .init(key, .null) }
    guard one.isToMany else { return .init(key, element(end, depth, isKey: isKeys)) }
    var elements: [TestJSON] = []
    for _ in 0..<random.below(4) {
      let element = element(end, depth, isKey: isKeys)
      // The contract leaves open which place an object has that is in a list twice.
      if !elements.contains(where: { Self.sameIdentity($0, element) }) { elements.append(element) }
    }
    return .init(key, .list(elements))
  }

  private static func sameIdentity(_ one: TestJSON, _ other: TestJSON) -> Bool { one == other }

  private mutating func element(_ end: Int, _ depth: Int, isKey: Bool) -> TestJSON {
    let target = model.ends[end].target
    let identity = model.identity(target)
    if random.below(100) < mistakes { return random.pick([.null, .list([]), .number("1.5")]) }
    if identity.count == 1 && (isKey || random.below(2) == 0) { return identityValue(identity[0]) }
    if !identity.isEmpty && (depth == 0 || random.below(3) == 0) { return .object(self.identity(target)) }
    return .object(object(target, depth: max(0, depth - 1), from: end))
  }
}
