/// One thing in which a version of a model differs from an earlier one.
///
/// ```swift
/// for change in try Model.changes(from: old, to: new) { print(change) }
/// ```
public struct ModelChange: Sendable, Hashable {
  /// What is done to it.
  public enum Action: String, Sendable, Hashable {
    case added
    case removed
    case renamed
    /// It stays, and is another one: its type, whether it may be empty, how many objects it leads to …
    case changed
  }

  /// The name of the entity in the new version; of one that is removed, in the old version.
  public var entity: String
  /// The name of the property in the new version; of one that is removed, in the old version. Nil if it is the entity.
  public var property: String?
  public var action: Action
  /// What happens, in words that follow the name: `is new`, `was called title`.
  public var summary: String
  package var detail: Detail

  /// What the engine that migrates has to know of it.
  package enum Detail: Sendable, Hashable {
    /// Nothing: it follows from the two models.
    case none
    case removedEntity(Int)
    /// Attributes, each by an entity of the old version and an index among its attributes.
    case removedAttribute([Place])
    case removedRelationship(Int)
    /// Attributes of the new version that need a value.
    case neededValue([Place])
    /// Attributes of the new version whose type is another than before.
    case changedType([Place])
    /// A relationship of the new version whose links may not all be taken over.
    case changedRelationship(Int)
    /// Entities of the new version.
    case changedIdentity(Int)
    case removedIdentity(Int)
    case uniqueness(Int, [String])
    /// A to-one relationship of the new version that needs a target.
    case neededTarget(Int)
    /// Attributes of the new version that have other bounds or another pattern.
    case valueRule([Place])
    /// A difference on which no table and no value depends: a default, a delete rule, a key in JSON.
    case rule
  }

  /// Whether it changes what may be written or how it is read, and nothing that is stored.
  package var isRule: Bool {
    switch detail {
    case .valueRule, .rule: true
    default: false
    }
  }

  /// An attribute of an entity, by their indices in a schema.
  package struct Place: Sendable, Hashable {
    package var entity: Int
    package var attribute: Int
  }

  package init(
    entity: String, property: String?, action: Action, summary: String, detail: Detail = .none
  ) {
    self.entity = entity
    self.property = property
    self.action = action
    self.summary = summary
    self.detail = detail
  }

  /// The entity and the property, as `Album.year`.
  public var name: String { entity + (property.map { ".\($0)" } ?? "") }
}

extension ModelChange: CustomStringConvertible {
  public var description: String { "\(name) \(summary)" }
}

extension Model {
  /// What differs between two versions of a model, as far as a store is concerned, in the order of the new one.
  ///
  /// - Throws: ``SchemaError`` if one of them cannot be used.
  public static func changes(from old: Model, to new: Model) throws -> [ModelChange] {
    ModelChanges(ModelCorrespondence(old: try Schema(old), new: try Schema(new))).all
  }
}
