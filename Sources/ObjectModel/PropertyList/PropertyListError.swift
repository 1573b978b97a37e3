/// Why bytes are no property list, or no keyed archive: where, what was expected and what was found.
package struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The byte at which it was noticed, counted from 0; nil where no single place is wrong.
  package let offset: Int?
  package let message: String

  package init(_ message: String, at offset: Int? = nil) {
    self.message = message
    self.offset = offset
  }

  static func expected(_ expected: String, found: String, at offset: Int? = nil) -> PropertyListError {
    PropertyListError("expected \(expected), found \(found)", at: offset)
  }

  package var description: String {
    offset.map { "byte \($0): \(message)" } ?? message
  }
}
