import JSONStream
import ObjectModel
import ObjectStore

/// How the objects of an entity tell which of its sub-entities they are of.
final class KindPlan {
  enum Form {
    /// The value of a key path.
    case key(JSONKeyPath)
    /// The key around the object.
    case wrapper
    case function(@Sendable (JSONValue) -> String?)
    /// The model says nothing: a wrapper, or the value of a common key such as `type`, if it names a sub-entity.
    case convention
  }

  /// The treatment of an object of an unknown kind.
  enum Unknown {
    /// An issue: the object is skipped.
    case issue
    case skip
    /// The entity that the object becomes one of.
    case entity(Int)
  }

  let form: Form
  let unknown: Unknown
  /// Whether its objects can be of no other entity. Then the value that tells the kind is kept, whatever it is.
  let isAlone: Bool
  /// The names of the kinds, for messages.
  let names: [String]
  /// The entity of objects that do not tell theirs; nil if it is the one that is expected.
  let defaultKind: Int?
  private let kindByValue: [String: Int]
  /// Values with wildcards, in the order of the model.
  private let kindsByPattern: [(pattern: String, kind: Int)]
  private let kindByName: [String: Int]

  /// Common keys that tell what an object is, folded.
  private static let commonKeys: Set<String> = [
    "type", "kind", "entity", "class", "object", "objecttype", "@type", "@class", "typename",
  ]

  /// Nil for an entity without sub-entities, unless a value tells its objects from those of its relatives.
  ///
  /// - Throws: ``PlanError`` for an unknown function, and for a value that stands for two entities.
  init?(_ entity: SchemaEntity, _ schema: Schema, _ functions: MappingFunctions) throws(PlanError) {
    let family = schema.family(of: entity.index).map { schema.entities[$0] }
    let annotations = entity.ancestry.map { schema.model.entities[$0].annotations }
    isAlone = family.count == 1
    let hasRelatives = schema.family(of: entity.root).count > 1
    let isToldByKey = annotations.contains { $0.discriminatorPath != nil && $0.discriminatorFunction == nil }
    guard !isAlone || (hasRelatives && isToldByKey) else { return nil }
    if let name = annotations.compactMap(\.discriminatorFunction).first {
      guard let function = functions.discriminators[name] else {
        throw PlanError(
          entity: entity.name, property: "discriminator",
          message: "is the function \(name), which is not known. Register it under that name")
      }
      form = .function(function)
    } else if let path = annotations.compactMap(\.discriminatorPath).first {
      form = .key(path)
    } else {
      form = annotations.contains(where: \.isWrapped) ? .wrapper : .convention
    }
    unknown =
      isAlone ? .issue : try Self.unknown(entity, family, annotations.compactMap(\.unknown).first, form)
    names = family.filter { !$0.isAbstract }.map(\.name)
    kindByName = Dictionary(
      family.map { (Names.folded($0.name), $0.index) }, uniquingKeysWith: { first, _ in first })
    let defaultName = annotations.compactMap(\.defaultKind).first
    defaultKind =
      isAlone && defaultName != nil ? entity.index : try Self.defaultKind(entity, family, defaultName)
    var kindByValue: [String: Int] = [:]
    var kindsByPattern: [(pattern: String, kind: Int)] = []
    for kind in family {
      for value in schema.model.entities[kind.index].annotations.kinds {
        if value.contains("*") {
          kindsByPattern.append((value, kind.index))
          continue
        }
        if let other = kindByValue.updateValue(kind.index, forKey: value) {
          throw PlanError(
            entity: kind.name, property: "discriminator",
            message: "and \(schema.entities[other].name) both stand for \(value)")
        }
      }
    }
    self.kindByValue = kindByValue
    self.kindsByPattern = kindsByPattern
  }

  private static func defaultKind(
    _ entity: SchemaEntity, _ family: [SchemaEntity], _ name: String?
  ) throws(PlanError) -> Int? {
    guard let name else { return nil }
    guard let kind = family.first(where: { $0.name == name && !$0.isAbstract }) else {
      throw PlanError(
        entity: entity.name, property: "discriminator",
        message:
          "has \(name) for objects that do not say their kind, which is no sub-entity that objects can be of")
    }
    return kind.index
  }

  private static func unknown(
    _ entity: SchemaEntity, _ family: [SchemaEntity], _ name: String?, _ form: Form
  ) throws(PlanError) -> Unknown {
    guard let name else { return .issue }
    if name == "skip" { return .skip }
    let isWrapped = if case .wrapper = form { true } else { false }
    guard !isWrapped, let kind = family.first(where: { $0.name == name && !$0.isAbstract }) else {
      throw PlanError(
        entity: entity.name, property: "discriminator",
        message: isWrapped
          ? "has \(name) for kinds that are not known; where a key around objects tells the kind, only skip can be said"
          : "has \(name) for kinds that are not known, which is no sub-entity that objects can be of")
    }
    return .entity(kind.index)
  }

  /// The entity that the key of a wrapper stands for.
  func kind(named key: String) -> Int? {
    kindByValue[key] ?? kindByName[Names.folded(key)] ?? kindByPattern(key)
  }

  /// The entity that a value stands for, which may be its name in the plural: `photos`.
  func kind(ofValue value: String) -> Int? {
    if let kind = kindByValue[value] { return kind }
    for name in Names.singulars(Names.folded(value)) { if let kind = kindByName[name] { return kind } }
    return kindByPattern(value)
  }

  private func kindByPattern(_ value: String) -> Int? {
    guard !kindsByPattern.isEmpty else { return nil }
    return Array(value.utf8).withUnsafeBufferPointer { text in
      kindsByPattern.first { pattern, _ in
        Array(pattern.utf8).withUnsafeBufferPointer { Wildcards.match(text, $0) }
      }?.kind
    }
  }

  /// Whether a key is one of the common ones that tell what an object is.
  static func isCommon(_ key: String) -> Bool { commonKeys.contains(Names.folded(key)) }

  /// Whether a key of an object may tell what the object is.
  func mayTell(_ key: String) -> Bool {
    switch form {
    case .key(let path): key == path.firstKey
    case .wrapper: kind(named: key) != nil
    case .function: false
    case .convention: Self.isCommon(key) || kind(named: key) != nil
    }
  }

  /// The kinds that are known, for issues about an object of another one.
  var expectation: String {
    "a kind of object: " + names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }
}

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
  /// The expected kinds of objects, for issues.
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
  /// The texts before, between and after the two.
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

  func text(kind: String, key: String) -> String {
    let (first, second) = kindIsFirst ? (kind, key) : (key, kind)
    return around[0] + first + around[1] + second + around[2]
  }
}

/// The dictionary that a relationship's targets stand in: JSON objects, maybe in one another, whose keys fill attributes
/// of the targets.
final class DictionaryPlan: Sendable {
  /// The names of the attributes that the keys fill, the outermost first.
  let keys: [String]
  /// The name of the property that a value fills if it is no object.
  let value: String?

  /// Nil if the model does not say that there is one, or what it says cannot be.
  init?(_ relationship: SchemaRelationship, _ schema: Schema) {
    let declared = relationship.relationship
    guard let rule = declared.dictionaryRule, declared.problem(with: rule, in: schema.model) == nil else {
      return nil
    }
    keys = rule.keys
    value = rule.value
  }
}
