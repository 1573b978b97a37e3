import ObjectModel

/// An object that a list no longer has and that may not be without an owner, or shall not be kept without one.
///
/// Whether it is without shows at the end, since a later list of the same import may take it.
struct DeferredRelease {
  enum Action {
    /// The object keeps its owner, which is reported.
    case keep
    /// The object is deleted.
    case delete
  }

  let relationship: SchemaRelationship
  let action: Action
  /// The row of the object that the list no longer has.
  let child: Int64
  /// The key of the owner, as text.
  let owner: [String]
  /// The object's own key, as text, where others may have written since.
  var key: String?
}
