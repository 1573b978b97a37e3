import Foundation
import ObjectModel

extension LoadedModel {
  /// Reads the model that a command's argument names. All commands that take a model come here.
  init(argument path: String) throws {
    try self.init(contentsOf: URL(fileURLWithPath: path))
  }
}
