import ObjectModel

/// Takes the local changes that the server was not told of from one version of a model to another: under the new names and
/// keys. A change of something that has no place in the new version is lost, which ``MigrationPlanner`` counts first.
///
/// Where the code of a stage follows, an entry whose properties are gone waits for it: what the code saves of the object
/// joins the entry.
package final class JournalMigration {
  /// An entry in the new version, and what of it has no place there.
  struct Outcome {
    /// Nil if the object or all that was changed of it has no place.
    var entry: JournalEntry?
    /// The names, in the old version, of the changed properties without a place.
    var lost: [String] = []
    /// Whether the object itself has no place.
    var isGone = false
  }

  /// An entry that waits for the code of a stage.
  private struct Waiting {
    let entity: SchemaEntity
    let entry: JournalEntry
    let former: JournalEntry
    let lost: [String]
  }

  private let sources: MigrationSources
  private var waiting: [Waiting] = []
  private var gone: [JournalEntry] = []

  package init(_ sources: MigrationSources) { self.sources = sources }

  // MARK: - One entry

  /// An entry as it is in the new version. The old tables have to be there.
  func migrated(_ entry: JournalEntry) throws -> Outcome {
    guard let former = sources.old.entity(entry.entity), let successor = sources.successor(of: former.index)
    else { return Outcome(isGone: true) }
    let entity = sources.new.entities[successor]
    let keys = KeyMigration(sources: sources)
    guard let key = try keys.key(entry.key, of: former.index, in: successor) else {
      return Outcome(isGone: true)
    }
    var result = entry
    result.entity = entity.name
    result.key = key
    result.former = try entry.former.flatMap { try keys.key($0, of: former.index, in: successor) }
    if result.former.map(ExactText.init) == ExactText(key) { result.former = nil }
    let names = sources.pairs.names(former, entity)
    result.properties = [:]
    var lost: [String] = []
    for (name, revision) in entry.properties {
      if let name = names[name] {
        result.properties[name] = revision
      } else {
        lost.append(name)
      }
    }
    return Outcome(entry: result, lost: lost.sorted())
  }

  // MARK: - All of them

  /// Replaces all entries.
  ///
  /// - Parameter waits: Whether entries that lost properties wait for ``finish()``.
  package func run(waits: Bool) throws {
    // Entries are few: the changes of programs since the last synchronisation.
    let entries = try sources.engine.journalEntries()
    guard !entries.isEmpty else { return }
    var kept: [(entry: JournalEntry, root: String)] = []
    for entry in entries {
      let outcome = try migrated(entry)
      guard let result = outcome.entry, let entity = sources.new.entity(result.entity) else {
        gone.append(entry)
        continue
      }
      // An update of nothing that is still there is nothing to tell.
      let isEmpty = entry.kind == .updated && result.properties.isEmpty && !entry.properties.isEmpty
      if isEmpty, !waits { continue }
      if !outcome.lost.isEmpty, waits {
        waiting.append(Waiting(entity: entity, entry: result, former: entry, lost: outcome.lost))
      }
      kept.append((result, sources.new.entities[entity.root].name))
    }
    try sources.engine.replaceJournal(with: kept)
  }

  /// The local changes that are lost though the code of a stage has run: changes of objects that are gone, and those of
  /// properties that are gone where the code saved nothing of the object.
  package func finish() throws -> MigrationPlan {
    var steps: [MigrationPlan.Step] = []
    if !waiting.isEmpty {
      let entries = try sources.engine.journalEntries()
      var kept: [(entry: JournalEntry, root: String)] = []
      for entry in entries {
        guard let entity = sources.new.entity(entry.entity) else { continue }
        let left = waiting.first { waiting in
          waiting.entry.revision == entry.revision && waiting.entity.root == entity.root
            && ExactText(waiting.entry.key) == ExactText(entry.key)
        }
        if let left {
          for name in left.lost { Self.count(left.former.entity, name, &steps) }
          if entry.kind == .updated, entry.properties.isEmpty { continue }
        }
        kept.append((entry, sources.new.entities[entity.root].name))
      }
      if kept.count < entries.count { try sources.engine.replaceJournal(with: kept) }
    }
    for entry in gone { Self.count(entry.entity, nil, &steps) }
    return MigrationPlan(steps: steps, allowsRemovals: sources.options.consent.contains(.removals))
  }

  private static func count(_ entity: String, _ property: String?, _ steps: inout [MigrationPlan.Step]) {
    if let index = steps.firstIndex(where: { $0.change.entity == entity && $0.change.property == property }) {
      return steps[index].unsent += 1
    }
    var step = MigrationPlan.Step(
      change: ModelChange(
        entity: entity, property: property, action: .removed,
        summary: "is gone, and the stage saves nothing in its place"))
    (step.unsent, step.isRemoval) = (1, true)
    steps.append(step)
  }

  // MARK: - The plan

  /// Counts, by the steps of a plan, what would be lost, which asks for consent.
  func count(in steps: inout [MigrationPlan.Step]) throws {
    for entry in try sources.engine.journalEntries() {
      let outcome = try migrated(entry)
      let names = self.names(ofEntity: entry.entity)
      if outcome.isGone { count(entry.entity, names, nil, &steps) }
      for property in outcome.lost { count(entry.entity, names, property, &steps) }
    }
  }

  private func count(
    _ entity: String, _ names: Set<String>, _ property: String?, _ steps: inout [MigrationPlan.Step]
  ) {
    let found = steps.firstIndex { step in
      step.change.property == property && names.contains(step.change.entity)
        && (step.change.action == .removed || property == nil && step.change.action == .changed)
    }
    if let found {
      steps[found].unsent += 1
      steps[found].isRemoval = true
      return
    }
    var step = MigrationPlan.Step(
      change: ModelChange(
        entity: entity, property: property, action: .removed, summary: "loses what was changed of it"))
    (step.unsent, step.isRemoval) = (1, true)
    steps.append(step)
  }

  /// The names, in both versions, of an entity of the old version and of those that it inherits from.
  private func names(ofEntity name: String) -> Set<String> {
    var names: Set<String> = [name]
    var next = sources.old.index(of: name)
    while let index = next {
      names.insert(sources.old.entities[index].name)
      if let other = sources.pairs.newEntity[index] { names.insert(sources.new.entities[other].name) }
      next = sources.old.model.entities[index].parent.flatMap { sources.old.index(of: $0) }
    }
    return names
  }
}
