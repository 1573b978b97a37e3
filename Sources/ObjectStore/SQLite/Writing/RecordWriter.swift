import Bytes
import ObjectModel

/// Writes records: a root row and all that hangs on it.
final class RecordWriter {
  let context: WriteContext
  let steps: WriteSteps
  let entities: EntityWriters
  let lists: ListWriters
  let links: RowLinks
  let deleter: ObjectDeleter<SQLiteRows>
  let uniqueValues: UniqueValues
  let requiredLinks: RequiredLinks
  let repetitions: Repetitions
  private let held: WriteGuard
  /// Whether there is anything that a program changed and an import may not.
  private let isCareful: Bool
  private var folder: RecordFolder

  /// The parts that link a row that was written, its lists aside.
  struct RowLinks {
    let claims: ListClaims
    let pending: PendingLinks
    let checks: ReferenceChecks
  }

  init(
    _ context: WriteContext, entities: EntityWriters, lists: ListWriters, links: RowLinks,
    deleter: ObjectDeleter<SQLiteRows>, uniqueValues: UniqueValues, requiredLinks: RequiredLinks
  ) {
    self.context = context
    self.entities = entities
    self.lists = lists
    self.links = links
    self.deleter = deleter
    self.uniqueValues = uniqueValues
    self.requiredLinks = requiredLinks
    repetitions = context.repetitions
    isCareful = context.unsent != nil
    steps = WriteSteps(context)
    held = WriteGuard(context, steps)
    folder = RecordFolder(context.layout, context.policy)
  }

  /// Writes a root row and all that hangs on it: the rows from it to `end`.
  ///
  /// - Parameter existing: For an entity without identity, the row id of the object to update.
  func write(root: Int, to end: Int, over existing: Int64?, _ batch: inout RowBatch) throws {
    steps.removeAll()
    if end - root > 1 {
      for _ in 0..<folder.fold(from: root, to: end, &batch) { context.tally.countDuplicate() }
    }
    if try begin(RowStep(root, over: existing, isNested: false), &batch) { return }
    while let step = steps.pop() { try run(step, &batch) }
  }

  private func run(_ step: WriteStep, _ batch: inout RowBatch) throws {
    switch step {
    case .row(let step): _ = try begin(step, &batch)
    case .foreignKey(let step, let key): try resume(step, after: key, &batch)
    case .newList(let index, let row): try beginList(batch.lists[index], of: row, &batch)
    case .emptyList(let relationship, let row):
      let list = LinkList.clearing(relationship, of: row)
      if let next = try lists.begin(list, of: row, &batch) { steps.push(next) }
    case .list(let list): try advance(list, &batch)
    case .otherLists(let row): steps.pushEmptyLists(of: row, batch)
    }
  }

  /// The entity of the stored object that has the identity of a row; nil if there is none.
  func storedKind(of row: Int, _ batch: borrowing RowBatch) throws -> Int? {
    let writer = try entities.writer(for: batch.rows[row].entity)
    guard let found = try writer.find(row, over: nil, batch) else { return nil }
    defer { writer.lookup.endReading(found) }
    return writer.table.kindColumn == nil ? nil : context.layout.schema.index(of: found.string(1))
  }

  // MARK: - Lists

  private func beginList(_ list: LinkList, of row: Int, _ batch: inout RowBatch) throws {
    if list.isIncomplete || list.isRejected { context.hasLeftOutObjects = true }
    if list.isRejected { return steps.pushIndependentTargets(of: list, row, &batch) }
    if let next = try lists.begin(list, of: row, &batch) { steps.push(next) }
  }

  /// Writes the rows that a list waits for, until one takes further steps.
  private func advance(_ list: ListStep, _ batch: inout RowBatch) throws {
    while let row = try list.advance(&batch) {
      let depth = steps.count
      guard try begin(row, &batch) else { return steps.insert(.list(list), above: depth) }
    }
  }

  // MARK: - A row

  /// Writes a row, or puts the steps on the stack that it takes. True if it took none.
  func begin(_ step: RowStep, _ batch: inout RowBatch) throws -> Bool {
    let header = batch.rows.base[step.row]
    guard header.state != .reference else { return true }
    let writer = try entities.writer(for: header.entity)
    guard header.state == .object, !writer.mayBeHeld, !isCareful else {
      let depth = steps.count
      try beginCarefully(step, writer, &batch)
      return steps.count == depth
    }
    return try resolveForeignKeys(step, from: 0, writer, &batch)
  }

  /// Writes a row that may have to be left alone, or that is not usable.
  private func beginCarefully(_ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch) throws {
    let row = step.row
    guard batch.rows[row].state != .skipped else {
      if !batch.rows[row].isHeld { context.tally.countSkipped(entity: batch.rows[row].entity) }
      return steps.pushIndependentParts(of: row, writer, &batch)
    }
    if writer.mayBeHeld, try held.holdIfNeeded(step, writer, &batch) { return }
    if let unsent = context.unsent {
      if unsent.concerns(table: writer.layout.table), try held.holdUnsent(unsent, step, writer, &batch) {
        return
      }
      for links in writer.oneToOneLinks { try links.leaveUnsentTarget(of: row, &batch) }
    }
    _ = try resolveForeignKeys(step, from: 0, writer, &batch)
  }
}

/// Storing a row whose foreign keys are known, and seeing to what hangs on it.
extension RecordWriter {
  /// Stores a row and puts its lists on the stack. True if it has none.
  func store(_ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch) throws -> Bool {
    let row = step.row
    if let known = repetitions.remember(row, of: writer.layout, isNested: step.isNested, batch) {
      batch.rows[row].rowID = known
      batch.rows[row].isRepetition = true
      context.tally.countDuplicate()
    } else {
      guard try insertOrUpdate(step, writer, &batch) else {
        for part in step.parts?.inserted ?? [] { try deleter.deleteInserted(part.row, of: part.entity) }
        steps.pushIndependentParts(of: row, writer, &batch)
        return false
      }
      for part in step.parts?.released ?? [] {
        _ = try deleter.delete(
          RowLocation(table: context.layout.entities[part.entity].table, row: part.row))
      }
    }
    let isReplacement = step.isReplacement && step.existing != nil
    if isReplacement { steps.push(.otherLists(of: row)) }
    guard batch.rows.base[row].firstList >= 0 else { return !isReplacement }
    steps.pushLists(of: row, &batch)
    return false
  }

  /// Inserts or updates the row itself. False if that failed, which is then noted.
  private func insertOrUpdate(
    _ step: RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    let row = step.row
    var result = try writer.write(step, of: batch)
    if case .problem(.notUnique) = result, let other = try uniqueValues.writeWithout(step, writer, &batch) {
      result = other
    } else if case .written(let written) = result, uniqueValues.isUnchecked(table: writer.layout.table) {
      uniqueValues.noteUnchecked(written.rowID, row: row, table: writer.layout.table)
    }
    switch result {
    case .problem(let reason):
      context.problems.add(reason, row: row)
      context.tally.countSkipped(entity: batch.rows[row].entity)
      batch.rows[row].state = .skipped
      repetitions.forgetLast(entity: batch.rows[row].entity)
      return false
    case .written(let written):
      try noteWritten(row, written, writer, &batch)
      return true
    }
  }

  /// Counts a row that was written, and makes the links at its other ends agree.
  private func noteWritten(
    _ row: Int, _ written: EntityWriter.Written, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws {
    let (entity, outcome) = (batch.rows[row].entity, written.outcome)
    batch.rows[row].rowID = written.rowID
    batch.rows[row].isNew = outcome == .inserted
    batch.rows[row].ownerChange = written.ownerChange
    context.tally.count(outcome, row: written.rowID, entity: entity, table: writer.layout.table)
    repetitions.setLastRowID(written.rowID, entity: entity)
    if outcome == .inserted || written.formerKind != nil, links.pending.hasStored {
      try links.pending.connect(row, writer.layout, batch)
    }
    if outcome == .inserted, !writer.requiredLinks.isEmpty {
      requiredLinks.noteMissing(of: row, writer, batch)
    }
    if let kind = written.formerKind {
      let place = RowLocation(table: writer.layout.table, row: written.rowID)
      try deleter.removeLinks(of: place, formerly: kind, now: writer.layout.entity)
    }
    try links.checks.check(row, writer, batch)
    if links.claims.hasDeferred { dropClaims(contradictedBy: row, writer, batch) }
    for links in writer.oneToOneLinks {
      try links.updateOtherEnds(of: row, isChanged: outcome != .unchanged, batch)
    }
  }

  /// Forgets the claims of lists to a row that now says its owner itself. A row that says the same as the list still has its
  /// place there.
  private func dropClaims(contradictedBy row: Int, _ writer: EntityWriter, _ batch: borrowing RowBatch) {
    let rowID = batch.rows[row].rowID
    for key in writer.foreignKeys {
      guard let slot = key.slots.first,
        let list = context.layout.schema.relationships[key.relationship].inverse,
        let claimant = links.claims.claimant(of: rowID, by: list)
      else { continue }
      let cell = batch.cell(row, slot)
      guard cell.kind != .absent, !cell.link.isFromList else { continue }
      var owner: [SQLValue] = []
      for slot in key.slots { owner.append(batch.value(of: batch.cell(row, slot))) }
      if claimant != owner { links.claims.drop(rowID, by: list) }
    }
  }
}

/// Writing the objects that a row's foreign keys lead to before the row itself.
extension RecordWriter {
  /// Goes on with a row when the target of one of its foreign keys has been written.
  func resume(_ step: RowStep, after key: Int, _ batch: inout RowBatch) throws {
    var step = step
    let writer = try entities.writer(for: batch.rows[step.row].entity)
    takeKey(of: writer.foreignKeys[key], &step, &batch)
    _ = try resolveForeignKeys(step, from: key + 1, writer, &batch)
  }

  /// Writes the objects that the row's foreign keys lead to and puts their keys in its cells, then stores the row. True
  /// if that takes no further steps.
  func resolveForeignKeys(
    _ step: RowStep, from first: Int, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> Bool {
    var step = step
    for index in first..<max(first, writer.foreignKeys.count) {
      // Passed on from the array: a copy would count references to its slots for every row.
      guard let target = try target(of: writer.foreignKeys[index], &step, writer, &batch) else { continue }
      // Only one call deep: a chain of objects takes steps.
      guard try !needsOthers(target.row, batch) else {
        steps.push(.foreignKey(step, key: index))
        steps.push(.row(target))
        return false
      }
      let depth = steps.count
      guard try begin(target, &batch) else {
        steps.insert(.foreignKey(step, key: index), above: depth)
        return false
      }
      takeKey(of: writer.foreignKeys[index], &step, &batch)
    }
    return try store(step, writer, &batch)
  }

  /// Whether the foreign keys of a row lead to rows that have to be written before it.
  private func needsOthers(_ row: Int, _ batch: borrowing RowBatch) throws -> Bool {
    for key in try entities.writer(for: batch.rows[row].entity).foreignKeys {
      guard let slot = key.slots.first else { continue }
      let cell = batch.cell(row, slot)
      if cell.kind == .row, Int(cell.bits) != batch.rows[row].parent { return true }
    }
    return false
  }

  /// The row that has to be written before a foreign key is known; nil if there is none.
  private func target(
    of key: ForeignKey, _ step: inout RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws -> RowStep? {
    guard let slot = key.slots.first else { return nil }
    let kind = batch.cell(step.row, slot).kind
    let isPart = !key.targetHasIdentity
    // What took another object's place has none of its links, but for those that other objects' lists make.
    let isEmptied = step.isReplacement && kind == .absent && !key.isFromList
    if isEmptied { for slot in key.slots { batch[step.row, slot] = .null } }
    if isPart, kind == .null || isEmptied { try releasePart(of: key, slot, &step, writer, &batch) }
    guard kind == .row else { return nil }
    let target = Int(batch[step.row, slot].bits)
    guard target != batch.rows[step.row].parent else {
      takeKey(of: key, &step, &batch)
      return nil
    }
    return RowStep(target, over: isPart ? try writer.storedReference(of: step, slot: slot, batch) : nil)
  }

  /// Notes that the part which a row led to goes, unless the import may not delete it: then the row keeps it.
  private func releasePart(
    of key: ForeignKey, _ slot: Int, _ step: inout RowStep, _ writer: EntityWriter, _ batch: inout RowBatch
  ) throws {
    guard context.policy.operations.contains(.delete) else {
      for slot in key.slots { batch[step.row, slot] = .absent }
      return
    }
    if let part = try writer.storedReference(of: step, slot: slot, batch) {
      step.parts.orNew.released.append((key.destination, part))
    }
  }

  /// Puts the key of a target that is written in the cells of a foreign key.
  private func takeKey(of key: ForeignKey, _ step: inout RowStep, _ batch: inout RowBatch) {
    guard let slot = key.slots.first else { return }
    let target = Int(batch[step.row, slot].bits)
    if !key.targetHasIdentity, batch.rows[target].isNew {
      step.parts.orNew.inserted.append((batch.rows[target].entity, batch.rows[target].rowID))
    }
    for slot in key.slots {
      let cell = context.resolved(batch[step.row, slot], of: batch)
      // The link of what took another object's place was to be this one, which cannot be used.
      let isLost = cell.kind == .absent && step.isReplacement && key.targetHasIdentity && !key.isFromList
      batch[step.row, slot] = isLost ? .null : cell
    }
  }
}

/// The steps that are left to write a record.
enum WriteStep {
  /// Write a row, with what it needs and what needs it.
  case row(RowStep)
  /// Go on with a foreign key of a row, whose target has been written.
  case foreignKey(RowStep, key: Int)
  /// Begin with a list of a row that is written.
  case newList(Int, of: Int)
  /// Begin with a list that takes all links of a relationship away from a row.
  case emptyList(relationship: Int, of: Int)
  /// Go on with a list.
  case list(ListStep)
  /// Empty the lists that an object, which took another's place, does not mention.
  case otherLists(of: Int)
}

/// A row that is to be written.
struct RowStep {
  let row: Int
  /// For an entity without identity, the row id of the object to update.
  let existing: Int64?
  /// Whether another object nests it.
  let isNested: Bool
  /// Whether it takes the place of the existing object, rather than tell more of it.
  let isReplacement: Bool
  /// The changes of the owned objects that its foreign keys lead to.
  var parts: PartChanges?

  init(_ row: Int, over existing: Int64? = nil, isNested: Bool = true, isReplacement: Bool = false) {
    self.row = row
    self.existing = existing
    self.isNested = isNested
    self.isReplacement = isReplacement
  }

  /// The changes of owned objects that a row's foreign keys lead to.
  struct PartChanges {
    /// Objects that the row no longer leads to, which go once it is written.
    var released: [(entity: Int, row: Int64)] = []
    /// Objects that were made for it, which go if it cannot be written.
    var inserted: [(entity: Int, row: Int64)] = []
  }
}

extension Optional where Wrapped == RowStep.PartChanges {
  /// The changes, which are made when first needed.
  var orNew: RowStep.PartChanges {
    get { self ?? RowStep.PartChanges() }
    set { self = newValue }
  }
}

/// The steps that are still to be done to write a record, on a stack: the one on top is next.
///
/// It is a stack of the writer's own, so that the depth of a document costs no stack of the thread. A step that needs
/// another row to be written first waits below it.
final class WriteSteps {
  private let context: WriteContext
  private var steps: [WriteStep] = []

  init(_ context: WriteContext) {
    self.context = context
  }

  var count: Int { steps.count }

  func removeAll() { steps.removeAll(keepingCapacity: true) }

  func push(_ step: WriteStep) { steps.append(step) }

  func pop() -> WriteStep? { steps.popLast() }

  /// Puts a step below those that came on top since there were `count`.
  func insert(_ step: WriteStep, above count: Int) { steps.insert(step, at: count) }

  // MARK: - Lists of a row

  /// Puts the lists of a row on the stack, the first of its chain on top.
  ///
  /// Where one row has a list twice, the last counts. Where rows that tell the same object have it, the later list
  /// replaces the earlier one too, unless lists add to each other; the objects of both are written.
  func pushLists(of row: Int, _ batch: inout RowBatch) {
    var latest: [LinkList] = []
    // The chain begins with the last list.
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      if let later = latest.first(where: { $0.relationship == list.relationship }) {
        if later.owner != list.owner {
          if context.merges(later) {
            push(.newList(next, of: row))
          } else {
            pushIndependentTargets(of: list, row, isHeld: true, &batch)
          }
        }
      } else {
        latest.append(list)
        push(.newList(next, of: row))
      }
      next = list.next
    }
  }

  /// Puts lists that are empty on the stack for the relationships of a row that it has no list of, the first on top.
  func pushEmptyLists(of row: Int, _ batch: borrowing RowBatch) {
    var mentioned: [Int] = []
    var next = batch.rows[row].firstList
    while next >= 0 {
      mentioned.append(batch.lists[next].relationship)
      next = batch.lists[next].next
    }
    let layout = context.layout
    for relationship in layout.entities[batch.rows[row].entity].entity.relationships.reversed()
    where !mentioned.contains(relationship) {
      switch layout.relationships[relationship] {
      case .foreignKey: continue
      // Where the targets have lists too, the links are theirs as well.
      case .join where layout.schema.relationships[relationship].inverse != nil: continue
      case .inverse, .join: push(.emptyList(relationship: relationship, of: row))
      }
    }
  }

  // MARK: - Objects of rows that are not written

  /// Of a row that is not written, puts what has an identity of its own on the stack.
  func pushIndependentParts(of row: Int, _ writer: EntityWriter, _ batch: inout RowBatch) {
    var next = batch.rows[row].firstList
    while next >= 0 {
      let list = batch.lists[next]
      next = list.next
      pushIndependentTargets(of: list, row, &batch)
    }
    for key in writer.foreignKeys.reversed() {
      guard let slot = key.slots.first, batch[row, slot].kind == .row else { continue }
      let target = Int(batch[row, slot].bits)
      if target != batch.rows[row].parent { pushIndependent(target, of: row, &batch) }
    }
  }

  /// Puts the objects of a list that is not written on the stack, the first on top.
  ///
  /// - Parameter isHeld: Whether nothing is wrong with the list, so that none of its objects counts as skipped.
  func pushIndependentTargets(
    of list: LinkList, _ row: Int, isHeld: Bool = false, _ batch: inout RowBatch
  ) {
    let first = steps.count
    let width = max(1, keyWidth(ofTargetsOf: list.relationship))
    var index = list.firstTarget
    for _ in 0..<list.count {
      let cell = batch.targets[index]
      if cell.kind == .row { pushIndependent(Int(cell.bits), of: row, isHeld: isHeld, &batch) }
      index += cell.kind == .row ? 1 : width
    }
    steps[first...].reverse()
  }

  private func keyWidth(ofTargetsOf relationship: Int) -> Int {
    let schema = context.layout.schema
    let destination = schema.entities[schema.relationships[relationship].destination]
    return destination.hasIdentity ? context.layout.table(of: destination.index).key.count : 0
  }

  /// Puts a row on the stack, though the one that holds it is not written. A part is skipped with what holds it.
  func pushIndependent(_ row: Int, of owner: Int, isHeld: Bool = false, _ batch: inout RowBatch) {
    if !context.layout.schema.entities[batch.rows[row].entity].hasIdentity,
      batch.rows[row].state == .object
    {
      batch.rows[row].state = .skipped
      batch.rows[row].isHeld = isHeld || batch.rows[owner].isHeld
    }
    push(.row(RowStep(row)))
  }
}

/// Makes objects of references to what is not there, with a key and nothing else, where that is the policy.
final class StubWriter {
  private let context: WriteContext
  private let entities: EntityWriters
  private let pendingLinks: PendingLinks

  init(_ context: WriteContext, _ entities: EntityWriters, _ pendingLinks: PendingLinks) {
    self.context = context
    self.entities = entities
    self.pendingLinks = pendingLinks
  }

  /// Makes the target of a relationship with a key, and returns its row; nil if that is not the policy, or it cannot be
  /// made.
  func makeStub(for relationship: Int, _ key: [Cell], _ batch: borrowing RowBatch) throws -> Int64? {
    guard context.references[relationship] == .stub else { return nil }
    let layout = context.layout
    let entity = layout.schema.entities[layout.schema.relationships[relationship].destination]
    guard !entity.isAbstract, entity.hasIdentity else { return nil }
    let entityLayout = layout.entities[entity.index]
    // What a program deleted and the server has not been told of does not come back as a stub either.
    if let unsent = context.unsent,
      unsent.hasDeleted(KeyText.text(of: key, batch), table: entityLayout.table)
    {
      return nil
    }
    let writer = try entities.writer(for: entity.index)
    guard let row = try writer.insertStub(key, batch) else { return nil }
    context.tally.countStub(row: row, entity: entity.index, table: entityLayout.table)
    for links in writer.oneToOneLinks { try links.setInverse(from: row, key, batch) }
    try pendingLinks.connect(arrived: KeyText.text(of: key, batch), row, entityLayout)
    return row
  }
}
