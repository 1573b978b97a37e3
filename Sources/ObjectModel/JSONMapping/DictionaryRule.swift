/// How a relationship's objects stand in a JSON object whose keys are data.
///
/// `{"translations": {"ara": {"official": "…"}}}` has a translation for each key, and the key is its `language`:
///
/// ```swift
/// mapping["Country"].dictionaries["translations"] = DictionaryRule("language")
/// ```
///
/// `{"stats": {"ie": {"11": "y"}}}` nests two of them, and has a scalar at the end:
///
/// ```swift
/// mapping["Feature"].dictionaries["stats"] = DictionaryRule("browser", "version", value: "support")
/// ```
public struct DictionaryRule: Sendable, Hashable, Codable {
  /// The attributes of the target that the keys fill, the outermost first.
  public var keys: [String]
  /// The property of the target that a value fills if it is no object; nil if all are objects.
  public var value: String?

  public init(_ keys: String..., value: String? = nil) {
    self.keys = keys
    self.value = value
  }

  init(keys: [String], value: String?) {
    self.keys = keys
    self.value = value
  }

  /// More dictionaries in one another than anybody sends.
  static let mostLevels = 16
}

extension Relationship {
  /// The rule that its annotations give.
  package var dictionaryRule: DictionaryRule? {
    annotations.dictionaryKeys.map { DictionaryRule(keys: $0, value: annotations.dictionaryValue) }
  }

  /// An obstacle to a dictionary of its targets; nil if there is none.
  ///
  /// - Returns: What is wrong, the name that is not known, and those that are.
  package func problem(
    with rule: DictionaryRule, in model: Model
  ) -> (message: String, name: String, known: [String])? {
    guard isToMany else { return ("leads to one object, and a dictionary has several", "", []) }
    guard !rule.keys.isEmpty else { return ("has a dictionary without an attribute for its keys", "", []) }
    guard rule.keys.count <= DictionaryRule.mostLevels else {
      return ("has more than \(DictionaryRule.mostLevels) dictionaries in one another", "", [])
    }
    guard let target = model.entities.first(where: { $0.name == destination }) else { return nil }
    let hierarchy = EntityHierarchy(model)
    let attributes = hierarchy.attributes(of: target).filter { !$0.isTransient }
    for name in rule.keys {
      guard let attribute = attributes.last(where: { $0.name == name }) else {
        return (
          "has a dictionary by “\(name)”, which is no attribute of \(destination)", name,
          attributes.map(\.name)
        )
      }
      guard attribute.canIdentify, attribute.annotations.hasSimpleKey else {
        return ("has a dictionary by “\(name)”, whose value cannot be a key", "", [])
      }
    }
    let ancestors = [target] + hierarchy.ancestors(of: target)
    let properties = attributes.map(\.name) + ancestors.flatMap(\.relationships).map(\.name)
    if let value = rule.value, !properties.contains(value) {
      return ("has a dictionary of “\(value)”, which is no property of \(destination)", value, properties)
    }
    return nil
  }
}

extension Annotations {
  /// Whether the first key in JSON is one key and no path.
  fileprivate var hasSimpleKey: Bool {
    keys.first.map { (try? JSONKeyPath($0))?.onlyKey != nil } ?? true
  }
}

/// Objects inside an object's JSON that hold its properties.
///
/// JSON:API has an object's attributes under `attributes`, its relationships under `relationships`, and what those lead to
/// under `data`:
///
/// ```swift
/// mapping["Article"].inside = InsideRule(
///   attributes: "attributes", relationships: "relationships", targets: ["data"])
/// ```
///
/// The keys in there are matched as those of the object itself. An identity, and properties with key paths of their own,
/// stand where they stood.
public struct InsideRule: Sendable, Hashable, Codable {
  /// The key path to the object that holds the attributes.
  public var attributes: String?
  /// The key path to the object that holds the relationships.
  public var relationships: String?
  /// The key paths from the value of a relationship's key, or from an element of its list, to the targets. The first
  /// that is there counts, and an export writes the first.
  public var targets: [String]

  public init(attributes: String? = nil, relationships: String? = nil, targets: [String] = []) {
    self.attributes = attributes
    self.relationships = relationships
    self.targets = targets
  }

  /// Its key paths, each with what it is for.
  var paths: [(name: String, path: String)] {
    [("attributes", attributes), ("relationships", relationships)].compactMap { name, path in
      path.map { (name, $0) }
    } + targets.map { ("targets", $0) }
  }
}

extension Annotations {
  /// On an entity, the objects inside its JSON that hold its properties.
  package var inside: InsideRule? {
    let rule = InsideRule(
      attributes: first(of: ["broker.inside.attributes"]),
      relationships: first(of: ["broker.inside.relationships"]),
      targets: first(of: ["broker.inside.targets"]).flatMap(Self.list) ?? [])
    return rule == InsideRule() ? nil : rule
  }

  /// Writes a rule as annotations.
  static func write(_ rule: InsideRule, to userInfo: inout [String: String]) {
    userInfo["broker.inside.attributes"] = rule.attributes
    userInfo["broker.inside.relationships"] = rule.relationships
    userInfo["broker.inside.targets"] = rule.targets.isEmpty ? nil : rule.targets.joined(separator: ",")
  }
}
