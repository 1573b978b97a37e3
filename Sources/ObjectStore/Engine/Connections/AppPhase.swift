import Dispatch
package import Foundation

/// Asks the system for time in the background. It calls the closure with false on another thread, and grants time until that returns;
/// where it cannot wait so long, it calls it once more, with true.
package typealias BackgroundActivity =
  @Sendable (_ body: @escaping @Sendable (_ isTimeUp: Bool) -> Void) -> Void

/// The notifications between which an app is in the background.
///
/// Notifications are known by their texts, so that the library needs neither UIKit nor WatchKit. No test has run on the platforms that post
/// them; elsewhere nobody does.
package struct AppPhase: Sendable {
  package var begin: Notification.Name
  package var end: Notification.Name

  package init(begin: Notification.Name, end: Notification.Name) { (self.begin, self.end) = (begin, end) }

  package static let all = [
    // UIApplication.didEnterBackgroundNotification and willEnterForegroundNotification
    AppPhase(
      begin: Notification.Name("UIApplicationDidEnterBackgroundNotification"),
      end: Notification.Name("UIApplicationWillEnterForegroundNotification")),
    // Notifications of WatchKit.
    AppPhase(
      begin: Notification.Name("WKApplicationDidEnterBackgroundNotification"),
      end: Notification.Name("WKApplicationWillEnterForegroundNotification")),
    // An extension has no app of its own: it goes with its host.
    AppPhase(
      begin: Notification.Name("NSExtensionHostDidEnterBackgroundNotification"),
      end: Notification.Name("NSExtensionHostWillEnterForegroundNotification")),
  ]

  /// Where the system does not tell when time is up, a program has as much as it wants.
  package static let systemActivity: BackgroundActivity = { body in
    // macOS suspends no apps, and lacks the method.
    #if canImport(ObjectiveC) && !os(macOS)
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Broker closes a store", using: body)
    #else
      DispatchQueue.global().async { body(false) }
    #endif
  }
}
