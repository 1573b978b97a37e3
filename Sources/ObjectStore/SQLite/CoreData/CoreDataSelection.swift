package import Bytes
import ObjectModel

/// The objects of one entity of a Core Data store, as one query, with the queries of their lists beside it.
final class CoreDataSelection {
  /// Properties that all entities of a store share.
  struct Shared {
    let binding: CoreDataBinding
    let names: CoreDataNames
    let external: CoreDataExternalFiles
    /// Mistakes in attributes as a whole.
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
  /// The tables and columns of the store that the layout has no place for.
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

  /// The name of the present object.
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

/// The links of a many-to-many relationship, in the order of their owners' keys, read beside the owners.
final class CoreDataList {
  private let relationship: Int
  private let name: String
  private let statement: PreparedStatement
  private let key: CoreDataKey?
  private var isOnRow = false
  private var hasEnded = false

  /// - Parameters:
  ///   - target: The relationship, in the schema of the store that is imported into.
  ///   - source: The same, in the schema of the source.
  init(
    _ target: SchemaRelationship, _ source: SchemaRelationship, _ join: CoreDataBinding.Join,
    _ shared: CoreDataSelection.Shared, _ layout: Layout, _ handle: OpaquePointer
  ) throws {
    relationship = target.index
    name = target.name
    var query = CoreDataQuery(table: join.table)
    key = CoreDataKey(
      to: source.destination, "t.\(SQL.quoted(join.target))", shared,
      layout.schema.entities[target.destination], &query)
    statement = try PreparedStatement(query.links(join, isSymmetric: source.isItsOwnInverse), on: handle)
  }

  /// Adds the links of an owner to its row. Owners must come in the order of their keys.
  func read(
    ofOwner owner: Int64, _ row: Int, _ batch: inout RowBatch, note: (String, String, String) -> Void
  ) throws {
    guard let key else { return }
    let first = batch.targets.count
    var count = 0
    var isIncomplete = false
    while try advance(to: owner) {
      switch key.append(from: statement, &batch) {
      case .nothing: break
      case .one(let cell):
        batch.targets.append(cell)
        count += 1
      case .several(let cells):
        for cell in cells { batch.targets.append(cell) }
        count += 1
      case .unusable(let expected, let found):
        isIncomplete = true
        note(name, expected, found)
      }
      isOnRow = false
    }
    batch.addList(
      relationship, to: row, firstTarget: first, count: count, isIncomplete: isIncomplete)
  }

  /// Goes on to the next link of an owner. False if it has no more.
  private func advance(to owner: Int64) throws -> Bool {
    while true {
      if !isOnRow {
        guard !hasEnded, try statement.step() else {
          hasEnded = true
          return false
        }
        isOnRow = true
      }
      let next = statement.integer(0)
      if next == owner { return true }
      if next > owner { return false }
      isOnRow = false
    }
  }
}

extension CoreDataQuery {
  /// The links of a table, by owner, and in the owner's order where there is one.
  ///
  /// - Parameter isSymmetric: Whether each link holds in both directions, whichever of them the table has.
  func links(_ join: CoreDataBinding.Join, isSymmetric: Bool) -> String {
    let (owner, target) = (SQL.quoted(join.owner), SQL.quoted(join.target))
    let columns = (["t.\(owner)"] + selected.dropFirst()).joined(separator: ", ")
    var from = SQL.quoted(join.table)
    var order = ["t.\(owner)"]
    if isSymmetric {
      from = "(SELECT \(owner), \(target) FROM \(from) UNION SELECT \(target), \(owner) FROM \(from))"
    } else {
      if let place = join.order { order.append("t.\(SQL.quoted(place)) NULLS FIRST") }
    }
    order.append("t.\(target)")
    return """
      SELECT \(columns) FROM \(from) t
      WHERE typeof(t.\(owner)) = 'integer' ORDER BY \(order.joined(separator: ", "))
      """
  }
}

/// Reads the objects of a Core Data store as rows, entity after entity, in the order of their keys.
package final class CoreDataReading {
  /// The entities of the layout that the store has, also those without objects.
  package let entities: [Int]
  /// Keys of the store that the layout has no place for, by entity, with the count of objects.
  package private(set) var unmatched: [String: [String: Int]] = [:]
  private let layout: Layout
  private let shared: CoreDataSelection.Shared
  private let handle: OpaquePointer
  private let isCancelled: @Sendable () -> Bool
  private var remaining: [(entity: Int, place: CoreDataBinding.EntityPlace)]
  private var selection: CoreDataSelection?
  private var problems: [SourceProblem]
  private var archives = CoreDataArchiveProblems()
  private var count = 0

  init(
    _ shared: CoreDataSelection.Shared, _ handle: OpaquePointer, _ layout: Layout,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    self.shared = shared
    self.handle = handle
    self.layout = layout
    self.isCancelled = isCancelled
    let binding = shared.binding
    remaining = Self.targetsFirst(layout.schema).compactMap { entity in
      guard let source = binding.schema.entity(entity.name), let place = binding.places[source.index] else {
        return nil
      }
      return (entity.index, place)
    }
    entities = remaining.map(\.entity)
    let contradictions = CoreDataConsistency(binding, handle, shared.names)
    problems = shared.problems
    problems += try contradictions.strayRows()
    problems += try contradictions.problems()
    for place in binding.places.compactMap(\.self)
    where layout.schema.entity(binding.schema.entities[place.entity].name) == nil {
      let name = binding.schema.entities[place.entity].name
      unmatched[name] = [:]
    }
  }

  /// The entities of a schema, those that others lead to before these where that is possible: what is there already need
  /// not be waited for.
  private static func targetsFirst(_ schema: Schema) -> [SchemaEntity] {
    var order: [Int] = []
    var seen = Set<Int>()
    for entity in schema.entities {
      // Each entity is followed to what it leads to before it is taken itself.
      var stack = [(entity: entity.index, isDone: false)]
      while let (index, isDone) = stack.popLast() {
        if isDone {
          order.append(index)
          continue
        }
        guard seen.insert(index).inserted else { continue }
        stack.append((index, true))
        for relationship in schema.entities[index].relationships {
          let link = schema.relationships[relationship]
          guard !link.isToMany else { continue }
          for target in schema.family(of: link.destination) where !seen.contains(target) {
            stack.append((target, false))
          }
        }
      }
    }
    return order.map { schema.entities[$0] }
  }

  /// Adds the next object to a batch: a row, its links by keys. Nil after the last.
  package func next(_ batch: inout RowBatch) throws -> Int? {
    while true {
      if selection == nil {
        guard !remaining.isEmpty else {
          finish()
          return nil
        }
        let (entity, place) = remaining.removeFirst()
        selection = try CoreDataSelection(
          layout.schema.entities[entity], place, layout, shared, handle)
      }
      if let row = try selection?.next(&batch, note: { note($0) }) {
        count += 1
        if count & 255 == 0, isCancelled() { throw CancellationError() }
        return row
      }
      if let ended = selection {
        for name in ended.unmatched { unmatched[ended.entityName, default: [:]][name] = ended.count }
      }
      selection = nil
    }
  }

  /// Notes a problem. An attribute whose archives cannot be read has one for all its objects.
  private func note(_ problem: CoreDataSelection.Problem) {
    switch problem {
    case .value(let problem): problems.append(problem)
    case .archive(let entity, let property, let found):
      archives.add(found, entity: entity, property: property)
    }
  }

  private func finish() {
    problems += archives.problems
    archives = CoreDataArchiveProblems()
  }

  /// Appends what to call the object of the row that was added last: `Band/p12`.
  package func appendName(to bytes: inout ByteBuffer) { selection?.appendName(to: &bytes) }

  /// Whether something could not be used since this was last asked for.
  package var hasProblems: Bool { !problems.isEmpty }

  /// The problems since this was last asked.
  package func takeProblems() -> [SourceProblem] {
    defer { problems = [] }
    return problems
  }
}
