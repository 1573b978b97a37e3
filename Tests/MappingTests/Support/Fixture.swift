import Foundation
import Mapping
import MemoryEngine
import ObjectModel
import ObjectStore

/// A store and what is imported into it.
///
/// Whatever is imported and exported through it runs on both engines, SQLite and the one in memory. Each has to give the
/// same report, or the same error, and afterwards the same export of all objects. What looks at tables asks SQLite.
///
/// ```swift
/// let bands = try Fixture("Band\n  id: integer64\n  name: string")
/// let report = try bands.load(#"{"id": 1, "name": "Japan"}"#)
/// #expect(report.counts == "Band +1")
/// #expect(try bands.rows("SELECT * FROM Band") == ["1 Japan"])
/// ```
final class Fixture {
  let store: Store
  /// The second engine; nil where a test does what only SQLite offers.
  var twin: (any StoreEngine)?
  var options = ImportOptions()
  /// Compares what observers receive with what each import changed.
  var observerCheck: ObserverCheck?

  convenience init(
    _ notation: String, entity: String? = nil, path: String = ":memory:",
    functions: MappingFunctions? = nil, mapping: JSONMapping? = nil
  ) throws {
    try self.init(
      model: model(notation), entity: entity, path: path, functions: functions, mapping: mapping)
  }

  init(
    model: Model?, entity: String? = nil, path: String = ":memory:", functions: MappingFunctions? = nil,
    mapping: JSONMapping? = nil
  ) throws {
    var mapping = mapping
    if let functions {
      mapping = mapping ?? JSONMapping()
      mapping?.functions = functions
    }
    store = try Store(path: path, model: model, mapping: mapping)
    options.entity = entity
    if let model, path == ":memory:" { twin = try Twin.store(model, mapping) }
  }

  init(store: Store, twin: (any StoreEngine)? = nil) {
    self.store = store
    self.twin = twin
  }

  /// Imports JSON, under the fixture's options with the changes that `adjust` makes.
  @discardableResult
  func load(
    _ json: String..., as entity: String? = nil, _ adjust: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Report {
    var options = options
    if let entity { options.entity = entity }
    adjust(&options)
    return try load(json.map { .string($0) }, options)
  }

  /// Imports sources that can be read twice.
  @discardableResult
  func load(_ sources: [ImportSource], _ options: ImportOptions) throws -> Report {
    let run = { [store] in try Importer(store, options).run(sources) }
    let result = Result { try observerCheck?.watch(run) ?? run() }
    if let twin {
      let found = Result { try Importer(twin, options).run(sources) }
      if Twin.hasLimitedValues(found) {
        self.twin = nil
      } else {
        try Twin.compare(result, store, found, twin)
      }
    }
    return try result.get()
  }

  /// The same fixture with SQLite alone.
  func alone() -> Fixture {
    twin = nil
    return self
  }

  /// The same fixture without the engine in memory, which takes long for many objects.
  func large() -> Fixture {
    if twin is MemoryStore { twin = nil }
    return self
  }

  /// The objects of an entity as JSON, an object a line.
  func exported(_ entity: String, _ adjust: (inout ExportOptions) -> Void = { _ in }) throws -> [String] {
    var options = ExportOptions()
    options.form = .lines
    adjust(&options)
    let text = try Exporter(store, options).text(of: entity)
    if let twin { try Twin.compare(text, Exporter(twin, options).text(of: entity), "export of \(entity)") }
    return text.split(separator: "\n").map(String.init)
  }

  /// The rows that a query gives, their columns separated by spaces; null is `-`.
  func rows(_ sql: String) throws -> [String] {
    try store.read { transaction in
      let statement = try transaction.prepare(sql)
      var rows: [String] = []
      while try statement.step() {
        let columns = (0..<statement.columnCount).map { statement.isNull($0) ? "-" : statement.string($0) }
        rows.append(columns.joined(separator: " "))
      }
      return rows
    }
  }

  /// How many rows the store's connection has written since it was opened, without the history of imports.
  func writes() throws -> String {
    let history = try rows("SELECT 1 FROM sqlite_schema WHERE name = 'broker_imports'")
    let noted = history.isEmpty ? "0" : "(SELECT coalesce(max(number), 0) FROM broker_imports)"
    return try rows("SELECT total_changes() - \(noted)").joined()
  }

  /// Everything in the store's tables but the history of imports, to compare with what is there later.
  func contents() throws -> [String] {
    let tables = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'broker_imports') ORDER BY name"
    )
    return try tables.flatMap { table in
      let name = table.replacing("\"", with: "\"\"")
      return try ["# \(table)"] + rows("SELECT rowid, * FROM \"\(name)\" ORDER BY rowid")
    }
  }
}

extension Report {
  /// What happened to the objects: `Album +2 =1, Band ~1`; `+` inserted, `~` updated, `=` unchanged, `-`
  /// deleted, `!` skipped; then `2x` for two duplicates.
  var counts: String {
    let marks = [("+", inserted), ("~", updated), ("=", unchanged), ("-", deleted), ("!", skipped)]
    let entities = Set(marks.flatMap(\.1.keys)).sorted()
    var words = entities.compactMap { entity -> String? in
      let counts = marks.compactMap { mark, counts in
        counts[entity].flatMap { $0 == 0 ? nil : "\(mark)\($0)" }
      }
      return counts.isEmpty ? nil : ([entity] + counts).joined(separator: " ")
    }
    if duplicates > 0 { words.append("\(duplicates)x") }
    return words.joined(separator: ", ")
  }

  /// The issues: `$.formed: expected a date, found "soon"; value left out`.
  var problems: [String] {
    issues.map { "\($0.path): expected \($0.expected), found \($0.found); \($0.action)" }
  }

  /// Where the issues are.
  var places: [String] { issues.map(\.path) }

  /// The pending references: `Album 9 band -> Band 7`.
  var waiting: [String] {
    pending.map { "\($0.entity) \($0.identity) \($0.relationship) -> \($0.target) \($0.key)" }
  }
}

/// A directory that lasts as long as a test.
final class TemporaryDirectory {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mapping-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func write(_ text: String, to name: String) throws -> String {
    let file = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return path(name)
  }
}
