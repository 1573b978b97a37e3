/// The references of an import that lead nowhere.
package struct PendingSummary: Sendable {
  package var count = 0
  /// The first of them.
  package var references: [Reference] = []

  package init(count: Int = 0) { self.count = count }

  /// A reference to an object that is not there.
  package struct Reference: Sendable, Hashable {
    /// The entity and the identity of the object that refers, as text.
    package var entity: String
    package var identity: String
    package var relationship: String
    /// The entity and the identity of the object that is not there, as text.
    package var target: String
    package var key: String
    /// Whether there must be none.
    package var isError: Bool

    package init(
      entity: String, identity: String, relationship: String, target: String, key: String, isError: Bool
    ) {
      self.entity = entity
      self.identity = identity
      self.relationship = relationship
      self.target = target
      self.key = key
      self.isError = isError
    }
  }
}
