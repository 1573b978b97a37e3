import Foundation

/// One key of JSON that leads to objects of any of several entities, each with a table of its own.
///
/// A comment is about a photo or about an event. Its entity has a relationship to each of them, and an object has one of
/// the two:
///
/// ```swift
/// mapping["Comment"].polymorphic["commentable"] = PolymorphicRule("photo", "event")
/// ```
///
/// With that, JSON can say what a comment is about in several ways. The kind of an object is the name of its entity or
/// one of the values that the model has for it:
///
/// ```json
/// {"commentable": {"type": "Photo", "id": 5}}
/// {"commentable_type": "Photo", "commentable_id": 5}
/// {"commentable": "Photo/5"}
/// ```
///
/// The last one needs ``text``. Relationships that are to-many have lists whose elements are of any of the entities.
public struct PolymorphicRule: Sendable, Hashable {
  /// The relationships, of which an object has one; or whose objects stand in one list. Exports write the lists one after
  /// another.
  public var relationships: [String]
  /// The key that tells the kind, inside an object or beside the link. If it is nil, a common one such as `type` does, or
  /// the link's own with `_type` behind it.
  public var kind: String?
  /// The key of the target's identity, beside that of the kind: `commentable_id`. Exports use it if it is said.
  public var key: String?
  /// How a text leads to an object: `{kind}/{key}`.
  public var text: String?
  /// The kinds, and the relationship that each stands for, where they are not the names of entities.
  public var values: KindValues = [:]

  public init(
    _ relationships: String..., kind: String? = nil, key: String? = nil, text: String? = nil,
    values: KindValues = [:]
  ) {
    self.init(relationships, kind: kind, key: key, text: text, values: values)
  }

  init(
    _ relationships: [String], kind: String? = nil, key: String? = nil, text: String? = nil,
    values: KindValues = [:]
  ) {
    self.relationships = relationships
    self.kind = kind
    self.key = key
    self.text = text
    self.values = values
  }

  /// The texts before, between and after the kind and the key of a text, and the order of the two; nil if the text has
  /// not both once.
  package static func parts(ofText text: String) -> (around: [String], kindIsFirst: Bool)? {
    guard let kind = text.range(of: "{kind}"), let key = text.range(of: "{key}") else { return nil }
    let first = kind.lowerBound < key.lowerBound ? kind : key
    let second = kind.lowerBound < key.lowerBound ? key : kind
    let around = [
      String(text[..<first.lowerBound]), String(text[first.upperBound..<second.lowerBound]),
      String(text[second.upperBound...]),
    ]
    // Without anything between them, nobody could tell where one ends.
    guard !around[1].isEmpty, !around.contains(where: { $0.contains("{kind}") || $0.contains("{key}") })
    else {
      return nil
    }
    return (around, kind.lowerBound < key.lowerBound)
  }
}

extension PolymorphicRule: Codable {
  private enum CodingKeys: String, CodingKey {
    case relationships = "to"
    case kind, key, text, values
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    relationships = try fields.decode([String].self, forKey: .relationships)
    kind = try fields.decodeIfPresent(String.self, forKey: .kind)
    key = try fields.decodeIfPresent(String.self, forKey: .key)
    text = try fields.decodeIfPresent(String.self, forKey: .text)
    values = try fields.decodeIfPresent(KindValues.self, forKey: .values) ?? [:]
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(relationships, forKey: .relationships)
    try fields.encodeIfPresent(kind, forKey: .kind)
    try fields.encodeIfPresent(key, forKey: .key)
    try fields.encodeIfPresent(text, forKey: .text)
    if !values.pairs.isEmpty { try fields.encode(values, forKey: .values) }
  }
}

extension Annotations {
  /// On an entity, the keys that lead to objects of any of several entities, in alphabetical order.
  package var polymorphicRules: [(key: String, rule: PolymorphicRule)] {
    guard let text = first(of: ["broker.polymorphic"]) else { return [] }
    let rules = try? JSONDecoder().decode([String: PolymorphicRule].self, from: Data(text.utf8))
    return (rules ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Writes the rules as an annotation.
  static func write(_ rules: [String: PolymorphicRule], to userInfo: inout [String: String]) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(rules) else { return }
    userInfo["broker.polymorphic"] = String(decoding: data, as: UTF8.self)
  }
}

extension Entity {
  /// An obstacle to a key that leads to objects of several entities; nil if there is none.
  ///
  /// - Returns: What is wrong, the name that is not known, and those that are.
  package func problem(
    with rule: PolymorphicRule, in model: Model
  ) -> (message: String, name: String, known: [String])? {
    let all = EntityHierarchy(model).relationships(of: self)
    var relationships: [Relationship] = []
    for name in rule.relationships {
      guard let found = all.last(where: { $0.name == name }) else {
        return ("leads to “\(name)”, which is no relationship", name, all.map(\.name))
      }
      relationships.append(found)
    }
    guard relationships.count > 1, Set(rule.relationships).count == relationships.count else {
      return ("needs two relationships or more, each once", "", [])
    }
    guard Set(relationships.map(\.isToMany)).count == 1 else {
      return ("has relationships to one object and relationships to many", "", [])
    }
    if let required = relationships.first(where: { !$0.isOptional && !$0.isToMany }) {
      return ("leads to “\(required.name)”, which is required: an object has only one of them", "", [])
    }
    if let text = rule.text, PolymorphicRule.parts(ofText: text) == nil {
      return ("has the text “\(text)”, which needs {kind} and {key} once, and something between them", "", [])
    }
    if rule.key != nil, rule.kind == nil { return ("has a key without the key that tells the kind", "", []) }
    if let other = rule.values.pairs.first(where: { !rule.relationships.contains($0.entity) }) {
      return (
        "has “\(other.entity)” for “\(other.value)”, which is none of its relationships", other.entity,
        rule.relationships
      )
    }
    return ambiguity(of: relationships, rule)
  }

  private func ambiguity(
    of relationships: [Relationship], _ rule: PolymorphicRule
  ) -> (message: String, name: String, known: [String])? {
    var byDestination: [String: String] = [:]
    for relationship in relationships
    where !rule.values.pairs.contains(where: { $0.entity == relationship.name }) {
      guard let other = byDestination.updateValue(relationship.name, forKey: relationship.destination) else {
        continue
      }
      return (
        "has “\(other)” and “\(relationship.name)”, which both lead to \(relationship.destination): say a value for each",
        "", []
      )
    }
    return nil
  }
}
