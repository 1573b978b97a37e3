import Foundation
import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// What is inferred from a text of JSON that has no name.
func inferred(_ json: String, records: Int? = nil) throws -> InferredModel {
  var options = InferenceOptions()
  options.records = records
  return try InferredModel(from: [.string(json)], options: options)
}

/// A store of an inferred model with the JSON in it, and the report of the import.
func imported(_ inferred: InferredModel, _ sources: [ImportSource]) throws -> (store: Store, report: Report) {
  let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
  return (store, try Importer(store, options(inferred)).run(sources))
}

/// A store of a model with sources that were imported one after another, twice, each by the options of its own. Nothing has an issue,
/// nothing is deleted, and the second time nothing changes.
func importedTwice(
  _ sources: [ImportSource], _ inferred: InferredModel, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Store {
  let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
  for round in 0..<2 {
    for source in sources {
      let report = try Importer(store, options(InferredModel(from: [source]))).run([source])
      #expect(report.issues.isEmpty, "\(report.issues.prefix(2))", sourceLocation: sourceLocation)
      #expect(report.deleted.isEmpty, "\(report.deleted)", sourceLocation: sourceLocation)
      guard round > 0 else { continue }
      #expect(report.inserted.isEmpty, "\(report.inserted)", sourceLocation: sourceLocation)
      #expect(report.updated.isEmpty, "\(report.updated)", sourceLocation: sourceLocation)
    }
  }
  return store
}

/// The options of an import that an inferred model asks for.
func options(_ inferred: InferredModel) -> ImportOptions {
  var options = ImportOptions()
  options.entity = inferred.entity
  return options
}

/// The model of files that come one after another, as imports of a command widen it.
func widened(_ sources: [ImportSource]) throws -> InferredModel {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
  defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
  var known: InferredModel?
  for source in sources {
    var options = InferenceOptions()
    if let known {
      options.read(as: known.mapping)
      let store = try Store(path: path)
      for entity in known.model.entities {
        let stored: @Sendable ([String]) throws -> Set<String> = { identities in
          try store.read { transaction in
            Set(try identities.filter { try transaction.find(entity.name, identity: $0) != nil })
          }
        }
        options.known.append(
          KnownEntity(
            entity, mapping: known.mapping[entity.name],
            stored: known.hasOneIdentity(entity) ? stored : nil,
            values: { try store.texts(of: $0, entity.name) }))
      }
    }
    let model: InferredModel
    do {
      let inferred = try InferredModel(from: [source], options: options)
      model = known.map { inferred.refining($0.model, mapping: $0.mapping) } ?? inferred
    } catch let error as InferenceError {
      // JSON without objects adds nothing.
      guard let known else { throw error }
      model = known
    }
    let store = try Store(path: path, model: model.model, mapping: model.mapping)
    var importing = ImportOptions()
    importing.entity = model.entity
    _ = try Importer(store, importing).run([source])
    try store.close()
    known = model
  }
  return try #require(known)
}
