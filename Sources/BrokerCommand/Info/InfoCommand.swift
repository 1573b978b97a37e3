import ArgumentParser
import Foundation
import ObjectModel
import ObjectStore
import Stores

/// `broker info`
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what is in a store: model, objects, sizes, what waits, the last imports.",
    discussion: """
      Sizes are the bytes of all pages that a table or an index has, as SQLite's dbstat counts them; where SQLite was \
      built without that, only the size of the whole file is told. Every page is read for it.

      Of a Core Data store it says what broker explain says: the model, the objects, and where they are.

      Example:
        broker info bands.sqlite
        broker info --store bands.sqlite --format json
      """)

  @Argument(help: "The store's file.", completion: .file())
  var path: String?

  @Option(
    help: ArgumentHelp("The store's file, in place of the argument.", valueName: "path"), completion: .file())
  var store: String?

  @OptionGroup var use: StoreUse

  @Option(help: "The form of the output: text or json.")
  var format = ReportFormat.text

  func validate() throws {
    if (path == nil) == (store == nil) { throw ValidationError("Name one store: broker info PATH.") }
  }

  func run() throws {
    Interruption.watch()
    let path = path ?? store ?? ""
    if CoreDataStore.isThere(at: path) { return try CoreDataInput(path, .none).explain(as: format) }
    let info = try StoreOption.reading({ try Store(readingAt: path, use.options(for: path)) }, StoreInfo.init)
    try format.write(info, text: InfoText(info).text)
  }
}

/// The facts of `broker info` about a store, as its JSON has them.
struct StoreInfo: Encodable {
  struct EntityInfo: Encodable {
    let name: String
    let parent: String?
    let isAbstract: Bool
    let identity: [String]
    /// Without those of sub-entities.
    let objects: Int
  }

  struct ModelInfo: Encodable {
    let versionIdentifier: String?
    /// Whether it was taken from JSON.
    let isInferred: Bool
    let entities: [EntityInfo]
  }

  struct SizeInfo: Encodable {
    let file: Int
    let free: Int
    let log: Int
    /// The source of the bytes of tables and indexes: `dbstat`, or nothing but the file's pages.
    let measuredBy: String
  }

  struct PartInfo: Encodable {
    let name: String
    let kind: String
    let table: String
    let columns: [String]?
    let bytes: Int?
  }

  /// Changes of a program that the server has not been told of, by entity.
  struct LocalChangesInfo: Encodable {
    var inserted: [String: Int] = [:]
    var updated: [String: Int] = [:]
    var renamed: [String: Int] = [:]
    var deleted: [String: Int] = [:]

    var count: Int { [inserted, updated, renamed, deleted].flatMap(\.values).reduce(0, +) }
  }

  let path: String
  let model: ModelInfo
  let size: SizeInfo
  let tables: [PartInfo]
  let indexes: [PartInfo]
  /// The tables and indexes in the order of the file.
  let parts: [DatabaseObject]
  let pendingReferences: [String: Int]
  /// Nil if the store does not track local changes.
  let localChanges: LocalChangesInfo?
  /// Views and triggers of the file that Broker did not make.
  let others: [String]
  let imports: [ImportRecord]

  private enum CodingKeys: String, CodingKey {
    case path, model, size, tables, indexes, pendingReferences, localChanges, others, imports
  }

  /// All of one moment.
  init(_ store: Store) throws {
    let log = store.logBytes
    let (path, declared) = (store.path, store.declared.model)
    self = try store.read { try StoreInfo($0, path: path, log: log, declared) }
  }

  private init(_ transaction: any StoreTransaction, path: String, log: Int, _ declared: Model) throws {
    self.path = path
    let schema = transaction.layout.schema
    let counts = try transaction.objectCounts()
    model = ModelInfo(
      versionIdentifier: declared.versionIdentifier, isInferred: ImportInference.isInferred(declared),
      entities: schema.entities.map { entity in
        EntityInfo(
          name: entity.name, parent: declared[entity: entity.name]?.parent, isAbstract: entity.isAbstract,
          identity: schema.identityNames(of: entity), objects: counts[entity.name] ?? 0)
      })
    parts = try transaction.storedParts()
    let bytes = try transaction.pageBytes()
    size = SizeInfo(
      file: bytes.all, free: bytes.free, log: log,
      measuredBy: parts.contains { $0.bytes != nil } ? "dbstat" : "pages of the file")
    tables = parts.filter { $0.kind == .table }.map(Self.part)
    indexes = parts.filter { $0.kind != .table }.map(Self.part)
    pendingReferences = try transaction.pendingReferenceCounts()
    localChanges = try Self.localChanges(transaction)
    others = try transaction.objectsOfOthers()
    imports = try transaction.importHistory()
  }

  private static func part(_ part: DatabaseObject) -> PartInfo {
    PartInfo(
      name: part.name, kind: part.kind.rawValue, table: part.table,
      columns: part.kind == .table ? nil : part.columns, bytes: part.bytes)
  }

  private static func localChanges(_ transaction: any StoreTransaction) throws -> LocalChangesInfo? {
    guard let entries = try transaction.journal()?.entries() else { return nil }
    var result = LocalChangesInfo()
    for entry in entries {
      switch entry.kind {
      case .inserted: result.inserted[entry.entity, default: 0] += 1
      case .updated where entry.former != nil: result.renamed[entry.entity, default: 0] += 1
      case .updated: result.updated[entry.entity, default: 0] += 1
      case .deleted: result.deleted[entry.entity, default: 0] += 1
      }
    }
    return result
  }
}

struct InfoText {
  private let info: StoreInfo
  /// The number of the last imports that are listed.
  private static let mostImports = 10

  init(_ info: StoreInfo) { self.info = info }

  var text: String {
    [[file], entities, parts, others, pending, localChanges, imports].filter { !$0.isEmpty }.map {
      $0.joined(separator: "\n") + "\n"
    }
    .joined(separator: "\n")
  }

  private var file: String {
    let size = info.size
    var line = "\(VisibleText.onOneLine(info.path)): \(Quantity.bytes(size.file))"
    if size.free > 0 { line += ", \(Quantity.bytes(size.free)) of it free" }
    if size.log > 0 { line += ", and a log of \(Quantity.bytes(size.log))" }
    return Listing.wrapped(line).joined(separator: "\n")
  }

  // MARK: - The model and the objects

  private var entities: [String] {
    let model = info.model
    var title = "Model"
    if let version = model.versionIdentifier { title += " \(version)" }
    if model.isInferred { title += ", taken from JSON" }
    let rows = model.entities.map { entity in
      [
        entity.name + (entity.parent.map { " : \($0)" } ?? "") + (entity.isAbstract ? " (abstract)" : ""),
        entity.identity.isEmpty ? "–" : entity.identity.joined(separator: ", "),
        Quantity.grouped(entity.objects),
      ]
    }
    return [VisibleText.onOneLine(title)]
      + table(["entity", "identity", "objects"], [false, false, true], rows)
  }

  // MARK: - Tables and indexes

  private var parts: [String] {
    let isMeasured = info.parts.contains { $0.bytes != nil }
    let title =
      isMeasured
      ? "Tables and indexes, with the size of all their pages"
      : "Tables and indexes (this SQLite cannot tell their sizes)"
    let rows = info.parts.map { part in
      [
        part.name, Self.word(part.kind),
        part.kind == .table ? "" : "\(part.table) (\(part.columns.joined(separator: ", ")))",
      ] + (isMeasured ? [Quantity.bytes(part.bytes ?? 0)] : [])
    }
    let titles = ["name", "kind", "of"] + (isMeasured ? ["size"] : [])
    return Listing.wrapped(title) + table(titles, titles.map { $0 == "size" }, rows)
  }

  private static func word(_ kind: DatabaseObject.Kind) -> String {
    switch kind {
    case .table: "table"
    case .index: "index"
    case .uniqueIndex: "unique index"
    }
  }

  /// Views and triggers that are not Broker's. They are not used, and triggers keep imports away.
  private var others: [String] {
    guard !info.others.isEmpty else { return [] }
    return ["Views and triggers that Broker did not make"]
      + Listing.lines(info.others.map { Listing.Row([$0], "") })
  }

  // MARK: - What waits

  private var pending: [String] {
    let counts = info.pendingReferences.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard !counts.isEmpty else { return ["No references wait for objects."] }
    return ["References that wait for objects"]
      + Listing.lines(counts.map { Listing.Row([$0.key], Quantity.grouped($0.value)) })
  }

  private var localChanges: [String] {
    guard let changes = info.localChanges else { return ["Local changes are not tracked."] }
    guard changes.count > 0 else { return ["No local changes wait for the server."] }
    let kinds = [
      ("inserted", changes.inserted), ("updated", changes.updated), ("renamed", changes.renamed),
      ("deleted", changes.deleted),
    ]
    return ["Local changes that wait for the server"]
      + Listing.lines(
        kinds.filter { !$0.1.isEmpty }.map { Listing.Row([$0.0], Self.words($0.1)) })
  }

  private static func words(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \(Quantity.grouped($0.value))" }.joined(
      separator: ", ")
  }

  // MARK: - Imports

  private var imports: [String] {
    guard !info.imports.isEmpty else { return ["No import is remembered."] }
    let shown = info.imports.prefix(Self.mostImports)
    let rest = info.imports.count - shown.count
    return ["Last imports"]
      + Listing.lines(shown.map { Listing.Row([Self.time($0.date)], Self.words($0)) })
      + (rest > 0 ? ["  … and \(Quantity.grouped(rest)) before; --format json has all"] : [])
  }

  private static func time(_ date: Date) -> String {
    date.formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .current,
        calendar: Calendar(identifier: .gregorian)))
  }

  /// `bands.json: 36 inserted (Band 36), 2 issues, in 20 ms`
  private static func words(_ record: ImportRecord) -> String {
    var source = record.sources.joined(separator: ", ")
    if source.isEmpty { source = "a program" }
    let rest = record.sourceCount - record.sources.count
    if rest > 0, !record.sources.isEmpty { source += " and \(Quantity.grouped(rest)) more" }
    let kinds = [
      ("inserted", record.inserted), ("updated", record.updated), ("deleted", record.deleted),
      ("skipped", record.skipped),
    ]
    var words = kinds.filter { !$0.1.isEmpty }.map { "\($0.0) \(Self.words($0.1))" }
    if !record.changesAnything { words.insert("nothing changed", at: 0) }
    if record.issueCount > 0 { words.append(Quantity.count(record.issueCount, "issue")) }
    if !record.isWhole { words.append("did not come to its end") }
    return "\(source): \(words.joined(separator: "; ")); \(Quantity.duration(record.seconds))"
  }

  // MARK: - Tables

  private func table(_ titles: [String], _ isNumber: [Bool], _ rows: [[String]]) -> [String] {
    let rows = rows.map { $0.map(VisibleText.onOneLine) }
    let table = TextTable(titles, isNumber: isNumber, sizedBy: rows)
    let text = table.heading + rows.map(table.line).joined()
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
