import TestSettings
import Mapping
import ObjectModel

/// Another way to write the documents of a model, and the mapping that says so. The naive import gets the plain documents,
/// and Broker the shaped ones: what they make must be the same.
///
/// Attributes stand at places in lists and behind keys with dots, lists are dictionaries by one of their targets'
/// attributes, and pairs of relationships to one object share a key.
struct DocumentShape {
  /// How an attribute is written.
  enum Place: CaseIterable {
    case secondOfList, lastOfList, insideObject, keyWithDot
  }

  struct AttributeID: Hashable {
    var kind: Int
    var name: String
  }

  let model: NaiveModel
  private(set) var places: [AttributeID: Place] = [:]
  /// By end, the attribute of the targets that the keys of a dictionary fill.
  private(set) var dictionaries: [Int: String] = [:]
  /// Pairs of ends of one kind that share a key, by that key.
  private(set) var shared: [String: [Int]] = [:]

  init(_ model: NaiveModel, _ random: inout Seeded) {
    self.model = model
    for (index, kind) in model.kinds.enumerated() {
      for attribute in kind.attributes where random.flip() {
        places[AttributeID(kind: index, name: attribute.name)] = random.pick(Place.allCases)
      }
      let ends = model.ends.indices.filter { sharesKey($0, index) }
      if ends.count > 1, model.root(model.ends[ends[0]].target) != model.root(model.ends[ends[1]].target) {
        shared["any\(kind.name)"] = Array(ends.prefix(2))
      }
    }
    for (index, end) in model.ends.enumerated() where end.name != nil && end.isToMany && random.flip() {
      let identity = model.identity(end.target)
      let usable = identity.count == 1 ? identity : identity.isEmpty ? model.attributes(end.target) : []
      let simple = usable.filter { place(of: $0.name, end.target) == nil && $0.type != .boolean }
      dictionaries[index] = simple.first?.name
    }
  }

  private func sharesKey(_ index: Int, _ kind: Int) -> Bool {
    let end = model.ends[index]
    return end.owner == kind && end.name != nil && !end.isToMany && !end.isRequired && !end.isBack
      && model.holds(index) && !model.isPart(end.target) && end.inverse != index
  }

  private func place(of name: String, _ kind: Int) -> Place? {
    var next: Int? = kind
    while let kind = next {
      if let place = places[AttributeID(kind: kind, name: name)] { return place }
      next = model.kinds[kind].parent
    }
    return nil
  }

  // MARK: - The mapping

  var mapping: JSONMapping {
    var mapping = JSONMapping()
    for (id, place) in places {
      mapping[model.kinds[id.kind].name].keys[id.name] = [Self.path(id.name, place)]
    }
    for (end, attribute) in dictionaries {
      mapping[model.kinds[model.ends[end].owner].name].dictionaries[model.name(end)] = DictionaryRule(
        attribute)
    }
    for (key, ends) in shared {
      var rule = PolymorphicRule(kind: "isa", key: "\(key)Ref")
      rule.relationships = ends.map { model.name($0) }
      mapping[model.kinds[model.ends[ends[0]].owner].name].polymorphic[key] = rule
    }
    return mapping
  }

  private static func path(_ name: String, _ place: Place) -> String {
    switch place {
    case .secondOfList: "at\(name)[1]"
    case .lastOfList: "last\(name)[-1]"
    case .insideObject: "in\(name).list[0].value"
    case .keyWithDot: "[\"dot.\(name)\"]"
    }
  }

  private static func member(_ name: String, _ place: Place, _ value: TestJSON) -> TestJSON.Member {
    switch place {
    case .secondOfList: .init("at\(name)", .list([.null, value]))
    case .lastOfList: .init("last\(name)", .list([.null, .null, value]))
    case .insideObject:
      .init("in\(name)", .object([.init("list", .list([.object([.init("value", value)])]))]))
    case .keyWithDot: .init("dot.\(name)", value)
    }
  }
}

/// A document in both forms.
struct ShapedJSON {
  var plain: TestJSON
  var shaped: TestJSON
}

extension DocumentShape {
  /// Both forms of a document.
  func forms(_ document: TestJSON, _ options: ImportOptions) -> ShapedJSON {
    let naive = NaiveImport(NaiveState(model), options)
    if let name = options.entity, let kind = model.kinds.firstIndex(where: { $0.name == name }) {
      return all(document, kind, naive)
    }
    guard case .object(let lists) = document else { return ShapedJSON(plain: document, shaped: document) }
    let forms = lists.map { list in
      let kind = model.kinds.firstIndex { $0.name.lowercased() + "s" == list.key } ?? 0
      return (list.key, all(list.value, kind, naive))
    }
    return ShapedJSON(
      plain: .object(forms.map { .init($0, $1.plain) }), shaped: .object(forms.map { .init($0, $1.shaped) }))
  }

  private func all(_ value: TestJSON, _ kind: Int, _ naive: NaiveImport) -> ShapedJSON {
    if case .object(let members) = value, let first = members.first, naive.property(first.key, kind) == nil,
      case .object = first.value
    {
      // A dictionary keyed by identity.
      let forms = members.map { ($0.key, element($0.value, kind, from: nil, naive)) }
      return ShapedJSON(
        plain: .object(forms.map { .init($0, $1.plain) }), shaped: .object(forms.map { .init($0, $1.shaped) })
      )
    }
    guard case .list(let elements) = value else { return element(value, kind, from: nil, naive) }
    let forms = elements.map { element($0, kind, from: nil, naive) }
    return ShapedJSON(plain: .list(forms.map(\.plain)), shaped: .list(forms.map(\.shaped)))
  }

  /// - Parameter end: The end by which another object nests it.
  private func element(
    _ value: TestJSON, _ kind: Int, from end: Int?, _ naive: NaiveImport
  ) -> ShapedJSON {
    guard case .object(let members) = value else { return ShapedJSON(plain: value, shaped: value) }
    let kind = naive.kind(members, kind)
    var (plain, shaped) = ([] as [TestJSON.Member], [] as [TestJSON.Member])
    var cleared = othersOf(end, members, kind, naive)
    for member in members {
      switch naive.property(member.key, kind) {
      case .attribute(let name):
        plain.append(member)
        shaped.append(place(of: name, kind).map { Self.member(name, $0, member.value) } ?? member)
      case .end(let end):
        let value = link(member.value, end, naive)
        plain.append(.init(member.key, value.plain))
        if let sharing = sharing(end, member, members, kind, naive) {
          shaped += Self.members(sharing.key, value.shaped, model.kinds[model.ends[end].target].name)
          cleared += sharing.others
        } else {
          shaped.append(.init(member.key, value.shaped))
        }
      case nil:
        plain.append(member)
        shaped.append(member)
      }
    }
    plain += cleared.map { .init(model.name($0), .null) }
    return ShapedJSON(plain: .object(plain), shaped: .object(shaped))
  }

  /// An object that is nested by the other end of a shared key has no other link of that key.
  private func othersOf(
    _ end: Int?, _ members: [TestJSON.Member], _ kind: Int, _ naive: NaiveImport
  ) -> [Int] {
    guard let end, !naive.isReference(members, kind),
      let ends = shared.values.first(where: { $0.contains(model.ends[end].inverse) })
    else { return [] }
    let named = members.compactMap { naive.property($0.key, kind) }
    return ends.filter { $0 != model.ends[end].inverse && !named.contains(.end($0)) }
  }

  private func link(_ value: TestJSON, _ end: Int, _ naive: NaiveImport) -> ShapedJSON {
    let target = model.ends[end].target
    guard case .list(let elements) = value else { return element(value, target, from: end, naive) }
    let forms = elements.map { element($0, target, from: end, naive) }
    let plain = TestJSON.list(forms.map(\.plain))
    if let attribute = dictionaries[end], let dictionary = Self.dictionary(forms, attribute, target, naive) {
      return ShapedJSON(plain: plain, shaped: .object(dictionary))
    }
    return ShapedJSON(plain: plain, shaped: .list(forms.map(\.shaped)))
  }

  /// The members of a dictionary; nil if the list cannot be one.
  private static func dictionary(
    _ elements: [ShapedJSON], _ attribute: String, _ kind: Int, _ naive: NaiveImport
  ) -> [TestJSON.Member]? {
    var result: [TestJSON.Member] = []
    for element in elements {
      guard case .object(var members) = element.shaped,
        let place = members.firstIndex(where: {
          naive.property($0.key, naive.kind(members, kind)) == .attribute(attribute)
        })
      else { return nil }
      switch members.remove(at: place).value {
      case .string(let key), .number(let key):
        // What comes under one key twice, and what is only a key, is not the same in a dictionary.
        if result.contains(where: { $0.key == key }) || members.isEmpty { return nil }
        result.append(.init(key, .object(members)))
      default: return nil
      }
    }
    return result.isEmpty ? nil : result
  }

  // MARK: - Shared keys

  /// The key that a link may be written under, and the other ends that it clears. Nil if the object names both, or the
  /// link names nothing.
  private func sharing(
    _ end: Int, _ member: TestJSON.Member, _ members: [TestJSON.Member], _ kind: Int, _ naive: NaiveImport
  ) -> (key: String, others: [Int])? {
    guard let (key, ends) = shared.first(where: { $0.value.contains(end) }).map({ ($0.key, $0.value) }) else {
      return nil
    }
    let others = ends.filter { $0 != end }
    let named = members.compactMap { naive.property($0.key, kind) }
    guard !others.contains(where: { named.contains(.end($0)) }) else { return nil }
    let target = model.ends[end].target
    switch member.value {
    case .object(let inner):
      var naive = naive
      guard naive.key(inner, naive.kind(inner, target)) != nil else { return nil }
    case .string, .number:
      guard let only = model.identity(target).first, model.identity(target).count == 1,
        NaiveValues.convert(member.value, only) != nil
      else { return nil }
    default: return nil
    }
    return (key, others)
  }

  /// The kind stands inside an object, and beside a key.
  private static func members(_ key: String, _ value: TestJSON, _ kind: String) -> [TestJSON.Member] {
    guard case .object(let inner) = value else {
      return [.init("\(key)Ref", value), .init("isa", .string(kind.lowercased()))]
    }
    return [.init(key, .object([.init("isa", .string(kind))] + inner))]
  }
}
