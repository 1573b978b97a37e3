import ObjectModel

/// What stands against a deletion.
struct DeletionRefusal {
  enum Cause {
    /// A rule.
    case denied
    /// An object that would be left without what it requires, by its entity and key.
    case required(entity: Int, key: String)
    /// It would take objects along which the import has come across.
    case takesListed
    /// It would take objects along that a program has changed and the server has not been told of.
    case takesUnsent
  }

  var cause = Cause.denied
  var relationship: Int
  /// The identity of the object that cannot be deleted.
  var key: String

  /// Whether other deletions may take away what stands against it.
  var mayEnd: Bool {
    switch cause {
    case .denied, .required: true
    case .takesListed, .takesUnsent: false
    }
  }

  /// The problem that it is.
  var reason: RowProblem.Reason {
    switch cause {
    case .denied: .deletionDenied(relationship: relationship, key: key)
    case .required(let entity, let holder):
      .deletionLeavesWithout(relationship: relationship, key: key, entity: entity, holder: holder)
    case .takesListed: .deletionTakesListed(relationship: relationship, key: key)
    case .takesUnsent: .deletionTakesUnsent(relationship: relationship, key: key)
    }
  }
}
