import Foundation

/// Why the system refused something, in its own few words: `permission denied`.
///
/// What Foundation says is a sentence that names a file by its last part only, or none at all.
package enum SystemReason {
  package static func text(of error: any Error) -> String {
    var current: (any Error)? = error
    while let next = current {
      if let error = next as? POSIXError { return words(error.code.rawValue) }
      let plain = next as NSError
      if plain.domain == NSPOSIXErrorDomain { return words(Int32(truncatingIfNeeded: plain.code)) }
      current = plain.userInfo[NSUnderlyingErrorKey] as? any Error
    }
    let text = error.localizedDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private static func words(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
