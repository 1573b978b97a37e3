import Foundation
import ObjectModel
public import ObjectStore

/// Imports JSON into a store.
///
/// ```swift
/// var options = ImportOptions()
/// options.entity = "Band"
/// let report = try Importer(store, options).run([.file("bands.json")])
/// ```
public struct Importer {
  let store: Store
  let options: ImportOptions

  public init(_ store: Store, _ options: ImportOptions = ImportOptions()) {
    self.store = store
    self.options = options
  }

  /// How far an import has come.
  public struct Progress: Sendable {
    /// The bytes of JSON that have been imported.
    public var bytes: Int
    /// All bytes there are, if that is known.
    public var totalBytes: Int?
    /// The objects that have been written.
    public var objects: Int
  }

  /// Imports all sources in one transaction.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked now and then; once it says true the import ends and nothing is changed.
  ///   - progress: Told now and then how far the import has come, on the thread that calls this.
  /// - Returns: What was done, or in a dry run what would have been.
  /// - Throws: ``ImportError`` if a source cannot be read or is no JSON, if it is not clear what its objects
  ///   are, or in a strict import at the first issue; ``PlanError`` if the model's annotations contradict each
  ///   other; ``StoreError`` if the store cannot be written. In each case nothing is changed.
  public func run(
    _ sources: [ImportSource], isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try execute(sources, isCancelled, progress: progress).report
  }

  /// Imports all sources, and gives the plan as well, which knows the keys that came.
  func execute(
    _ sources: [ImportSource], _ isCancelled: @escaping @Sendable () -> Bool, progress: ((Progress) -> Void)?
  ) throws -> (report: Report, plan: Plan) {
    let start = Date()
    guard let dates = DateFormat(options.dates) else {
      throw ImportError(.unreadableDateFormat(options.dates))
    }
    guard !store.model.entities.isEmpty else { throw ImportError(.emptyModel) }
    let plan = try Plan(store.layout, store.functions, Conventions(keys: options.keys, dates: dates))
    let entity = try options.entity.map { try index(of: $0, plan) }
    let producer = RecordProducer(
      sources, plan: plan, options: options, entity: entity, isCancelled: isCancelled)
    try checkPruning()
    let sizes = sources.map(\.size)
    let total = sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
    var report = try store.transaction { transaction in
      transaction.isImport = true
      producer.target = try ResolvedTarget(options.target, plan, transaction)
      let run = try ImportRun(transaction, plan, options, producer.target, isCancelled, progress, total)
      try run.consumeAll(of: producer, inline: (total ?? .max) < 1 << 17)
      let report = try run.report(pruning: try scopes(of: producer, plan))
      return (report, options.isDryRun ? .rollback : .commit)
    }
    for entity in plan.entities { report.addUnmatchedKeys(of: entity) }
    if !producer.unmatched.isEmpty { report.unmatchedKeys["$"] = producer.unmatched }
    report.bytes = producer.bytes
    report.seconds = Date().timeIntervalSince(start)
    return (report, plan)
  }

  /// - Throws: ``ImportError`` if there is nothing that pruning could mean.
  private func checkPruning() throws {
    switch options.target {
    case .store: return
    case .object: if options.prunes || options.pruneCondition != nil { throw ImportError(.nothingToPrune) }
    case .relationship: if options.pruneCondition != nil { throw ImportError(.conditionOfRelationship) }
    }
  }

  /// What to prune: the entities of the lists at the top of the JSON.
  private func scopes(of producer: RecordProducer, _ plan: Plan) throws -> [Query] {
    guard options.prunes || options.pruneCondition != nil, case .store = options.target else { return [] }
    guard !producer.listed.isEmpty else { throw ImportError(.nothingToPrune) }
    return producer.listed.sorted().map { entity in
      var scope = Query(plan.entities[entity].entity.name)
      scope.predicate = options.pruneCondition
      return scope
    }
  }

  private func index(of entity: String, _ plan: Plan) throws -> Int {
    if let index = store.layout.schema.index(of: entity) { return index }
    let names = plan.entities.map(\.entity.name)
    let nearest =
      names.first { Names.folded($0) == Names.folded(entity) }
      ?? plan.entity(namedBy: entity).map { names[$0] } ?? nearestName(to: entity, in: names)
    throw ImportError(.unknownEntity(entity, nearest: nearest, known: names.sorted()))
  }
}
