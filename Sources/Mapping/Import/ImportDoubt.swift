import ObjectModel
import ObjectStore

/// The evidence of an import against a model that was taken from data.
package enum ImportDoubt: Sendable {
  case owners(OwnerDoubt)
  case identity(IdentityDoubt)
  case key(KeyDoubt)
  case value(ValueDoubt)

  /// The part of the model that it is about, as messages name it.
  package var place: String {
    switch self {
    case .owners(let doubt): "\(doubt.entity).\(doubt.relationship)"
    case .identity(let doubt): doubt.entity
    case .key(let doubt): "\(doubt.entity): \(doubt.key)"
    case .value(let doubt): doubt.place
    }
  }

  /// Whether it is about what objects hold, and not about which objects they are.
  package var isOfValues: Bool {
    switch self {
    case .owners, .identity: false
    case .key, .value: true
    }
  }

  /// Whether a store may not be able to do what the doubt asks for.
  package var mayBeRefused: Bool {
    if case .identity(let doubt) = self { !doubt.isRefused } else { false }
  }

  /// The doubt as one that the store does not allow to heed.
  package var refused: ImportDoubt {
    if case .identity(let doubt) = self { .identity(doubt.refused) } else { self }
  }
}

/// The evidence of an import against the model by which each object of a relationship has one owner.
package struct OwnerDoubt: Sendable {
  package let entity: String
  package let relationship: String
  /// How many objects came with several owners.
  package let objects: Int
  /// How many of them came with other values each time.
  package let changed: Int
  /// How many values these had and brought, and how many were others.
  package let values: Int
  package let replaced: Int
  /// Whether all of them have their other owners by other relationships.
  package let isOfOthers: Bool
}

/// A key of objects that no property of the model takes.
package struct KeyDoubt: Sendable {
  package let entity: String
  /// The key, behind the keys on the way to it: `publisher.name`.
  package let key: String
}

/// An attribute that does not take the values that came under its key, or is required and has none in some objects.
package struct ValueDoubt: Sendable {
  package let entity: String
  package let key: String
  /// The values that it does not take.
  package var found: Found

  package init(entity: String, key: String, found: Found) {
    (self.entity, self.key, self.found) = (entity, key, found)
  }

  var place: String { "\(entity): values of \(key)" }

  package struct Found: OptionSet, Sendable {
    package let rawValue: Int
    package static let nothing = Found(rawValue: 1)
    package static let wholeNumbers = Found(rawValue: 2)
    package static let numbers = Found(rawValue: 4)
    package static let texts = Found(rawValue: 8)
    package static let others = Found(rawValue: 16)

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The sort of a value, as issues show it.
    static func of(_ text: String) -> Found {
      if text == "null" || text == "nothing" { return .nothing }
      if text.hasPrefix("\"") { return .texts }
      if Int64(text) != nil { return .wholeNumbers }
      return Double(text) != nil ? .numbers : .others
    }
  }
}

extension OwnerDoubt {
  /// Whether objects that came again say other things than before, rather than something that changes.
  package var areOthers: Bool { replaced > 0 && replaced * 2 >= values }
}

/// The evidence of an import against an identity: other objects came under its values than the store has.
package struct IdentityDoubt: Sendable {
  package let entity: String
  /// The property that tells these objects apart, with the identity.
  package let part: String
  /// How many objects came that were there.
  package let objects: Int
  /// How many of them came with other values.
  package let changed: Int
  /// Whether the store has objects that such an identity does not do for, so that it stays what it is.
  package private(set) var isRefused = false

  package init(entity: String, part: String, objects: Int, changed: Int) {
    (self.entity, self.part, self.objects, self.changed) = (entity, part, objects, changed)
  }

  package var refused: IdentityDoubt {
    var result = self
    result.isRefused = true
    return result
  }
}

/// A property that may become a part of an identity that turns out to hold for one owner, or one kind of objects, only.
package struct PossiblePart: Sendable, Hashable {
  package let entity: String
  package let property: String
  package let evidence: Evidence
  /// The properties by which an object stays the same, such as its name.
  package let labels: [String]

  /// The evidence that it takes.
  package enum Evidence: Sendable, Hashable {
    /// No object changes what the property says: one in ten of those that come again has another value.
    case anyChange
    /// An object may change it: half of those that come again have another value, and so have half of their other values.
    case otherObjects
    /// All objects that come again have another value, three of them at least.
    case everyChange
    /// So many identities came with several values of it in one document.
    case seen(Int)
  }

  package init(entity: String, property: String, evidence: Evidence, labels: [String] = []) {
    (self.entity, self.property, self.evidence, self.labels) = (entity, property, evidence, labels)
  }
}

extension PossiblePart {
  /// The doubt of the identity, if the objects that came again, but for equal ones, all have other values of the property.
  func doubt(_ conflicts: IdentityConflicts, _ layout: Layout) -> IdentityDoubt? {
    guard let entity = layout.schema.entity(entity) else { return nil }
    if case .seen(let count) = evidence {
      return IdentityDoubt(entity: self.entity, part: property, objects: count, changed: count)
    }
    let before = conflicts.counts[entity.index].flatMap { doubt($0, entity, layout) }
    // Values of an object that comes twice in one import may differ, as in messages of what happened to it.
    guard before == nil, evidence == .anyChange else { return before }
    return conflicts.repeated[entity.index].flatMap { doubt($0, entity, layout) }
  }

  private func doubt(
    _ counts: IdentityConflicts.Counts, _ entity: SchemaEntity, _ layout: Layout
  ) -> IdentityDoubt? {
    guard
      let slot = slot(of: property, entity, layout), counts.changed > 0,
      counts.changes(of: slot) == counts.changed
    else { return nil }
    // An object that keeps its name is the same one, whatever else is said of it.
    for label in labels {
      guard let slot = self.slot(of: label, entity, layout) else { continue }
      let (came, changed) = (counts.comparisons(of: slot), counts.changes(of: slot))
      if came > 0, changed * 2 < came { return nil }
    }
    switch evidence {
    case .seen: break
    case .anyChange: guard counts.changed * 10 >= counts.objects else { return nil }
    case .everyChange: guard counts.changed == counts.objects, counts.changed >= 3 else { return nil }
    case .otherObjects:
      let (values, replaced) = (counts.values - counts.changed, counts.replaced - counts.changed)
      guard counts.changed > 1, counts.changed * 2 >= counts.objects, replaced > 0, replaced * 2 >= values
      else { return nil }
    }
    return IdentityDoubt(
      entity: self.entity, part: property, objects: counts.objects, changed: counts.changed)
  }

  private func slot(of property: String, _ entity: SchemaEntity, _ layout: Layout) -> Int? {
    let rows = layout.entities[entity.index]
    if let place = entity.attributes.firstIndex(where: { $0.name == property }) {
      return rows.attributeSlots[place]
    }
    return entity.relationships.first { layout.schema.relationships[$0].name == property }
      .flatMap(layout.foreignKeySlot)
  }
}

extension Layout {
  /// The first slot of the foreign key of a relationship; nil if its links are kept elsewhere.
  func foreignKeySlot(of relationship: Int) -> Int? {
    guard case .foreignKey(let columns) = relationships[relationship] else { return nil }
    return entities[schema.relationships[relationship].owner].slots(of: columns).first
  }
}

extension Plan {
  /// The entities of whose objects a list says which they belong to: what identifies them may do so among those of one owner only.
  var ownedByLists: Set<Int> {
    let schema = layout.schema
    let lists = schema.relationships.filter { list in
      list.relationship.isToMany
        && list.inverse.map { inverse in
          let back = schema.relationships[inverse].relationship
          return !back.isToMany && !back.annotations.isExported
        } ?? false
    }
    return lists.reduce(into: []) { $0.formUnion(schema.family(of: $1.destination)) }
  }
}
