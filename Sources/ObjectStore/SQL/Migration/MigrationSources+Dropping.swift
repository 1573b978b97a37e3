import ObjectModel

/// Objects that have no value of an attribute that needs one, where it was asked for that they go.
extension MigrationSources {
  /// The statements that remove them, and links to them, from the old tables.
  package func droppingStatements() -> [String] {
    options.dropped.sorted().flatMap { name in
      new.entities.flatMap { entity -> [String] in
        guard let former = pairs.oldEntity[entity.index], successor(of: former) == entity.index else {
          return []
        }
        let links = entity.relationships.filter { link in
          let relationship = new.relationships[link]
          return "\(new.entities[relationship.owner].name).\(relationship.name)" == name
        }
        let unlinked = links.flatMap { link -> [String] in
          guard case .foreignKey = newLayout.relationships[link] else { return [] }
          let table = oldLayout.tables[oldLayout.entities[former].table]
          let key = givenKey(link, of: entity.index, former, "o").first?.sql("o", table)
          return key.map { dropping(former, where: "\($0) IS NULL") } ?? []
        }
        return unlinked
          + entity.attributes.indices.flatMap { index -> [String] in
            let attribute = entity.attributes[index]
            guard "\(new.entities[attribute.owner].name).\(attribute.name)" == name else { return [] }
            return dropping(former, withoutAttribute: index, of: entity.index)
          }
      }
    }
  }

  private func dropping(_ former: Int, withoutAttribute attribute: Int, of entity: Int) -> [String] {
    let table = oldLayout.tables[oldLayout.entities[former].table]
    return dropping(
      former, where: "\(self.attribute(attribute, of: entity, former, "o").sql("o", table)) IS NULL")
  }

  private func dropping(_ former: Int, where isGone: String) -> [String] {
    let index = oldLayout.entities[former].table
    let table = oldLayout.tables[index]
    let condition = [isGone, self.condition("o", [former], ofOldTable: index)]
      .compactMap(\.self).joined(separator: " AND ")
    let key = table.key.map { "o.\(SQL.quoted(table.columns[$0].name))" }
    let gone = "SELECT \(key.joined(separator: ", ")) FROM \(tableNames[index]) o WHERE \(condition)"
    return foreignKeysOfOld(to: index, gone) + linksOfOld(with: index, gone)
      + ["DELETE FROM \(tableNames[index]) AS o WHERE \(condition)"]
  }

  private func foreignKeysOfOld(to table: Int, _ gone: String) -> [String] {
    old.relationships.compactMap { relationship in
      guard oldLayout.entities[relationship.destination].table == table, !relationship.isIdentity,
        case .foreignKey(let columns) = oldLayout.relationships[relationship.index]
      else { return nil }
      let holder = oldLayout.entities[relationship.owner].table
      let names = columns.map { SQL.quoted(oldLayout.tables[holder].columns[$0].name) }
      return "UPDATE \(tableNames[holder]) SET \(names.map { "\($0) = NULL" }.joined(separator: ", "))"
        + " WHERE (\(names.joined(separator: ", "))) IN (\(gone))"
    }
  }

  private func linksOfOld(with table: Int, _ gone: String) -> [String] {
    oldLayout.joins.enumerated().flatMap { index, join -> [String] in
      let relationship = old.relationships[join.relationship]
      let ends = [(relationship.owner, join.ownerColumns), (relationship.destination, join.targetColumns)]
      return ends.filter { oldLayout.entities[$0.0].table == table }.map { _, columns in
        let names = columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
        return "DELETE FROM \(joinNames[index]) WHERE (\(names)) IN (\(gone))"
      }
    }
  }
}
