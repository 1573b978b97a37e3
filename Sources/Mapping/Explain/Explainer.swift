import ObjectModel
import ObjectStore

/// Finds out what became of the keys that an import came across.
struct Explainer {
  private let plan: Plan
  private let report: Report

  init(_ plan: Plan, _ report: Report) {
    self.plan = plan
    self.report = report
  }

  var explanation: Explanation {
    var result = Explanation()
    for entity in plan.entities {
      let keys = keys(of: entity)
      if !keys.isEmpty {
        result.entities.append(explanation(of: entity, keys))
      } else if !entity.entity.isAbstract {
        result.absentEntities.append(entity.entity.name)
      }
    }
    result.entities =
      result.entities.filter { !$0.isMatched } + result.entities.filter(\.isMatched)
    result.unmatchedKeys = report.unmatchedKeys["$"] ?? [:]
    return result
  }

  private func explanation(of entity: EntityPlan, _ keys: [KeyExplanation]) -> EntityExplanation {
    let unmatched = keys.filter { $0.reason == .unmatched }.map(\.key)
    return EntityExplanation(
      entity: entity.entity.name, identity: plan.layout.schema.identityNames(of: entity.entity),
      identitySource: identitySource(of: entity), isMatched: !report.strangers.contains(entity.entity.name),
      keys: keys, unfilled: unfilled(of: entity, unmatched))
  }

  private func identitySource(of entity: EntityPlan) -> EntityExplanation.IdentitySource? {
    switch entity.entity.declaredIdentity?.source {
    case .annotation: .stated
    case .uniquenessConstraint: .uniquenessConstraint
    case .convention: .name
    case nil: nil
    }
  }

  // MARK: - Keys

  private func keys(of entity: EntityPlan) -> [KeyExplanation] {
    var result: [KeyExplanation] = []
    for node in entity.nodes {
      for (key, entry) in node.used {
        let explanation = explanation(of: key, entry, entity)
        // A key that a relationship or its owner takes is read, though it matches nothing here.
        guard explanation.reason != .unmatched || isUnmatched(key, of: entity) else { continue }
        result.append(explanation)
      }
    }
    // Keys that came equally often stay in the order in which they came.
    let sorted = result.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
    return sorted.filter { $0.property != nil } + sorted.filter { $0.property == nil }
  }

  private func isUnmatched(_ key: String, of entity: EntityPlan) -> Bool {
    report.unmatchedKeys[entity.entity.name]?[key] != nil
  }

  private func explanation(
    of key: String, _ entry: KeyNode.Entry, _ entity: EntityPlan
  ) -> KeyExplanation {
    let name = entity.entity.name
    let issues = report.issues.filter { $0.entity == name && $0.key == key }
    var result = KeyExplanation(key: key, count: entry.uses, property: nil, reason: reason(for: entry))
    switch entry.action {
    case .attribute: result.property = entity.entity.attributes[Int(entry.index)].name
    case .relationship: result.property = entity.relationships[Int(entry.index)].relationship.name
    case .polymorphic: result.property = names(of: entity.polymorphic[Int(entry.index)])
    case .linkKind: result.property = entry.index < 0 ? nil : entity.entity.attributes[Int(entry.index)].name
    case .ignore, .wrapper, .descend: break
    }
    result.issueCount = issues.count
    result.firstIssue = issues.first
    result.nearest = report.nearMisses[name]?[key]
    return result
  }

  /// The relationships that a polymorphic key leads along.
  private func names(of links: PolymorphicPlan) -> String {
    links.rule.relationships.joined(separator: links.isToMany ? ", " : " or ")
  }

  private func reason(for entry: KeyNode.Entry) -> KeyExplanation.Reason {
    switch entry.action {
    case .descend: return .path
    case .wrapper: return .wrapper
    case .ignore: return entry.rank == KeyMatch.Rank.none.rawValue ? .unmatched : .ignored
    case .linkKind where entry.index < 0: return .kind
    case .attribute, .relationship, .polymorphic, .linkKind: break
    }
    switch KeyMatch.Rank(rawValue: entry.rank) {
    case .exactName: return .name
    case .foldedName: return .style
    case .reservedWord: return .reserved
    case .identity: return .identity
    case .reference: return .reference
    default: return .mapped
    }
  }

  // MARK: - Properties

  private func unfilled(of entity: EntityPlan, _ unmatched: [String]) -> [PropertyExplanation] {
    var style = ExportOptions()
    style.keys = .snake
    let names = ExportNames(entity.entity, plan.layout.schema, style)
    return entity.unfilled.compactMap { target in
      switch target {
      case .attribute(let index):
        let attribute = entity.entity.attributes[index]
        guard !attribute.attribute.annotations.isIgnored else { return nil }
        let isRequired = !attribute.isOptional && attribute.attribute.defaultValue == nil
        return property(
          attribute.name, isRequired: isRequired, keys: KeyPaths.keys(of: attribute),
          path: names.path(of: attribute), unmatched: unmatched)
      case .relationship(let place):
        guard !isFilledFromOtherEnd(entity.relationships[place].relationship) else { return nil }
        let relationship = entity.relationships[place].relationship.relationship
        guard !relationship.annotations.isIgnored else { return nil }
        return property(
          relationship.name, isRequired: relationship.requiresTarget, keys: relationship.annotations.keys,
          path: names.path(of: relationship), unmatched: unmatched)
      case .none, .wrapper, .polymorphic, .linkKind: return nil
      }
    }
  }

  /// Whether keys came for the inverse relationship.
  private func isFilledFromOtherEnd(_ relationship: SchemaRelationship) -> Bool {
    guard let inverse = relationship.inverse else { return false }
    return plan.entities.contains { entity in
      let filled = Set(entity.nodes.flatMap(\.filled))
      return entity.relationships.enumerated().contains {
        $1.relationship.index == inverse && filled.contains(.relationship($0))
      }
    }
  }

  private func property(
    _ name: String, isRequired: Bool, keys: [String], path: [JSONKeyPath.Step], unmatched: [String]
  ) -> PropertyExplanation {
    var candidates = keys
    for key in [name, JSONKeyPath.text(of: path[...])] where !candidates.contains(key) {
      candidates.append(key)
    }
    return PropertyExplanation(
      property: name, isRequired: isRequired, keys: candidates,
      nearest: nearestName(to: name, in: unmatched))
  }
}

extension Importer {
  /// Says which keys of JSON fill which properties and why, and changes nothing.
  ///
  /// - Throws: What ``run(_:isCancelled:progress:)`` throws.
  package func explain(
    _ sources: [ImportSource], isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> Explanation {
    var options = options
    options.isDryRun = true
    options.isStrict = false
    let outcome = try Importer(store, options).execute(sources, isCancelled, progress: nil)
    let (report, plan) = (outcome.report, outcome.plan)
    return Explainer(plan, report).explanation
  }
}

/// The keys of a JSON document with the properties that they fill, and the reason why a key fills one or does not.
package struct Explanation: Sendable, Hashable, Codable {
  /// The entities that the document has objects of; first those whose objects had no key that matched.
  package var entities: [EntityExplanation] = []
  /// The entities that the document has no objects of, without abstract ones.
  package var absentEntities: [String] = []
  /// Keys of the document that name no entity, with how often each came.
  package var unmatchedKeys: [String: Int] = [:]
}

/// The uses of the keys of an entity's objects.
package struct EntityExplanation: Sendable, Hashable, Codable {
  /// The source of an entity's identity.
  package enum IdentitySource: String, Sendable, Hashable, Codable {
    /// The mapping says it, or an annotation of the model.
    case stated
    /// The entity's only uniqueness constraint.
    case uniquenessConstraint
    /// An attribute whose name is usual for identities.
    case name
  }

  package var entity: String
  /// The attributes that say which object an object is; empty if it has no identity.
  package var identity: [String]
  /// Nil if the entity has no identity.
  package var identitySource: IdentitySource?
  /// Whether any key of its objects matched a property.
  package var isMatched: Bool
  /// The keys and key paths that came: those that fill something first, then the others, each by how often they came.
  package var keys: [KeyExplanation] = []
  /// The properties that no key came for.
  package var unfilled: [PropertyExplanation] = []
}

package struct KeyExplanation: Sendable, Hashable, Codable {
  /// Why a key fills a property, or why it does not.
  package enum Reason: String, Sendable, Hashable, Codable {
    /// The mapping or an annotation of the model says so.
    case mapped
    /// The property's name.
    case name
    /// The property's name in another style.
    case style
    /// The property's name is a reserved word, which the model writes with the entity's name before it.
    case reserved
    /// The key `id` of a property that is the identity.
    case identity
    /// A key that gives the objects of a relationship by their identities.
    case reference
    /// A discriminator of the objects that another key leads to.
    case kind
    case wrapper
    /// Key paths lead through it.
    case path
    /// The mapping says to ignore it.
    case ignored
    /// The entity has nothing of this name.
    case unmatched
  }

  /// The key, or the key path.
  package var key: String
  /// How often it came.
  package var count: Int
  package var property: String?
  package var reason: Reason
  /// How many of its values could not be used.
  package var issueCount = 0
  /// The first of them.
  package var firstIssue: ImportIssue?
  /// The property that a key which matches nothing may have been meant for.
  package var nearest: String?
}

/// A property that no key came for.
package struct PropertyExplanation: Sendable, Hashable, Codable {
  package var property: String
  /// Whether objects cannot be inserted without it.
  package var isRequired: Bool
  /// The keys that would fill it.
  package var keys: [String]
  /// A key that came and matched nothing, and whose name is close to this one.
  package var nearest: String?
}
