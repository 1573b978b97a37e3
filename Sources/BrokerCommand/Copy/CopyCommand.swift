import ArgumentParser
import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Stores

/// `broker copy`: puts a store into another place.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a store to another place: from a file to PostgreSQL, or back.",
    discussion: """
      All goes along: the model, the mapping, the objects with all links, references that wait, changes that the \
      server was not told of, and what is remembered of imports. In the end the counts of both are compared. The new \
      store has the same objects; only the numbers that a store gives to objects without identity differ.

      The target is filled in one transaction, or with --chunk so many objects at a time. A copy that was interrupted \
      goes on with --continue: what is there already is only compared.

      Example:
        broker copy --from bands.sqlite --to 'postgresql://db.example.com/music?schema=bands'
        broker copy --from 'postgresql://db.example.com/music?schema=bands' --to bands.sqlite --chunk 100000

      Exit status: 0 copied, both counts equal; 1 failed; 3 copied, but the counts differ; 64 wrong usage; 130 \
      interrupted.
      """)

  @Option(
    help: ArgumentHelp(
      "The store to copy: a file, or postgresql://HOST/DATABASE?schema=NAME.", valueName: "store"),
    completion: .file())
  var from: String

  @Option(help: ArgumentHelp("Where to copy it to.", valueName: "store"), completion: .file())
  var to: String

  @Option(help: ArgumentHelp("Commit after so many objects, rather than once.", valueName: "objects"))
  var chunk: Int?

  @Flag(name: .customLong("continue"), help: "Go on with a copy that was interrupted.")
  var continues = false

  @OptionGroup var use: StoreUse

  @Option(help: "The form of the report: text or json.")
  var format = ReportFormat.text

  func validate() throws {
    if from.isEmpty || to.isEmpty { throw ValidationError("--from and --to need a store each.") }
    if from == to { throw ValidationError("--from and --to are the same store.") }
    if let chunk, chunk < 1 { throw ValidationError("--chunk needs a number of objects, 1 or more.") }
  }

  func run() throws {
    Interruption.watch()
    let outcome = try Interruption.telling { try tellingWhatIsThere { try copy() } }
    try format.write(CopyResult(outcome), text: CopyText(outcome).text)
    if !outcome.isWhole { throw ExitCode(3) }
  }

  /// Runs `body`. Where it fails after objects were committed, the error says so, and not that nothing was changed.
  private func tellingWhatIsThere<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error where !(error is ValidationError) {
      // try?: Where the target cannot be read either, the first error says why.
      guard let count = try? targetCount(), count > 0 else { throw error }
      let partial = error as? PartialImportError
      let reason = "\(partial?.cause ?? error)".replacing(" Nothing was changed.", with: "")
      let rest =
        "\(StorePlace(to).shown) has \(count) object\(count == 1 ? "" : "s"), and what is missing is not there yet:"
        + " --continue goes on with the copy."
      let isCancellation = partial?.isCancellation ?? (error as? ImportError)?.isCancellation
      guard isCancellation ?? (error is CancellationError) else {
        throw CleanError("\(reason) \(rest)")
      }
      Terminal.writeError("Interrupted. \(rest)\n")
      throw ExitCode(Interruption.exitStatus)
    }
  }

  private func copy() throws -> StoreCopy.Outcome {
    guard !CoreDataStore.isThere(at: from) else {
      throw ValidationError(
        "\(from) is a Core Data store: broker import \(ShellWord.quoted(from)) --store"
          + " \(ShellWord.quoted(StorePlace(to).shown)) takes it over.")
    }
    let known = try Store(readingAt: from, use.options(for: from))
    let declared = known.declared
    let keepsJournal = try known.read { try $0.journal() != nil }
    try known.close()
    if !continues { try checkIsEmpty() }
    let (model, mapping) = (declared.model.withoutJSONForms, declared.mapping.ofStores)
    let source = try Store(
      at: StorePlace(from),
      StoreRequest(model: model, mapping: mapping, access: .readOnly, options: use.options(for: from)))
    defer { try? source.close() }
    let outcome = try fill(model, mapping, keepsJournal, from: source)
    // Annotations and the mapping say how the JSON of others is read: they are remembered, and had no part in the copy.
    let target = try open(declared.model, declared.mapping, keepsJournal)
    defer { try? target.close() }
    try target.transaction { _ in ((), .commit) }
    return outcome
  }

  private func fill(
    _ model: Model, _ mapping: JSONMapping, _ keepsJournal: Bool, from source: Store
  ) throws -> StoreCopy.Outcome {
    let target = try open(model, mapping, keepsJournal)
    defer { try? target.close() }
    var copy = StoreCopy(from: source, to: target)
    copy.chunk = chunk
    let line = StatusLine.ofImport
    defer { line?.clear() }
    return try copy.run(
      isCancelled: { Interruption.isRequested }, progress: line.map { line in { line.show($0) } })
  }

  private func open(_ model: Model, _ mapping: JSONMapping, _ keepsJournal: Bool) throws -> Store {
    try Store(
      at: StorePlace(to),
      StoreRequest(
        model: model, mapping: mapping, options: use.options(for: to), journalsLocalChanges: keepsJournal))
  }

  /// How many objects the target has.
  private func targetCount() throws -> Int {
    try StoreOption.reading({ try Store(readingAt: to, use.options(for: to)) }) { target in
      try target.read { try $0.objectCounts().values.reduce(0, +) }
    }
  }

  /// - Throws: `ValidationError` if the target has objects already.
  private func checkIsEmpty() throws {
    let count: Int
    do {
      count = try targetCount()
    } catch let error as StoreError where error.isMissing {
      // There is nothing, or a file that nothing was ever written to, as a copy that was killed leaves it.
      return
    }
    guard count == 0 else {
      throw ValidationError(
        "\(StorePlace(to).shown) has \(count) objects already. Name another place; --continue goes on with a copy that was interrupted."
      )
    }
  }
}

struct CopyText {
  let text: String

  init(_ outcome: StoreCopy.Outcome) {
    let names = Set(outcome.expected.keys).union(outcome.found.keys).sorted()
    let total = outcome.found.values.reduce(0, +)
    var lines = ["Copied \(total) objects of \(names.count) entities."]
    for name in names {
      let (expected, found) = (outcome.expected[name] ?? 0, outcome.found[name] ?? 0)
      if expected != found { lines.append("  \(name): \(expected) in the source, \(found) in the copy") }
    }
    if outcome.expectedPending != outcome.foundPending {
      lines.append(
        "  references that wait: \(outcome.expectedPending) in the source, \(outcome.foundPending) in the copy"
      )
    }
    for loss in outcome.losses { lines.append("  \(loss)") }
    for issue in outcome.report.issues.prefix(20) { lines.append("  \(issue)") }
    if outcome.changesLeftOut > 0 {
      lines.append(
        "\(outcome.changesLeftOut) local changes of objects without identity were left out, since their numbers differ."
      )
    }
    text = lines.joined(separator: "\n") + "\n"
  }
}

/// The result of a copy, as its JSON has it.
struct CopyResult: Encodable {
  let source: [String: Int]
  let copy: [String: Int]
  let pendingReferences: [String: Int]
  let issues: [String]
  let localChangesLeftOut: Int
  let isWhole: Bool

  init(_ outcome: StoreCopy.Outcome) {
    (source, copy) = (outcome.expected, outcome.found)
    pendingReferences = ["source": outcome.expectedPending, "copy": outcome.foundPending]
    issues = outcome.losses.map(\.description) + outcome.report.issues.map(\.description)
    localChangesLeftOut = outcome.changesLeftOut
    isWhole = outcome.isWhole
  }
}
