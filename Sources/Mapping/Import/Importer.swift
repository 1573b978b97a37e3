import Foundation
import ObjectModel
package import ObjectStore

/// Imports JSON into a store.
///
/// ```swift
/// var options = ImportOptions()
/// options.entity = "Band"
/// let report = try Importer(store, options).run([.file("bands.json")])
/// ```
public struct Importer {
  let store: any StoreEngine
  let options: ImportOptions

  package init(_ store: any StoreEngine, _ options: ImportOptions = ImportOptions()) {
    self.store = store
    self.options = options
  }

  /// How far an import has come.
  public struct Progress: Sendable {
    /// The bytes of the sources that have been imported: of a compressed one, the compressed bytes.
    public var bytes: Int
    /// All bytes there are, if that is known.
    public var totalBytes: Int?
    /// The objects that have been written.
    public var objects: Int
  }

  /// Imports all sources, in one transaction unless ``ImportOptions/chunks`` says otherwise.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked now and then; once it says true the import ends and nothing is changed.
  ///   - progress: Told now and then how far the import has come, on the thread that calls this.
  /// - Returns: What was done, or in a dry run what would have been.
  /// - Throws: ``ImportError`` if a source cannot be read or is no JSON, if it is not clear what its objects
  ///   are, or in a strict import at the first issue; ``PlanError`` if the model's annotations contradict each
  ///   other; ``StoreError`` if the store cannot be written. In each case nothing is changed, but in an import in
  ///   chunks that has committed some: that throws ``PartialImportError``.
  public func run(
    _ sources: [ImportSource], isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    guard options.chunks.isWhole || options.isDryRun else {
      return try executeInChunks(sources, isCancelled, progress: progress)
    }
    return try execute(sources, isCancelled, progress: progress).report
  }

  /// The result of an import, and its findings.
  package struct Outcome {
    package internal(set) var report: Report
    /// The rows of the objects at the top of the JSON, in its order, if the options ask for them.
    package internal(set) var rows: [ObjectRowReference] = []
    /// References that the policy does not allow to wait. Their targets must be there when the transaction ends.
    package internal(set) var unresolved: [PendingReference] = []
    /// Has the keys that came.
    let plan: Plan
  }

  /// An object by its entity's index and its row.
  package struct ObjectRowReference: Sendable {
    package let entity: Int
    package let row: Int64
  }

  /// Imports all sources in a transaction of their own.
  package func execute(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool, progress: ((Progress) -> Void)?
  ) throws -> Outcome {
    let start = Date()
    var outcome: Outcome
    do {
      let preparation = try prepare(try received(sources, isCancelled), isCancelled)
      outcome = try store.transaction(isCancelled: isCancelled) { transaction in
        transaction.isImport = true
        return (try run(preparation, transaction, progress), options.isDryRun ? .rollback : .commit)
      }
    } catch is CancellationError {
      throw ImportError(.cancelled)
    }
    outcome.report.seconds = Date().timeIntervalSince(start)
    return outcome
  }

  /// Imports all sources as all that a transaction does. If this throws, or if it is a dry run, the caller must roll
  /// back the transaction.
  package func execute(
    _ sources: [ImportSource], asAllOf transaction: any EngineTransaction,
    _ isCancelled: @escaping @Sendable () -> Bool, progress: ((Progress) -> Void)? = nil
  ) throws -> Outcome {
    let start = Date()
    var outcome = try run(try prepare(sources, isCancelled), transaction, progress)
    outcome.report.seconds = Date().timeIntervalSince(start)
    return outcome
  }

  /// Imports all sources as a part of a transaction. If it throws, or if it is a dry run, it undoes what it did.
  ///
  /// The targets of references that may not wait can still arrive until the transaction ends. Then the caller must
  /// check them, by ``check(_:in:)``.
  package func execute(
    _ sources: [ImportSource], in transaction: any EngineTransaction,
    _ isCancelled: @escaping @Sendable () -> Bool = { false }, progress: ((Progress) -> Void)? = nil
  ) throws -> Outcome {
    guard options.chunks.isWhole else { throw ImportError(.chunksInTransaction) }
    let start = Date()
    let preparation = try prepare(sources, isCancelled)
    let isDryRun = options.isDryRun
    var result: Outcome?
    do {
      try transaction.atomically {
        result = try run(preparation, transaction, progress, isPart: true)
        // An error undoes everything, which is what a dry run needs.
        if isDryRun { throw DryRun() }
      }
    } catch is DryRun {}
    guard var outcome = result else { throw ImportError(.cancelled) }
    outcome.report.seconds = Date().timeIntervalSince(start)
    return outcome
  }

  private struct DryRun: Error {}

  /// - Throws: ``ImportError`` for the first reference whose target is not there.
  package static func check(_ unresolved: [PendingReference], in transaction: any EngineTransaction) throws {
    for reference in unresolved {
      guard let owner = transaction.layout.schema.entity(reference.entity),
        let target = transaction.layout.schema.entity(reference.target),
        try transaction.row(of: owner, identity: reference.identity) != nil,
        try transaction.row(of: target, identity: reference.key) == nil
      else { continue }
      throw ImportError(.pendingReference(reference))
    }
  }

  /// The sources. Those that come a few bytes at a time are received as a whole first, unless the options say
  /// otherwise.
  func received(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> [ImportSource] {
    guard options.receivesFirst else { return sources }
    return try formatted(sources).map { try $0.received(isCancelled: isCancelled) }
  }

  /// The sources, each with the form that the options say if it says none itself.
  private func formatted(_ sources: [ImportSource]) -> [ImportSource] {
    sources.map { $0.formatted(byDefaultAs: options.format) }
  }

  /// Everything that can be prepared before the store is locked.
  struct Preparation {
    let plan: Plan
    let producer: RecordProducer
    let isCancelled: @Sendable () -> Bool
    let total: Int?
    let start = Date()
    /// The names of the sources that have one, and how many there are.
    let names: [String]
    let sourceCount: Int
    /// The sources that have rows.
    let rowSources: [CoreDataStore]
    /// Whether objects may be deleted since what came of the same source before had them.
    let replacesObjects: Bool

    /// The name of the import among the sessions of a server: `import bands.json and 2 more`. They need not be those
    /// who may see where the sources are.
    var activity: String {
      guard let first = names.first else { return "import" }
      let path = first.prefix { $0 != "?" && $0 != "#" }
      let name = path.split(separator: "/").last.map(String.init) ?? "-"
      return "import \(name)" + (sourceCount > 1 ? " and \(sourceCount - 1) more" : "")
    }
  }

  func prepare(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> Preparation {
    guard let dates = DateFormat(options.dates) else {
      throw ImportError(.unreadableDateFormat(options.dates))
    }
    guard !store.layout.schema.entities.isEmpty else { throw ImportError(.emptyModel) }
    let usable = try UsableLayout(store.layout, store.functions)
    let form = try DocumentForm(options, usable.layout.schema.model.document)
    let conventions = Conventions(
      keys: options.keys, dates: dates, isOfSwiftValues: sources.allSatisfy { !$0.isForeign },
      kindKey: form.kind?.path.firstKey, ignored: form.ignored)
    let plan = try Plan(usable.layout, store.functions, conventions, checks: store.checks)
    plan.modelIssues = usable.issues
    plan.lacksRelationships = usable.lacksRelationships
    let entity = try options.entity.map { try index(of: $0, plan) }
    try checkPruning()
    let sources = formatted(sources)
    let producer = RecordProducer(
      sources, plan: plan, options: options, entity: entity, form: form, batchSize: store.batchSize,
      isCancelled: isCancelled)
    let sizes = sources.map(\.size)
    let total = sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
    return Preparation(
      plan: plan, producer: producer, isCancelled: isCancelled, total: total,
      names: sources.compactMap(\.recordedName), sourceCount: sources.count,
      rowSources: sources.compactMap(\.rows),
      replacesObjects: options.replacesSources
        && form.sourceKeys.contains { key in plan.entities.contains { $0.isIdentifiedBySource(key) } })
  }

  private func run(
    _ preparation: Preparation, _ transaction: any EngineTransaction, _ progress: ((Progress) -> Void)?,
    isPart: Bool = false
  ) throws -> Outcome {
    let run = try begin(preparation, transaction, progress)
    try run.consumeAll(of: preparation.producer, inline: preparation.producer.isSmallAndShallow)
    return try finish(run, preparation, transaction, isPart: isPart)
  }

  func begin(
    _ preparation: Preparation, _ transaction: any EngineTransaction, _ progress: ((Progress) -> Void)?
  ) throws -> ImportRun {
    let (plan, producer) = (preparation.plan, preparation.producer)
    try transaction.note(activity: preparation.activity)
    if !preparation.rowSources.isEmpty {
      try TakenSources.note(preparation.rowSources, transaction, isDryRun: options.isDryRun)
    }
    producer.target = try ResolvedTarget(options.target, plan, transaction)
    let run = try ImportRun(
      transaction, plan, options, producer.target, isCancelled: preparation.isCancelled, progress: progress,
      total: preparation.total)
    for issue in plan.modelIssues { try run.add(issue) }
    for issue in options.leftOut { try run.add(issue) }
    // The JSON of a relationship that is left out may have held objects, and so may a source that is left out.
    if plan.lacksRelationships || !options.leftOut.isEmpty { run.noteLeftOutObjects() }
    return run
  }

  func finish(
    _ run: ImportRun, _ preparation: Preparation, _ transaction: any EngineTransaction, isPart: Bool = false,
    number: Int64? = nil
  ) throws -> Outcome {
    let (plan, producer) = (preparation.plan, preparation.producer)
    var report = try run.report(pruning: try scopes(of: producer, plan))
    // An import that changes no object writes nothing.
    if report.changesAnything, !options.isDryRun, producer.isForeign {
      try ObservedJSONStyle.learn(from: plan, transaction)
    }
    if let first = run.forbidden.first, !isPart { throw ImportError(.pendingReference(first)) }
    report.addUnmatchedKeys(of: plan)
    for (unknown, count) in run.uncounted { report.removeUnmatchedKey(unknown, count) }
    report.unmatchedKeys.merge(producer.unmatchedProperties) { $0.merging($1, uniquingKeysWith: +) }
    // Chunks that were committed before would have lost such values.
    if !isPart { try run.doubtKeys(report.unmatchedKeys) }
    if !producer.unmatched.isEmpty { report.unmatchedKeys["$"] = producer.unmatched }
    report.bytes = producer.bytes
    report.notes = producer.notes
    if let count = producer.rowCount {
      let others = [report.outdated, report.excluded].flatMap(\.values).reduce(0, +)
      report.notes.append("\(min(count, report.objectCount + others)) of \(count) objects of the file")
    }
    if !options.isDryRun { _ = try remember(report, preparation, transaction, number: number) }
    return Outcome(report: report, rows: run.rows, unresolved: run.forbidden, plan: plan)
  }

  /// Has the store remember what the import did so far.
  ///
  /// - Parameter number: The number under which it is remembered already.
  func remember(
    _ report: Report, _ preparation: Preparation, _ transaction: any EngineTransaction, number: Int64?,
    isWhole: Bool = true
  ) throws -> Int64 {
    var record = ImportRecord(
      date: preparation.start, seconds: Date().timeIntervalSince(preparation.start),
      sources: preparation.names,
      sourceCount: preparation.sourceCount)
    record.inserted = report.inserted
    record.updated = report.updated
    record.deleted = report.deleted
    record.skipped = report.skipped
    record.issueCount = report.issueCount
    record.isWhole = isWhole
    return try transaction.remember(record, number: number)
  }

  /// - Throws: ``ImportError`` if the options ask for pruning that the target cannot have.
  private func checkPruning() throws {
    if options.share != nil {
      guard case .store = options.target else { throw ImportError(.shareOfOneObject) }
      guard !options.prunesScopes else { throw ImportError(.pruneOfShare) }
    }
    switch options.target {
    case .store: return
    case .object: if options.prunes || options.pruneCondition != nil { throw ImportError(.nothingToPrune) }
    case .relationship: if options.pruneCondition != nil { throw ImportError(.conditionOfRelationship) }
    }
  }

  /// The objects to prune: the entities of the lists at the top of the JSON, and what came of the same sources before.
  private func scopes(of producer: RecordProducer, _ plan: Plan) throws -> [Query] {
    let replaced = try scopes(of: producer.readSources, plan)
    guard options.prunes || options.pruneCondition != nil, case .store = options.target else {
      return replaced
    }
    guard !producer.listed.isEmpty else { throw ImportError(.nothingToPrune) }
    return replaced
      + producer.listed.sorted().map { entity in
        var scope = Query(plan.entities[entity].entity.name)
        scope.predicate = options.pruneCondition
        return scope
      }
  }

  /// The objects that came of sources before, of all entities whose objects their source identifies.
  private func scopes(of sources: [(key: String, name: String)], _ plan: Plan) throws -> [Query] {
    guard options.replacesSources else { return [] }
    let names = Dictionary(grouping: sources, by: \.key).sorted { $0.key < $1.key }
    return try names.flatMap { key, sources in
      try plan.entities.filter { $0.entity.root == $0.entity.index && $0.isIdentifiedBySource(key) }.flatMap {
        try scopes(of: $0, key: key, sources.map(\.name))
      }
    }
  }

  /// The objects of an entity that came of sources before.
  private func scopes(of entity: EntityPlan, key: String, _ sources: [String]) throws -> [Query] {
    let attribute = Int(entity.keys.entry(entity.keys.index(of: key)).index)
    let name = PredicateArgument(entity.entity.attributes[attribute].name)
    return try stride(from: 0, to: sources.count, by: Self.sourcesAtOnce).map { start in
      let some = sources[start..<min(sources.count, start + Self.sourcesAtOnce)]
      var scope = Query(entity.entity.name)
      scope.predicate = try ObjectPredicate(
        format: "%K IN %@", [name, PredicateArgument(some.map { PredicateArgument($0) })])
      return scope
    }
  }

  /// So many sources stand in one condition.
  private static let sourcesAtOnce = 200

  private func index(of entity: String, _ plan: Plan) throws -> Int {
    if let index = store.layout.schema.index(of: entity) { return index }
    let names = plan.entities.map(\.entity.name)
    let nearest =
      names.first { Names.folded($0) == Names.folded(entity) }
      ?? plan.entity(namedBy: entity).map { names[$0] } ?? nearestName(to: entity, in: names)
    throw ImportError(.unknownEntity(entity, nearest: nearest, known: names.sorted()))
  }
}
