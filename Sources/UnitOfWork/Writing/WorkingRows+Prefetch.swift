import Bytes
import ObjectModel
package import ObjectStore

/// Objects that the end of an import deals with: what it needs is fetched for many objects at once, if that is faster.
extension WorkingRows {
  func fetch(_ add: (inout PrefetchRequest) -> Void) {
    guard state.fetchesTogether else { return }
    var needed = PrefetchRequest(state)
    add(&needed)
    state.fetch(needed)
  }

  // MARK: - Values and links

  package func prepareUniqueValues(of items: ArraySlice<DeferredUniqueValues>) {
    fetch { needed in for item in items { needed.add(item.place) } }
    fetch { needed in
      for item in items {
        guard var object = state.object(item.place) else { continue }
        for (column, value) in zip(item.columns, item.values) { object.values[column] = Value(value) }
        for constraint in model(of: object.entity).constraints {
          needed.add(
            RowKey(constraint.columns) { object.values[$0] }, to: item.place.table, where: constraint.columns)
        }
      }
    }
  }

  /// Fetches objects and what leads to them.
  func fetchNeighbours(of places: [RowLocation]) {
    fetch { needed in for place in places { needed.add(place) } }
    fetch { needed in for place in places { addNeighbours(of: place, to: &needed) } }
  }

  // MARK: - References

  /// Fetches the owners of references that led nowhere, and their targets if these have come meanwhile.
  func fetchEnds(of references: some Collection<UnresolvedReference>) {
    fetch { needed in
      for reference in references {
        let relationship = state.relationship(reference.relationship)
        switch (layout.relationships[reference.relationship], reference.holder) {
        case (.foreignKey, .row(let row)):
          needed.add(RowLocation(table: state.tableIndex(of: relationship.owner), row: row))
        case (.join(let join, let isForward), .link(let keys)):
          needed.add(keys[isForward ? 0 : 1], toJoin: join, isForward ? 0 : 1)
          needed.add(keys[isForward ? 1 : 0], to: state.tableIndex(of: relationship.destination))
        default: break
        }
      }
    }
    fetch { needed in
      for reference in references {
        let relationship = state.relationship(reference.relationship)
        guard case .row(let row) = reference.holder,
          case .foreignKey(let columns) = layout.relationships[reference.relationship],
          let object = state.object(RowLocation(table: state.tableIndex(of: relationship.owner), row: row))
        else { continue }
        needed.add(RowKey(columns) { object.values[$0] }, to: state.tableIndex(of: relationship.destination))
      }
    }
  }

  // MARK: - Deletions

  /// How deep cascades are followed together; what lies deeper is fetched one by one.
  static let deepest = 32

  /// Fetches what the deletion of objects looks for: what goes along with them, and what leads to any of it.
  func fetchForDeletion(
    _ places: some Collection<RowLocation>, _ deleter: ObjectDeleter<WorkingRows>
  ) {
    guard state.fetchesTogether, places.count > 1 else { return }
    var (level, reached) = (Array(places), Set(places))
    for _ in 0..<Self.deepest where !level.isEmpty {
      fetchNeighbours(of: level)
      fetch { needed in for place in level { addLinked(of: place, to: &needed) } }
      var next: [RowLocation] = []
      for place in level {
        for relationship in deleter.cascades(of: place) {
          next += state.places(of: relationship, place).filter { reached.insert($0).inserted }
        }
      }
      level = next
    }
  }

  /// The rows that lead to an object, and the targets of its own keys.
  private func addNeighbours(of place: RowLocation, to needed: inout PrefetchRequest) {
    guard let object = state.object(place) else { return }
    let (entity, key) = (layout.schema.entities[object.entity], state.key(of: place))
    for relationship in layout.schema.relationships {
      let leadsHere = entity.ancestry.contains(relationship.destination)
      let isOwn = entity.relationships.contains(relationship.index)
      switch layout.relationships[relationship.index] {
      case .foreignKey(let columns):
        if leadsHere { needed.add(key, to: state.tableIndex(of: relationship.owner), where: columns) }
        if isOwn {
          needed.add(
            RowKey(columns) { object.values[$0] }, to: state.tableIndex(of: relationship.destination))
        }
      case .inverse: break
      case .join(let join, let isForward):
        if leadsHere { needed.add(key, toJoin: join, isForward ? 1 : 0) }
        if isOwn { needed.add(key, toJoin: join, isForward ? 0 : 1) }
      }
    }
  }

  /// The objects at the other ends of an object's links in join tables.
  private func addLinked(of place: RowLocation, to needed: inout PrefetchRequest) {
    guard let object = state.object(place) else { return }
    let key = state.key(of: place)
    for index in layout.schema.entities[object.entity].relationships {
      guard case .join(let join, let isForward) = layout.relationships[index] else { continue }
      let table = state.tableIndex(of: state.relationship(index).destination)
      for link in state.joins[join].links(of: key, isForward ? 0 : 1) { needed.add(link.target, to: table) }
    }
  }
}
