import Foundation
import ObjectModel

extension Model {
  /// Reads a model that a command is to work with.
  ///
  /// - Throws: ``ModelError`` if it cannot be read, ``UnusableModel`` if `broker model check` finds errors in it.
  init(usableAt path: String) throws {
    try self.init(contentsOf: URL(fileURLWithPath: path))
    try validate()
  }
}
