package import ObjectStore

/// What an engine over a working copy does not offer.
package enum UnsupportedOperation {
  private static let beginning = "This engine does not offer "

  package static func error(_ what: String) -> StoreError { .invalid("\(beginning)\(what).") }
}
