import ObjectModel

extension Model {
  /// Reads a model that a command is to work with.
  ///
  /// - Throws: What ``LoadedModel/init(argument:)`` throws; ``UnusableModel`` if `broker model check` finds errors in it.
  init(usableAt path: String) throws {
    self = try LoadedModel(argument: path).model
    try validate()
  }
}
