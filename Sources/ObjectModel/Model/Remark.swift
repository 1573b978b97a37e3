/// One sentence about a part of a model that another form cannot say, or that was guessed.
package struct Remark: Sendable, Hashable, CustomStringConvertible {
  /// The entity, or the entity and a property: `Band.albums`.
  package var place: String
  package var message: String

  package init(_ place: String, _ message: String) {
    self.place = place
    self.message = message
  }

  package var description: String { "\(place): \(message)" }
}
