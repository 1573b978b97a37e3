import ObjectModel

/// Why no model could be made of a schema.
package struct SchemaFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place in the schema: a JSON pointer, or a line.
  package var place: String
  package var message: String

  init(_ place: String, _ message: String) {
    self.place = place
    self.message = message
  }

  package var description: String {
    let place = ModelError.shortened(place, to: 200)
    return place.isEmpty ? message : "\(place): \(message)"
  }
}
