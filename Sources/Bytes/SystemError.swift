/// Why the system does not do what it was asked for.
package struct SystemError: Error, Sendable, Hashable {
  /// The system's words, without a full stop.
  package let message: String

  init(_ message: String) { self.message = message }
}
