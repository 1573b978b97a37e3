/// A model of data: entities with their attributes and relationships.
///
/// A model is a value that says what its source says, a Core Data file for example: nothing is inherited,
/// inferred or checked here. ``Schema`` is the same model resolved, ready for use.
public struct Model: Sendable, Hashable {
  /// The entities, in the order of the source.
  public var entities: [Entity]
  /// The composite attribute types that attributes refer to by name.
  public var composites: [Composite]
  /// Named subsets of entities. Broker keeps them and does not use them.
  public var configurations: [Configuration]
  /// Named fetch requests. Broker keeps them and does not use them.
  public var fetchRequests: [FetchRequest]
  /// The model's own version identifier, if it has one.
  public var versionIdentifier: String?
  /// Further attributes of the source, kept for a round trip: `sourceLanguage`, `usedWithCloudKit` …
  public var other: [String: String]

  public init(
    entities: [Entity] = [], composites: [Composite] = [], configurations: [Configuration] = [],
    fetchRequests: [FetchRequest] = [], versionIdentifier: String? = nil, other: [String: String] = [:]
  ) {
    self.entities = entities
    self.composites = composites
    self.configurations = configurations
    self.fetchRequests = fetchRequests
    self.versionIdentifier = versionIdentifier
    self.other = other
  }

  /// The entity with exactly this name.
  public subscript(entity name: String) -> Entity? {
    entities.first { $0.name == name }
  }
}

/// A type made of named attributes, stored with the object that has an attribute of it.
public struct Composite: Sendable, Hashable {
  public var name: String
  public var attributes: [Attribute]
  /// Further attributes of the source, kept for a round trip.
  public var other: [String: String]

  public init(name: String, attributes: [Attribute] = [], other: [String: String] = [:]) {
    self.name = name
    self.attributes = attributes
    self.other = other
  }
}

/// A named subset of a model's entities.
public struct Configuration: Sendable, Hashable {
  public var name: String
  public var entities: [String]
  /// Further attributes of the source, kept for a round trip: `usedWithCloudKit`.
  public var other: [String: String]

  public init(name: String, entities: [String] = [], other: [String: String] = [:]) {
    self.name = name
    self.entities = entities
    self.other = other
  }
}

/// A fetch request that a model names, in the words of the model file.
public struct FetchRequest: Sendable, Hashable {
  public var name: String
  public var entity: String?
  public var predicate: String?
  /// Further attributes of the file.
  public var other: [String: String]

  public init(
    name: String, entity: String? = nil, predicate: String? = nil, other: [String: String] = [:]
  ) {
    self.name = name
    self.entity = entity
    self.predicate = predicate
    self.other = other
  }
}

extension Model {
  /// The same model without what its properties say of JSON: keys, formats of dates, transformers, what is left out.
  ///
  /// Its stores have the same tables. What is exported with it is what the store holds, and is imported with it as that.
  package var withoutJSONForms: Model {
    changingUserInfo { _, _, userInfo in
      userInfo = userInfo.filter { Annotations.namesOfStores.contains($0.key) }
    }
  }

  /// The same model with another `userInfo` of each attribute and relationship.
  ///
  /// - Parameter change: Gets the names of the entity or the composite and of the property.
  package func changingUserInfo(_ change: (String, String, inout [String: String]) -> Void) -> Model {
    var model = self
    for index in model.composites.indices {
      let name = model.composites[index].name
      for place in model.composites[index].attributes.indices {
        let part = model.composites[index].attributes[place].name
        change(name, part, &model.composites[index].attributes[place].userInfo)
      }
    }
    for index in model.entities.indices {
      let name = model.entities[index].name
      for place in model.entities[index].attributes.indices {
        let attribute = model.entities[index].attributes[place].name
        change(name, attribute, &model.entities[index].attributes[place].userInfo)
      }
      for place in model.entities[index].relationships.indices {
        let relationship = model.entities[index].relationships[place].name
        change(name, relationship, &model.entities[index].relationships[place].userInfo)
      }
    }
    return model
  }
}

extension Model {
  /// The key of `userInfo` under which entities and properties keep what people wrote about them.
  package static let documentationKey = "documentation"
}
