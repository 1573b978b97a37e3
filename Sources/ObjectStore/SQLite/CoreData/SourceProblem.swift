/// Something in a source that could not be used.
package struct SourceProblem: Sendable {
  /// The object, as the source calls it; empty if it is about many.
  package var object: String
  package var entity: String
  package var property: String?
  package var expected: String
  package var found: String
  package var action: String

  package init(
    object: String, entity: String, property: String?, expected: String, found: String, action: String
  ) {
    self.object = object
    self.entity = entity
    self.property = property
    self.expected = expected
    self.found = found
    self.action = action
  }
}
