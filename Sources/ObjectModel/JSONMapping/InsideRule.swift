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
