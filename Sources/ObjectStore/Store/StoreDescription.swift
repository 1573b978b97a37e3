import ObjectModel

/// What a store remembers of itself: its model, and what a mapping says beyond that.
struct StoreDescription {
  var model: Model
  var mapping: JSONMapping?

  /// The model with the mapping's annotations.
  func mappedModel() throws -> Model {
    try mapping?.applied(to: model) ?? model
  }

  func isSame(as other: StoreDescription) throws -> Bool {
    try model == other.model && mapping?.remembered() == other.mapping?.remembered()
  }
}
