/// A condition on an attribute's values that only code can tell: that a text is the raw value of an enumeration, or
/// the JSON of a type.
package struct ValueCheck: Sendable {
  /// What a value that is not accepted should have been.
  package let expectation: String
  package let accepts: @Sendable (SQLValue) -> Bool

  package init(expectation: String, accepts: @escaping @Sendable (SQLValue) -> Bool) {
    self.expectation = expectation
    self.accepts = accepts
  }

  /// An attribute by the names of the entity that declares it and its own.
  package struct Place: Hashable, Sendable {
    package var entity: String
    package var attribute: String

    package init(entity: String, attribute: String) {
      self.entity = entity
      self.attribute = attribute
    }
  }
}
