import ObjectModel

/// Finds out what a migration would do to what is in a store, and what keeps it from being done.
package struct MigrationPlanner {
  private let sources: MigrationSources
  /// Whether objects are counted that a change concerns without being in danger.
  private let countsAll: Bool

  private var old: Schema { sources.old }
  private var new: Schema { sources.new }
  private var oldLayout: Layout { sources.oldLayout }
  private var newLayout: Layout { sources.newLayout }
  private var options: Store.Migration { sources.options }

  package init(sources: MigrationSources, countsAll: Bool) {
    (self.sources, self.countsAll) = (sources, countsAll)
  }

  package func plan() throws -> MigrationPlan {
    var steps: [MigrationPlan.Step] = []
    for change in ModelChanges(sources.pairs).all {
      var step = MigrationPlan.Step(change: change)
      try judge(&step)
      if countsAll, step.objects == nil { step.objects = try objects(concernedBy: change) }
      steps.append(step)
    }
    try JournalMigration(sources).count(in: &steps)
    steps += try conflictsOfKeys(steps)
    if let wrong = wrongDecision() { steps.append(wrong) }
    return MigrationPlan(steps: steps, allowsRemovals: options.consent.contains(.removals))
  }

  private func judge(_ step: inout MigrationPlan.Step) throws {
    let change = step.change
    switch change.detail {
    case .none: return
    case .removedEntity(let entity):
      step.isRemoval = true
      step.removed = try count(ofOldTable: oldLayout.entities[entity].table, [entity])
    case .removedAttribute(let places):
      for place in places { step.removed += try values(place, &step.examples) }
      step.isRemoval = step.removed > 0 || !places.allSatisfy { untyped($0) != nil }
    case .removedRelationship(let relationship):
      step.isRemoval = true
      step.removed = Int(try number(sources.countOfLinks(relationship)))
    case .neededValue(let places): try judgeNeeded(&step, places)
    case .changedType(let places): try judgeType(&step, places)
    case .changedRelationship(let relationship):
      step.removed = try lostLinks(relationship, &step.examples)
      step.isRemoval = step.removed > 0
    case .keyLists(let relationship):
      for sql in sources.valuesBesideKeyLists(of: relationship) { step.removed += Int(try number(sql)) }
      step.isRemoval = step.removed > 0
    case .changedIdentity(let entity): try judgeIdentity(&step, entity)
    case .removedIdentity:
      guard !options.lostGuesses.contains(change.entity) else { return }
      step.isRemoval = true
      step.problem =
        options.consent.contains(.removals)
        ? nil
        : "imports could no longer tell which object a JSON object is; keep the identity, or allow removals"
    case .uniqueness(let entity, let names): try judgeUniqueness(&step, entity, names)
    case .neededTarget(let relationship): try judgeTarget(&step, relationship)
    case .valueRule(let places, let part): try judgeRule(&step, places, part)
    case .listRule(let relationship): try judgeList(&step, relationship)
    case .rule: return
    }
  }

  private func number(_ sql: String) throws -> Int64 {
    try sources.engine.number(sql)
  }

  // MARK: - Objects and values

  private func count(ofOldTable table: Int, _ entities: [Int], _ condition: String? = nil) throws -> Int {
    let kinds = sources.condition("o", entities, ofOldTable: table)
    let conditions = [kinds, condition].compactMap(\.self)
    let sql = "SELECT count(*) FROM \(sources.tableNames[table]) o"
    return Int(try number(conditions.isEmpty ? sql : "\(sql) WHERE \(conditions.joined(separator: " AND "))"))
  }

  /// The kind of values that came of an attribute that was not known in a model that was taken from data; nil for others.
  private func untyped(_ place: ModelChange.Place) -> Annotations.Untyped? {
    old.entities[place.entity].attributes[place.attribute].attribute.untyped
  }

  /// How many objects of an old entity have a value of an attribute. An empty list is none where no list had an element.
  private func values(_ place: ModelChange.Place, _ examples: inout [String]) throws -> Int {
    guard !old.entities[place.entity].isAbstract else { return 0 }
    let layout = oldLayout.entities[place.entity]
    let column = oldLayout.tables[layout.table].columns[layout.slots[layout.attributeSlots[place.attribute]]]
    let name = "o.\(SQL.quoted(column.name))"
    return try count(
      ofOldTable: layout.table, [place.entity],
      untyped(place) == .emptyLists ? "\(name) <> '[]'" : "\(name) IS NOT NULL", &examples)
  }

  /// How many examples a step names.
  private static let mostExamples = 3

  /// Counts, and takes identities of the objects as examples.
  private func count(
    ofOldTable table: Int, _ entities: [Int], _ condition: String, _ examples: inout [String]
  ) throws -> Int {
    let count = try count(ofOldTable: table, entities, condition)
    let missing = Self.mostExamples - examples.count
    guard count > 0, missing > 0, let entity = entities.first, old.entities[entity].hasIdentity else {
      return count
    }
    let described = oldLayout.tables[table]
    let key = described.key.map { "o.\(SQL.quoted(described.columns[$0].name))" }.joined(separator: ", ")
    let conditions = [sources.condition("o", entities, ofOldTable: table), condition].compactMap(\.self)
    var found: [String] = []
    try sources.engine.forEach(
      "SELECT \(key) FROM \(sources.tableNames[table]) o WHERE \(conditions.joined(separator: " AND "))"
        + " ORDER BY \(key) LIMIT \(missing)", columns: described.key.count
    ) {
      found.append(
        oldLayout.identityText(
          ofKey: KeyText.ofColumns(0..<described.key.count, $0), of: old.entities[entity]))
    }
    examples += found
    return count
  }

  private func objects(concernedBy change: ModelChange) throws -> Int? {
    guard let entity = new.entity(change.entity) else { return nil }
    var count = 0
    for member in new.family(of: entity.index) {
      guard let former = sources.pairs.oldEntity[member], sources.successor(of: former) == member else {
        continue
      }
      count += try self.count(ofOldTable: oldLayout.entities[former].table, [former])
    }
    return count
  }

  private func judgeNeeded(_ step: inout MigrationPlan.Step, _ places: [ModelChange.Place]) throws {
    var missing = 0
    for place in places {
      guard let former = former(place.entity) else { continue }
      missing += try lacking(place, former, &step.examples)
    }
    guard missing > 0 else { return }
    step.objects = missing
    let name = step.change.name
    if options.dropped.contains(name) {
      step.removed = missing
      step.isRemoval = true
      return
    }
    step.problem =
      "\(MigrationPlan.Step.counted(missing, "object")) would have no value; give it a default in the model, a value for"
      + " the migration, or have these objects removed"
  }

  /// How many objects have no value of an attribute that needs one.
  private func lacking(_ place: ModelChange.Place, _ former: Int, _ examples: inout [String]) throws -> Int {
    let table = oldLayout.entities[former].table
    let value = sources.attribute(place.attribute, of: place.entity, former, "o").sql(
      "o", oldLayout.tables[table])
    return try count(ofOldTable: table, [former], "\(value) IS NULL", &examples)
  }

  private func former(_ entity: Int) -> Int? {
    guard let former = sources.pairs.oldEntity[entity], sources.successor(of: former) == entity else {
      return nil
    }
    return former
  }

  private func judgeType(_ step: inout MigrationPlan.Step, _ places: [ModelChange.Place]) throws {
    var lost = 0
    for place in places {
      guard let former = former(place.entity),
        let index = sources.pairs.oldAttributes[place.entity][place.attribute],
        options.conversions[step.change.name] == nil
      else { continue }
      let attribute = new.entities[place.entity].attributes[place.attribute]
      if ValueConversion(old.entities[former].attributes[index].type, to: attribute.type).isTotal { continue }
      let layout = oldLayout.entities[former]
      let table = oldLayout.tables[layout.table]
      let before = "o.\(SQL.quoted(table.columns[layout.slots[layout.attributeSlots[index]]].name))"
      let after = sources.attribute(place.attribute, of: place.entity, former, "o", withDefault: false)
      lost += try count(
        ofOldTable: layout.table, [former], "\(before) IS NOT NULL AND \(after.sql("o", table)) IS NULL",
        &step.examples)
    }
    step.removed = lost
    step.isRemoval = lost > 0
    let isNeeded = places.contains { place in
      let attribute = new.entities[place.entity].attributes[place.attribute]
      return !attribute.isOptional && attribute.attribute.storedDefault == nil
    }
    guard lost > 0, isNeeded, options.values[step.change.name] == nil,
      !options.dropped.contains(step.change.name)
    else { return }
    step.problem =
      "\(MigrationPlan.Step.counted(lost, "value")) cannot be \(places.first.map { typeName($0) } ?? "converted"), and the"
      + " attribute is required; give it a conversion or a value for these, or have the objects removed"
  }

  private func typeName(_ place: ModelChange.Place) -> String {
    new.entities[place.entity].attributes[place.attribute].type.words
  }

  // MARK: - Rules

  /// Counts the values that the new bounds or the new pattern refuse.
  private func judgeRule(
    _ step: inout MigrationPlan.Step, _ places: [ModelChange.Place], _ part: ModelChange.ValueRulePart
  ) throws {
    for place in places {
      guard let former = former(place.entity) else { continue }
      let attribute = new.entities[place.entity].attributes[place.attribute]
      let rule = try ValueRule(attribute.attribute)
      guard let rule else { continue }
      let table = oldLayout.entities[former].table
      let value = sources.attribute(place.attribute, of: place.entity, former, "o").sql(
        "o", oldLayout.tables[table])
      let conditions = [sources.condition("o", [former], ofOldTable: table), "\(value) IS NOT NULL"]
        .compactMap(\.self)
      var budget = MatchBudget()
      var refused: [SQLValue] = []
      try sources.engine.forEach(
        "SELECT \(value), count(*) FROM \(sources.tableNames[table]) o WHERE \(conditions.joined(separator: " AND "))"
          + " GROUP BY 1", columns: 2
      ) { cursor in
        let found = cursor.value(0)
        let isAllowed =
          switch part {
          case .bounds: rule.isInside(found)
          case .pattern: rule.matches(found, &budget)
          }
        guard !isAllowed else { return }
        step.refusedValues += Int(cursor.integer(1))
        if refused.count < Self.mostExamples { refused.append(found) }
      }
      for found in refused where step.examples.count < Self.mostExamples {
        let literal = sources.engine.literal(found, attribute.type)
        _ = try count(ofOldTable: table, [former], "\(value) = \(literal)", &step.examples)
      }
    }
  }

  /// Counts the lists that may not have as many objects as they have.
  private func judgeList(_ step: inout MigrationPlan.Step, _ relationship: Int) throws {
    let described = new.relationships[relationship]
    let (least, most) = (described.relationship.leastCount, described.relationship.maximumCount ?? 0)
    let links = ends(of: described)
    let key = ownerColumns(of: described)
    if described.relationship.requiresTarget {
      step.refusedValues += try emptyLists(of: described, links, &step.examples)
    }
    let conditions = [least > 1 ? "n < \(least)" : nil, most > 0 ? "n > \(most)" : nil].compactMap(\.self)
    guard let links, !conditions.isEmpty else { return }
    let refused =
      "SELECT \(key) FROM (SELECT \(key), count(*) AS n FROM (\(links)) AS links GROUP BY \(key)) AS lists"
      + " WHERE \(conditions.joined(separator: " OR "))"
    step.refusedValues += Int(try number("SELECT count(*) FROM (\(refused)) AS refused"))
    step.examples += try identities(in: refused, described, besides: step.examples.count)
  }

  /// The keys at both ends of a relationship's links in the new version, `o0`, … and `t0`, …, as a query; nil if no link is
  /// taken over.
  private func ends(of relationship: SchemaRelationship) -> String? {
    let queries = sources.sources(of: relationship.index).sorted { $0.key.relationship < $1.key.relationship }
      .compactMap { source, members in sources.links(source, relationship, members) }
    func selection(_ owner: String, _ target: String) -> [String] {
      let names =
        newLayout.table(of: relationship.owner).key.indices.map { "\(owner)\($0) AS o\($0)" }
        + newLayout.table(of: relationship.destination).key.indices.map { "\(target)\($0) AS t\($0)" }
      return queries.map { "SELECT \(names.joined(separator: ", ")) FROM (\($0)) AS q" }
    }
    let isSymmetric = relationship.isItsOwnInverse && relationship.isToMany
    let all = selection("o", "t") + (isSymmetric ? selection("t", "o") : [])
    return all.isEmpty ? nil : all.joined(separator: " UNION ALL ")
  }

  private func ownerColumns(of relationship: SchemaRelationship) -> String {
    newLayout.table(of: relationship.owner).key.indices.map { "o\($0)" }.joined(separator: ", ")
  }

  /// Counts the objects whose list is empty.
  private func emptyLists(
    of relationship: SchemaRelationship, _ links: String?, _ examples: inout [String]
  ) throws -> Int {
    var result = 0
    for member in new.family(of: relationship.owner) where !new.entities[member].isAbstract {
      guard let former = former(member) else { continue }
      let table = oldLayout.entities[former].table
      let key = sources.newKey("o", ofOldTable: table, [former])
      guard !key.isEmpty else { continue }
      let condition =
        links.map {
          "(\(key.joined(separator: ", "))) NOT IN (SELECT \(ownerColumns(of: relationship)) FROM (\($0)) AS links)"
        } ?? "1 = 1"
      result += try count(ofOldTable: table, [former], condition, &examples)
    }
    return result
  }

  /// The identities of some of the owners that a query selects, so that there are no more examples than may be.
  private func identities(
    in query: String, _ relationship: SchemaRelationship, besides known: Int
  ) throws -> [String] {
    let owner = new.entities[relationship.owner]
    guard owner.hasIdentity, known < Self.mostExamples else { return [] }
    let count = newLayout.table(of: owner.index).key.count
    var found: [String] = []
    try sources.engine.forEach(
      "\(query) ORDER BY \(ownerColumns(of: relationship)) LIMIT \(Self.mostExamples - known)", columns: count
    ) { found.append(newLayout.identityText(ofKey: KeyText.ofColumns(0..<count, $0), of: owner)) }
    return found
  }

  // MARK: - Links

  /// Counts the objects that have no target, which the relationship needs now.
  private func judgeTarget(_ step: inout MigrationPlan.Step, _ relationship: Int) throws {
    guard case .foreignKey = newLayout.relationships[relationship] else { return }
    let described = new.relationships[relationship]
    guard !described.isIdentity else { return }
    var missing = 0
    for member in new.family(of: described.owner) where !new.entities[member].isAbstract {
      guard let former = former(member) else { continue }
      let table = oldLayout.entities[former].table
      let key = sources.givenKey(relationship, of: member, former, "o").map {
        $0.sql("o", oldLayout.tables[table])
      }
      guard let first = key.first else { continue }
      missing += try count(ofOldTable: table, [former], "\(first) IS NULL", &step.examples)
    }
    if missing == 0, let given = sources.givenTarget(relationship), try !isThere(given, described.destination)
    {
      let name = new.entities[described.destination].name
      let text = options.values[step.change.name] ?? ""
      step.problem = "there is no \(name) “\(text)”; give the identity of one that is there"
      return
    }
    guard missing > 0 else { return }
    step.objects = missing
    if options.dropped.contains(step.change.name) {
      (step.removed, step.isRemoval) = (missing, true)
      return
    }
    step.problem =
      "\(MigrationPlan.Step.counted(missing, "object")) would have no target; give the identity of one for the migration, or"
      + " have these objects removed"
  }

  /// Whether an object that is there has a key of the new version, which is given in SQL.
  private func isThere(_ key: [String], _ entity: Int) throws -> Bool {
    for member in new.family(of: entity) where !new.entities[member].isAbstract {
      guard let former = former(member) else { continue }
      let table = oldLayout.entities[former].table
      let parts = sources.newKey("o", ofOldTable: table, [former])
      guard parts.count == key.count else { continue }
      let condition = zip(parts, key).map { "\($0) = \($1)" }.joined(separator: " AND ")
      if try count(ofOldTable: table, [former], condition) > 0 { return true }
    }
    return false
  }

  /// How many links of a relationship have no place in the new version. Owners of several links of which one can stay are
  /// examples.
  private func lostLinks(_ relationship: Int, _ examples: inout [String]) throws -> Int {
    var (before, after) = (0, 0)
    for (source, members) in sources.sources(of: relationship) {
      before += Int(try number(sources.countOfLinks(source.relationship)))
      guard let links = sources.links(source, new.relationships[relationship], members) else { continue }
      after += Int(
        try number(
          "SELECT count(*) FROM (SELECT DISTINCT \(try kept(relationship)) FROM (\(links)) AS links) AS kept")
      )
    }
    let described = new.relationships[relationship]
    if before > after, let links = ends(of: described) {
      let key = ownerColumns(of: described)
      let rivals =
        "SELECT \(key), count(*) OVER (PARTITION BY \(try kept(relationship))) AS n FROM (\(links)) AS links"
      examples += try identities(
        in: "SELECT DISTINCT \(key) FROM (\(rivals)) AS rivals WHERE n > 1", described,
        besides: examples.count)
    }
    return max(0, before - after)
  }

  /// The columns of a link that must be unique: a to-one has one target for each owner.
  private func kept(_ relationship: Int) throws -> String {
    let described = new.relationships[relationship]
    let owners = newLayout.table(of: described.owner).key.indices.map { "o\($0)" }
    let targets = newLayout.table(of: described.destination).key.indices.map { "t\($0)" }
    if !described.isToMany { return owners.joined(separator: ", ") }
    if let inverse = described.inverse, !new.relationships[inverse].isToMany {
      return targets.joined(separator: ", ")
    }
    return (owners + targets).joined(separator: ", ")
  }

  // MARK: - Keys

  private func judgeIdentity(_ step: inout MigrationPlan.Step, _ entity: Int) throws {
    let table = newLayout.entities[entity].table
    let names = new.identityNames(of: new.entities[entity])
    let key = newLayout.entities[entity].identitySlots.map { newLayout.entities[entity].slots[$0] }
    var missing = 0
    for part in sources.parts(ofNewTable: table).map(sources.part) {
      let values = key.map { part.columns[$0].sql("o", oldLayout.tables[part.oldTable]) }
      let condition = values.map { "\($0) IS NULL" }.joined(separator: " OR ")
      let members = part.members.filter { new.family(of: entity).contains($0.new) }.map(\.old)
      missing += try count(ofOldTable: part.oldTable, members, "(\(condition))")
    }
    if missing > 0 {
      step.problem =
        "\(MigrationPlan.Step.counted(missing, "object")) would have no \(ModelChanges.list(names)), which is the identity"
        + " now; give these a value, or remove them first"
    }
    try countLostReferences(&step, entity)
  }

  /// References to objects that are not there know these by the old identity.
  private func countLostReferences(_ step: inout MigrationPlan.Step, _ entity: Int) throws {
    guard let former = former(entity), sources.directKey([former]) == nil else { return }
    let family = old.family(of: former)
    let table = oldLayout.tables[oldLayout.entities[former].table]
    var lost = 0
    for relationship in old.relationships where family.contains(relationship.destination) {
      guard case .foreignKey(let columns) = oldLayout.relationships[relationship.index] else { continue }
      let holder = oldLayout.entities[relationship.owner].table
      let names = columns.map { "o.\(SQL.quoted(oldLayout.tables[holder].columns[$0].name))" }
      let isThere = zip(table.key, names).map { "y.\(SQL.quoted(table.columns[$0].name)) = \($1)" }
      lost += try count(
        ofOldTable: holder, sources.concrete(relationship.owner),
        "\(names[0]) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM"
          + " \(sources.tableNames[oldLayout.entities[former].table]) y WHERE \(isThere.joined(separator: " AND ")))"
      )
    }
    step.removed += lost
    if lost > 0 { step.isRemoval = true }
  }

  /// Objects that would have the same key, where keys change.
  private func conflictsOfKeys(_ steps: [MigrationPlan.Step]) throws -> [MigrationPlan.Step] {
    var result: [MigrationPlan.Step] = []
    for (index, table) in newLayout.tables.enumerated() {
      let root = new.entities[table.root]
      let parts = sources.parts(ofNewTable: index)
      let isKept =
        parts.count == 1
        && parts[0].members.allSatisfy {
          sources.directKey(of: $0.new, $0.old)?.allSatisfy { $0.isPlain(options) } ?? false
        }
        && sources.directKey(parts[0].members.map(\.old))?.count
          == oldLayout.tables[parts[0].oldTable].key.count
      guard !isKept, !parts.isEmpty, root.hasIdentity else { continue }
      let keys = parts.map(sources.part).map { part in
        let old = oldLayout.tables[part.oldTable]
        let values = table.key.map { sources.typed(part.columns[$0], table.columns[$0], "o", old) }
        var sql =
          "SELECT \(values.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")) FROM \(sources.tableNames[part.oldTable]) o"
        if let condition = sources.condition("o", part.members.map(\.old), ofOldTable: part.oldTable) {
          sql += " WHERE \(condition)"
        }
        return sql
      }
      let names = new.identityNames(of: root)
      guard let problem = try repeated(keys.joined(separator: " UNION ALL "), table.key.count, names) else {
        continue
      }
      result.append(
        MigrationPlan.Step(
          change: ModelChange(
            entity: root.name, property: nil, action: .changed, summary: "has other keys", detail: .none),
          problem: problem))
    }
    return result
  }

  private func judgeUniqueness(_ step: inout MigrationPlan.Step, _ entity: Int, _ names: [String]) throws {
    let index = newLayout.entities[entity].table
    let table = newLayout.tables[index]
    let columns = names.compactMap { name in newLayout.columns(ofProperty: name, new.entities[entity]) }
    guard columns.count == names.count else { return }
    let queries = sources.parts(ofNewTable: index).map(sources.part).map { part in
      let old = oldLayout.tables[part.oldTable]
      let values = columns.joined().map { sources.typed(part.columns[$0], table.columns[$0], "o", old) }
      let members = part.members.filter { new.family(of: entity).contains($0.new) }.map(\.old)
      var sql = "SELECT \(values.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", "))"
      sql += " FROM \(sources.tableNames[part.oldTable]) o"
      if let condition = sources.condition("o", members, ofOldTable: part.oldTable) {
        sql += " WHERE \(condition)"
      }
      return sql
    }
    guard !queries.isEmpty else { return }
    step.problem = try repeated(queries.joined(separator: " UNION ALL "), columns.joined().count, names)
  }

  /// Values that are there more than once, in words; nil if there are none.
  private func repeated(_ query: String, _ count: Int, _ names: [String]) throws -> String? {
    let keys = (0..<count).map { "k\($0)" }
    let isKnown = keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let groups =
      "SELECT \(keys.joined(separator: ", ")) FROM (\(query)) AS objects WHERE \(isKnown)"
      + " GROUP BY \(keys.joined(separator: ", ")) HAVING count(*) > 1"
    let number = try number("SELECT count(*) FROM (\(groups)) AS repeated")
    guard number > 0 else { return nil }
    var examples: [String] = []
    try sources.engine.forEach(
      "\(groups) ORDER BY \(keys.joined(separator: ", ")) LIMIT 3", columns: count
    ) { examples.append(KeyText.ofColumns(0..<count, $0)) }
    let more = number > Int64(examples.count) ? " and \(number - Int64(examples.count)) more" : ""
    return
      "several objects have the same \(ModelChanges.list(names)): \(examples.joined(separator: "; "))\(more); remove or"
      + " change these first"
  }

  // MARK: - Decisions

  /// A decision about something that there is not, or that does not fit.
  private func wrongDecision() -> MigrationPlan.Step? {
    let names = Dictionary(
      new.entities.flatMap { entity in
        entity.attributes.map { ("\(new.entities[$0.owner].name).\($0.name)", $0.attribute) }
      }, uniquingKeysWith: { first, _ in first })
    let links = Dictionary(
      new.relationships.filter { !$0.isToMany && !$0.isIdentity }.map {
        ("\(new.entities[$0.owner].name).\($0.name)", $0)
      }, uniquingKeysWith: { first, _ in first })
    let decided = options.values.keys.sorted() + options.conversions.keys.sorted() + options.dropped.sorted()
    for name in decided where names[name] == nil && (links[name] == nil || options.conversions[name] != nil) {
      let nearest =
        nearestName(to: name, in: names.keys.sorted() + links.keys.sorted()).map { ", did you mean \($0)?" }
        ?? ""
      return decision(name, "the new version has no attribute of this name\(nearest)")
    }
    for (name, text) in options.values.sorted(by: { $0.key < $1.key }) {
      guard let link = links[name], sources.givenTarget(link.index) == nil else { continue }
      return decision(name, "“\(text)” is no identity of \(new.entities[link.destination].name)")
    }
    for (name, text) in options.values.sorted(by: { $0.key < $1.key }) {
      guard let attribute = names[name], attribute.stored(text) == nil else { continue }
      return decision(name, "“\(text)” is not \(attribute.type.words)")
    }
    return nil
  }

  private func decision(_ name: String, _ problem: String) -> MigrationPlan.Step {
    MigrationPlan.Step(
      change: ModelChange(
        entity: name, property: nil, action: .changed, summary: "was given a decision", detail: .none),
      problem: problem)
  }
}

extension Layout {
  /// The columns of an attribute, or of a relationship that is kept in the entity's own table.
  func columns(ofProperty name: String, _ entity: SchemaEntity) -> [Int]? {
    let layout = entities[entity.index]
    if let index = entity.attribute(name) { return [layout.slots[layout.attributeSlots[index]]] }
    for index in entity.relationships where schema.relationships[index].name == name {
      if case .foreignKey(let columns) = relationships[index] { return columns }
    }
    return nil
  }
}

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

/// Sees, after the code of a stage has run, whether it has left something empty that the new version requires.
package struct RequiredValues {
  private let layout: Layout
  private let engine: any MigrationEngine

  package init(_ layout: Layout, _ engine: any MigrationEngine) {
    (self.layout, self.engine) = (layout, engine)
  }

  /// - Throws: ``StoreError`` if there is an object without a value that it needs.
  package func check() throws {
    for entity in layout.schema.entities where !entity.isAbstract {
      let place = layout.entities[entity.index]
      let table = layout.tables[place.table]
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isOptional {
        let name = SQL.quoted(table.columns[place.slots[place.attributeSlots[index]]].name)
        var sql = "SELECT count(*) FROM \(table.sqlName) WHERE \(name) IS NULL"
        if let kind = table.kindColumn { sql += " AND \(SQL.quoted(kind)) = \(SQL.literal(entity.name))" }
        let count = try engine.number(sql)
        guard count > 0 else { continue }
        throw StoreError.invalid(
          "The migration leaves \(count) objects of \(entity.name) without \(attribute.name), which is"
            + " required. Nothing was changed.")
      }
    }
  }
}
