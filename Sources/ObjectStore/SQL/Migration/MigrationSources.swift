import ObjectModel

/// Where everything in the tables of a new layout comes from in those of an old one, as SQL.
///
/// The same SQL fills new tables, makes views for who only reads, and counts what would be lost.
package final class MigrationSources {
  let pairs: ModelCorrespondence
  package let oldLayout: Layout
  package let newLayout: Layout
  let options: Store.Migration
  package let engine: any MigrationEngine
  /// The present names of the old tables, as SQL.
  package var tableNames: [String]
  package var joinNames: [String]

  var old: Schema { pairs.old }
  var new: Schema { pairs.new }

  package init(
    _ oldLayout: Layout, _ newLayout: Layout, _ options: Store.Migration, _ engine: any MigrationEngine
  ) {
    self.oldLayout = oldLayout
    self.newLayout = newLayout
    self.options = options
    self.engine = engine
    pairs = ModelCorrespondence(old: oldLayout.schema, new: newLayout.schema)
    tableNames = oldLayout.tables.map { engine.tableName($0.name) }
    joinNames = oldLayout.joins.map { engine.tableName($0.name) }
  }

  // MARK: - Entities

  /// The entity that the objects of an old one become; nil if they go.
  func successor(of entity: Int) -> Int? {
    guard let other = pairs.newEntity[entity], !new.entities[other].isAbstract else { return nil }
    return other
  }

  /// The entities of an old table that have objects.
  func members(ofOldTable table: Int) -> [Int] {
    old.family(of: oldLayout.tables[table].root).filter {
      oldLayout.entities[$0].table == table && !old.entities[$0].isAbstract
    }
  }

  /// The entities that objects of an old one, or of its sub-entities, are of.
  func concrete(_ entity: Int) -> [Int] { old.family(of: entity).filter { !old.entities[$0].isAbstract } }

  /// The rows of a new table by the old tables that they come from.
  package func parts(ofNewTable table: Int) -> [TablePart] {
    var result: [TablePart] = []
    for oldTable in oldLayout.tables.indices {
      let members = members(ofOldTable: oldTable).compactMap { member in
        successor(of: member).flatMap { newLayout.entities[$0].table == table ? (old: member, new: $0) : nil }
      }
      guard !members.isEmpty else { continue }
      result.append(TablePart(oldTable: oldTable, newTable: table, members: members))
    }
    return result
  }

  /// The condition that a row of an old table is of some entities; nil if all are.
  func condition(_ alias: String, _ entities: [Int], ofOldTable table: Int) -> String? {
    guard let kind = oldLayout.tables[table].kindColumn, Set(members(ofOldTable: table)) != Set(entities)
    else {
      return nil
    }
    let names = entities.map { SQL.literal(old.entities[$0].name) }
    return "\(alias).\(SQL.quoted(kind)) IN (\(names.joined(separator: ", ")))"
  }

  // MARK: - Rows

  /// The number in the new table of a row of an old one. Rows of several tables come one table after the other.
  func rowID(_ alias: String, _ oldTable: Int, _ newTable: Int) -> String {
    let before = parts(ofNewTable: newTable).map(\.oldTable).prefix { $0 != oldTable }
    let offsets = before.map { table in
      "(SELECT coalesce(max(\(engine.rowNumber("r", of: oldLayout.tables[table]))), 0) FROM \(tableNames[table]) r)"
    }
    return ([engine.rowNumber(alias, of: oldLayout.tables[oldTable])] + offsets).joined(separator: " + ")
  }

  /// Whether rows of an old table keep their numbers.
  private func keepsRowIDs(_ oldTable: Int, _ newTable: Int) -> Bool {
    parts(ofNewTable: newTable).first?.oldTable == oldTable
  }

  package func part(_ part: TablePart) -> TablePart {
    var part = part
    let table = newLayout.tables[part.newTable]
    var sources = [[(member: Int, source: ColumnSource)]](repeating: [], count: table.columns.count)
    for member in part.members {
      for (column, source) in columns(of: member.new, member.old, "o") {
        sources[column].append((member.old, source))
      }
    }
    part.columns = sources.map { merged($0, part, "o") }
    part.rowID = rowID("o", part.oldTable, part.newTable)
    return part
  }

  /// One source for a column, from what it is for each entity that has it.
  private func merged(
    _ sources: [(member: Int, source: ColumnSource)], _ part: TablePart, _ alias: String
  ) -> ColumnSource {
    guard let first = sources.first else { return .null }
    if sources.allSatisfy({ $0.source == first.source }) { return first.source }
    let table = oldLayout.tables[part.oldTable]
    return .expression(
      byKind(sources.map { ($0.member, $0.source.sql(alias, table)) }, alias, part.oldTable))
  }

  /// SQL that differs by the entity of a row of an old table.
  private func byKind(_ choices: [(member: Int, sql: String)], _ alias: String, _ table: Int) -> String {
    guard let kind = oldLayout.tables[table].kindColumn, let first = choices.first else {
      return choices.first?.sql ?? "NULL"
    }
    if choices.count == members(ofOldTable: table).count, choices.allSatisfy({ $0.sql == first.sql }) {
      return first.sql
    }
    let cases = choices.map { "WHEN \(SQL.literal(old.entities[$0.member].name)) THEN \($0.sql)" }
    return "CASE \(alias).\(SQL.quoted(kind)) \(cases.joined(separator: " ")) END"
  }

  /// The sources of the columns of a new entity's row, in a row of the old entity.
  private func columns(of new: Int, _ old: Int, _ alias: String) -> [(column: Int, source: ColumnSource)] {
    let layout = newLayout.entities[new]
    let table = newLayout.tables[layout.table]
    var result: [(column: Int, source: ColumnSource)] = []
    for index in layout.entity.attributes.indices {
      result.append((layout.slots[layout.attributeSlots[index]], attribute(index, of: new, old, alias)))
    }
    for index in layout.entity.relationships {
      guard case .foreignKey(let columns) = newLayout.relationships[index] else { continue }
      let isIdentity = self.new.relationships[index].isIdentity
      let key =
        isIdentity
        ? identityLink(index, of: new, old, alias) : givenKey(index, of: new, old, alias)
      result += zip(columns, key).map { ($0, $1) }
      guard let inverse = self.new.relationships[index].inverse,
        case .inverse(_, let order?) = newLayout.relationships[inverse]
      else { continue }
      result.append((order, self.order(index, inverse, of: new, old, alias)))
    }
    if table.holdsMixedKeys || !self.new.entities[table.root].hasIdentity {
      result += zip(table.key, madeUpKey(of: new, old, alias)).map { ($0, $1) }
    }
    if let kindValue = table.kindValueColumn {
      let former = oldLayout.tables[oldLayout.entities[old].table].kindValueColumn
      result.append((kindValue, former.map { .column($0, ifNull: nil) } ?? .null))
    }
    return result
  }

  /// The foreign key of a to-one relationship, with the target that was given for objects that have none.
  func givenKey(_ relationship: Int, of new: Int, _ old: Int, _ alias: String) -> [ColumnSource] {
    let key = foreignKey(relationship, of: new, old, alias)
    guard let given = givenTarget(relationship), given.count == key.count else { return key }
    return zip(key, given).map { source, value in
      switch source {
      case .null: .constant(value)
      case .column(let column, nil): .column(column, ifNull: value)
      case .column, .constant: source
      case .expression(let sql): .expression("coalesce(\(sql), \(value))")
      }
    }
  }

  /// The key of the target, in SQL, that was given for the objects without one; nil if none was, or it is no key.
  func givenTarget(_ relationship: Int) -> [String]? {
    let described = self.new.relationships[relationship]
    let target = self.new.entities[described.destination]
    guard let text = options.values["\(self.new.entities[described.owner].name).\(described.name)"],
      let values = newLayout.identity(text, of: target)
    else { return nil }
    let columns = newLayout.table(of: target.index).key.map { newLayout.table(of: target.index).columns[$0] }
    return zip(columns, newLayout.key(ofIdentity: values, of: target)).map { engine.literal($1, $0.type) }
  }

  // MARK: - Attributes

  /// The source of an attribute of a new entity.
  func attribute(
    _ index: Int, of new: Int, _ old: Int, _ alias: String, withDefault: Bool = true
  ) -> ColumnSource {
    let attribute = self.new.entities[new].attributes[index]
    let name = "\(self.new.entities[attribute.owner].name).\(attribute.name)"
    let value = options.values[name].flatMap { attribute.attribute.stored($0) }
    let given = (withDefault ? value ?? attribute.attribute.storedDefault : nil)
      .map { engine.literal($0, attribute.type) }
    let layout = oldLayout.entities[old]
    if let link = pairs.oldLinks[new][index] {
      let isNeeded = !attribute.isOptional || (withDefault && value != nil)
      if case .foreignKey(let columns) = oldLayout.relationships[link], let column = columns.first {
        return .column(column, ifNull: isNeeded ? given : nil)
      }
      if let list = keyList(of: link, old, alias) {
        return .expression(isNeeded ? given.map { "coalesce(\(list), \($0))" } ?? list : list)
      }
    }
    guard let former = pairs.oldAttributes[new][index] else {
      guard let conversion = options.conversions[name] else { return given.map { .constant($0) } ?? .null }
      let made = engine.called(
        conversion, name, on: nil, rowsOf: tableNames[layout.table], giving: attribute.type)
      return .expression(made)
    }
    let column = layout.slots[layout.attributeSlots[former]]
    // Only what must have a value, or was given one, gets one in place of none.
    let isNeeded = !attribute.isOptional || (withDefault && value != nil)
    let plain = ColumnSource.column(column, ifNull: isNeeded ? given : nil)
    let converted = converted(
      stored(alias, layout.table, column),
      ValueConversion(layout.entity.attributes[former].type, to: attribute.type), name)
    guard let converted else {
      return plain
    }
    return .expression(isNeeded ? given.map { "coalesce(\(converted), \($0))" } ?? converted : converted)
  }

  /// SQL for what a value is in the new version; nil if it stays as it is.
  private func converted(_ column: StoredColumn, _ conversion: ValueConversion, _ name: String) -> String? {
    guard let own = options.conversions[name] else { return engine.converted(column, conversion) }
    return engine.called(own, name, on: column, rowsOf: column.table, giving: conversion.new)
  }

  // MARK: - Columns

  /// A column of a row of an old table.
  func stored(_ alias: String, _ table: Int, _ column: Int) -> StoredColumn {
    let described = oldLayout.tables[table].columns[column]
    return StoredColumn(
      alias: alias, table: tableNames[table], column: described,
      origin: "table \(table) \(described.name)")
  }

  /// Columns of a row of an old join table.
  func stored(_ alias: String, join: Int, _ columns: [Column]) -> [StoredColumn] {
    columns.map {
      StoredColumn(
        alias: alias, table: joinNames[join], column: $0,
        origin: "join \(join) \($0.name)")
    }
  }

  /// The alias of a query's rows that hides no alias of the query around it.
  func alias(_ name: String, within outer: String) -> String {
    outer.hasPrefix(name) ? outer + name : name
  }

  /// The source of a column of a new table, for a place where no value has to have a type.
  func typed(_ source: ColumnSource, _ column: Column, _ alias: String, _ table: Table) -> String {
    source == .null ? engine.null(in: column) : source.sql(alias, table)
  }

  // MARK: - Keys

  /// The source of a key that the store makes up.
  private func madeUpKey(of new: Int, _ old: Int, _ alias: String) -> [ColumnSource] {
    if let direct = directKey(of: new, old) { return direct.map { .column($0.column, ifNull: nil) } }
    return newKey(of: new, old, alias).map { .expression($0) }
  }

  /// SQL for the key of an object in the new table, from a row of the old one.
  func newKey(of new: Int, _ old: Int, _ alias: String) -> [String] {
    let entity = self.new.entities[new]
    let (oldTable, newTable) = (oldLayout.entities[old].table, newLayout.entities[new].table)
    let table = oldLayout.tables[oldTable]
    guard entity.hasIdentity else {
      return [engine.rowKey(rowID(alias, oldTable, newTable), in: newLayout.tables[newTable])]
    }
    let identity = entity.identity.map { part in
      KeyPart(identityPart(part, of: new, old, alias).sql(alias, table), part.type)
    }
    guard entity.isIdentifiedBelowRoot else { return identity.map(\.sql) }
    let kind = KeyPart(SQL.literal(self.new.entities[entity.identityOwner].name), .string)
    return [engine.joinedKey([kind] + identity)]
  }

  /// The source of a value of an identity.
  private func identityPart(_ part: IdentityPart, of new: Int, _ old: Int, _ alias: String) -> ColumnSource {
    if let index = part.attribute { return attribute(index, of: new, old, alias) }
    // Where the old identity has it, it stays, be the object that it names there or not.
    if let direct = directPart(part, self.new.entities[new], self.old.entities[old]) {
      guard !isKept(direct) else { return .column(direct.column, ifNull: nil) }
      return .expression(convert(direct, stored(alias, oldLayout.entities[old].table, direct.column)))
    }
    guard let relationship = part.relationship else { return .null }
    let key = foreignKey(relationship, of: new, old, alias)
    return part.place < key.count ? key[part.place] : .null
  }

  /// The source of a foreign key that is a part of the identity.
  private func identityLink(
    _ relationship: Int, of new: Int, _ old: Int, _ alias: String
  ) -> [ColumnSource] {
    self.new.entities[new].identity.filter { $0.relationship == relationship }
      .map { identityPart($0, of: new, old, alias) }
  }

  /// SQL for the keys in the new version of rows of an old table, which may be of several entities.
  ///
  /// - Parameter entities: Those of the old version whose objects count. The others have null.
  func newKey(_ alias: String, ofOldTable table: Int, _ entities: [Int]) -> [String] {
    let keys = entities.compactMap { member in
      successor(of: member).map { (member: member, key: newKey(of: $0, member, alias)) }
    }
    guard let count = keys.first?.key.count else { return [] }
    return (0..<count).map { part in
      byKind(keys.map { ($0.member, part < $0.key.count ? $0.key[part] : "NULL") }, alias, table)
    }
  }

  /// A part of a key that follows from a part of the old key alone.
  struct DirectPart: Equatable {
    /// The column of the old table, and its place in the key.
    var column: Int
    var position: Int
    var old: AttributeType
    var new: AttributeType
    var name: String

    /// Whether it is the same in texts of keys.
    func isPlain(_ options: Store.Migration) -> Bool {
      ValueConversion(old, to: new).keepsAll && options.conversions[name] == nil
    }
  }

  /// How a key follows from the old key alone, so that it need not be looked up; nil if it does not.
  func directKey(of new: Int, _ old: Int) -> [DirectPart]? {
    let (entity, former) = (self.new.entities[new], self.old.entities[old])
    let (oldTable, newTable) = (oldLayout.entities[old].table, newLayout.entities[new].table)
    let (before, after) = (oldLayout.tables[oldTable], newLayout.tables[newTable])
    let whole = before.key.first.map {
      DirectPart(column: $0, position: 0, old: .string, new: .string, name: "")
    }
    if before.holdsMixedKeys || after.holdsMixedKeys {
      guard before.holdsMixedKeys, after.holdsMixedKeys, keepsRowIDs(oldTable, newTable),
        entity.hasIdentity == former.hasIdentity
      else { return nil }
      guard entity.hasIdentity else { return whole.map { [$0] } }
      let names = (self.new.entities[entity.identityOwner].name, self.old.entities[former.identityOwner].name)
      guard names.0 == names.1, let parts = identityParts(entity, former),
        parts.enumerated().allSatisfy({ $1.position == $0 && $1.isPlain(options) }),
        parts.count == former.identity.count
      else { return nil }
      return whole.map { [$0] }
    }
    guard entity.hasIdentity else {
      guard !former.hasIdentity, keepsRowIDs(oldTable, newTable) else { return nil }
      return whole.map { [$0] }
    }
    return former.hasIdentity ? identityParts(entity, former) : nil
  }

  private func identityParts(_ entity: SchemaEntity, _ former: SchemaEntity) -> [DirectPart]? {
    let parts = entity.identity.compactMap { directPart($0, entity, former) }
    return parts.count == entity.identity.count ? parts : nil
  }

  /// How a value of an identity follows from one of the old identity; nil if it does not.
  private func directPart(
    _ part: IdentityPart, _ entity: SchemaEntity, _ former: SchemaEntity
  ) -> DirectPart? {
    guard let position = pairs.oldIdentityPart(part, of: entity, former) else { return nil }
    let layout = oldLayout.entities[former.index]
    let source = new.entities[part.source.entity].attributes[part.source.attribute]
    return DirectPart(
      column: layout.slots[layout.identitySlots[position]], position: position,
      old: former.identity[position].type, new: part.type,
      name: "\(new.entities[source.owner].name).\(source.name)")
  }

  /// How keys of any of some entities follow from the old keys alone; nil if they do not, or not in the same way.
  func directKey(_ entities: [Int]) -> [DirectPart]? {
    var result: [DirectPart]?
    for member in entities {
      guard let other = successor(of: member), let parts = directKey(of: other, member) else { return nil }
      if let result,
        result.map(\.position) != parts.map(\.position) || result.map(\.old) != parts.map(\.old)
          || result.map(\.new) != parts.map(\.new)
      {
        return nil
      }
      result = parts
    }
    return result
  }

  /// SQL for a part of a key that follows from a part of the old one.
  func convert(_ part: DirectPart, _ column: StoredColumn) -> String {
    converted(column, ValueConversion(part.old, to: part.new), part.name) ?? column.sql
  }

  /// Whether the database keeps a part of a key as it kept the old one.
  func isKept(_ part: DirectPart) -> Bool {
    part.isPlain(options) && engine.keeps(ValueConversion(part.old, to: part.new))
  }
}

/// Where the value of a column of a new table comes from, in a row of an old one.
package enum ColumnSource: Equatable {
  /// A column of the old table, with a literal for rows where it is null.
  case column(Int, ifNull: String?)
  /// The same for every row, as SQL.
  case constant(String)
  /// SQL about a row.
  case expression(String)

  static let null = ColumnSource.constant("NULL")

  func sql(_ alias: String, _ table: Table) -> String {
    switch self {
    case .column(let index, nil): "\(alias).\(SQL.quoted(table.columns[index].name))"
    case .column(let index, let value?):
      "coalesce(\(alias).\(SQL.quoted(table.columns[index].name)), \(value))"
    case .constant(let sql), .expression(let sql): sql
    }
  }
}

/// The rows of an old table that become rows of a new one.
package struct TablePart {
  package let oldTable: Int
  package let newTable: Int
  /// The entities of the rows, as they were and as they become.
  let members: [(old: Int, new: Int)]
  /// For each column of the new table.
  var columns: [ColumnSource] = []
  /// The number of a row in the new table, where that is not the key.
  var rowID = ""
}

/// The rows of new tables as queries on the old ones.
extension MigrationSources {
  /// The columns of a new table in the order in which ``rows(_:where:)`` gives them.
  package func columnNames(_ part: TablePart) -> [String] {
    let table = newLayout.tables[part.newTable]
    return rowIDNames(table) + [table.kindColumn].compactMap(\.self) + table.columns.map(\.name)
  }

  /// The column with the number of a row, where that is not the key.
  private func rowIDNames(_ table: Table) -> [String] {
    table.keyIsRowID ? [] : [engine.numberColumn(of: table)]
  }

  /// A query for the rows of a new table that come from an old one.
  ///
  /// - Parameter number: SQL for the number of a row, if the query is to give that as a first column.
  package func rows(_ part: TablePart, where range: String? = nil, numberedBy number: String? = nil) -> String
  {
    let (old, new) = (oldLayout.tables[part.oldTable], newLayout.tables[part.newTable])
    var values = number.map { [$0] } ?? []
    if number == nil ? !new.keyIsRowID : new.rowIDColumn != nil { values.append(part.rowID) }
    if new.kindColumn != nil { values.append(kind(part)) }
    values += part.columns.map { $0.sql("o", old) }
    var sql = "SELECT \(values.joined(separator: ", ")) FROM \(tableNames[part.oldTable]) o"
    let conditions = [range, condition("o", part.members.map(\.old), ofOldTable: part.oldTable)]
      .compactMap(\.self)
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    return sql
  }

  /// SQL for the name of the entity of a row.
  private func kind(_ part: TablePart) -> String {
    let names = part.members.map { SQL.literal(new.entities[$0.new].name) }
    guard let kind = oldLayout.tables[part.oldTable].kindColumn else { return names.first ?? "NULL" }
    let cases = zip(part.members, names).map { "WHEN \(SQL.literal(old.entities[$0.old].name)) THEN \($1)" }
    return "CASE o.\(SQL.quoted(kind)) \(cases.joined(separator: " ")) END"
  }

  /// A query for the rows of a new join table.
  package func joinRows(_ join: JoinTable, _ links: String) -> String {
    let keys = join.ownerColumns.indices.map { "o\($0)" } + join.targetColumns.indices.map { "t\($0)" }
    let places = [join.targetOrder.map { _ in "place" }, join.ownerOrder.map { _ in "owner_place" }]
    return "SELECT \((keys + places.compactMap(\.self)).joined(separator: ", ")) FROM (\(links)) AS links"
  }
}
