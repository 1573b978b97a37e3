import Bytes
import Foundation
import ObjectModel
import ObjectStore

/// The writer of an import.
final class ImportRun {
  private let plan: Plan
  private let options: ImportOptions
  private let isCancelled: @Sendable () -> Bool
  private let progress: ((Importer.Progress) -> Void)?
  private let total: Int?
  private let policy: WritePolicy
  /// The resources for the time of one transaction.
  private var writer: any BatchWriter
  /// The object that the JSON is imported onto.
  private let onto: StoredObject?
  private var issues: [ImportIssue] = []
  /// The issues that may arise at the end, by their tickets.
  private var deferred: [Int: ImportIssue] = [:]
  private var issueCount = 0
  /// The objects at the top of the JSON that have been written.
  private(set) var objects = 0
  private var objectList: [ObjectReference] = []
  /// The values that attributes do not take, by the places of the doubts.
  private var unfit: [String: ValueDoubt] = [:]
  /// How often keys that matched nothing were counted of objects that are of another kind.
  private(set) var uncounted: [UnknownKey: Int] = [:]
  /// References that the policy does not allow to wait.
  private(set) var forbidden: [PendingReference] = []
  /// The rows of the objects of the list.
  var rows: [Importer.ObjectRowReference] = []

  init(
    _ transaction: any EngineTransaction, _ plan: Plan, _ options: ImportOptions, _ target: ResolvedTarget,
    isCancelled: @escaping @Sendable () -> Bool, progress: ((Importer.Progress) -> Void)?, total: Int?
  ) throws {
    self.plan = plan
    self.options = options
    self.isCancelled = isCancelled
    self.progress = progress
    self.total = total
    var policy = WritePolicy(
      toMany: options.toMany, references: options.references, operations: options.operations)
    policy.overwritesUnsent = options.overwritesLocalChanges
    policy.doubtsOwnership = options.doubtsOwnership
    policy.doubtedIdentities = Set(
      options.possibleParts.compactMap { transaction.layout.schema.index(of: $0.entity) })
    if options.doubtsOwnership { policy.doubtedIdentities.formUnion(plan.ownedByLists) }
    policy.entity = options.entity.flatMap(transaction.layout.schema.index)
    if options.prunes, case .relationship(let object, let place) = target {
      policy.prunedRelationship = plan.entities[object.entity].relationships[place].relationship.index
    }
    if case .object(let object) = target { onto = object } else { onto = nil }
    self.policy = policy
    writer = try transaction.batchWriter(policy, continuing: nil)
  }

  /// Notes that something was left out that may have held objects. Then nothing can be pruned for being missing.
  func noteLeftOutObjects() { writer.hasLeftOutObjects = true }

  /// Writes everything that a producer reads. If there is enough of it, reading and writing run at the same time.
  func consumeAll(of producer: RecordProducer, inline: Bool) throws {
    guard !inline else { return try producer.run { try consume(&$0) } }
    let queue = try BatchQueue(readingFrom: producer)
    do {
      while let box = try queue.takeFull() {
        try consume(&box.batch)
        queue.putBack(box)
      }
    } catch {
      queue.abandon()
      throw error
    }
  }

  /// Writes a batch and empties it.
  private func consume(_ batch: inout RecordBatch) throws {
    var place = BatchPlace()
    _ = try consume(&batch, from: &place, most: .max)
  }

  /// How far a batch has been written.
  struct BatchPlace {
    fileprivate var root = 0
    fileprivate var issue = 0
  }

  /// Writes objects of a batch, and empties it after the last.
  ///
  /// - Parameter most: How many objects may be written.
  /// - Returns: Whether the batch has been written to its end.
  func consume(_ batch: inout RecordBatch, from place: inout BatchPlace, most: Int) throws -> Bool {
    if isCancelled() { throw ImportError(.cancelled) }
    if batch.hasLeftOutObjects { writer.hasLeftOutObjects = true }
    if options.mayChangeNothing, batch.hasPassedOver { throw ImportError(.changing) }
    if let (row, cells) = batch.newIdentity {
      batch.newIdentity = nil
      try rename(row, to: cells, &batch)
    }
    let count = batch.rows.roots.count
    let last = min(count, place.root + min(most, count))
    objects += last - place.root
    try write(place.root..<last, of: &batch, &place)
    guard last == count else { return false }
    if options.mayChangeNothing, try report().changesAnything { throw ImportError(.changing) }
    try noteRest(of: batch, place)
    batch.removeAll()
    batch.wantedSize = writer.wantedBatchSize
    place = BatchPlace()
    progress?(Importer.Progress(bytes: batch.received, totalBytes: total, objects: objects))
    return true
  }

  /// Writes records of a batch and notes what came of them, in the order of the records.
  private func write(
    _ records: Range<Int>, of batch: inout RecordBatch, _ place: inout BatchPlace
  ) throws {
    place.root = records.upperBound
    do {
      try writeRows(of: records, &batch, place)
    } catch {
      // In a strict import, an issue of an earlier record comes before the failure of a later one.
      if options.isStrict { for problem in writer.takeProblems() { try note(problem, batch) } }
      throw error
    }
    if options.listsObjects {
      for record in records { list(batch.rows.roots[record], batch.rows) }
    }
    let problems = writer.takeProblems()
    if !problems.isEmpty || place.issue < batch.issues.count {
      try noteIssues(of: records, problems, batch, &place)
    }
  }

  /// Writes records. Those with objects of which the store tells the kind wait until all before them are written.
  private func writeRows(of records: Range<Int>, _ batch: inout RecordBatch, _ place: BatchPlace) throws {
    guard !batch.choices.isEmpty else { return try writer.write(records, of: &batch.rows) }
    batch.choices.sort { $0.choice.row < $1.choice.row }
    var (start, next) = (records.lowerBound, 0)
    for record in records {
      let (first, end) = (batch.rows.roots[record], batch.rows.end(ofRecord: record))
      while next < batch.choices.count, batch.choices[next].choice.row < first { next += 1 }
      guard next < batch.choices.count, batch.choices[next].choice.row < end else { continue }
      if start < record { try writer.write(start..<record, of: &batch.rows) }
      start = record
      while next < batch.choices.count, batch.choices[next].choice.row < end {
        try decide(batch.choices[next], &batch, place)
        next += 1
      }
    }
    if start < records.upperBound { try writer.write(start..<records.upperBound, of: &batch.rows) }
  }

  /// Has an object written as one of the kind that the store knows, and drops what was found in it as one of others.
  private func decide(_ read: ReadChoice, _ batch: inout RecordBatch, _ place: BatchPlace) throws {
    let choice = read.choice
    // Another choice may have left it out.
    guard batch.rows.rows[choice.row].state == .object else { return }
    let kind = try writer.storedKind(of: choice.row, batch.rows)
    let chosen = choice.others.firstIndex { $0.entity == kind }
    batch.rows.decide(choice, chosen)
    let readings = [choice.row..<choice.end] + choice.others.map(\.rows)
    for (reading, rows) in readings.enumerated() where reading != (chosen ?? -1) + 1 {
      for unknown in read.unknownKeys[reading] { uncounted[unknown, default: 0] += 1 }
      let rest = batch.issues[place.issue...].filter { !rows.contains($0.row) }
      batch.issues.replaceSubrange(place.issue..., with: rest)
    }
  }

  /// Notes for each of some records first what the reader could not use, then what the writer could not.
  private func noteIssues(
    of records: Range<Int>, _ problems: [RowProblem], _ batch: borrowing RecordBatch,
    _ place: inout BatchPlace
  ) throws {
    var next = 0
    for record in records {
      let end = batch.rows.end(ofRecord: record)
      while place.issue < batch.issues.count, batch.issues[place.issue].row < end {
        let draft = batch.issues[place.issue]
        place.issue += 1
        if draft.isOfAttribute { noteUnfit(draft.issue) }
        try note(draft.issue, of: draft.row, batch.rows)
      }
      while next < problems.count, problems[next].row < end {
        try note(problems[next], batch)
        next += 1
      }
    }
  }

  /// Notes the issues that come after the last record and belong to none.
  private func noteRest(of batch: borrowing RecordBatch, _ place: BatchPlace) throws {
    for index in place.issue..<max(place.issue, batch.issues.count) {
      if batch.issues[index].isOfAttribute { noteUnfit(batch.issues[index].issue) }
      try note(batch.issues[index].issue, of: batch.issues[index].row, batch.rows)
    }
  }

  /// Gives the object that the JSON is imported onto the identity of the JSON. If another object has that identity,
  /// it is an issue, and the rest of the JSON is used anyway.
  private func rename(_ row: Int, to cells: [Cell], _ batch: inout RecordBatch) throws {
    guard options.operations.contains(.update), let onto else { return }
    let entity = plan.entities[batch.rows.rows[row].entity]
    let identity = cells.map { batch.rows.value(of: batch.rows.resolved($0, plan.layout)) }
    switch try writer.rename(onto.rowID, of: entity.entity, to: identity) {
    case .renamed:
      for (slot, cell) in zip(entity.layout.identitySlots, cells) { batch.rows[row, slot] = cell }
      batch.rows.makeKey(of: row, plan.layout.schema, entity.layout)
    case .taken:
      writeOwners(cells, of: row, entity, &batch.rows)
      let key = entity.identityKeyNames
      try add(
        ImportIssue(
          path: JSONPath.path(of: row, batch) + JSONPath.step(key),
          entity: entity.entity.name, identity: self.identity(of: row, batch.rows), key: key,
          expected: "an identity that no other object has", found: KeyText.text(of: identity),
          action: "not renamed"))
    }
  }

  /// Has the objects written that an object nests for an identity which it does not get.
  private func writeOwners(_ cells: [Cell], of row: Int, _ entity: EntityPlan, _ rows: inout RowBatch) {
    for owner in entity.owners {
      guard let slot = owner.slots.first, let part = entity.layout.identitySlots.firstIndex(of: slot),
        cells[part].kind == .row
      else { continue }
      let first = rows.targets.count
      rows.targets.append(cells[part])
      rows.addList(owner.relationship, to: row, firstTarget: first, count: 1, isRejected: true)
    }
  }

  // MARK: - Issues

  private var words: ProblemWords { ProblemWords(plan: plan) }

  private func note(_ problem: RowProblem, _ batch: borrowing RecordBatch) throws {
    let entity = plan.entities[batch.rows.rows[problem.row].entity]
    var issue = ImportIssue(
      path: JSONPath.path(of: problem.row, batch), entity: entity.entity.name, expected: "",
      found: "", action: "object skipped")
    if case .deferred(let ticket) = problem.reason {
      issue.identity = identity(of: problem.row, batch.rows)
      deferred[ticket] = issue
    } else {
      words.describe(problem.reason, entity, in: &issue)
      if case .missing(let attribute) = problem.reason, !entity.entity.identityAttributes.contains(attribute)
      {
        noteUnfit(issue)
      }
      try note(issue, of: problem.row, batch.rows)
    }
  }

  /// Notes that an attribute does not take a value, or is required and has none: a model that was taken from data gives way.
  private func noteUnfit(_ issue: ImportIssue) {
    guard options.doubtsOwnership, let key = issue.key else { return }
    let doubt = ValueDoubt(entity: issue.entity, key: key, found: .of(issue.found))
    unfit[doubt.place, default: doubt].found.formUnion(doubt.found)
  }

  /// Notes an object at the top of the JSON for the report.
  private func list(_ row: Int, _ rows: borrowing RowBatch) {
    guard rows.rows[row].state != .skipped else { return }
    let entity = plan.entities[rows.rows[row].entity].entity
    objectList.append(
      ObjectReference(
        entity: entity.name, identity: identity(of: row, rows) ?? String(rows.rows[row].rowID)))
    self.rows.append(Importer.ObjectRowReference(entity: rows.rows[row].entity, row: rows.rows[row].rowID))
  }

  private func note(_ issue: ImportIssue, of row: Int, _ rows: borrowing RowBatch) throws {
    guard issues.count < options.maximumIssues || options.isStrict else {
      issueCount += 1
      return
    }
    var issue = issue
    // What belongs to no object has no row.
    if row >= 0 { issue.identity = identity(of: row, rows) }
    try add(issue)
  }

  func add(_ issue: ImportIssue) throws {
    issueCount += 1
    if options.isStrict { throw ImportError(.strict(issue)) }
    if issues.count < options.maximumIssues { issues.append(issue) }
  }

  private func identity(ofKey key: String, _ name: String) -> String {
    plan.layout.schema.entity(name).map { plan.layout.identityText(ofKey: key, of: $0) } ?? key
  }

  private func identity(of row: Int, _ rows: borrowing RowBatch) -> String? {
    let slots = plan.layout.entities[rows.rows[row].entity].identitySlots
    var texts: [String] = []
    for slot in slots {
      let part = rows.resolved(rows[row, slot], plan.layout)
      guard part.kind != .absent, part.kind != .null else { return nil }
      texts.append(KeyText.text(of: part, rows))
    }
    return texts.isEmpty ? nil : KeyText.joined(texts)
  }

  // MARK: - The end

  /// Notes a problem that does not belong to a single object of the JSON.
  private func noteGeneral(_ reason: RowProblem.Reason) throws {
    var issue = ImportIssue(path: "$", entity: "", expected: "", found: "", action: "")
    var entity = plan.entities[0]
    switch reason {
    case .deletionDenied(let relationship, _), .deletionTakesListed(let relationship, _),
      .deletionTakesUnsent(let relationship, _):
      entity = plan.entities[plan.layout.schema.relationships[relationship].owner]
      issue.entity = entity.entity.name
    case .deletionLeavesWithout(let relationship, _, _, _):
      entity = plan.entities[plan.layout.schema.relationships[relationship].destination]
      issue.entity = entity.entity.name
    default: break
    }
    words.describe(reason, entity, in: &issue)
    try add(issue)
  }

  func report(pruning scopes: [Query]) throws -> Report {
    var request = PruneRequest()
    request.scopes = scopes
    request.limit = options.maximumDeletions
    let found = try writer.runDeferredChecks(request)
    try heedDoubts()
    try note(found.problems)
    for reason in found.general { try noteGeneral(reason) }
    let pending = try writer.pendingReferences()
    var report = try self.report()
    report.pendingCount = pending.count
    report.pending = pending.references.map(PendingReference.init)
    forbidden = pending.references.indices.filter { pending.references[$0].isError }.map {
      report.pending[$0]
    }
    return report
  }

  /// Ends the import if objects have several owners that only the model gives one, or if others came under an identity that only
  /// the model takes for one.
  private func heedDoubts() throws {
    guard options.doubtsOwnership else { return }
    let schema = plan.layout.schema
    let conflicts = writer.identityConflicts
    let doubts = writer.ownershipDoubts.compactMap { doubt -> OwnerDoubt? in
      let list = schema.relationships[doubt.relationship]
      guard let inverse = list.inverse, !schema.relationships[inverse].relationship.annotations.isExported
      else { return nil }
      let (values, replaced) = conflicts.replacements(
        list.destination, besides: plan.layout.foreignKeySlot(of: inverse))
      return OwnerDoubt(
        entity: schema.entities[list.owner].name, relationship: list.name, objects: doubt.counts.objects,
        changed: doubt.counts.changed,
        values: values, replaced: replaced,
        isOfOthers: doubt.counts.ofOthers == doubt.counts.objects)
    }
    var new = doubts.map(ImportDoubt.owners).filter { !options.settledDoubts.contains($0.place) }
    for part in options.possibleParts {
      guard let doubt = part.doubt(conflicts, plan.layout).map(ImportDoubt.identity),
        !options.settledDoubts.contains(doubt.place), !new.contains(where: { $0.place == doubt.place })
      else { continue }
      new.append(doubt)
    }
    if !new.isEmpty { throw ImportError(.doubted(new)) }
  }

  /// Ends the import if a model that was taken from data lacks keys of its objects, or does not take their values.
  func doubtKeys(_ unmatched: [String: [String: Int]]) throws {
    guard options.doubtsOwnership, case .whole = options.chunks else { return }
    // Objects of so many keys are dictionaries, which the report tells of.
    let keys = unmatched.filter { $0.value.count <= Self.mostKeys }.flatMap { entity, keys in
      keys.keys.map { ImportDoubt.key(KeyDoubt(entity: entity, key: $0)) }
    }
    let new = (keys + unfit.values.map(ImportDoubt.value)).filter {
      !options.settledDoubts.contains($0.place)
    }
    if !new.isEmpty { throw ImportError(.doubted(new.sorted { $0.place < $1.place })) }
  }

  /// So many keys of an entity that nothing takes become attributes.
  private static let mostKeys = 200

  /// Notes the results of problems that had to wait for the end.
  private func note(_ problems: [(ticket: Int, reason: RowProblem.Reason)]) throws {
    for (ticket, reason) in problems {
      guard var issue = deferred[ticket], let entity = plan.layout.schema.index(of: issue.entity) else {
        continue
      }
      words.describe(reason, plan.entities[entity], in: &issue)
      try add(issue)
    }
  }

  private func report() throws -> Report {
    var report = Report()
    report.add(writer.counts, plan.layout)
    report.deletedObjects = writer.deletedObjects.map {
      ObjectReference(entity: $0.entity, identity: identity(ofKey: $0.key, $0.entity))
    }
    report.objects = options.listsObjects ? objectList : nil
    report.issues = issues
    report.issueCount = issueCount
    return report
  }

  // MARK: - Chunks

  /// Notes which objects there are before the first chunk.
  func takeObjectSetSnapshot() throws { try writer.takeObjectSetSnapshot() }

  /// Completes what was written, so that it can be committed.
  ///
  /// - Returns: What the next transaction goes on with, and what has been done so far.
  func finishChunk() throws -> (state: any ChunkState, report: Report) {
    let problems = try writer.finishChunk()
    try heedDoubts()
    try note(problems)
    return (try writer.chunkState(), try report())
  }

  /// Continues in another transaction.
  func proceed(in transaction: any EngineTransaction, _ state: any ChunkState) throws {
    writer = try transaction.batchWriter(policy, continuing: state)
  }
}

extension BatchQueue {
  /// The queue of a producer that reads on a thread of its own.
  ///
  /// - Throws: ``ImportError`` if the system gives no thread.
  convenience init(readingFrom producer: RecordProducer) throws {
    // One is read while the other is written. More of them took no less time, measured with files and servers.
    self.init(batches: 2)
    let task = ReadingTask(producer: producer, queue: self)
    do {
      try StackThread.start(stackSize: producer.stackSize) { task.run() }
    } catch {
      throw ImportError(.noThread(error.message))
    }
  }
}

/// The reader of an import, on a thread of its own. Only that thread uses the producer, until the queue says that it
/// has ended.
private final class ReadingTask: @unchecked Sendable {
  private let producer: RecordProducer
  private let queue: BatchQueue

  init(producer: RecordProducer, queue: BatchQueue) {
    self.producer = producer
    self.queue = queue
  }

  func run() {
    let result = Result {
      try producer.run(isAbandoned: { [queue] in queue.isAbandoned }) { batch in
        let box = try queue.takeEmpty()
        swap(&box.batch, &batch)
        batch.sourceName = box.batch.sourceName
        queue.put(box)
      }
    }
    queue.finish(result)
  }
}
