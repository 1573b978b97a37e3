public import ObjectModel

/// A SQLite store that Core Data made, opened only to be read: its model, and its objects for an import.
///
/// ```swift
/// let source = try CoreDataStore(path: "App.sqlite")
/// let store = try SQLiteStore(path: "app.broker.sqlite", model: source.model)
/// let report = try Importer(store).run([.coreData(source)])
/// ```
///
/// Nothing is written to the file or beside it. The model is the one in the file (`Z_MODELCACHE`), or one that is given,
/// or one made of the names of tables and columns.
public final class CoreDataStore: Sendable {
  /// Where the model came from.
  public enum ModelOrigin: Sendable, Hashable {
    /// The file has it.
    case store
    /// The caller gave it: the version with this name, if it has versions.
    case given(version: String?)
    /// The names of tables and columns told it.
    case tables
  }

  /// The options of a caller.
  public struct Options: Sendable {
    /// By root entity, the attributes that identify its objects, joined by commas; `objectID` for Core Data's own key.
    public var identities: [String: String] = [:]
    /// The folder that binary values which may be stored in files are written to; then their attributes hold the names of
    /// the files. If it is nil, the values are in the store.
    public var externalFolder: String?
    /// Whether those files are written. A dry run does without.
    public var writesExternalFiles = true
    /// The files whose objects the store that is imported into has, in the order in which they came:
    /// ``CoreDataStore/uuid`` of each.
    public var knownFiles: [String] = []
    /// Whether the objects of a file that is none of the known ones are others than those that are there. Their keys then
    /// have the file's ``CoreDataStore/uuid`` before them. Otherwise such a file is an error where Core Data's own keys
    /// are identities, since each file numbers its objects from 1.
    public var addsAnotherFile = false
    /// The model of the store that is to be imported into, if it is there: its identities are kept, and what is optional
    /// there stays so.
    public var target: Model?

    public init() {}
  }

  /// The path of the file, as it was given.
  public let path: String
  /// The model that a store needs for the objects: the file's model, with an identity for each entity.
  public let model: Model
  /// The file's model as it is.
  public let declaredModel: Model
  public let modelOrigin: ModelOrigin
  /// The choices that were made, as sentences.
  public let notes: [String]
  /// The identifier that tells the file from all other Core Data stores, and is the same in its copies; nil if it does not say.
  public let uuid: String?
  package let identities: [CoreDataIdentity]
  /// How many objects the file has.
  package let objectCount: Int?
  let file: CoreDataFile
  /// The beginning of the keys of its objects.
  private let qualifier: String
  let shared: CoreDataSelection.Shared

  /// Opens a Core Data store.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - versions: The versions of the model, where the caller has them: the one that fits is used.
  /// - Throws: ``StoreError`` if the file cannot be read, is no Core Data store, is damaged, or fits no version;
  ///   ``SchemaError`` if its model cannot be used.
  public convenience init(path: String, model versions: [ModelVersion] = [], options: Options = Options())
    throws
  {
    try self.init(path: path, versions: versions, options: options)
  }

  private init(path: String, versions: [ModelVersion], options: Options) throws {
    self.path = path
    file = try CoreDataFile(path: path)
    let external = CoreDataExternalFiles(
      path: path, target: options.externalFolder, writes: options.writesExternalFiles)
    let found = try file.read { handle in
      let tables = try CoreDataTables(handle, path: path)
      guard !tables.entities.isEmpty else { throw Self.noEntities(path) }
      var choice = try CoreDataModelChoice(tables, handle, versions, path: path)
      let problems = try choice.findExternalFiles(external, tables, handle)
      let binding = choice.binding
      var chooser = CoreDataIdentityChooser(
        binding, handle, wanted: options.identities, given: try Self.identities(of: options.target))
      let identities = try chooser.choices()
      var adaptation = try CoreDataAdaptation(
        choice.model, binding, handle, identities, externalAsNames: options.externalFolder != nil)
      if let target = options.target { adaptation.keepOptional(as: target) }
      return Found(
        choice: choice, identities: identities, adaptation: adaptation, notes: chooser.notes,
        problems: problems + chooser.problems, uuid: try tables.uuid(handle),
        objects: try Self.objects(tables, binding, handle))
    }
    qualifier = try Self.qualifier(found.uuid, found.identities, options, path)
    uuid = found.uuid
    objectCount = found.objects
    declaredModel = found.choice.model
    modelOrigin = found.choice.origin
    model = found.adaptation.model
    identities = found.identities
    notes = found.choice.notes + found.identities.map(\.sentence) + found.notes + found.adaptation.changes
    shared = CoreDataSelection.Shared(
      binding: found.choice.binding,
      names: CoreDataNames(found.choice.binding, found.identities, qualifier: qualifier),
      external: external, problems: found.problems)
  }

  /// A file that was copied without its log may have the tables of Core Data and no rows in them.
  private static func noEntities(_ path: String) -> StoreError {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let log = "\(name)-wal"
    let advice =
      StoreFile(path).hasLogOrJournal
      ? "it has no objects" : "if there was a file \(log) beside it, copy that too: it may have all rows"
    return StoreError(
      .unreadable(path: path, why: "its table Z_PRIMARYKEY is empty, so that it names no entities; \(advice)")
    )
  }

  private struct Found {
    let choice: CoreDataModelChoice
    let identities: [CoreDataIdentity]
    let adaptation: CoreDataAdaptation
    let notes: [String]
    let problems: [SourceProblem]
    let uuid: String?
    let objects: Int
  }

  /// How many rows of the app's entities there are, whether the model has these or not.
  private static func objects(
    _ tables: CoreDataTables, _ binding: CoreDataBinding, _ handle: OpaquePointer
  ) throws -> Int {
    var count = 0
    let names = Set(tables.entities.compactMap { tables.table(ofRoot: $0.name) })
      .union(binding.places.compactMap { $0?.table })
    for table in names.sorted() where tables.column("Z_ENT", of: table) != nil {
      let statement = try PreparedStatement("SELECT count(*) FROM \(SQL.quoted(table))", on: handle)
      if try statement.step() { count += Int(statement.integer(0)) }
    }
    return count
  }

  /// The beginning of the keys of the objects: nothing, unless they are of another file than the first.
  ///
  /// - Throws: ``StoreError`` if they would be taken for those of another file.
  private static func qualifier(
    _ uuid: String?, _ identities: [CoreDataIdentity], _ options: Options, _ path: String
  ) throws -> String {
    guard let first = options.knownFiles.first, let uuid, uuid != first else { return "" }
    if options.addsAnotherFile || options.knownFiles.contains(uuid) { return uuid + "/" }
    let names = identities.filter(\.isObjectID).map(\.entity)
    guard !names.isEmpty else { return "" }
    throw isAnother(path, uuid, than: first, names)
  }

  private static func isAnother(
    _ path: String, _ uuid: String, than first: String, _ names: [String]
  ) -> StoreError {
    StoreError.invalid(
      "\(path) is another file than the one whose objects the store has (\(uuid), not \(first)), and each file numbers its"
        + " objects from 1: \(names.prefix(3).joined(separator: ", "))\(names.count > 3 ? " …" : "") would be taken for others."
        + " Nothing was changed. Import it into a store of its own, or have its objects added beside those that are there"
        + " (--another-file; in Swift, addsAnotherFile).")
  }

  /// By root entity, the names of the attributes that identify its objects.
  private static func identities(of target: Model?) throws -> [String: [String]] {
    guard let target else { return [:] }
    let schema = try Schema(target)
    let roots = schema.entities.filter { $0.root == $0.index }
    return Dictionary(uniqueKeysWithValues: roots.map { ($0.name, schema.identityNames(of: $0)) })
  }

  /// Whether a file is a Core Data store, by its tables. To be asked before the file is opened as a store of ours: that
  /// would move its log into it.
  package static func isThere(at path: String) -> Bool {
    guard CoreDataFile.isDatabase(path) else { return false }
    // Only of a file that has never had a checkpoint are the tables in the log.
    return hasTables(path, ignoresLog: true) ?? hasTables(path, ignoresLog: false) ?? false
  }

  /// Whether the tables are Core Data's; nil if there are none, or they cannot be read.
  private static func hasTables(_ path: String, ignoresLog: Bool) -> Bool? {
    // try?: what is no store of Core Data is opened as one of ours, which fails for the same cause.
    guard let file = try? CoreDataFile(path: path, ignoresLog: ignoresLog) else { return nil }
    // try?: as above.
    return (try? file.read { try CoreDataTables.areThere($0) }) ?? nil
  }
}

/// Reading for an import.
extension CoreDataStore {
  /// The size in bytes, if that is known.
  package var size: Int? { StoreFile(path).size }

  /// Adds the store to those whose objects a store has, in the order in which they came; nothing if its objects have identities
  /// of their own.
  ///
  /// - Throws: ``StoreError`` if its objects would be taken for those of another store.
  package func add(to sources: inout [String]) throws {
    guard let uuid else { return }
    let names = identities.filter(\.isObjectID).map(\.entity)
    if let first = sources.first, first != uuid, qualifier.isEmpty, !names.isEmpty {
      throw Self.isAnother(path, uuid, than: first, names)
    }
    if !sources.contains(uuid) { sources.append(uuid) }
  }

  /// Gives `body` a reader of all objects, in the form of a layout.
  ///
  /// - Parameter isCancelled: Asked now and then; once it says true, reading ends with an error.
  /// - Throws: What `body` throws; ``StoreError`` if the store cannot be read; `CancellationError`.
  package func read<Result>(
    for layout: Layout, isCancelled: @escaping @Sendable () -> Bool,
    _ body: (CoreDataReading) throws -> Result
  ) throws -> Result {
    try file.read(isCancelled: isCancelled) { handle in
      try body(try CoreDataReading(shared, handle, layout, isCancelled))
    }
  }
}

/// Which table and column of a Core Data store each part of its model is in.
package struct CoreDataPlaces: Sendable, Codable {
  package struct Entity: Sendable, Codable {
    package var name: String
    package var table: String
    /// The value of `Z_ENT` in its rows.
    package var number: Int64
    package var objects: Int64
    package var identity: [String]
    package var reason: String
    package var properties: [Property]
  }

  package struct Property: Sendable, Codable {
    package var name: String
    /// The column, or the table of links; nil if the store has none.
    package var place: String?
  }

  package var path: String
  package var model: String
  package var entities: [Entity]
  /// The differences between the store and the model.
  package var differences: [String]
}

extension CoreDataStore {
  /// Says where the parts of the model are.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  package func places() throws -> CoreDataPlaces {
    let binding = shared.binding
    let entities = try file.read { handle in
      try binding.places.compactMap(\.self).map { place -> CoreDataPlaces.Entity in
        let entity = binding.schema.entities[place.entity]
        let root = binding.schema.entities[entity.root].name
        let identity = identities.first { $0.entity == root }
        let statement = try PreparedStatement(
          "SELECT count(*) FROM \(SQL.quoted(place.table)) WHERE Z_ENT = \(place.number)", on: handle)
        let count = try statement.step() ? statement.integer(0) : 0
        return CoreDataPlaces.Entity(
          name: entity.name, table: place.table, number: place.number, objects: count,
          identity: identity?.attributes ?? [], reason: identity?.reason ?? "",
          properties: properties(of: entity, place))
      }
    }
    return CoreDataPlaces(
      path: path, model: modelOrigin.words, entities: entities, differences: binding.differences)
  }

  private func properties(
    of entity: SchemaEntity, _ place: CoreDataBinding.EntityPlace
  ) -> [CoreDataPlaces.Property] {
    let attributes = entity.attributes.map {
      CoreDataPlaces.Property(name: $0.name, place: place.attributes[$0.name])
    }
    let relationships = entity.relationships.map { index in
      CoreDataPlaces.Property(
        name: shared.binding.schema.relationships[index].name, place: shared.binding.place(of: index, place))
    }
    return attributes + relationships
  }
}

extension CoreDataBinding {
  /// The column or the table of a relationship of an entity.
  fileprivate func place(of index: Int, _ place: EntityPlace) -> String? {
    let relationship = schema.relationships[index]
    guard relationship.isToMany else { return place.toOnes[relationship.name] }
    if let join = joins[index] { return "\(join.table) (\(join.owner), \(join.target))" }
    guard let inverse = relationship.inverse.map({ schema.relationships[$0] }),
      let target = self.place(inFamilyOf: relationship.destination), let column = target.toOnes[inverse.name]
    else { return nil }
    return "\(target.table).\(column)"
  }
}

extension CoreDataStore.ModelOrigin {
  /// Where the model came from, in words.
  package var words: String {
    switch self {
    case .store: "the model in the file"
    case .given(let version?): "version \(version) of the model"
    case .given(nil): "the model that was given"
    case .tables: "the names of tables and columns, since the file has no model"
    }
  }
}

/// Which model a Core Data store is read by.
struct CoreDataModelChoice {
  private(set) var model: Model
  let origin: CoreDataStore.ModelOrigin
  private(set) var binding: CoreDataBinding
  private(set) var notes: [String] = []

  /// - Throws: ``StoreError`` if models are given and none fits.
  init(
    _ tables: CoreDataTables, _ handle: OpaquePointer, _ versions: [ModelVersion], path: String
  ) throws {
    if !versions.isEmpty {
      let hashes = Self.hashes(try tables.metadata(handle))
      let (version, binding) = try Self.fitting(versions, hashes, tables, path)
      (model, origin, self.binding) = (version.model, .given(version: version.name), binding)
      if versions.count > 1, let name = version.name { notes.append("version \(name) of the model fits") }
      return
    }
    if let cache = try tables.modelCache(handle) {
      do {
        let archived = try ArchivedModel(cache)
        (model, origin, binding) = (archived.model, .store, try CoreDataBinding(archived.model, tables))
        notes += archived.remarks.map(\.description)
        notes += binding.differences.map { "the model in the file does not fit: \($0)" }
        return
      } catch let error as ModelError {
        throw StoreError(
          .unreadable(path: path, why: "the model in it cannot be read (\(error)); give the model (--model)"))
      }
    }
    let made = try CoreDataTableModel(tables, handle)
    (model, origin, binding) = (made.model, .tables, try CoreDataBinding(made.model, tables))
    notes.append(
      "the file has no model, and none was given: names and types are those of tables and columns, and links are only"
        + " those that names and values prove")
    notes += made.notes
  }

  /// Marks the attributes whose values are in files of their own though the model does not say so.
  ///
  /// - Returns: Attributes whose files are missing.
  mutating func findExternalFiles(
    _ files: CoreDataExternalFiles, _ tables: CoreDataTables, _ handle: OpaquePointer
  ) throws -> [SourceProblem] {
    let search = try CoreDataExternalSearch(binding, handle, files)
    for place in search.places {
      model.entities[place.entity].attributes[place.attribute].other[Attribute.externalFlag] = "YES"
    }
    if !search.places.isEmpty { binding = try CoreDataBinding(model, tables) }
    notes += search.notes
    return search.problems
  }

  /// The hashes of the entities of the model that the store was written with, as its metadata has them.
  private static func hashes(_ metadata: [UInt8]?) -> [String: [UInt8]] {
    guard let metadata, let list = try? PropertyList(metadata),
      let found = list.root.dictionary?["NSStoreModelVersionHashes"]?.dictionary
    else { return [:] }
    var hashes: [String: [UInt8]] = [:]
    for index in 0..<found.count {
      guard let name = found.keys[index].text, let hash = found.values[index].data else { continue }
      hashes[name] = Array(hash)
    }
    return hashes
  }

  /// The version whose hashes the file names, or whose tables and columns are those of the file: only compiled models have
  /// hashes, since how Core Data makes them is not public.
  private static func fitting(
    _ versions: [ModelVersion], _ hashes: [String: [UInt8]], _ tables: CoreDataTables, _ path: String
  ) throws -> (ModelVersion, CoreDataBinding) {
    if let known = versions.first(where: { !$0.hashes.isEmpty && $0.hashes == hashes }) {
      return (known, try CoreDataBinding(known.model, tables))
    }
    var nearest: (version: ModelVersion, binding: CoreDataBinding)?
    for version in versions {
      let binding = try CoreDataBinding(version.model, tables)
      if binding.differences.isEmpty { return (version, binding) }
      if nearest.map({ binding.differences.count < $0.binding.differences.count }) ?? true {
        nearest = (version, binding)
      }
    }
    guard let nearest else { throw StoreError(.modelNeeded(path: path)) }
    let shown = nearest.binding.differences.prefix(10)
    let rest = nearest.binding.differences.count - shown.count
    throw StoreError(
      .modelDoesNotFit(
        path: path, version: nearest.version.name,
        differences: Array(shown) + (rest > 0 ? ["and \(rest) more"] : [])))
  }
}
