public import ObjectModel

extension InferredModel {
  /// A model that is there, widened by what was inferred.
  ///
  /// What the model says stays, names and all: a person may have changed it. What JSON has beyond it is added, and always
  /// optional. A type becomes a wider one only if values came that do not fit, and what was required becomes optional only
  /// if it was missing.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - mapping: The mapping that goes with it.
  public func refining(_ model: Model, mapping: JSONMapping = JSONMapping()) -> InferredModel {
    var refinement = Refinement(model, mapping, self)
    refinement.run()
    var result = self
    result.model = refinement.model
    result.mapping = refinement.mapping
    result.guesses = refinement.guesses
    result.entity = entity.map { refinement.name(of: $0) }
    return result
  }
}
