package import ObjectModel

extension Store {
  /// The model and the mapping as they were given, the mapping not yet written into the model.
  package var declared: (model: Model, mapping: JSONMapping) {
    (description.model, description.mapping ?? JSONMapping())
  }
}
