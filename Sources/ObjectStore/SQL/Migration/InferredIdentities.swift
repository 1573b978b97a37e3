import ObjectModel

/// Identities that a new version of a model only suggests, by a name or a uniqueness constraint, and that the objects of the
/// store contradict: they give way, since a guess is no reason to refuse a version.
package struct InferredIdentities {
  /// The version, with what is the identity in place of the guesses.
  package private(set) var description: StoreDescription
  /// The names of the entities whose guesses gave way.
  package private(set) var entities: Set<String> = []

  /// - Parameters:
  ///   - count: The result of a query of the old tables, which is a number.
  package init(
    _ description: StoreDescription, over remembered: StoreDescription?, names: NameRules = .sqlite,
    count: (String) throws -> Int64
  ) throws {
    self.description = description
    guard let remembered, try !description.isSame(as: remembered) else { return }
    let layout = try remembered.layout(names: names)
    let schema = try Schema(try description.mappedModel())
    let pairs = ModelCorrespondence(old: layout.schema, new: schema)
    for entity in schema.entities where entity.root == entity.index && entity.hasIdentity {
      guard let declared = schema.model.entities[entity.index].declaredIdentity,
        declared.source != .annotation,
        let former = pairs.oldEntity[entity.index].map({ layout.schema.entities[$0] }),
        !pairs.hasSameIdentity(entity, former),
        let index = description.model.entities.firstIndex(where: { $0.name == entity.name })
      else { continue }
      guard try isContradicted(entity, former, pairs, layout, count) else { continue }
      let kept = declared.source == .convention ? Self.names(of: former, entity, pairs) : nil
      self.description.model.entities[index].userInfo["broker.identity"] = kept ?? "none"
      entities.insert(entity.name)
    }
  }

  /// Whether there are objects that lack a value of an identity, or several that have the same.
  private func isContradicted(
    _ entity: SchemaEntity, _ former: SchemaEntity, _ pairs: ModelCorrespondence, _ layout: Layout,
    _ count: (String) throws -> Int64
  ) throws -> Bool {
    guard entity.identityRelationships.isEmpty else { return false }
    let place = layout.entities[former.index]
    let table = layout.tables[place.table]
    let name = table.sqlName
    var columns: [String] = []
    for attribute in entity.identityAttributes {
      if let other = pairs.oldAttributes[entity.index][attribute] {
        columns.append(SQL.quoted(table.columns[place.slots[place.attributeSlots[other]]].name))
      } else if entity.attributes[attribute].attribute.storedDefault == nil {
        return try count("SELECT count(*) FROM (SELECT 1 FROM \(name) LIMIT 1) AS found") > 0
      }
    }
    // A constraint on what is there already is more than a guess.
    let isGuess =
      pairs.new.model.entities[entity.index].declaredIdentity?.source == .convention || !former.hasIdentity
    guard isGuess, !columns.isEmpty else { return false }
    let isEmpty = columns.map { "\($0) IS NULL" }.joined(separator: " OR ")
    if try count("SELECT count(*) FROM (SELECT 1 FROM \(name) WHERE \(isEmpty) LIMIT 1) AS found") > 0 {
      return true
    }
    guard columns.count == entity.identityAttributes.count else { return false }
    let all = columns.joined(separator: ", ")
    return try count(
      "SELECT count(*) FROM (SELECT 1 FROM \(name) GROUP BY \(all) HAVING count(*) > 1 LIMIT 1) AS found") > 0
  }

  /// The names of the attributes of an identity in the new version; nil if they are not all there.
  private static func names(
    of former: SchemaEntity, _ entity: SchemaEntity, _ pairs: ModelCorrespondence
  ) -> String? {
    guard former.hasIdentity, former.identityRelationships.isEmpty else { return nil }
    let names = former.identityAttributes.map { attribute in
      pairs.oldAttributes[entity.index].firstIndex(of: attribute).map { entity.attributes[$0].name }
    }
    return names.contains(nil) ? nil : names.compactMap(\.self).joined(separator: ",")
  }
}
