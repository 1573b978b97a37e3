/// The tables that the store keeps for itself.
package enum StoreTable {
  /// What the store knows of itself: its format and its model.
  package static let metadata = "broker_store"
  /// Links to objects that have not arrived, where the object that would hold the link is the missing one.
  package static let pending = "broker_pending"
  /// What a program has changed and the server has not been told of; only where a store was asked to keep that.
  package static let journal = "broker_changes"
  /// The last imports; only where there was one. In stores of earlier versions, a view.
  package static let imports = "broker_imports"
  /// An empty table beside that view in stores of earlier versions.
  package static let importNumbers = "broker_import_numbers"
}
