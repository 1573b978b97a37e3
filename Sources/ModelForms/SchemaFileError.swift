import ObjectModel

/// Why no model could be made of a schema.
package struct SchemaFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place in the schema: a JSON pointer, or a line and a column.
  package var place: String
  package var message: String
  /// The line that the JSON pointer leads to, counted from 1, if it is known.
  package var line: Int?

  init(_ place: String, _ message: String) {
    self.place = place
    self.message = message
  }

  package var description: String {
    let place = ModelError.shortened(place, to: 200)
    return place.isEmpty ? message : "\(place): \(message)"
  }
}
