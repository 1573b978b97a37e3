import Bytes
import ObjectModel
import ObjectStore

/// Fills batches with objects that are rows already, those of another store.
struct RowRecords {
  private let plan: Plan
  /// The name of the source in paths; nil if there is one source only.
  private let sourceName: String?
  private let batchSize: BatchSize

  init(_ plan: Plan, sourceName: String?, _ batchSize: BatchSize) {
    self.plan = plan
    self.sourceName = sourceName
    self.batchSize = batchSize
  }

  /// The findings about a source.
  struct Found {
    var entities: [Int] = []
    var unmatched: [String: [String: Int]] = [:]
  }

  /// Gives each full batch, and the last one, to `consume`, which empties it or puts an empty one in its place.
  func read(
    _ source: CoreDataStore, isCancelled: @escaping @Sendable () -> Bool,
    _ consume: (inout RecordBatch) throws -> Void
  ) throws -> Found {
    try source.read(for: plan.layout, isCancelled: isCancelled) { reader in
      var batch = RecordBatch()
      batch.sourceName.amongSeveral = sourceName
      note(reader.takeProblems(), of: -1, in: &batch)
      while let row = try reader.next(&batch.rows) {
        addPlace(of: reader, &batch)
        if !plan.checks.isEmpty { check(row, &batch) }
        if reader.hasProblems { note(reader.takeProblems(), of: row, in: &batch) }
        guard batch.isFull(batchSize) else { continue }
        try consume(&batch)
      }
      note(reader.takeProblems(), of: -1, in: &batch)
      try consume(&batch)
      return Found(entities: reader.entities, unmatched: reader.unmatched)
    }
  }

  /// Says how issues are to call the row that was added last.
  private func addPlace(of reader: CoreDataReading, _ batch: inout RecordBatch) {
    let offset = batch.steps.count
    reader.appendName(to: &batch.steps)
    batch.places.append(
      RowPlace(PathStep(offset: offset, count: batch.steps.count - offset), position: -1))
  }

  private func note(_ problems: [SourceProblem], of row: Int, in batch: inout RecordBatch) {
    for problem in problems {
      let name = problem.object.isEmpty ? problem.entity : problem.object
      if problem.action.hasPrefix("object") { batch.hasLeftOutObjects = true }
      batch.issues.append(
        DraftIssue(
          row: row,
          issue: ImportIssue(
            path: path(name, problem.property), entity: problem.entity, key: problem.property,
            expected: problem.expected, found: problem.found, action: problem.action)))
    }
  }

  private func path(_ object: String, _ property: String?) -> String {
    (sourceName.map { "\($0): " } ?? "") + object + (property.map { JSONPath.step($0) } ?? "")
  }

  // MARK: - What types demand

  /// Checks the values of a row that Swift's types demand something of, so that all that is stored can be read. What the
  /// model demands, the program has checked that saved the objects.
  private func check(_ row: Int, _ batch: inout RecordBatch) {
    let entity = plan.entities[batch.rows.rows[row].entity]
    for (index, attribute) in entity.entity.attributes.enumerated() {
      let owner = plan.layout.schema.entities[attribute.owner].name
      let slot = entity.layout.attributeSlots[index]
      let cell = batch.rows[row, slot]
      guard let check = plan.checks[ValueCheck.Place(entity: owner, attribute: attribute.name)],
        cell.isPresent, cell.kind != .null, !check.accepts(batch.rows.value(of: cell))
      else { continue }
      refuse(attribute, slot, check, row, &batch)
    }
  }

  private func refuse(
    _ attribute: SchemaAttribute, _ slot: Int, _ check: ValueCheck, _ row: Int, _ batch: inout RecordBatch
  ) {
    let name = batch.text(of: batch.places[row].step)
    let entity = plan.entities[batch.rows.rows[row].entity].entity.name
    let found = batch.rows.value(of: batch.rows[row, slot])
    if attribute.isOptional { batch.rows[row, slot] = .absent } else { batch.rows.rows[row].state = .skipped }
    let problem = SourceProblem(
      object: name, entity: entity, property: attribute.name, expected: check.expectation,
      found: KeyText.text(of: [found]), action: attribute.isOptional ? "value left out" : "object skipped")
    note([problem], of: row, in: &batch)
  }
}
