import Foundation
public import ObjectModel

extension Store {
  /// The permissions of a store to take over another version of its model.
  ///
  /// What loses nothing just happens, when the store is opened for writing. What removes data asks for consent:
  ///
  /// ```swift
  /// var options = Store.Options()
  /// options.migration = .automatic.allowing(.removals).setting("1970", for: "Band.formed")
  /// let store = try Store(path: "bands.sqlite", model: model, options: options)
  /// ```
  public struct Migration: Sendable {
    /// Permissions beyond what loses nothing.
    public struct Consent: OptionSet, Sendable, Hashable {
      public let rawValue: Int

      public init(rawValue: Int) { self.rawValue = rawValue }

      /// Entities, properties, links and values that the new version has no place for go.
      public static let removals = Consent(rawValue: 1)
    }

    /// A change of a value on its way into the new version. Values are in the store's form.
    public typealias Conversion = @Sendable (SQLValue) throws -> SQLValue

    var isAutomatic: Bool
    var consent: Consent = []
    /// The texts of values by attributes, `Band.formed`.
    var values: [String: String] = [:]
    var conversions: [String: Conversion] = [:]
    /// Attributes whose objects go where they have no value.
    var dropped: Set<String> = []
    package var stages: [MigrationStage] = []
    /// The entities that lose an identity which was only a guess.
    package var lostGuesses: Set<String> = []
    /// Where a copy of the store is put before anything is removed. There must be no file. A store on a server refuses
    /// this: the server has means of its own.
    public var backupPath: String?
    /// Called now and then with the part that is done, from 0 to 1, on the thread that opens the store.
    public var onProgress: (@Sendable (Double) -> Void)?
    /// Whether the first transaction that writes migrates, rather than the opening.
    package var isDelayed = false

    private init(isAutomatic: Bool) { self.isAutomatic = isAutomatic }

    /// Does what loses nothing, and refuses the rest with a plan. That is what a store does unless told otherwise.
    public static let automatic = Migration(isAutomatic: true)

    /// Refuses every model that needs other tables.
    public static let refused = Migration(isAutomatic: false)

    /// The same, with consent to more.
    public func allowing(_ consent: Consent) -> Migration {
      changed { $0.consent.formUnion(consent) }
    }

    /// The same, with a value for the objects that have none of an attribute that needs one.
    ///
    /// - Parameters:
    ///   - value: The value as a text, as a default in a model is written.
    ///   - attribute: The attribute in the new version: `Band.formed`.
    public func setting(_ value: String, for attribute: String) -> Migration {
      changed { $0.values[attribute] = value }
    }

    /// The same, with a change of each value of an attribute.
    ///
    /// ```swift
    /// .automatic.converting("Album.seconds") { value in
    ///   guard case .text(let text) = value else { return .null }
    ///   return Int64(text.dropLast(2)).map { .integer($0) } ?? .null
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - attribute: The attribute in the new version.
    ///   - conversion: Is given the value of the old version, null too, in the store's form, and gives the new one, by
    ///     that value alone: for a store on a server it is called once for all objects with the same value. What it throws
    ///     ends the migration, and the store is as it was.
    public func converting(_ attribute: String, _ conversion: @escaping Conversion) -> Migration {
      changed { $0.conversions[attribute] = conversion }
    }

    /// The same, with the removal of the objects that have no value of an attribute that needs one.
    public func dropping(_ attribute: String) -> Migration {
      changed { $0.dropped.insert(attribute) }
    }

    func changed(_ change: (inout Migration) -> Void) -> Migration {
      var copy = self
      change(&copy)
      return copy
    }
  }
}

/// A step of a migration in stages: the next version of the model, and what is done beyond what follows from it.
package struct MigrationStage: Sendable {
  package let model: Model
  /// Reads the objects as they were, and writes them as they become.
  package let body: (@Sendable (_ old: any StoreTransaction, _ new: any StoreTransaction) throws -> Void)?

  package init(
    model: Model, body: (@Sendable (_ old: any StoreTransaction, _ new: any StoreTransaction) throws -> Void)?
  ) {
    self.model = model
    self.body = body
  }
}

/// The effects of a migration on the objects of a store, and the decisions that it asks for.
///
/// ```swift
/// let plan = try store.plan(for: model)
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
    /// How many values or lists that are there the new version would refuse. They stay, and can be saved and imported again
    /// only once they are changed.
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
      var noun = "value"
      if case .listRule = change.detail { noun = "list" }
      text +=
        "; \(Self.counted(refusedValues, noun)) that \(refusedValues == 1 ? "is" : "are") there would be refused"
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

/// The steps from one version to another that all engines do alike.
extension Store.Migration {
  /// The versions that a store passes: those of the stages that come after its own, and the one that it is opened with.
  ///
  /// - Throws: ``StoreError`` if there are stages, and none is of the store's version.
  package func steps(
    from remembered: StoreDescription, to description: StoreDescription, _ layout: Layout, path: String
  ) throws -> [MigrationStage] {
    let last = MigrationStage(model: description.model, body: nil)
    guard !stages.isEmpty else { return [last] }
    let names = layout.names
    let before = try remembered.layout(names: names)
    let known = try stages.lastIndex { (stage: MigrationStage) throws -> Bool in
      try stage.model == remembered.model
        || !StoreDifference.isVersion(before, description.layout(of: stage.model, names: names))
    }
    guard let known else {
      throw StoreError.invalid(
        "The store \(path) is of none of the \(stages.count) versions that the migration has stages for. Nothing was"
          + " changed. Add its version as a stage.")
    }
    let rest = Array(stages[(known + 1)...])
    // The last stage is the one that leads to the version that the store is opened with.
    if let final = rest.last,
      try !StoreDifference.isVersion(description.layout(of: final.model, names: names), layout)
    {
      return rest
    }
    return rest + [last]
  }

  /// - Throws: ``StoreError`` if a plan may not be carried out.
  package func check(_ plan: MigrationPlan, of path: String) throws {
    guard isAutomatic || plan.isEmpty else {
      throw StoreError(.modelChanged(path: path, differences: plan.steps.map(\.change.description)))
    }
    guard plan.canRun else { throw StoreError(.migrationRefused(path: path, plan: plan)) }
  }
}

extension StoreDescription {
  /// The layout of another version of the model, with what the mapping says as far as that fits.
  package func layout(of model: Model, names: NameRules) throws -> Layout {
    let mapped = try? mapping(for: model)?.applied(to: model)
    return Layout(try Schema(mapped ?? model), names: names)
  }
}

extension MigrationPlan {
  /// Leaves to code what needs a value or has no place.
  package mutating func leaveToCode() {
    for index in steps.indices {
      switch steps[index].change.detail {
      case .neededValue, .changedType, .neededTarget: steps[index].problem = nil
      default: break
      }
      steps[index].isRemoval = false
    }
  }
}

/// Tells how far a migration has come, by the numbers of the rows that it goes through.
package final class MigrationProgress {
  private let total: Int64
  private var before: Int64 = 0
  private var inTable: Int64 = 0
  private let report: (@Sendable (Double) -> Void)?

  package init(_ total: Int64, _ report: (@Sendable (Double) -> Void)?) {
    self.total = total
    self.report = report
  }

  /// Notes that the rows of a table are done up to a number.
  package func add(upTo row: Int64) {
    inTable = max(0, row)
    report?(min(1, (Double(before) + Double(inTable)) / Double(max(1, total))))
  }

  package func endTable() {
    before = before.addingReportingOverflow(inTable).overflow ? .max : before + inTable
    inTable = 0
  }
}
