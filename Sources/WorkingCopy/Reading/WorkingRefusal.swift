package import ObjectStore

/// What an engine over a working copy does not offer.
package enum WorkingRefusal {
  private static let beginning = "This engine does not offer "

  package static func error(_ what: String) -> StoreError { .invalid("\(beginning)\(what).") }

  /// Whether an error says that the engine does not offer what it was asked for.
  package static func isOne(_ error: any Error) -> Bool { "\(error)".hasPrefix(beginning) }
}
