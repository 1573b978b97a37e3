// What Broker uses of Foundation on Apple's platforms only, for scripts/typecheck-apple.
import Foundation

extension ProcessInfo {
  func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {}
}

extension FileManager {
  func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
