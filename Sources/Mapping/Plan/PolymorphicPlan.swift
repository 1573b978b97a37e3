import ObjectModel
import ObjectStore

/// A key that leads to objects of any of several entities, by one relationship for each.
final class PolymorphicPlan: Sendable {
  /// The key.
  let name: String
  let rule: PolymorphicRule
  /// The relationships by their places among the entity's.
  let members: [Int]
  let isToMany: Bool
  /// How a text leads to an object; nil if none does.
  let text: LinkText?
  /// What objects may be, for issues.
  let expectation: String

  private let memberByValue: [String: Int]
  private let memberByName: [String: Int]
  private let membersByPattern: [(pattern: String, member: Int)]
  /// The values that exports write, by member.
  let values: [String]
  /// The keys that tell the kind beside the link; folded if they are so by convention.
  private let kindKeys: Set<String>

  /// The keys of an entity that lead to objects of several.
  static func all(of entity: SchemaEntity, _ schema: Schema) -> [PolymorphicPlan] {
    entity.ancestry.reversed().flatMap { index in
      let declared = schema.model.entities[index]
      return declared.annotations.polymorphicRules.compactMap { key, rule in
        declared.problem(with: rule, in: schema.model) == nil
          ? PolymorphicPlan(key, rule, entity, schema) : nil
      }
    }
  }

  /// Nil if one of the relationships is not of the entity, or is left out of imports.
  private init?(_ name: String, _ rule: PolymorphicRule, _ entity: SchemaEntity, _ schema: Schema) {
    self.name = name
    self.rule = rule
    members = rule.relationships.compactMap { name in
      entity.relationships.firstIndex {
        schema.relationships[$0].name == name && !schema.relationships[$0].relationship.annotations.isIgnored
      }
    }
    guard members.count == rule.relationships.count, let first = members.first else { return nil }
    isToMany = schema.relationships[entity.relationships[first]].isToMany
    text = rule.text.flatMap { LinkText($0) }
    kindKeys = rule.kind.map { [$0] } ?? [Names.folded(name) + "type", Names.folded(name) + "kind"]
    var (byValue, byName) = ([:] as [String: Int], [:] as [String: Int])
    var byPattern: [(pattern: String, member: Int)] = []
    func add(_ value: String, _ member: Int) {
      if value.contains("*") {
        byPattern.append((value, member))
      } else if byValue[value] == nil {
        byValue[value] = member
      }
    }
    for (value, relationship) in rule.values.pairs {
      if let member = rule.relationships.firstIndex(of: relationship) { add(value, member) }
    }
    var values: [String] = []
    for (member, place) in members.enumerated() {
      let target = schema.entities[schema.relationships[entity.relationships[place]].destination]
      let own = rule.values.pairs.first { $0.entity == rule.relationships[member] && !$0.value.contains("*") }
      values.append(own?.value ?? ExportKind.value(of: target, schema))
      for kind in schema.family(of: target.index).map({ schema.entities[$0] }) {
        for value in schema.model.entities[kind.index].annotations.kinds { add(value, member) }
        let name = Names.folded(kind.name)
        if byName[name] == nil { byName[name] = member }
      }
    }
    (memberByValue, memberByName, membersByPattern) = (byValue, byName, byPattern)
    self.values = values
    expectation = "an object of one of these kinds: " + values.joined(separator: ", ")
  }

  /// The member whose objects are of a kind.
  func member(ofKind value: String) -> Int? {
    if let member = memberByValue[value] { return member }
    for name in Names.singulars(Names.folded(value)) { if let member = memberByName[name] { return member } }
    return membersByPattern.first { Self.matches(value, $0.pattern) }?.member
  }

  private static func matches(_ value: String, _ pattern: String) -> Bool {
    Array(value.utf8).withUnsafeBufferPointer { value in
      Array(pattern.utf8).withUnsafeBufferPointer { Wildcards.match(value, $0) }
    }
  }

  /// Whether a key of an object may tell the kind of that object.
  func tellsKindInside(_ key: String) -> Bool { rule.kind.map { $0 == key } ?? KindPlan.isCommon(key) }

  /// Whether a key beside the link tells the kind of what it leads to.
  func tellsKindBeside(_ key: String) -> Bool {
    kindKeys.contains(rule.kind == nil ? Names.folded(key) : key)
  }

  /// The key that exports tell the kind by.
  var kindKey: String { rule.kind ?? "type" }
}

/// The keys of an entity's objects that tell their kind where a polymorphic key leads to them, and nothing else.
struct LinkKindKeys: Sendable {
  private var keys: Set<String> = []
  /// Whether common keys, such as `type`, do.
  private var areCommon = false

  /// By entity; nil where no polymorphic key leads to its objects.
  static func all(_ polymorphic: [[PolymorphicPlan]], _ schema: Schema) -> [LinkKindKeys?] {
    var result: [LinkKindKeys?] = Array(repeating: nil, count: schema.entities.count)
    for (entity, plans) in polymorphic.enumerated() {
      for plan in plans {
        for place in plan.members {
          let relationship = schema.relationships[schema.entities[entity].relationships[place]]
          for kind in schema.family(of: relationship.destination) {
            var known = result[kind] ?? LinkKindKeys()
            if let key = plan.rule.kind { known.keys.insert(key) } else { known.areCommon = true }
            result[kind] = known
          }
        }
      }
    }
    return result
  }

  func contains(_ key: String) -> Bool { keys.contains(key) || (areCommon && KindPlan.isCommon(key)) }
}

/// How a text leads to an object of a kind: `Photo/5`.
struct LinkText: Sendable {
  /// What stands before, between and after the two.
  private let around: [String]
  private let kindIsFirst: Bool

  init?(_ text: String) {
    guard let parts = PolymorphicRule.parts(ofText: text) else { return nil }
    (around, kindIsFirst) = parts
  }

  /// The kind and the key that a text consists of; nil if it has another form.
  func parts(of text: Substring) -> (kind: String, key: String)? {
    guard text.hasPrefix(around[0]), text.hasSuffix(around[2]),
      text.count >= around[0].count + around[2].count
    else { return nil }
    let inner = text.dropFirst(around[0].count).dropLast(around[2].count)
    let separator = Array(around[1].utf8)
    let bytes = Array(inner.utf8)
    guard separator.count < bytes.count else { return nil }
    for start in 0...bytes.count - separator.count where bytes[start...].starts(with: separator) {
      let first = String(decoding: bytes[..<start], as: UTF8.self)
      let second = String(decoding: bytes[(start + separator.count)...], as: UTF8.self)
      return kindIsFirst ? (first, second) : (second, first)
    }
    return nil
  }

  /// The text for a kind and a key.
  func text(kind: String, key: String) -> String {
    let (first, second) = kindIsFirst ? (kind, key) : (key, kind)
    return around[0] + first + around[1] + second + around[2]
  }
}
