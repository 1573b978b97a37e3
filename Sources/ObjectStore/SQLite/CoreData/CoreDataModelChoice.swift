import ObjectModel

/// Which model a Core Data store is read by.
struct CoreDataModelChoice {
  let model: Model
  let origin: CoreDataStore.ModelOrigin
  let binding: CoreDataBinding
  private(set) var notes: [String] = []

  /// - Throws: ``StoreError`` if models are given and none fits.
  init(
    _ tables: CoreDataTables, _ handle: OpaquePointer, _ versions: [ModelVersion], path: String
  ) throws {
    if !versions.isEmpty {
      let (version, binding) = try Self.fitting(versions, tables, path)
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
    let made = try CoreDataTableModel(tables, handle).model()
    (model, origin, binding) = (made, .tables, try CoreDataBinding(made, tables))
    notes.append(
      "the file has no model, and none was given: names and types are those of tables and columns")
  }

  /// The version whose tables and columns are those of the file.
  ///
  /// The hashes that Core Data keeps of a model cannot be compared: how it makes them is not public.
  private static func fitting(
    _ versions: [ModelVersion], _ tables: CoreDataTables, _ path: String
  ) throws -> (ModelVersion, CoreDataBinding) {
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
