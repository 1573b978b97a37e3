import ObjectModel

/// Links of the old version that become those of a relationship of the new one.
struct LinkSource: Hashable {
  /// The relationship of the old version.
  var relationship: Int
  /// Whether it leads the other way round: it is what the inverse comes from.
  var isReversed: Bool
}

extension MigrationSources {
  /// The sources of the links of a new entity's objects.
  func source(of relationship: Int, _ entity: Int) -> LinkSource? {
    if let former = pairs.oldRelationships[entity][relationship] {
      return LinkSource(relationship: former, isReversed: false)
    }
    guard let inverse = new.relationships[relationship].inverse, inverse != relationship,
      let former = sources(of: inverse, reversing: false).keys.min(by: { $0.relationship < $1.relationship })
    else { return nil }
    return LinkSource(relationship: former.relationship, isReversed: true)
  }

  /// The sources of a relationship's links, each with the entities of the new version whose links these are.
  func sources(of relationship: Int, reversing: Bool = true) -> [LinkSource: [Int]] {
    var result: [LinkSource: [Int]] = [:]
    for member in new.family(of: new.relationships[relationship].owner) {
      let source =
        reversing
        ? self.source(of: relationship, member)
        : pairs.oldRelationships[member][relationship].map { LinkSource(relationship: $0, isReversed: false) }
      if let source { result[source, default: []].append(member) }
    }
    return result
  }

  /// The entities at the two ends of links of the old version, as a new relationship sees them.
  private func ends(_ source: LinkSource) -> (owner: Int, target: Int) {
    let relationship = old.relationships[source.relationship]
    return source.isReversed
      ? (relationship.destination, relationship.owner) : (relationship.owner, relationship.destination)
  }

  // MARK: - Foreign keys

  /// The source of a relationship's foreign key, in a row of an old entity.
  func foreignKey(_ relationship: Int, of new: Int, _ old: Int, _ alias: String) -> [ColumnSource] {
    let destination = self.new.relationships[relationship].destination
    let count = newLayout.table(of: destination).key.count
    let none = Array(repeating: ColumnSource.null, count: count)
    if let key = pairs.oldKeys[new][relationship] {
      let layout = oldLayout.entities[old]
      return [.column(layout.slots[layout.attributeSlots[key]], ifNull: nil)]
    }
    guard let source = source(of: relationship, new) else { return none }
    let target = ends(source).target
    let layout = oldLayout.entities[old]
    switch (oldLayout.relationships[source.relationship], source.isReversed) {
    case (.foreignKey(let columns), false), (.inverse(let columns, _), true):
      let names = columns.map { stored(alias, layout.table, $0) }
      guard let key = translated(names, columns, target, destination) else { return none }
      return key.count == count ? key : none
    default:
      let key = firstLink(of: source, destination, old, alias)
      return key.count == count ? key.map { .expression($0) } : none
    }
  }

  /// The key of a target in the new version, from that of the old one. Nil if no target is of the new destination.
  ///
  /// - Parameters:
  ///   - key: The columns of the old key.
  ///   - columns: The columns that it is in, where the row that is read has it.
  private func translated(
    _ key: [StoredColumn], _ columns: [Int]?, _ target: Int, _ destination: Int
  ) -> [ColumnSource]? {
    let all = concrete(target)
    let allowed = self.allowed(all, destination)
    guard !allowed.isEmpty else { return nil }
    let direct = directKey(allowed)
    if let direct, allowed.count == all.count {
      return direct.map { part in
        if isKept(part), let columns { return .column(columns[part.position], ifNull: nil) }
        return .expression(convert(part, key[part.position]))
      }
    }
    let table = oldLayout.entities[target].table
    let names = oldLayout.tables[table].key.map { oldLayout.tables[table].columns[$0].name }
    let alias = alias("y", within: key.first?.alias ?? "")
    let conditions = zip(names, key).map { "\(alias).\(SQL.quoted($0)) = \($1.sql)" }
    return newKey(alias, ofOldTable: table, allowed).map { part in
      .expression(
        "(SELECT \(part) FROM \(tableNames[table]) \(alias) WHERE \(conditions.joined(separator: " AND ")))")
    }
  }

  /// The entities, among some, whose objects a relationship of the new version may lead to.
  private func allowed(_ entities: [Int], _ destination: Int) -> [Int] {
    let family = new.family(of: destination)
    return entities.filter { member in successor(of: member).map(family.contains) ?? false }
  }

  /// The parts of the key of the first row of a query.
  private func first(_ key: [String], from rows: String) -> [String] {
    key.map { "(SELECT \($0) \(rows) LIMIT 1)" }
  }

  /// The key of the first object that an object is linked with, where that is not in its own row.
  private func firstLink(of source: LinkSource, _ destination: Int, _ old: Int, _ alias: String) -> [String] {
    let table = oldLayout.tables[oldLayout.entities[old].table]
    let own = table.key.map { "\(alias).\(SQL.quoted(table.columns[$0].name))" }
    let target = ends(source).target
    let other = oldLayout.entities[target].table
    let link = self.alias("x", within: alias)
    switch oldLayout.relationships[source.relationship] {
    case .foreignKey(let columns), .inverse(let columns, _):
      let allowed = self.allowed(concrete(target), destination)
      let names = columns.map { SQL.quoted(oldLayout.tables[other].columns[$0].name) }
      var conditions = zip(names, own).map { "\(link).\($0) = \($1)" }
      if let kind = condition(link, allowed, ofOldTable: other) { conditions.append(kind) }
      var order = [engine.rowNumber(link, of: oldLayout.tables[other])]
      if case .inverse(_, let column?) = oldLayout.relationships[source.relationship] {
        order.insert(SQL.place("\(link).\(SQL.quoted(oldLayout.tables[other].columns[column].name))"), at: 0)
      }
      let from =
        "FROM \(tableNames[other]) \(link) WHERE \(conditions.joined(separator: " AND "))"
        + " ORDER BY \(order.joined(separator: ", "))"
      return first(newKey(link, ofOldTable: other, allowed), from: from)
    case .join(let index, let isForward):
      let join = JoinEnds(oldLayout.joins[index], isForward: isForward != source.isReversed)
      let key = translated(stored(link, join: index, join.targetColumns), nil, target, destination) ?? []
      let sql = key.map { $0.sql(link, oldLayout.tables[other]) }
      var conditions = zip(join.owner(link), own).map { "\($0) = \($1)" }
      conditions += sql.prefix(1).map { "\($0) IS NOT NULL" }
      let order =
        (join.targetOrder.map { [SQL.place("\(link).\(SQL.quoted($0))")] } ?? []) + [engine.linkNumber(link)]
      let from =
        "FROM \(joinNames[index]) \(link) WHERE \(conditions.joined(separator: " AND "))"
        + " ORDER BY \(order.joined(separator: ", "))"
      return first(sql, from: from)
    }
  }

  /// The source of an object's place in the list of the object that it is linked to.
  func order(_ relationship: Int, _ inverse: Int, of new: Int, _ old: Int, _ alias: String) -> ColumnSource {
    guard let source = source(of: relationship, new) else { return .null }
    switch (oldLayout.relationships[source.relationship], source.isReversed) {
    case (.foreignKey, false):
      guard let back = self.old.relationships[source.relationship].inverse,
        case .inverse(_, let order?) = oldLayout.relationships[back]
      else { return .null }
      return .column(order, ifNull: nil)
    case (.inverse(_, let order?), true): return .column(order, ifNull: nil)
    case (.join(let index, let isForward), _):
      let join = JoinEnds(oldLayout.joins[index], isForward: isForward != source.isReversed)
      guard let place = join.ownerOrder else { return .null }
      let table = oldLayout.tables[oldLayout.entities[old].table]
      let own = table.key.map { "\(alias).\(SQL.quoted(table.columns[$0].name))" }
      let conditions = zip(join.owner("x"), own).map { "\($0) = \($1)" }
      let order =
        (join.targetOrder.map { [SQL.place("x.\(SQL.quoted($0))")] } ?? []) + [engine.linkNumber("x")]
      return .expression(
        "(SELECT x.\(SQL.quoted(place)) FROM \(joinNames[index]) x WHERE \(conditions.joined(separator: " AND "))"
          + " ORDER BY \(order.joined(separator: ", ")) LIMIT 1)")
    default: return .null
    }
  }

  // MARK: - Join tables

  /// The links of a relationship of the new version, as a query with the columns of its join table: the owner's key, the
  /// target's, the target's place and the owner's; and the number by which the first of several is known. Nil if there are
  /// none.
  package func links(of join: JoinTable) -> String? {
    let relationship = new.relationships[join.relationship]
    let queries = sources(of: join.relationship).sorted { $0.key.relationship < $1.key.relationship }
      .compactMap { source, members in links(source, relationship, members) }
    let lists = linksOfKeyLists(join)
    guard !queries.isEmpty || !lists.isEmpty else { return nil }
    var all = (queries + lists).map { "SELECT * FROM (\($0)) AS q" }
    if join.isSymmetric {
      let (owner, target) = (join.ownerColumns.count, join.targetColumns.count)
      let names =
        (0..<target).map { "t\($0)" } + (0..<owner).map { "o\($0)" }
        + ["place", "owner_place", "number"]
      all += queries.map { "SELECT \(names.joined(separator: ", ")) FROM (\($0)) AS q" }
    }
    return all.joined(separator: " UNION ALL ")
  }

  func links(_ source: LinkSource, _ relationship: SchemaRelationship, _ members: [Int]) -> String? {
    let (owner, target) = ends(source)
    let owners = concrete(owner).filter { member in successor(of: member).map(members.contains) ?? false }
    let form = LinkForm(source, oldLayout, old)
    let ownerKey: [String]
    let targetKey: [String]
    switch form.holder {
    case .owner(let columns, let table):
      ownerKey = newKey("x", ofOldTable: table, owners)
      targetKey = key(columns, table, target, relationship.destination)
    case .target(let columns, let table):
      ownerKey = key(columns, table, owner, relationship.owner)
      targetKey = newKey("x", ofOldTable: table, allowed(concrete(target), relationship.destination))
    case .join(let ends):
      let table = oldLayout.tables[oldLayout.entities[owner].table]
      let index = form.join ?? 0
      ownerKey =
        (translated(stored("x", join: index, ends.ownerColumns), nil, owner, relationship.owner) ?? [])
        .map { $0.sql("x", table) }
      targetKey =
        (translated(stored("x", join: index, ends.targetColumns), nil, target, relationship.destination) ?? [])
        .map { $0.sql("x", table) }
    }
    guard !ownerKey.isEmpty, !targetKey.isEmpty else { return nil }
    let columns =
      ownerKey.enumerated().map { "\($1) AS o\($0)" } + targetKey.enumerated().map { "\($1) AS t\($0)" }
      + [form.place, form.ownerPlace].enumerated().map { index, place in
        "\(place ?? "CAST(NULL AS bigint)") AS \(index == 0 ? "place" : "owner_place")"
      }
    let (name, number): (String, String)
    switch form.holder {
    case .owner(_, let table), .target(_, let table):
      (name, number) = (tableNames[table], engine.rowNumber("x", of: oldLayout.tables[table]))
    case .join: (name, number) = (joinNames[form.join ?? 0], engine.linkNumber("x"))
    }
    return
      "SELECT * FROM (SELECT \(columns.joined(separator: ", ")), \(number) AS number FROM \(name) x) AS l"
      + " WHERE o0 IS NOT NULL AND t0 IS NOT NULL"
  }

  // MARK: - Lists of keys

  /// The links that elements of lists become, in an attribute that is one of the two relationships of a join table now.
  private func linksOfKeyLists(_ join: JoinTable) -> [String] {
    let forward = new.relationships[join.relationship]
    return ([forward.index] + [forward.inverse].compactMap(\.self)).flatMap { index in
      keyLists(of: index).map { member, column in
        let isForward = index == forward.index
        let list = engine.elements(of: column, in: isForward ? join.targetColumns[0] : join.ownerColumns[0])
        let own = newKey(of: member.new, member.old, column.alias)
        let (owner, target) = isForward ? (own, [list.value]) : ([list.value], own)
        let nowhere = "CAST(NULL AS bigint)"
        let values =
          owner.enumerated().map { "\($1) AS o\($0)" } + target.enumerated().map { "\($1) AS t\($0)" }
          + [
            "\(isForward ? list.place : nowhere) AS place",
            "\(isForward ? nowhere : list.place) AS owner_place",
          ]
        let table = oldLayout.entities[member.old].table
        let number = engine.rowNumber(column.alias, of: oldLayout.tables[table])
        let condition = self.condition(column.alias, [member.old], ofOldTable: table)
        return "SELECT \(values.joined(separator: ", ")), \(number) AS number"
          + " FROM \(tableNames[table]) \(column.alias), \(list.source)"
          + (condition.map { " WHERE \($0)" } ?? "")
      }
    }
  }

  /// The columns with the lists that a relationship's links come from, each with the entities whose rows have it.
  private func keyLists(of relationship: Int) -> [(member: (old: Int, new: Int), column: StoredColumn)] {
    new.family(of: new.relationships[relationship].owner).compactMap { member in
      guard let attribute = pairs.oldKeyLists[member][relationship], let former = pairs.oldEntity[member],
        successor(of: former) == member, !old.entities[former].isAbstract
      else { return nil }
      let layout = oldLayout.entities[former]
      return (
        (former, member), stored("x", layout.table, layout.slots[layout.attributeSlots[attribute]])
      )
    }
  }

  /// SQL for the list of the keys of an object's targets in a to-many of the old version, those that it waits for too; null if there
  /// are none.
  func keyList(of relationship: Int, _ old: Int, _ alias: String) -> String? {
    let table = oldLayout.tables[oldLayout.entities[old].table]
    let own = table.key.map { "\(alias).\(SQL.quoted(table.columns[$0].name))" }
    let form = LinkForm(LinkSource(relationship: relationship, isReversed: false), oldLayout, self.old)
    let (name, key, owner, number): (String, Column, [String], String)
    switch form.holder {
    case .owner: return nil
    case .target(let columns, let index):
      let targets = oldLayout.tables[index]
      (name, key) = (tableNames[index], targets.columns[targets.key[0]])
      owner = columns.map { "x.\(SQL.quoted(targets.columns[$0].name))" }
      number = engine.rowNumber("x", of: targets)
    case .join(let ends):
      (name, key) = (joinNames[form.join ?? 0], ends.targetColumns[0])
      owner = ends.owner("x")
      number = engine.linkNumber("x")
    }
    func links(_ key: String, _ place: String?, _ number: String, _ name: String, _ conditions: [String])
      -> String
    {
      "SELECT \(key) AS k, \(place ?? "CAST(NULL AS bigint)") AS p, \(number) AS n FROM \(name) x"
        + " WHERE \(conditions.joined(separator: " AND "))"
    }
    var all = [
      links("x.\(SQL.quoted(key.name))", form.place, number, name, zip(owner, own).map { "\($0) = \($1)" })
    ]
    if case .target = form.holder {
      // Links that wait stand in a table of their own, with keys as texts.
      let told = PendingMigration.name(self.old.relationships[relationship], self.old)
      let parts = zip(own, table.key).map { KeyPart($0, table.columns[$1]) }
      let pending = engine.tableName(StoreTable.pending)
      all.append(
        links(
          engine.key(ofText: "x.\"target\"", in: key), "x.\"position\"", engine.linkNumber("x"), pending,
          ["x.\"relationship\" = \(SQL.literal(told))", "x.\"owner\" = \(engine.joinedKey(parts))"]))
    }
    return engine.list(ofKeys: all.joined(separator: " UNION ALL "), of: key.type)
  }

  /// Queries that count the values of an attribute that are no lists of keys, where its lists become the links of a relationship.
  func valuesBesideKeyLists(of relationship: Int) -> [String] {
    let target = newLayout.table(of: new.relationships[relationship].destination)
    return keyLists(of: relationship).map { member, column in
      let table = oldLayout.entities[member.old].table
      let conditions = [
        condition(column.alias, [member.old], ofOldTable: table),
        engine.isOther(column, thanListsFor: target.columns[target.key[0]]),
      ]
      return "SELECT count(*) FROM \(tableNames[table]) \(column.alias) WHERE "
        + conditions.compactMap(\.self).joined(separator: " AND ")
    }
  }

  private func key(_ columns: [Int], _ table: Int, _ target: Int, _ destination: Int) -> [String] {
    let key = columns.map { stored("x", table, $0) }
    return (translated(key, columns, target, destination) ?? []).map { $0.sql("x", oldLayout.tables[table]) }
  }

  /// How many links a relationship of the old version has, as a query.
  func countOfLinks(_ relationship: Int) -> String {
    let form = LinkForm(LinkSource(relationship: relationship, isReversed: false), oldLayout, old)
    switch form.holder {
    case .owner(let columns, let table), .target(let columns, let table):
      let name = SQL.quoted(oldLayout.tables[table].columns[columns[0]].name)
      var sql = "SELECT count(*) FROM \(tableNames[table]) o WHERE \(name) IS NOT NULL"
      if let kind = condition("o", concrete(holder(relationship)), ofOldTable: table) {
        sql += " AND \(kind)"
      }
      return sql
    case .join: return "SELECT count(*) FROM \(joinNames[form.join ?? 0])"
    }
  }

  /// The entity whose rows have the links of a relationship of the old version.
  private func holder(_ relationship: Int) -> Int {
    if case .foreignKey = oldLayout.relationships[relationship] {
      return old.relationships[relationship].owner
    }
    return old.relationships[relationship].destination
  }
}

/// The columns of a join table as one of its two relationships sees them.
struct JoinEnds {
  let ownerColumns: [Column]
  let targetColumns: [Column]
  let targetOrder: String?
  let ownerOrder: String?

  init(_ join: JoinTable, isForward: Bool) {
    ownerColumns = isForward ? join.ownerColumns : join.targetColumns
    targetColumns = isForward ? join.targetColumns : join.ownerColumns
    targetOrder = isForward ? join.targetOrder : join.ownerOrder
    ownerOrder = isForward ? join.ownerOrder : join.targetOrder
  }

  func owner(_ alias: String) -> [String] { ownerColumns.map { "\(alias).\(SQL.quoted($0.name))" } }
  func target(_ alias: String) -> [String] { targetColumns.map { "\(alias).\(SQL.quoted($0.name))" } }
}

/// Where links of the old version are, and their places in lists, as a new relationship sees them.
struct LinkForm {
  enum Holder {
    /// In columns of the owner's row, or of the target's.
    case owner(columns: [Int], table: Int)
    case target(columns: [Int], table: Int)
    case join(JoinEnds)
  }

  let holder: Holder
  private(set) var join: Int?
  private(set) var place: String?
  private(set) var ownerPlace: String?

  init(_ source: LinkSource, _ layout: Layout, _ schema: Schema) {
    let relationship = schema.relationships[source.relationship]
    switch layout.relationships[source.relationship] {
    case .foreignKey(let columns):
      let table = layout.entities[relationship.owner].table
      holder =
        source.isReversed ? .target(columns: columns, table: table) : .owner(columns: columns, table: table)
      if let inverse = relationship.inverse, case .inverse(_, let order?) = layout.relationships[inverse] {
        let name = "x.\(SQL.quoted(layout.tables[table].columns[order].name))"
        if source.isReversed { place = name } else { ownerPlace = name }
      }
    case .inverse(let columns, let order):
      let table = layout.entities[relationship.destination].table
      holder =
        source.isReversed ? .owner(columns: columns, table: table) : .target(columns: columns, table: table)
      let name = order.map { "x.\(SQL.quoted(layout.tables[table].columns[$0].name))" }
      if source.isReversed { ownerPlace = name } else { place = name }
    case .join(let index, let isForward):
      let ends = JoinEnds(layout.joins[index], isForward: isForward != source.isReversed)
      join = index
      holder = .join(ends)
      place = ends.targetOrder.map { "x.\(SQL.quoted($0))" }
      ownerPlace = ends.ownerOrder.map { "x.\(SQL.quoted($0))" }
    }
  }
}

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
