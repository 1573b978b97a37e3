import ObjectModel

/// Makes up JSON for a model: true to it for the most part, and wrong now and then.
struct RandomDocument {
  let sketch: NaiveModel
  var random: Seeded
  init(sketch: NaiveModel, random: Seeded) {
    self.sketch = sketch
    self.random = random
  }

  /// How often a value is wrong, in hundredths.
  var mistakes = 4

  /// A document of several lists.
  mutating func document() -> TestJSON {
    let kinds = sketch.kinds.indices.filter { !sketch.kinds[$0].isAbstract }
    let isTop = random.below(8) == 0
    let chosen = random.shuffled(kinds.filter { isTop || !sketch.isPart($0) }).prefix(
      1 + random.below(kinds.count))
    return .object(chosen.map { kind in .init(listName(kind), list(kind)) })
  }

  /// Objects of one entity: a list, a dictionary keyed by identity, or one object.
  mutating func objects(_ kind: Int) -> TestJSON {
    switch random.below(4) {
    case 0: return .object(object(kind, depth: 1))
    case 1 where sketch.identity(kind).count == 1: return keyed(kind)
    default: return list(kind)
    }
  }

  private mutating func keyed(_ kind: Int) -> TestJSON {
    var members: [TestJSON.Member] = []
    for number in random.some(Array(0..<5), atMost: 3) {
      guard let attribute = sketch.identity(kind).first else { continue }
      var value = identityValue(attribute)
      while numbers([.init("", value)]) != "\(number)" { value = identityValue(attribute) }
      let inner = object(kind, depth: 1, isKeyed: true)
      let key = value.text.filter { $0 != "\"" }
      if inner.first.map({ $0.key != "surplus" }) ?? false { members.append(.init(key, .object(inner))) }
    }
    return members.isEmpty ? list(kind) : .object(members)
  }

  func listName(_ kind: Int) -> String { sketch.kinds[kind].name.lowercased() + "s" }

  /// The identities of the objects that are being told, by root.
  private var taken: [Int: [String]] = [:]

  private mutating func list(_ kind: Int) -> TestJSON {
    .list((0..<random.below(4)).map { _ in .object(object(kind, depth: 1 + random.below(2))) })
  }

  // MARK: - Objects

  /// An object nested by `way` says nothing of the way back: whether its word or its owner's counts more is
  /// nobody's promise. Nor is it nested in itself.
  mutating func object(_ kind: Int, depth: Int, from way: Int? = nil, isKeyed: Bool = false) -> [TestJSON
    .Member]
  {
    var members = isKeyed ? [] : identity(kind, avoiding: taken[sketch.root(kind), default: []])
    let name = numbers(members)
    taken[sketch.root(kind), default: []].append(name)
    defer { taken[sketch.root(kind)]?.removeLast() }
    for attribute in sketch.attributes(kind) where !sketch.identity(kind).contains(attribute) {
      if random.below(100) < (attribute.isOptional ? 40 : 85) {
        members.append(.init(spelled(attribute.name), value(attribute)))
      }
    }
    var said: [Int] = []
    for end in sketch.namedEnds(of: kind)
    where end != way.map({ sketch.ends[$0].inverse }) && !contradicts(end, said) && !sketch.ends[end].isBack
      && random.below(100) < (sketch.ends[end].isRequired ? 85 : 35)
    {
      members.append(link(end, depth))
      said.append(end)
    }
    let kinds = sketch.kinds.indices.filter { sketch.isKind($0, of: kind) && !sketch.kinds[$0].isAbstract }
    if kinds.count > 1 && members.count > 1 && random.flip() {
      members.append(.init("type", .string(sketch.kinds[random.pick(kinds)].name.lowercased())))
    }
    if random.below(20) == 0 && !members.isEmpty { members.append(.init("surplus", .number("1"))) }
    return members
  }

  /// Both ends of a relationship to its own entity, in one object, may contradict each other about itself.
  private func contradicts(_ end: Int, _ said: [Int]) -> Bool {
    said.contains(sketch.ends[end].inverse)
  }

  /// The digits of an identity, which are what differs between the spellings' values.
  private func numbers(_ members: [TestJSON.Member]) -> String {
    members.sorted { $0.key.lowercased() < $1.key.lowercased() }
      .map { $0.value.text.filter(\.isNumber).suffix(1) }.joined()
  }

  private mutating func identity(_ kind: Int, avoiding taken: [String]) -> [TestJSON.Member] {
    if sketch.isPart(kind) { return [] }
    var members = identity(kind)
    while !members.isEmpty && taken.contains(numbers(members)) { members = identity(kind) }
    return members
  }

  private mutating func identity(_ kind: Int) -> [TestJSON.Member] {
    if random.below(100) < mistakes { return [] }
    let identity = sketch.identity(kind)
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
    default: return random.flip() ? .number("\(number)") : .string("\(number)")
    }
  }

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
    let one = sketch.ends[end]
    let isKeys = random.below(3) == 0 && !sketch.isPart(one.target)
    let name = sketch.name(end)
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
      // Which place an object has that is in a list twice is nobody's promise.
      if !elements.contains(where: { Self.sameIdentity($0, element) }) { elements.append(element) }
    }
    return .init(key, .list(elements))
  }

  private static func sameIdentity(_ one: TestJSON, _ other: TestJSON) -> Bool { one == other }

  private mutating func element(_ end: Int, _ depth: Int, isKey: Bool) -> TestJSON {
    let target = sketch.ends[end].target
    let identity = sketch.identity(target)
    if random.below(100) < mistakes { return random.pick([.null, .list([]), .number("1.5")]) }
    if identity.count == 1 && (isKey || random.below(2) == 0) { return identityValue(identity[0]) }
    if !identity.isEmpty && (depth == 0 || random.below(3) == 0) { return .object(self.identity(target)) }
    return .object(object(target, depth: max(0, depth - 1), from: end))
  }
}
