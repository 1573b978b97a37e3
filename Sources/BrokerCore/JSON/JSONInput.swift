public import Foundation
public import Mapping

/// JSON that can be imported at once: `Data`, `String`, a file's `URL`, bytes.
public protocol JSONInput: Sendable {
  var importSource: ImportSource { get }
}

extension ImportSource: JSONInput {
  public var importSource: ImportSource { self }
}

extension Data: JSONInput {
  public var importSource: ImportSource { .bytes(self) }
}

extension String: JSONInput {
  public var importSource: ImportSource { .string(self) }
}

extension Array: JSONInput where Element == UInt8 {
  public var importSource: ImportSource { .bytes(self) }
}

/// A file. To import from another address, load its data or its bytes first.
extension URL: JSONInput {
  public var importSource: ImportSource { isFileURL ? .file(path) : .remote(absoluteString) }
}
