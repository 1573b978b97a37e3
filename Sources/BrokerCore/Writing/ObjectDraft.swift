import Bytes
import Mapping
import ObjectModel
import ObjectStore

/// An object on its way into the store, one property after another, with the parts that are written with it.
///
/// It fills the same rows as an import, so that the store does the same for saving and importing.
final class ObjectDraft {
  private(set) var batch = RowBatch()
  private(set) var problems: [SaveProblem] = []
  let transaction: any StoreTransaction
  private let gate: ValueValidator
  private var existing: Int64?
  private var isNew = false
  /// The knowledge of the stored values of its objects.
  var restoring: [RestoredValues] = []
  /// The rows of new objects in other objects' lists.
  var newRows: [Int] = []
  /// Whether the object is new and objects are added to a list that may already have pending references.
  private(set) var hasOpenLists = false
  var layout: Layout { transaction.layout }

  init(_ transaction: any StoreTransaction, _ gate: ValueValidator) {
    self.transaction = transaction
    self.gate = gate
  }

  /// Empties the draft for the next object.
  ///
  /// - Parameters:
  ///   - existing: The row in the store of the object that it will be, if it is there.
  ///   - isNew: Whether it was not there before.
  func clear(existing: Int64?, isNew: Bool) {
    self.isNew = isNew
    batch.removeAll()
    problems = []
    hasOpenLists = false
    restoring.removeAll(keepingCapacity: true)
    newRows.removeAll(keepingCapacity: true)
    self.existing = existing
  }

  /// Lets the writer use the rows.
  func write<Result>(_ body: (inout RowBatch) throws -> Result) rethrows -> Result {
    for row in 0..<batch.rows.count {
      batch.makeKey(of: row, layout.schema, layout.entities[batch.rows[row].entity])
    }
    return try body(&batch)
  }

  // MARK: - Rows

  /// Adds a row for an object of an entity.
  func addRow(_ entity: SchemaEntity, parent: Int = -1) -> Int {
    let row = batch.addRow(
      entity: entity.index, slots: layout.entities[entity.index].slots.count, parent: parent)
    if parent < 0 { batch.roots.append(row) }
    return row
  }

  /// Puts an identity into a row.
  func setIdentity(of row: Int, _ identity: [SQLValue]) {
    for (slot, value) in zip(layout.entities[batch.rows[row].entity].identitySlots, identity) {
      let cell = batch.cell(of: value)
      batch[row, slot] = cell
    }
  }

  private func entity(of row: Int) -> SchemaEntity { layout.schema.entities[batch.rows[row].entity] }

  // MARK: - Properties

  /// Sets an attribute; nil is null. A value of null is one that the store cannot keep.
  func set(_ attribute: Int, of row: Int, to value: SQLValue?) {
    let entity = entity(of: row)
    let declared = entity.attributes[attribute]
    guard value != .null else {
      let (expected, found) = Self.unstorable(declared.type)
      return note(declared.name, of: row, expected: expected, found: found)
    }
    guard let value else {
      batch[row, layout.entities[entity.index].attributeSlots[attribute]] = .null
      if !declared.isOptional { note(declared.name, of: row, expected: "a value", found: "nothing") }
      return
    }
    if let expected = gate.set(value, of: attribute, in: row, entity: entity, &batch) {
      note(declared.name, of: row, expected: expected, found: ReadError.text(of: value))
    }
  }

  /// The words for a value of a type that the store cannot keep.
  private static func unstorable(_ type: AttributeType) -> (expected: String, found: String) {
    switch type {
    case .double, .float: ("a finite number", "infinity or NaN")
    case .decimal: ("a number", "NaN")
    case .date: ("a date of the years 0 to 9999", "one outside of them")
    default: ("a value that can be stored", "one that cannot")
    }
  }

  /// Sets a to-one relationship to the parts of an identity; nil for none.
  ///
  /// A reference whose target has not arrived reads as nil, so nil leaves it as it is.
  func set(_ relationship: SchemaRelationship, of row: Int, to identity: [SQLValue]?) throws {
    let key = identity.map { storedKey($0, relationship) }
    // If a new object has none, it keeps the owner that a list, or another object, has linked it to.
    if key == nil, relationship.isOptional, isNew(row) { return }
    if key == nil, relationship.isOptional, row == 0, let existing,
      try !transaction.hasTarget(of: relationship, row: existing)
    {
      return
    }
    guard let columns = foreignKey(relationship) else {
      return addList(relationship, to: row, keys: identity.map { [$0] } ?? [])
    }
    let slots = layout.entities[batch.rows[row].entity].slots(of: columns)
    for (part, slot) in slots.enumerated() {
      let cell = key.map { batch.cell(of: $0[part]) } ?? .null
      batch[row, slot] = cell
    }
    if key == nil { checkRequired(relationship, of: row) }
  }

  /// Sets a to-one relationship to an object that is written with its owner.
  func set(_ relationship: SchemaRelationship, of row: Int, toRow target: Int) {
    guard let columns = foreignKey(relationship) else {
      return addList(relationship, to: row, [.row(target)])
    }
    let slots = layout.entities[batch.rows[row].entity].slots(of: columns)
    for (part, slot) in slots.enumerated() { batch[row, slot] = .row(target, part: part) }
  }

  /// Whether an object with an identity is not in the store. Only the one in the first row can be there already.
  private func isNew(_ row: Int) -> Bool {
    entity(of: row).hasIdentity && (row > 0 || isNew)
  }

  func storedKey(_ identity: [SQLValue], _ relationship: SchemaRelationship) -> [SQLValue] {
    layout.key(ofIdentity: identity, of: layout.schema.entities[relationship.destination])
  }

  /// Sets a list to the objects with some identities.
  func addList(_ relationship: SchemaRelationship, to row: Int, keys: [[SQLValue]]) {
    addList(relationship, to: row, keys.map(ListTarget.key))
  }

  func append(_ target: Cell) { batch.targets.append(target) }

  func append(_ part: SQLValue) {
    let cell = batch.cell(of: part)
    batch.targets.append(cell)
  }

  /// Ends a list whose targets were the last ones that were added.
  func endList(_ relationship: SchemaRelationship, to row: Int, from first: Int, count: Int) {
    batch.addList(relationship.index, to: row, firstTarget: first, count: count)
    checkCount(count, of: relationship, of: row)
  }

  /// The identities of the objects in the store's list so far; nil if the object is not in the store yet.
  func linkedKeys(of relationship: SchemaRelationship, row: Int) throws -> [[SQLValue]]? {
    // The first row is the object itself. The other rows are its parts, which are written whole.
    guard row == 0 else { return [] }
    guard let existing else {
      guard entity(of: row).hasIdentity else { return [] }
      hasOpenLists = true
      return nil
    }
    return try linkedKeys(of: relationship, storedRow: existing)
  }

  /// Whether a relationship is kept in its owner's row.
  fileprivate func isKeptInRow(_ relationship: SchemaRelationship) -> Bool { foreignKey(relationship) != nil }

  private func foreignKey(_ relationship: SchemaRelationship) -> [Int]? {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { return nil }
    return columns
  }

  // MARK: - Problems

  private func checkRequired(_ relationship: SchemaRelationship, of row: Int) {
    guard !relationship.isOptional else { return }
    let destination = layout.schema.entities[relationship.destination].name
    note(relationship.name, of: row, expected: destination, found: "nothing")
  }

  private func checkCount(_ count: Int, of relationship: SchemaRelationship, of row: Int) {
    guard relationship.isToMany else {
      if count == 0 { checkRequired(relationship, of: row) }
      return
    }
    let declared = relationship.relationship
    if count == 0, relationship.isOptional { return }
    let least = declared.leastCount
    if count < least {
      note(relationship.name, of: row, expected: "at least \(least) in the list", found: "\(count)")
    } else if let most = declared.maximumCount, most > 0, count > most {
      note(relationship.name, of: row, expected: "at most \(most) in the list", found: "\(count)")
    }
  }

  func note(_ property: String, of row: Int, expected: String, found: String) {
    problems.append(
      SaveProblem(
        object: reference(of: row), property: property, expected: expected, found: found))
  }

  /// The object of a row, as reports name it.
  func reference(of row: Int) -> ObjectReference {
    ObjectReference(entity: entity(of: row).name, identity: identity(of: row))
  }

  private func identity(of row: Int) -> String {
    let slots = layout.entities[batch.rows[row].entity].identitySlots
    var parts: [String] = []
    for slot in slots { parts.append(KeyText.text(of: batch[row, slot], batch)) }
    return KeyText.joined(parts)
  }
}

/// The place for a property's value: a property of a row of a draft.
struct PropertyDraft: ~Copyable {
  let draft: ObjectDraft
  let row: Int
  let place: PropertyPlace
  /// The identity of the object, as the store keeps it.
  let identity: [SQLValue]

  /// Sets an attribute; nil is null.
  func set(_ value: SQLValue?) throws {
    guard case .attribute(let index) = place else { return }
    draft.set(index, of: row, to: value)
  }

  /// Sets a relationship to one object.
  func set<Target: Storable>(_ link: ToOne<Target>?) throws {
    guard case .relationship(let relationship) = place else { return }
    guard let link else { return try draft.set(relationship, of: row, to: nil) }
    guard !draft.isPart(relationship) else {
      // A part is written with its owner. One that was not fetched stays as it is.
      if let part = link.object {
        draft.set(relationship, of: row, toRow: try draft.add(part, parent: row))
      } else if let key = (link.id as? RowID)?.key, draft.isKeptInRow(relationship) {
        // An object with an identity of its own can be linked by that.
        try draft.set(relationship, of: row, to: [.text(key)])
      }
      return
    }
    try draft.set(relationship, of: row, to: Target.storedParts(of: link.id))
  }

  /// Sets the properties of the inherited entity's object.
  func set<Parent: Storable>(inherited parent: Parent) throws {
    try draft.fill(row, with: parent)
  }
}

extension ObjectDraft {
  /// Adds an object with all its properties. Returns its row.
  func add<Root: Storable>(_ object: Root, parent: Int = -1) throws -> Int {
    guard let entity = layout.schema.entity(Root.entityName) else { throw TypeError.unknown(Root.self) }
    let row = addRow(entity, of: object, parent: parent)
    try fill(row, with: object)
    return row
  }

  /// Adds a row for an object. If the object is of a sub-entity with an identity of its own, the row is of that
  /// sub-entity and has the identity, so that it stays the same object at any place in a list.
  private func addRow<Root: Storable>(_ entity: SchemaEntity, of object: Root, parent: Int) -> Int {
    guard let key = (object.id as? RowID)?.key, let kind = layout.kind(ofKey: key, below: entity) else {
      return addRow(entity, parent: parent)
    }
    let row = addRow(kind, parent: parent)
    setIdentity(of: row, layout.identity(ofKey: [.text(key)], of: kind))
    return row
  }

  /// Puts an object's properties into a row, which may be of a sub-entity.
  func fill<Root: Storable>(_ row: Int, with object: Root) throws {
    let plan = try TypePlan<Root>.of(transaction)
    restoring.append(plan.restoring)
    let identity = Root.storedParts(of: object.id)
    for (property, place) in zip(Root.properties.all, plan.places) {
      try property.write(object, PropertyDraft(draft: self, row: row, place: place, identity: identity))
    }
  }

  /// Whether the targets of a relationship have no identity, so that they are written with their owner.
  func isPart(_ relationship: SchemaRelationship) -> Bool {
    !layout.schema.entities[relationship.destination].hasIdentity && layout.isPart(relationship)
  }
}
