import Foundation
import Inference
import Mapping
import ObjectModel
import ObjectStore

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

/// The options of an import that an inferred model asks for.
func options(_ inferred: InferredModel) -> ImportOptions {
  var options = ImportOptions()
  options.entity = inferred.entity
  return options
}
