import ObjectModel

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
