/// A form of JSON that many services share. A mapping that names one says all that the form needs; whatever else the
/// mapping says comes before it.
public enum Dialect: String, Sendable, Hashable, Codable, CaseIterable {
  /// JSON:API: objects in `data` and `included`, each with `type`, `id`, `attributes` and `relationships`.
  case jsonapi
  /// HAL: lists and related objects in `_embedded`.
  case hal
  /// FHIR: resources in the entries of a bundle, references as `{"reference": "Patient/1"}`.
  case fhir
  /// OData: objects in `value`, and annotations that begin with `@odata.`.
  case odata
  /// GraphQL: answers in `data`, connections with `edges` and `node`, or with `nodes`.
  case graphql
  /// GeoJSON: features, with attributes in `properties`.
  case geojson

  /// The dialect as a mapping that could have been written by hand.
  public func mapping(for model: Model) -> JSONMapping {
    var mapping = JSONMapping()
    mapping.document = document
    // A model that cannot be used has no identities, and an import of it fails by itself.
    let identities = (try? Schema(model))?.entities.map { ($0.name, $0.identity.count) } ?? []
    for entity in model.entities {
      mapping[entity.name] = rules(for: entity, Dictionary(identities) { first, _ in first })
    }
    return mapping
  }

  private var document: DocumentMapping {
    var document = DocumentMapping()
    switch self {
    case .jsonapi:
      document.root = "data|included"
      document.kind = "type"
      document.referencesAreObjects = true
      document.ignored = ["links", "meta"]
    case .hal:
      document.root = "_embedded?"
      document.namesLists = true
      document.ignored = ["_links"]
    case .fhir:
      document.root = "entry?[].resource"
      document.kind = "resourceType"
      document.constants = ["resourceType": "Bundle", "type": "collection"]
    case .odata:
      document.root = "value?"
      document.ignored = ["@odata.*", "*@odata.*"]
    case .graphql:
      document.root = "data"
      document.namesLists = true
      document.ignored = ["__typename", "pageInfo", "totalCount"]
    case .geojson:
      document.root = "features?"
      document.constants = ["type": "FeatureCollection"]
      document.ignored = ["bbox"]
    }
    return document
  }

  /// - Parameter identities: How many values identify the objects of each entity.
  private func rules(for entity: Entity, _ identities: [String: Int]) -> EntityMapping {
    var rules = EntityMapping()
    switch self {
    case .jsonapi:
      rules.inside = InsideRule(attributes: "attributes", relationships: "relationships", targets: ["data"])
    case .hal: rules.inside = InsideRule(relationships: "_embedded")
    case .fhir:
      rules.inside = InsideRule(targets: ["reference", "[].reference"])
      // Objects that several values identify are named by no text.
      for relationship in entity.relationships where identities[relationship.destination] == 1 {
        rules.transformers[relationship.name] = [
          .regex("^(?:[^_/][^/]*/|/)*([^/]+?)(?:/_history/.*)?$", write: "\(relationship.destination)/$1")
        ]
      }
    case .odata: break
    case .graphql: rules.inside = InsideRule(targets: ["edges[].node", "nodes"])
    case .geojson:
      // Only what is in a list of features is a feature.
      guard identities[entity.name, default: 0] > 0 else { break }
      rules.inside = InsideRule(attributes: "properties", relationships: "properties")
      rules.constants = ["type": "Feature"]
      for name in ["geometry", "bbox"] where entity.attributes.contains(where: { $0.name == name }) {
        rules.keys[name] = [name]
      }
    }
    return rules
  }
}

extension JSONMapping {
  /// The mapping with all that its dialect says and it does not say itself.
  func withDialect(for model: Model) -> JSONMapping {
    guard let dialect else { return self }
    // What has an identity may depend on what the mapping itself says.
    var own = self
    own.dialect = nil
    let other = dialect.mapping(for: (try? own.applied(to: model)) ?? model)
    var result = self
    result.document.fill(from: other.document)
    for (name, rules) in other.entities { result[name].fill(from: rules) }
    return result
  }
}

extension DocumentMapping {
  fileprivate mutating func fill(from other: DocumentMapping) {
    root = root ?? other.root
    kind = kind ?? other.kind
    ignored += other.ignored
    constants.merge(other.constants) { own, _ in own }
    referencesAreObjects = referencesAreObjects || other.referencesAreObjects
    namesLists = namesLists || other.namesLists
  }
}

extension EntityMapping {
  fileprivate mutating func fill(from other: EntityMapping) {
    inside = inside ?? other.inside
    constants.merge(other.constants) { own, _ in own }
    keys.merge(other.keys) { own, _ in own }
    transformers.merge(other.transformers) { own, _ in own }
  }
}
