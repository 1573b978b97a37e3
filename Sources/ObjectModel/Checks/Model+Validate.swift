extension Model {
  /// Makes sure that the model can be used.
  ///
  /// - Throws: ``UnusableModel`` with all errors among ``problems()``. Warnings stand in nobody's way.
  public func validate() throws(UnusableModel) {
    let errors = problems().filter { $0.severity == .error }
    if !errors.isEmpty { throw UnusableModel(errors: errors) }
  }
}

/// A model with errors, in the words of ``Model/problems()``.
public struct UnusableModel: Error, Sendable, Hashable, CustomStringConvertible {
  public let errors: [ModelProblem]

  private static let mostShown = 20

  public var description: String {
    let more = errors.count - Self.mostShown
    return
      (["The model cannot be used:"] + errors.prefix(Self.mostShown).map(\.description)
      + (more > 0 ? ["and \(more) more; `broker model check` lists all"] : [])).joined(separator: "\n")
  }
}
