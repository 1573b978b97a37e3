public import ArgumentParser
import Foundation
public import Mapping
public import ObjectModel
public import ObjectStore
import Stores

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import JSON into a store.",
    discussion: """
      Each object is found by its identity or created, every value converted to its attribute's type, every \
      relationship wired. It is all or nothing: on an error, the store stays as it was. Values and objects \
      that cannot be used are left out and reported.

      Example:
        broker import bands.json albums.jsonl --model Bands.xcdatamodeld --store bands.sqlite
        broker import data/ prices.csv.gz --store bands.sqlite
        curl -s https://api.example.com/albums | broker import - --entity Album --store bands.sqlite

      Exit status: 0 all imported; 3 imported, with issues; 1 failed, nothing changed; 64 wrong usage; \
      130 interrupted, nothing changed; 4 with --chunk: failed or interrupted, and what was committed before stays; \
      or the disk or the server failed in the commit itself, and it is not known whether all or nothing is there.
      """)

  @Argument(
    help: ArgumentHelp(
      "Files of JSON, JSON Lines, CSV or TSV, also compressed with gzip or zstd; folders; patterns such as"
        + " 'data/**/*.json'; - is standard input.", valueName: "file"), completion: .file())
  var files: [String] = ["-"]

  @Option(
    help: ArgumentHelp(
      "The store's file, or postgresql://HOST/DATABASE?schema=NAME. It is created if need be.",
      valueName: "store"),
    completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      """
      The model, for a new store, or if it changed: then the store becomes one of the new version. It may be a schema \
      that a model is made of: OpenAPI, JSON Schema or GraphQL. For a new store without it, a model is taken from the \
      JSON; see broker model infer.
      """,
      valueName: "path"), completion: .file())
  var model: String?

  @Option(
    help: ArgumentHelp("Write the model that is used, with what the mapping says in it.", valueName: "path"),
    completion: .file())
  var saveModel: String?

  @Flag(help: "If the model changed, let go what the new version has no place for; see broker migrate.")
  var allowRemovals = false

  @OptionGroup var use: StoreUse

  @OptionGroup var document: DocumentOptions

  @OptionGroup var wishes: WishOptions

  @OptionGroup var coreData: CoreDataOptions

  @Option(help: ArgumentHelp("What a to-many list means for the links that are there.", valueName: "policy"))
  var toMany = ToManyPolicy.replace

  @Option(help: ArgumentHelp("What to do about keys of objects that are not there.", valueName: "policy"))
  var references = ReferencePolicy.pending

  @Option(
    help: ArgumentHelp(
      "Import what the JSON has onto this object, which must be there.", valueName: "entity/id"))
  var onto: TargetPath?

  @Option(
    help: ArgumentHelp(
      "Import what the JSON has into a relationship of this object.", valueName: "entity/id/relationship"))
  var into: TargetPath?

  @Option(
    help: ArgumentHelp("Of insert, update and delete, do only these.", valueName: "operations"),
    completion: .list(["insert", "update", "delete"]))
  var only: OperationList?

  @Flag(help: "Delete the objects that the JSON's lists lack; with --into, those of that object.")
  var prune = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "As --prune, but only objects that fulfil this: \"formed < 1980\".", valueName: "predicate"))
  var pruneWhere: String?

  @Option(
    help: ArgumentHelp(
      "If more would be deleted for being gone than so many, or such a share, delete none.", valueName: "n|n%"
    ))
  var maxDelete: DeletionLimit?

  @Flag(help: "Stop at the first issue and change nothing.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      """
      Commit after so many objects of the JSON's top, so that others may write in between. What was committed stays, \
      even if the import fails; pruning is done at the end, if all went in.
      """, valueName: "n"))
  var chunk: Int?

  @Option(
    help: ArgumentHelp(
      """
      Import only the K-th of N shares of the objects at the JSON's top, by their identities: N commands with the same \
      input and one store import all of it together. Not with --prune.
      """, valueName: "k/n"))
  var share: ImportShare?

  @Flag(
    help: """
      Leave out files that are no JSON and no table, and report them. Without it, such a file ends the import. All files \
      are read once more.
      """)
  var skipBroken = false

  @Flag(
    help: """
      Add objects that only their file identifies beside those that came of the same file before, instead of replacing \
      those.
      """)
  var append = false

  @Flag(help: "Report what would happen and change nothing.")
  var dryRun = false

  @Option(help: "The form of the report.")
  var format = ReportFormat.text

  @Flag(
    help: """
      Read all of standard input before the store is locked, into a temporary file if it is long; for a source that \
      is slow, or waits for others that write to the store.
      """)
  var receiveFirst = false

  @Flag(help: "Print no report and no progress, only errors. With --format json, the report is printed.")
  var quiet = false

  func validate() throws {
    if store.isEmpty { throw ValidationError("--store needs a path.") }
    try validateTargets()
    if wishes.areGiven, model != nil || onto != nil || into != nil {
      throw ValidationError(
        "--rename, --link and --not-a-link are for a model that is taken from JSON, not for --model, --onto or --into."
      )
    }
    if strict, skipBroken { throw ValidationError("--strict and --skip-broken exclude each other.") }
    if share != nil {
      if onto != nil || into != nil { throw ValidationError("--share is for imports into the store.") }
      if prune || pruneWhere != nil { throw ValidationError("--share and --prune exclude each other.") }
    }
    if let chunk, chunk < 1 { throw ValidationError("--chunk needs a number of objects, 1 or more.") }
    if files.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input can be read only once: give - only once.")
    }
  }

  private func validateTargets() throws {
    if onto != nil, into != nil { throw ValidationError("--onto and --into exclude each other.") }
    if let into, into.relationship == nil { throw ValidationError("--into needs ENTITY/ID/RELATIONSHIP.") }
    if onto != nil || into != nil {
      if files.count > 1 { throw ValidationError("--onto and --into take one file.") }
      if document.entity != nil {
        throw ValidationError("--onto and --into name the entity; leave --entity out.")
      }
    }
    do {
      _ = try condition()
    } catch {
      throw ValidationError("--prune-where: \(error)")
    }
    if pruneWhere != nil, into != nil {
      throw ValidationError("--prune-where and --into exclude each other.")
    }
    let prune = prune || pruneWhere != nil
    if prune, onto != nil { throw ValidationError("--prune needs a list; --onto takes one object.") }
    if prune, let only, !only.operations.contains(.delete) {
      throw ValidationError("--prune deletes, which --only does not have.")
    }
  }

  func run() throws {
    Interruption.watch()
    let (report, doubts) = try importing()
    defer { tell(doubts) }
    do {
      if format == .json {
        try Terminal.write(try ReportText.json(report) + "\n", as: .json)
      } else if !quiet {
        try Terminal.write(ReportText(report, isDryRun: dryRun).text)
      }
    } catch  where hasChanged(report) {
      // A failure says that nothing was changed.
      Terminal.writeError("The import is done, but its report could not be written. \(error)\n")
      throw ExitCode(3)
    }
    if !report.isComplete { throw ExitCode(3) }
  }

  private func hasChanged(_ report: Report) -> Bool {
    !dryRun && [report.inserted, report.updated, report.deleted].contains { $0.values.contains { $0 > 0 } }
  }

  private func condition() throws(ObjectPredicateError) -> ObjectPredicate? {
    guard let pruneWhere else { return nil }
    return try ObjectPredicate(format: pruneWhere)
  }

  /// - Returns: The report, and what is doubtful of a model that was just taken.
  private func importing() throws -> (report: Report, doubts: [String]) {
    do {
      if CoreDataStore.isThere(at: store) {
        throw ValidationError(
          "\(store) is a Core Data store, which is only read. Name another file with --store.")
      }
      if let input = try CoreDataInput.among(files, coreData) { return (try importing(input), []) }
      if !coreData.identity.isEmpty, model != nil || onto != nil || into != nil {
        throw ValidationError(
          "--identity is for Core Data stores and for a model that is taken from JSON. For --model, say it in the model or"
            + " in a mapping.")
      }
      let sources = try document.sources(files)
      if onto != nil || into != nil, sources.count > 1 {
        throw ValidationError("--onto and --into take one file.")
      }
      let source = PreparedSources(sources, document.options)
      if skipBroken { try source.leaveOutBroken(document.options) }
      if !quiet { SchemaFiles.note(among: files) }
      let model = try self.model.map { try Model(usableAt: $0, isQuiet: quiet) }
      let mapping = try document.readMapping()
      return try untilNotOvertaken { try importing(source, model, mapping, heeding: $0) }
    } catch let error as PartialImportError {
      Terminal.writeError("\(error.isCancellation ? "" : "Error: ")\(error)\n")
      if format == .json { try Terminal.write(try ReportText.json(error.report) + "\n", as: .json) }
      throw ExitCode(Failure.partialStatus)
    } catch let error as ImportError where error.isCancellation {
      Terminal.writeError("\(error)\n")
      throw ExitCode(Interruption.exitStatus)
    } catch is CancellationError {
      Terminal.writeError("Interrupted. Nothing was changed.\n")
      throw ExitCode(Interruption.exitStatus)
    } catch let error as StoreError where error.sqliteCode != nil {
      // An error of the disk, as SQLite tells it, ends a transaction.
      throw CleanError("\(error) Nothing was changed.")
    }
  }

  private func importing(
    _ source: PreparedSources, _ model: Model?, _ mapping: JSONMapping?, heeding doubts: [ImportDoubt]
  ) throws -> (report: Report, doubts: [String]) {
    let inferred = try infer(source, mapping, heeding: doubts)
    let store = try openStore(
      model ?? inferred?.model, inferred?.mapping ?? mapping, inferred?.basis,
      lostIdentities: inferred?.lostIdentities ?? [])
    defer { try? store.close() }
    var options = try options(inferred)
    options.leftOut = source.leftOut
    options.doubtsOwnership = inferred != nil
    options.possibleParts = inferred?.possibleParts ?? []
    options.mayLackObjects = !(inferred?.hasObjects ?? true)
    options.leavesOutStrangers = inferred != nil
    options.settledDoubts = Set(doubts.map(\.place))
    let report = try run(source.sources, into: store, options)
    tell(inferred?.lines ?? [])
    return (report, inferred?.doubts ?? [])
  }

  /// Does again what was done with a model of the store's own, as long as other programs widen that in between. Nothing
  /// was changed then, or chunks were committed whose objects are found again, and each time another program has come to
  /// its end.
  ///
  /// A model that the caller gave stays what it is: who brings another one at the same moment is told so.
  ///
  /// Objects that the model took for those of one owner, and that turn out to have several while they are written, begin it again
  /// too: `body` gets the evidence of all attempts so far. Each attempt has some of another relationship, so that it comes to an end.
  private func untilNotOvertaken<Result>(_ body: ([ImportDoubt]) throws -> Result) throws -> Result {
    var doubts: [ImportDoubt] = []
    var committed: PartialImportError?
    func ended(by error: any Error) -> any Error {
      committed.map { PartialImportError(cause: error, report: $0.report, objects: $0.objects) } ?? error
    }
    var wasRefused = false
    while true {
      do {
        return try body(doubts)
      } catch let error as ImportError where error.doubts != nil {
        doubts += error.doubts ?? []
      } catch let error as StoreError
        where error.migrationPlan != nil && doubts.contains(where: \.mayBeRefused)
      {
        // An object of the store lacks what was to be a part of the identity, or others name it by the rest.
        doubts = doubts.map(\.refused)
      } catch let error as StoreError where model == nil && !wasRefused && error.migrationPlan != nil {
        // Values may have come since the look at the store; a second look sees them.
        wasRefused = true
      } catch let error as PartialImportError {
        guard mayBeginAgain(after: error) else { throw error }
        committed = error
        if let found = (error.cause as? ImportError)?.doubts {
          doubts += found
          continue
        }
        tell([
          "Another import has given the store another model: \(error.objects) objects were committed before that, and the"
            + " import begins again. These count as unchanged."
        ])
      } catch let error as StoreError where model == nil && (error.isOvertaken || error.hasOtherModel) {
        if Interruption.isRequested { throw ended(by: CancellationError()) }
      } catch {
        throw ended(by: error)
      }
    }
  }

  /// Whether an import that was overtaken between two chunks may begin again: an object without identity would come twice.
  private func mayBeginAgain(after error: PartialImportError) -> Bool {
    let cause = error.cause as? StoreError
    let isOvertaken = cause.map { $0.isOvertaken || $0.hasOtherModel } ?? false
    guard model == nil, isOvertaken || (error.cause as? ImportError)?.doubts != nil else { return false }
    while !Interruption.isRequested {
      do {
        guard let known = try ImportInference.Known(at: store, use.options(for: store)) else { return false }
        defer { known.close() }
        return ImportInference.isInferred(known.model)
          && error.report.inserted.keys.allSatisfy(known.identifies)
      } catch let failure as StoreError where failure.isOvertaken {
        // The model was changed once more, between the opening of the store and the look.
        continue
      } catch {
        // A store that cannot be looked at: the import ends with the error that it had, which tells what is committed.
        return false
      }
    }
    return false
  }

  private func tell(_ lines: [String]) {
    if !quiet, !lines.isEmpty { Terminal.writeError(lines.joined(separator: "\n") + "\n") }
  }

  private func run(_ sources: [ImportSource], into store: Store, _ options: ImportOptions) throws -> Report {
    if let saveModel {
      try ImportInference.unmarked(store.model).write(
        to: URL(fileURLWithPath: HomeFolder.expanding(saveModel)))
    }
    let line = quiet ? nil : StatusLine.ofImport
    defer { line?.clear() }
    return try QueryOptions.checkingPredicate(of: "--prune-where") {
      try Importer(store, options).run(
        sources, isCancelled: { Interruption.isRequested }, progress: line.map { line in { line.show($0) } })
    }
  }

  /// Imports a Core Data store.
  private func importing(_ input: CoreDataInput) throws -> Report {
    guard onto == nil, into == nil else {
      throw ValidationError("A Core Data store is imported into a store, not into an object.")
    }
    let mapping = try document.readMapping()
    return try untilNotOvertaken { _ in
      let known = try ImportInference.Known(at: store, use.options(for: store))
      known?.close()
      let source = try input.open(
        model: model, target: known?.model, known: known?.sources ?? [], isDryRun: dryRun)
      let taken = input.model(of: source, target: known?.model, isGiven: model != nil)
      let store = try openStore(taken, mapping, model == nil ? known?.basis ?? .nothing : nil)
      defer { try? store.close() }
      return try run([.rows(source)], into: store, options(nil))
    }
  }

  private var place: StorePlace { StorePlace(store) }

  /// The model that is taken from the JSON, where none was given and the store has none or one that was taken so.
  private func infer(
    _ sources: PreparedSources, _ mapping: JSONMapping?, heeding doubts: [ImportDoubt]
  ) throws -> ImportInference.Outcome? {
    guard model == nil, onto == nil, into == nil else { return nil }
    let inference = ImportInference(
      document: document, store: store, options: use.options(for: store), mapping: mapping, doubts: doubts,
      wishes: wishes.wishes(entity: document.entity, identities: try coreData.identities()))
    return try inference.outcome(wouldChangeNothing: wouldChangeNothing) { try sources.readableTwice() }
  }

  /// Whether an import of sources by the store's model would change nothing.
  private func wouldChangeNothing(_ sources: [ImportSource]) throws -> Bool {
    let store = try openStore(nil, nil, nil)
    // try?: what was done is undone, so that nothing can be lost.
    defer { try? store.close() }
    return try Importer(store, options(nil)).wouldChangeNothing(sources) { Interruption.isRequested }
  }

  /// - Parameter lostIdentities: The entities whose identities were guesses that turned out to be wrong.
  private func openStore(
    _ model: Model?, _ mapping: JSONMapping?, _ basis: ExpectedDescription?, lostIdentities: Set<String> = []
  ) throws -> Store {
    var options = use.options(for: store)
    options.basis = basis
    options.migration.lostGuesses = lostIdentities
    if allowRemovals { options.migration = options.migration.allowing(.removals) }
    // The import itself migrates, so that both are done or none.
    options.migration.isDelayed = true
    // A dry run of an import into a new store makes no file that stays.
    let isTemporary = try dryRun && model != nil && place.isFile && !place.isThere()
    let place = StorePlace(isTemporary ? "" : store)
    return try Store(at: place, StoreRequest(model: model, mapping: mapping, options: options))
  }

  private func options(_ inferred: ImportInference.Outcome?) throws -> ImportOptions {
    var options = document.options
    options.entity = options.entity ?? inferred?.entity
    options.isStrict = strict
    options.receivesFirst = receiveFirst
    options.appendsToSources = append
    options.isDryRun = dryRun
    if let chunk { options.chunks = .objects(chunk) }
    options.share = share
    options.toMany = toMany
    options.references = references
    options.operations = only?.operations ?? .all
    options.prunes = prune
    options.pruneCondition = try condition()
    options.maximumDeletions = maxDelete
    if let onto = onto?.ofObject { options.target = .object(entity: onto.entity, identity: onto.identity) }
    if let into, let name = into.relationship {
      options.target = .relationship(entity: into.entity, identity: into.identity, name: name)
    }
    return options
  }
}

extension KeyStyle: ExpressibleByArgument {}
extension ToManyPolicy: ExpressibleByArgument {}
extension ReferencePolicy: ExpressibleByArgument {}

/// `Band/Japan` or `Band/Japan/albums`. An identity may have slashes in it.
struct TargetPath: ExpressibleByArgument {
  let entity: String
  let identity: String
  let relationship: String?

  /// A path of three parts, or of two; where an identity has a slash, the last part is taken for the
  /// relationship, so `--onto` puts them together again.
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, !parts.contains("") else { return nil }
    entity = parts[0]
    relationship = parts.count > 2 ? parts.last : nil
    identity = parts[1..<max(2, parts.count - 1)].joined(separator: "/")
  }

  private init(entity: String, identity: String) {
    self.entity = entity
    self.identity = identity
    relationship = nil
  }

  /// The path as one of an object.
  var ofObject: TargetPath {
    TargetPath(entity: entity, identity: [identity, relationship].compactMap { $0 }.joined(separator: "/"))
  }
}

/// `insert,update`
struct OperationList: ExpressibleByArgument {
  let operations: Operations

  init?(argument: String) {
    guard let named = Operations(words: QueryOptions.list(argument)) else { return nil }
    operations = named
  }
}

extension DeletionLimit: ExpressibleByArgument {
  /// `100` or `5%`
  public init?(argument: String) {
    if argument.hasSuffix("%") {
      guard let percent = Double(argument.dropLast()), (0...100).contains(percent) else { return nil }
      self = .percent(percent)
    } else {
      guard let count = Int(argument), count >= 0 else { return nil }
      self = .objects(count)
    }
  }
}

extension ImportShare: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
