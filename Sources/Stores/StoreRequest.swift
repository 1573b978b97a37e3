package import ObjectModel
package import ObjectStore

/// What a store is opened with, wherever it is.
package struct StoreRequest: Sendable {
  /// Nil for the one that the store remembers.
  package var model: Model?
  package var mapping: JSONMapping?
  package var access = Store.Access.readWrite
  package var options = Store.Options()
  /// What attributes demand of their values beyond what the model says.
  package var checks: [ValueCheck.Place: ValueCheck] = [:]
  package var journalsLocalChanges = false

  package init(
    model: Model? = nil, mapping: JSONMapping? = nil, access: Store.Access = .readWrite,
    options: Store.Options = Store.Options(), checks: [ValueCheck.Place: ValueCheck] = [:],
    journalsLocalChanges: Bool = false
  ) {
    (self.model, self.mapping, self.access, self.options) = (model, mapping, access, options)
    (self.checks, self.journalsLocalChanges) = (checks, journalsLocalChanges)
  }
}
