public import ObjectModel

/// What a migration does to the objects of a store, and what it needs to be told.
///
/// ```swift
/// let plan = try Store.plan(path: "bands.sqlite", for: model)
/// print(plan)
/// ```
public struct MigrationPlan: Sendable, Hashable {
  /// One change of the model, and what it means for what is in the store.
  public struct Step: Sendable, Hashable {
    public var change: ModelChange
    /// How many objects it concerns; nil where that was not counted.
    public var objects: Int?
    /// How many objects, values or links have no place in the new version.
    public var removed = 0
    /// How many local changes that the server was not told of have no place in the new version.
    public var unsent = 0
    /// How many values that are there the new version would refuse. They stay, and can be saved and imported again only
    /// once they are changed.
    public var refusedValues = 0
    /// The identities of some of the objects that are counted, three at most.
    public var examples: [String] = []
    /// Why it cannot be done as it is, and what to do about that.
    public var problem: String?
    /// Whether it needs consent, ``Store/Migration/Consent/removals``.
    public var isRemoval = false
  }

  /// A table that is written anew: all that use the store wait meanwhile.
  public struct RewrittenTable: Sendable, Hashable {
    public var name: String
    /// How many rows it has, as the server estimates.
    public var rows: Int
    /// How much room it takes with its indexes. Until the end, so much is needed beside it.
    public var bytes: Int

    package init(name: String, rows: Int, bytes: Int) {
      (self.name, self.rows, self.bytes) = (name, rows, bytes)
    }
  }

  /// In the order of the new version.
  public var steps: [Step]
  /// Whether removals were allowed when the plan was made.
  public var allowsRemovals: Bool
  /// The tables that the migration writes anew, of a store on a server; nil for one in a file.
  public var rewrittenTables: [RewrittenTable]?

  /// That of a store that has nothing yet.
  package static let nothing = MigrationPlan(steps: [], allowsRemovals: true)

  /// Whether nothing changes in what is stored, only in what may be written and how it is read.
  public var changesRulesOnly: Bool { !isEmpty && steps.allSatisfy { $0.change.isRule && $0.problem == nil } }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { steps.isEmpty }

  /// The steps that keep the migration from being done.
  public var refused: [Step] {
    steps.filter { $0.problem != nil || ($0.isRemoval && !allowsRemovals) }
  }

  /// Whether the migration can be done as it was planned.
  public var canRun: Bool { refused.isEmpty }
}

extension MigrationPlan.Step: CustomStringConvertible {
  public var description: String {
    var text = change.description
    if let objects { text += " (\(Self.counted(objects, "object")))" }
    if removed > 0 { text += "; \(removed) without a place" }
    if unsent > 0 {
      text += "; \(Self.counted(unsent, "local change")) that the server was not told of would go"
    }
    if refusedValues > 0 {
      text +=
        "; \(Self.counted(refusedValues, "value")) that \(refusedValues == 1 ? "is" : "are") there would be refused"
    }
    if let problem { text += ": " + problem }
    if !examples.isEmpty { text += "; for example \(examples.joined(separator: "; "))" }
    return text
  }

  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension MigrationPlan: CustomStringConvertible {
  public var description: String {
    isEmpty ? "Nothing to do." : steps.map(\.description).joined(separator: "\n")
  }
}
