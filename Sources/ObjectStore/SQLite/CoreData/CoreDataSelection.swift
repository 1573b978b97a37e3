import Bytes
import ObjectModel

/// The objects of one entity of a Core Data store, as one query, with the queries of their lists beside it.
final class CoreDataSelection {
  /// What all entities of a store share.
  struct Shared {
    let binding: CoreDataBinding
    let names: CoreDataNames
    let external: CoreDataExternalFiles
    /// What is wrong with attributes as a whole.
    let problems: [SourceProblem]
  }

  enum Problem {
    case value(SourceProblem)
    /// A value that is an archive with something that JSON cannot have.
    case archive(entity: String, property: String, CoreDataArchiveProblems.Found)
  }

  /// An attribute's column of the query. A class, as is a link, since they are passed on for every value.
  private final class Value {
    let slot: Int
    let column: Int
    let name: String
    let isNeeded: Bool
    let conversion: CoreDataValue

    init(_ slot: Int, _ column: Int, _ name: String, isNeeded: Bool, _ conversion: CoreDataValue) {
      self.slot = slot
      self.column = column
      self.name = name
      self.isNeeded = isNeeded
      self.conversion = conversion
    }
  }

  /// A to-one relationship: where its key goes, and what it is made of.
  private final class Link {
    let slots: [Int]
    let key: CoreDataKey
    let name: String
    let isNeeded: Bool

    init(_ slots: [Int], _ key: CoreDataKey, _ name: String, isNeeded: Bool) {
      self.slots = slots
      self.key = key
      self.name = name
      self.isNeeded = isNeeded
    }
  }

  private let entity: SchemaEntity
  private let layout: EntityLayout
  private let shared: Shared
  private var values: [Value] = []
  private var links: [Link] = []
  private var orders: [(slot: Int, column: Int)] = []
  private var lists: [CoreDataList] = []
  /// The slot of Core Data's own key, where that is the identity.
  private let objectIDSlot: Int?
  private let statement: PreparedStatement
  /// What the store has and the layout has no place for.
  let unmatched: [String]
  /// The name of an object up to its number, and the number of the present one.
  private let prefix: [UInt8]
  /// The key of an object up to its number.
  private let keyPrefix: [UInt8]
  private var key: Int64 = 0
  /// How many objects there were so far.
  private(set) var count = 0
  var entityName: String { entity.name }

  init(
    _ entity: SchemaEntity, _ place: CoreDataBinding.EntityPlace, _ layout: Layout, _ shared: Shared,
    _ handle: OpaquePointer
  ) throws {
    self.entity = entity
    self.shared = shared
    prefix = CoreDataNames.prefix(of: entity.name)
    keyPrefix = shared.names.keyPrefix(of: entity.name)
    let own = layout.entities[entity.index]
    self.layout = own
    var query = CoreDataQuery(table: place.table)
    let name = shared.names.objectID(of: place.entity)
    objectIDSlot = name.flatMap { entity.attribute($0) }.map { own.attributeSlots[$0] }
    let source = shared.binding.schema.entities[place.entity]
    var unknown: [String] = []
    for attribute in source.attributes {
      guard let column = place.attributes[attribute.name] else { continue }
      guard let target = entity.attribute(attribute.name) else {
        unknown.append(attribute.name)
        continue
      }
      let declared = entity.attributes[target]
      values.append(
        Value(
          own.attributeSlots[target], query.add("t.\(SQL.quoted(column))"), attribute.name,
          isNeeded: !declared.isOptional || own.identitySlots.contains(own.attributeSlots[target]),
          CoreDataValue(
            type: attribute.type == .binary ? .binary : declared.type,
            external: attribute.attribute.mayBeExternal ? shared.external : nil)))
    }
    for index in source.relationships {
      let relationship = shared.binding.schema.relationships[index]
      guard
        let found = entity.relationships.map({ layout.schema.relationships[$0] })
          .first(where: { $0.name == relationship.name }), found.isToMany == relationship.isToMany
      else {
        unknown.append(relationship.name)
        continue
      }
      if relationship.isToMany {
        guard case .join(_, let isForward) = layout.relationships[found.index] else { continue }
        guard isForward || found.isOrdered, let join = shared.binding.joins[index] else { continue }
        lists.append(
          try CoreDataList(found, relationship, join, shared, layout, handle))
        continue
      }
      guard let column = place.toOnes[relationship.name],
        case .foreignKey(let columns) = layout.relationships[found.index]
      else { continue }
      let reference = query.reference(relationship, column, shared.binding)
      guard
        let key = CoreDataKey(
          to: relationship.destination, reference, shared, layout.schema.entities[found.destination], &query)
      else {
        unknown.append(relationship.name)
        continue
      }
      links.append(
        Link(own.slots(of: columns), key, found.name, isNeeded: !found.isOptional))
      if let inverse = found.inverse, case .inverse(_, let order?) = layout.relationships[inverse],
        let place = place.orders[relationship.name]
      {
        // Core Data's own queries put what has no place first.
        orders.append(
          (own.slotOfColumn[order], query.add("ifnull(t.\(SQL.quoted(place)), \(Self.firstPlace))")))
      }
    }
    unmatched = unknown
    statement = try PreparedStatement(query.sql(number: place.number), on: handle)
  }

  /// A place before all others.
  private static let firstPlace = -1_000_000_000_000

  // MARK: - An object

  /// Adds the next object to a batch. Nil after the last.
  func next(_ batch: inout RowBatch, note: (Problem) -> Void) throws -> Int? {
    guard try statement.step() else { return nil }
    key = statement.integer(0)
    count += 1
    let row = batch.addRow(entity: entity.index, slots: layout.slots.count, parent: -1)
    batch.roots.append(row)
    if let objectIDSlot {
      let cell = CoreDataNames.append(key, after: keyPrefix, to: &batch)
      batch[row, objectIDSlot] = cell
    }
    for value in values { read(value, row, &batch, note) }
    for link in links { read(link, row, &batch, note) }
    for (slot, column) in orders where slot >= 0 {
      batch[row, slot] = statement.storage(column) == .integer ? .integer(statement.integer(column)) : .null
    }
    for list in lists {
      try list.read(ofOwner: key, row, &batch) { note(.value(self.problem($0, $1, $2, "link left out"))) }
    }
    return row
  }

  /// What to call the present object.
  private var objectName: String { shared.names.objectName(entity.name, key) }

  func appendName(to bytes: inout ByteBuffer) {
    prefix.withUnsafeBufferPointer { bytes.append($0) }
    bytes.append(decimal: key)
  }

  private func read(_ value: Value, _ row: Int, _ batch: inout RowBatch, _ note: (Problem) -> Void) {
    do {
      let cell = try value.conversion.cell(
        statement, value.column, &batch, named: "\(objectName)-\(value.name)")
      guard cell.kind == .null, value.isNeeded else { return batch[row, value.slot] = cell }
      refuse(value, "a value", "null", row, &batch, note)
    } catch {
      switch error {
      case .notOfType:
        refuse(value, value.conversion.type.coreDataExpectation, found(value.column), row, &batch, note)
      case .noFile(let name):
        refuse(value, "the file \(name)", "no such file", row, &batch, note)
      case .noFileName(let name):
        let shown = "\"\(name.prefix(40))\(name.count > 40 ? "…" : "")\""
        refuse(value, "the name of a file in \(shared.external.folderName)", shown, row, &batch, note)
      case .unreadableFile(let path):
        refuse(value, "the file \(path)", "a file that cannot be read", row, &batch, note)
      case .tooLarge(let name):
        refuse(value, "a file of at most 1 GB", name, row, &batch, note)
      case .notWritten(let why):
        refuse(value, "a folder that can be written", why, row, &batch, note)
      case .notPlain(let what):
        let cell = CoreDataTransformable.base64(statement, value.column, &batch)
        batch[row, value.slot] = cell
        note(.archive(entity: entity.name, property: value.name, .notPlain(what)))
      case .notFinite(let cell):
        batch[row, value.slot] = cell
        note(.archive(entity: entity.name, property: value.name, .notFinite))
      }
    }
  }

  private func refuse(
    _ value: Value, _ expected: String, _ found: String, _ row: Int, _ batch: inout RowBatch,
    _ note: (Problem) -> Void
  ) {
    if value.isNeeded { batch.rows[row].state = .skipped }
    note(
      .value(
        problem(value.name, expected, found, value.isNeeded ? "object skipped" : "value left out")))
  }

  private func read(_ link: Link, _ row: Int, _ batch: inout RowBatch, _ note: (Problem) -> Void) {
    switch link.key.append(from: statement, &batch) {
    case .nothing:
      for slot in link.slots { batch[row, slot] = .null }
    case .one(let cell): batch[row, link.slots[0]] = cell
    case .several(let cells):
      for (slot, cell) in zip(link.slots, cells) { batch[row, slot] = cell }
    case .unusable(let expected, let found):
      if link.isNeeded { batch.rows[row].state = .skipped }
      note(.value(problem(link.name, expected, found, link.isNeeded ? "object skipped" : "link left out")))
    }
  }

  private func problem(_ property: String, _ expected: String, _ found: String, _ action: String)
    -> SourceProblem
  {
    SourceProblem(
      object: objectName, entity: entity.name, property: property, expected: expected, found: found,
      action: action)
  }

  /// How messages show a value, shortened.
  private func found(_ column: Int) -> String {
    switch statement.storage(column) {
    case nil: return "null"
    case .integer: return String(statement.integer(column))
    case .real: return "\(statement.double(column))"
    case .text:
      let text = String(decoding: statement.text(column).prefix(160), as: UTF8.self)
      return "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
    case .blob: return "\(statement.blob(column).count) bytes"
    }
  }
}

/// A query of one table, column by column.
struct CoreDataQuery {
  let table: String
  private(set) var selected = ["t.Z_PK"]
  private var joins: [String] = []

  /// How many other tables a query has at most. SQLite has 64 in all.
  private static let mostJoins = 50

  init(table: String) {
    self.table = table
  }

  /// Adds a column and returns its number.
  mutating func add(_ sql: String) -> Int {
    selected.append(sql)
    return selected.count - 1
  }

  /// The key of the object that a to-one relationship leads to.
  ///
  /// Of a one-to-one relationship both tables have a column. Where the two disagree, the other end counts if it leads to
  /// something.
  mutating func reference(
    _ relationship: SchemaRelationship, _ column: String, _ binding: CoreDataBinding
  ) -> String {
    let own = "t.\(SQL.quoted(column))"
    guard let index = relationship.inverse, index != relationship.index, joins.count < Self.mostJoins,
      let place = binding.place(inFamilyOf: relationship.destination),
      let back = place.toOnes[binding.schema.relationships[index].name]
    else { return own }
    let (target, far, name) = (SQL.quoted(place.table), SQL.quoted(back), "j\(joins.count)")
    joins.append(
      "LEFT JOIN (SELECT \(far) AS owner, min(Z_PK) AS key FROM \(target) WHERE \(far) IS NOT NULL GROUP BY \(far)) \(name)"
        + " ON \(name).owner = t.Z_PK")
    return "CASE WHEN \(own) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(target) x WHERE x.Z_PK = \(own)"
      + " AND x.\(far) <> t.Z_PK) THEN \(own) ELSE \(name).key END"
  }

  func sql(number: Int64) -> String {
    let from = (["\(SQL.quoted(table)) t"] + joins).joined(separator: " ")
    return "SELECT \(selected.joined(separator: ", ")) FROM \(from) WHERE t.Z_ENT = \(number) ORDER BY t.Z_PK"
  }
}
