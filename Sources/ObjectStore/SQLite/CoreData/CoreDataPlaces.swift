import ObjectModel

/// Which table and column of a Core Data store each part of its model is in.
package struct CoreDataPlaces: Sendable, Codable {
  package struct Entity: Sendable, Codable {
    package var name: String
    package var table: String
    /// What `Z_ENT` has in its rows.
    package var number: Int64
    package var objects: Int64
    package var identity: [String]
    package var reason: String
    package var properties: [Property]
  }

  package struct Property: Sendable, Codable {
    package var name: String
    /// The column, or the table of links; nil if the store has none.
    package var place: String?
  }

  package var path: String
  package var model: String
  package var entities: [Entity]
  /// What the store has and the model does not, and the other way round.
  package var differences: [String]
}

extension CoreDataStore {
  /// Says where the parts of the model are.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  package func places() throws -> CoreDataPlaces {
    let binding = shared.binding
    let entities = try file.read { handle in
      try binding.places.compactMap(\.self).map { place -> CoreDataPlaces.Entity in
        let entity = binding.schema.entities[place.entity]
        let root = binding.schema.entities[entity.root].name
        let identity = identities.first { $0.entity == root }
        let statement = try PreparedStatement(
          "SELECT count(*) FROM \(SQL.quoted(place.table)) WHERE Z_ENT = \(place.number)", on: handle)
        let count = try statement.step() ? statement.integer(0) : 0
        return CoreDataPlaces.Entity(
          name: entity.name, table: place.table, number: place.number, objects: count,
          identity: identity?.attributes ?? [], reason: identity?.reason ?? "",
          properties: properties(of: entity, place))
      }
    }
    return CoreDataPlaces(
      path: path, model: modelOrigin.words, entities: entities, differences: binding.differences)
  }

  private func properties(
    of entity: SchemaEntity, _ place: CoreDataBinding.EntityPlace
  ) -> [CoreDataPlaces.Property] {
    let attributes = entity.attributes.map {
      CoreDataPlaces.Property(name: $0.name, place: place.attributes[$0.name])
    }
    let relationships = entity.relationships.map { index in
      CoreDataPlaces.Property(
        name: shared.binding.schema.relationships[index].name, place: shared.binding.place(of: index, place))
    }
    return attributes + relationships
  }
}

extension CoreDataBinding {
  /// The column or the table of a relationship of an entity.
  fileprivate func place(of index: Int, _ place: EntityPlace) -> String? {
    let relationship = schema.relationships[index]
    guard relationship.isToMany else { return place.toOnes[relationship.name] }
    if let join = joins[index] { return "\(join.table) (\(join.owner), \(join.target))" }
    guard let inverse = relationship.inverse.map({ schema.relationships[$0] }),
      let target = self.place(inFamilyOf: relationship.destination), let column = target.toOnes[inverse.name]
    else { return nil }
    return "\(target.table).\(column)"
  }
}

extension CoreDataStore.ModelOrigin {
  /// Where the model came from, in words.
  package var words: String {
    switch self {
    case .store: "the model in the file"
    case .given(let version?): "version \(version) of the model"
    case .given(nil): "the model that was given"
    case .tables: "the names of tables and columns, since the file has no model"
    }
  }
}
