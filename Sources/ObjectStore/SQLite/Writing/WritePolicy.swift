/// How lists and references are treated.
package struct WritePolicy: Sendable {
  /// What a list in JSON means for the links that its owner has.
  package enum ToMany: String, Sendable, CaseIterable {
    /// The list is all there is: other links go, the objects stay.
    case replace
    /// The list is added to what is there.
    case merge
    /// The list is all there is: other links go, and the objects with them.
    case prune
  }

  /// What to do about a key of an object that is not there.
  package enum References: String, Sendable, CaseIterable {
    /// Keep it; it becomes the relationship when the object comes.
    case pending
    /// Create the object, with its identity only.
    case stub
    /// Give up; nothing is imported.
    case error
  }

  package var toMany: ToMany
  package var references: References

  package init(toMany: ToMany = .replace, references: References = .pending) {
    self.toMany = toMany
    self.references = references
  }
}
