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
    /// A member of an attribute that is JSON, by its keys.
    case member(Column, [String])
    /// An element of a list, or a member of one, that a variable stands for.
    case element(JSONPlace)
    /// The objects themselves, by their keys.
    case objects(SchemaEntity)
    /// A to-one relationship whose key is with the owner, so that its target need not be looked at.
    case reference(SchemaRelationship)
  }

  let path: PredicatePath
  private(set) var start: ObjectSource
  /// The relationships that are passed.
  private(set) var steps: [SchemaRelationship]
  private(set) var end: End

  /// The names that are keys of JSON.
  var keys: ArraySlice<PredicatePath.Name> {
    switch end {
    case .member(_, let keys): path.names.suffix(keys.count)
    case .element: path.names[...]
    case .attribute, .objects, .reference: []
    }
  }

  /// Whether it leads to more than one value.
  var isToMany: Bool { steps.contains { $0.isToMany } }

  /// What a message calls the first relationship that leads to many.
  var manyName: String { steps.first { $0.isToMany }?.name ?? path.text }

  init(
    _ path: PredicatePath, from start: ObjectSource, _ layout: Layout, in format: String
  ) throws(ObjectPredicateError) {
    self.path = path
    self.start = start
    let found: PropertyPath
    do throws(PropertyPath.Failure) {
      found = try PropertyPath(path.names.map(\.text), from: start.entity, layout)
    } catch {
      throw ObjectPredicateError(
        error.message(path.names.map(\.text), layout), at: path.names[error.index].place, in: format)
    }
    steps = found.passed
    switch found.end {
    case .attribute(let index, let entity): end = .attribute(layout.column(of: index, in: entity))
    case .member(let index, let entity, let keys):
      end = .member(layout.column(of: index, in: entity), keys)
    case .object(let entity): end = .objects(entity)
    case .relationship(let relationship):
      if case .foreignKey = layout.relationships[relationship.index] {
        end = .reference(relationship)
      } else {
        steps.append(relationship)
        end = .objects(layout.schema.entities[relationship.destination])
      }
    }
  }

  /// The way from an element of a list, of which all names are keys.
  init(_ path: PredicatePath, from element: JSONPlace, around start: ObjectSource) {
    self.path = path
    self.start = start
    steps = []
    end = .element(path.names.isEmpty ? element : element.member(path.names.map(\.text)))
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
