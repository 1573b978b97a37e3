/// Finds what differs between two versions of a model.
package struct ModelChanges {
  let pairs: ModelCorrespondence
  package private(set) var all: [ModelChange] = []

  var old: Schema { pairs.old }
  var new: Schema { pairs.new }

  package init(_ pairs: ModelCorrespondence) {
    self.pairs = pairs
    for entity in new.entities {
      guard let former = pairs.oldEntity[entity.index].map({ old.entities[$0] }) else {
        note(entity.name, nil, .added, "is new")
        continue
      }
      compare(former, entity)
    }
    for entity in old.entities where pairs.newEntity[entity.index] == nil {
      note(entity.name, nil, .removed, "is removed", detail: .removedEntity(entity.index))
    }
  }

  mutating func note(
    _ entity: String, _ property: String?, _ action: ModelChange.Action, _ summary: String,
    detail: ModelChange.Detail = .none
  ) {
    all.append(
      ModelChange(entity: entity, property: property, action: action, summary: summary, detail: detail))
  }

  // MARK: - Entities

  private mutating func compare(_ former: SchemaEntity, _ entity: SchemaEntity) {
    if former.name != entity.name { note(entity.name, nil, .renamed, "was called \(former.name)") }
    if entity.isAbstract, !former.isAbstract {
      note(
        entity.name, nil, .changed, "is abstract, and has no objects of its own",
        detail: .removedEntity(former.index)
      )
    }
    compareParents(former, entity)
    compareIdentity(former, entity)
    compareAttributes(former, entity)
    compareRelationships(former, entity)
    compareConstraints(former, entity)
    compareIndexes(former, entity)
    compareAnnotations(
      old.model.entities[former.index].userInfo, new.model.entities[entity.index].userInfo, nil, entity)
  }

  private mutating func compareParents(_ former: SchemaEntity, _ entity: SchemaEntity) {
    let before = old.model.entities[former.index].parent
    let after = new.model.entities[entity.index].parent
    let renamed = before.flatMap { old.index(of: $0) }.flatMap { pairs.newEntity[$0] }
    guard after != renamed.map({ new.entities[$0].name }) || (before == nil) != (after == nil) else { return }
    let words = after.map { "inherits from \($0)" } ?? "has no parent any more"
    note(entity.name, nil, .changed, words + (before.map { ", did from \($0)" } ?? ""))
  }

  private mutating func compareIdentity(_ former: SchemaEntity, _ entity: SchemaEntity) {
    guard entity.identityOwner == entity.index || former.identityOwner == former.index else { return }
    guard !pairs.hasSameIdentity(entity, former) else { return }
    var (before, after) = (old.identityNames(of: former), new.identityNames(of: entity))
    // Of an object that the identity names, the identity is another.
    if before == after { (before, after) = (former.identity.map(\.name), entity.identity.map(\.name)) }
    guard !after.isEmpty else {
      let words = "has no identity any more, had \(Self.list(before))"
      return note(entity.name, nil, .changed, words, detail: .removedIdentity(entity.index))
    }
    let words = before.isEmpty ? "had none" : "was \(Self.list(before))"
    note(
      entity.name, nil, .changed, "is identified by \(Self.list(after)), \(words)",
      detail: .changedIdentity(entity.index))
  }

  package static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  // MARK: - Constraints and indexes

  private mutating func compareConstraints(_ former: SchemaEntity, _ entity: SchemaEntity) {
    let before = Set(
      old.model.entities[former.index].uniquenessConstraints.map { renamed($0, former, entity) })
    let after = new.model.entities[entity.index].uniquenessConstraints
    for names in after where !before.contains(names) {
      note(
        entity.name, nil, .changed, "has unique \(Self.list(names))", detail: .uniqueness(entity.index, names)
      )
    }
    for names in before.subtracting(after).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      note(entity.name, nil, .changed, "may have the same \(Self.list(names)) twice")
    }
  }

  /// Names of properties of the old version by what they are called in the new one.
  private func renamed(_ names: [String], _ former: SchemaEntity, _ entity: SchemaEntity) -> [String] {
    var result: [String: String] = [:]
    for case (let index, let other?) in pairs.oldAttributes[entity.index].enumerated() {
      result[former.attributes[other].name] = entity.attributes[index].name
    }
    for (index, other) in pairs.oldRelationships[entity.index] {
      result[old.relationships[other].name] = new.relationships[index].name
    }
    return names.map { result[$0] ?? $0 }
  }

  private mutating func compareIndexes(_ former: SchemaEntity, _ entity: SchemaEntity) {
    let before = old.model.entities[former.index]
    let after = new.model.entities[entity.index]
    func elements(_ index: Index) -> [String] { index.elements.map(\.property) }
    let known = Set(before.indexes.map { renamed(elements($0), former, entity) })
    let wanted = Set(after.indexes.map(elements))
    for names in wanted.subtracting(known).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      note(entity.name, nil, .changed, "has an index of \(Self.list(names))")
    }
    for names in known.subtracting(wanted).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      note(entity.name, nil, .changed, "has no index of \(Self.list(names)) any more")
    }
  }
}

/// One thing in which a version of a model differs from an earlier one.
///
/// ```swift
/// for change in try Model.changes(from: old, to: new) { print(change) }
/// ```
public struct ModelChange: Sendable, Hashable {
  /// The change.
  public enum Action: String, Sendable, Hashable {
    case added
    case removed
    case renamed
    /// A property that stays and differs: its type, whether it may be empty, how many objects it leads to …
    case changed
  }

  /// The name of the entity in the new version; of one that is removed, in the old version.
  public var entity: String
  /// The name of the property in the new version; of one that is removed, in the old version. Nil if it is the entity.
  public var property: String?
  public var action: Action
  /// The change, in words that follow the name: `is new`, `was called title`.
  public var summary: String
  package var detail: Detail

  /// The facts that the engine that migrates has to know.
  package enum Detail: Sendable, Hashable {
    /// No facts: all follows from the two models.
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
    /// A relationship of the new version whose links are elements of lists, in an attribute that may have other values too.
    case keyLists(Int)
    /// Entities of the new version.
    case changedIdentity(Int)
    case removedIdentity(Int)
    case uniqueness(Int, [String])
    /// A to-one relationship of the new version that needs a target.
    case neededTarget(Int)
    /// Attributes of the new version that have other bounds or another pattern.
    case valueRule([Place], ValueRulePart)
    /// A list of the new version that may have other numbers of objects.
    case listRule(Int)
    /// A difference on which no table and no value depends: a default, a delete rule, a key in JSON.
    case rule
  }

  /// A part of what a model asks of an attribute's values.
  package enum ValueRulePart: Sendable, Hashable {
    case bounds, pattern
  }

  /// Whether it changes what may be written or how it is read, and nothing that is stored.
  package var isRule: Bool {
    switch detail {
    case .valueRule, .listRule, .rule: true
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
  /// The differences of two versions of a model, as far as a store is concerned, in the order of the new one.
  ///
  /// - Throws: ``SchemaError`` if one of them cannot be used.
  public static func changes(from old: Model, to new: Model) throws -> [ModelChange] {
    ModelChanges(ModelCorrespondence(old: try Schema(old), new: try Schema(new))).all
  }
}
