import ObjectModel

/// Objects that a condition is about: the alias of their table, and their entity.
struct ObjectSource {
  let alias: String
  let entity: SchemaEntity
  /// What is further inside has a higher number; the objects that are asked about have 0.
  var number = 0
}

/// A key path of a predicate, followed through the model.
struct PredicateRoute {
  enum End {
    case attribute(Column)
    /// The objects themselves, by their keys.
    case objects(SchemaEntity)
    /// A to-one relationship whose key is with the owner, so that its target need not be looked at.
    case reference(SchemaRelationship)
  }

  let path: PredicatePath
  private(set) var start: ObjectSource
  /// The relationships that are passed.
  private(set) var steps: [SchemaRelationship] = []
  private(set) var end: End

  /// Whether it leads to more than one value.
  var isToMany: Bool { steps.contains { $0.isToMany } }

  /// What a message calls the first relationship that leads to many.
  var manyName: String { steps.first { $0.isToMany }?.name ?? path.text }

  init(
    _ path: PredicatePath, from start: ObjectSource, _ layout: Layout, in format: String
  ) throws(ObjectPredicateError) {
    self.path = path
    self.start = start
    var entity = start.entity
    var names = path.names[...]
    while let name = names.first {
      // The parts of a composite have names with dots in them.
      if let index = entity.attribute(names.map(\.text).joined(separator: ".")) {
        end = .attribute(layout.column(of: index, in: entity))
        return
      }
      let relationship = entity.relationships.map { layout.schema.relationships[$0] }
        .first { $0.name == name.text }
      guard let relationship else {
        let unknown = UnknownName(path: Array(names), entity: entity, layout: layout)
        throw ObjectPredicateError(unknown.message, at: name.place, in: format)
      }
      names = names.dropFirst()
      if names.isEmpty, case .foreignKey = layout.relationships[relationship.index] {
        end = .reference(relationship)
        return
      }
      steps.append(relationship)
      entity = layout.schema.entities[relationship.destination]
    }
    end = .objects(entity)
  }

  /// The steps up to the last that leads to many.
  var manySteps: ArraySlice<SchemaRelationship> {
    steps[..<((steps.lastIndex { $0.isToMany } ?? -1) + 1)]
  }

  /// The rest of the way, from where so many steps have led.
  func dropping(_ count: Int, from start: ObjectSource) -> PredicateRoute {
    var rest = self
    rest.steps.removeFirst(count)
    rest.start = start
    return rest
  }

  /// The same way with a reference at its end as a step, so that only objects that have arrived are at the end.
  func passingReference(_ layout: Layout) -> PredicateRoute {
    guard case .reference(let relationship) = end, !path.countsPending else { return self }
    var whole = self
    whole.steps.append(relationship)
    whole.end = .objects(layout.schema.entities[relationship.destination])
    return whole
  }
}

extension Layout {
  /// The column of an attribute, by its index in the entity.
  func column(of attribute: Int, in entity: SchemaEntity) -> Column {
    let whole = entities[entity.index]
    return tables[whole.table].columns[whole.slots[whole.attributeSlots[attribute]]]
  }
}

/// A name that leads nowhere.
private struct UnknownName {
  let path: [PredicatePath.Name]
  let entity: SchemaEntity
  let layout: Layout

  private var name: String { path.first?.text ?? "" }

  var message: String {
    if entity.attribute(name) != nil, path.count > 1 {
      return "\(entity.name).\(name) is an attribute, so nothing can follow it."
    }
    let parts = entity.attributes.map(\.name).filter { $0.hasPrefix(name + ".") }
    if let first = parts.first {
      guard path.count > 1 else {
        return "\(entity.name).\(name) is a composite: name a part of it, \(first)."
      }
      return unknown(path.map(\.text).joined(separator: "."), among: parts)
    }
    if isTransient { return "\(entity.name).\(name) is transient, so the store does not have it." }
    let relationships = entity.relationships.map { layout.schema.relationships[$0].name }
    return unknown(name, among: entity.attributes.map(\.name) + relationships)
  }

  private func unknown(_ name: String, among names: [String]) -> String {
    let hint = nearestName(to: name, in: names).map { " Did you mean \($0)?" } ?? ""
    return "\(entity.name) has no property \(Excerpt.of(name)).\(hint)"
  }

  private var isTransient: Bool {
    entity.ancestry.contains { index in
      let ancestor = layout.schema.entities[index].name
      let declared = layout.schema.model.entities.first { $0.name == ancestor }
      return declared?.attributes.contains { $0.name == name && $0.isTransient } ?? false
    }
  }
}
