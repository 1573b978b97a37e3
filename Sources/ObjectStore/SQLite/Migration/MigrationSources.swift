import ObjectModel

/// Where everything in the tables of a new layout comes from in those of an old one, as SQL.
///
/// The same SQL fills new tables, makes views for who only reads, and counts what would be lost.
final class MigrationSources {
  let pairs: ModelCorrespondence
  let oldLayout: Layout
  let newLayout: Layout
  let options: Store.Migration
  let functions: MigrationFunctions
  /// What the old tables are called now, as SQL.
  var tableNames: [String]
  var joinNames: [String]

  var old: Schema { pairs.old }
  var new: Schema { pairs.new }

  init(
    _ oldLayout: Layout, _ newLayout: Layout, _ options: Store.Migration, _ functions: MigrationFunctions
  ) {
    self.oldLayout = oldLayout
    self.newLayout = newLayout
    self.options = options
    self.functions = functions
    pairs = ModelCorrespondence(old: oldLayout.schema, new: newLayout.schema)
    tableNames = oldLayout.tables.map { "main." + SQL.quoted($0.name) }
    joinNames = oldLayout.joins.map { "main." + SQL.quoted($0.name) }
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
  func parts(ofNewTable table: Int) -> [TablePart] {
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
    return (["\(alias).rowid"] + before.map { "(SELECT coalesce(max(rowid), 0) FROM \(tableNames[$0]))" })
      .joined(separator: " + ")
  }

  /// Whether rows of an old table keep their numbers.
  private func keepsRowIDs(_ oldTable: Int, _ newTable: Int) -> Bool {
    parts(ofNewTable: newTable).first?.oldTable == oldTable
  }

  func part(_ part: TablePart) -> TablePart {
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

  /// What the columns of a new entity's row come from, in a row of the old entity.
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
        ? identityLink(index, of: new, old, alias) : foreignKey(index, of: new, old, alias)
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

  // MARK: - Attributes

  /// What an attribute of a new entity comes from.
  func attribute(
    _ index: Int, of new: Int, _ old: Int, _ alias: String, withDefault: Bool = true
  ) -> ColumnSource {
    let attribute = self.new.entities[new].attributes[index]
    let name = "\(self.new.entities[attribute.owner].name).\(attribute.name)"
    let value = options.values[name].flatMap { attribute.attribute.stored($0) }
    let given = (withDefault ? value ?? attribute.attribute.storedDefault : nil)?.literal
    guard let former = pairs.oldAttributes[new][index] else {
      if let conversion = options.conversions[name] { return .expression(functions.call("NULL", conversion)) }
      return given.map { .constant($0) } ?? .null
    }
    let layout = oldLayout.entities[old]
    let column = layout.slots[layout.attributeSlots[former]]
    // Only what must have a value, or was given one, gets one in place of none.
    let isNeeded = !attribute.isOptional || (withDefault && value != nil)
    let plain = ColumnSource.column(column, ifNull: isNeeded ? given : nil)
    let sql = ColumnSource.column(column, ifNull: nil).sql(alias, oldLayout.tables[layout.table])
    guard let converted = conversion(of: sql, layout.entity.attributes[former].type, attribute.type, name)
    else {
      return plain
    }
    return .expression(isNeeded ? given.map { "coalesce(\(converted), \($0))" } ?? converted : converted)
  }

  /// SQL for what a value is in the new version; nil if it stays as it is.
  private func conversion(
    of sql: String, _ old: AttributeType, _ new: AttributeType, _ name: String
  ) -> String? {
    if let conversion = options.conversions[name] { return functions.call(sql, conversion) }
    let conversion = ValueConversion(old, to: new)
    if conversion.keepsAll { return nil }
    switch (StorageType(old), new) {
    case (.integer, .decimal) where old != .boolean, (.integer, .string) where old != .boolean:
      return "CAST(\(sql) AS TEXT)"
    case (.integer, .double) where old != .boolean:
      return "CASE WHEN abs(\(sql)) <= 9007199254740992 THEN CAST(\(sql) AS REAL) END"
    default: return functions.call(sql) { conversion.convert($0) ?? .null }
    }
  }

  // MARK: - Keys

  /// What a key that the store makes up comes from.
  private func madeUpKey(of new: Int, _ old: Int, _ alias: String) -> [ColumnSource] {
    if let direct = directKey(of: new, old) { return direct.map { .column($0.column, ifNull: nil) } }
    return newKey(of: new, old, alias).map { .expression($0) }
  }

  /// SQL for the key of an object in the new table, from a row of the old one.
  func newKey(of new: Int, _ old: Int, _ alias: String) -> [String] {
    let entity = self.new.entities[new]
    let (oldTable, newTable) = (oldLayout.entities[old].table, newLayout.entities[new].table)
    let table = oldLayout.tables[oldTable]
    guard entity.hasIdentity else { return [rowID(alias, oldTable, newTable)] }
    let identity = entity.identity.map { identityPart($0, of: new, old, alias).sql(alias, table) }
    guard entity.isIdentifiedBelowRoot else { return identity }
    return [
      MigrationFunctions.joined([SQL.literal(self.new.entities[entity.identityOwner].name)] + identity)
    ]
  }

  /// What a value of an identity comes from.
  private func identityPart(_ part: IdentityPart, of new: Int, _ old: Int, _ alias: String) -> ColumnSource {
    if let index = part.attribute { return attribute(index, of: new, old, alias) }
    // Where the old identity has it, it stays, be the object that it names there or not.
    if let direct = directPart(part, self.new.entities[new], self.old.entities[old]) {
      guard !direct.isPlain(options) else { return .column(direct.column, ifNull: nil) }
      let table = oldLayout.tables[oldLayout.entities[old].table]
      return .expression(convert(direct, "\(alias).\(SQL.quoted(table.columns[direct.column].name))"))
    }
    guard let relationship = part.relationship else { return .null }
    let key = foreignKey(relationship, of: new, old, alias)
    return part.place < key.count ? key[part.place] : .null
  }

  /// What the foreign key of a relationship comes from that is a part of the identity.
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
  func convert(_ part: DirectPart, _ sql: String) -> String {
    conversion(of: sql, part.old, part.new, part.name) ?? sql
  }
}
