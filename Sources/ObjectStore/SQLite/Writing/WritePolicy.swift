package import ObjectModel

/// How lists and references are treated.
package struct WritePolicy: Sendable {
  /// What to do about a key of an object that is not there.
  package enum References: String, Sendable, CaseIterable {
    /// Keep it; it becomes the relationship when the object comes.
    case pending
    /// Create the object, with its identity only.
    case stub
    /// Give up; nothing is imported.
    case error
  }

  package var toMany: ToManyPolicy
  package var references: References

  package init(toMany: ToManyPolicy = .replace, references: References = .pending) {
    self.toMany = toMany
    self.references = references
  }
}
