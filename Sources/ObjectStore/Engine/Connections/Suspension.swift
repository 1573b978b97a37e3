import Foundation
import Synchronization

/// Whether a store has let its file go; see ``Store/suspend(waitingAtMost:)``.
package final class Suspension: Sendable {
  private let flag = Atomic<Bool>(false)
  /// The error of whoever uses the store meanwhile.
  package let error: StoreError

  package init(path: String) { error = StoreError(.suspended(path: path)) }

  package var isActive: Bool { flag.load(ordering: .sequentiallyConsistent) }

  package func begin() { flag.store(true, ordering: .sequentiallyConsistent) }

  /// Whether there was one to end.
  package func end() -> Bool { flag.exchange(false, ordering: .sequentiallyConsistent) }
}

/// Suspends a store while its app is in the background.
///
/// The system lets an app go on for some seconds. What the app does with the store in that time is not disturbed: the file is let
/// go once nobody has used it for a while, or when the time is up.
package final class BackgroundSuspension: Sendable {
  /// The store, as long as somebody else has it.
  private let store: @Sendable () -> SQLiteStore?
  private let activity: BackgroundActivity
  private let quietTime: Duration
  /// The number of the stay in the background, or of the return from it.
  private let stay = Locked(0)
  private let observers = Locked<[any NSObjectProtocol]>([])

  package init(
    _ store: SQLiteStore, _ phases: [AppPhase], quietTime: Duration = .seconds(2),
    activity: @escaping BackgroundActivity = AppPhase.systemActivity
  ) {
    self.store = { [weak store] in store }
    self.activity = activity
    self.quietTime = quietTime
    let center = NotificationCenter.default
    let tokens = phases.flatMap { phase in
      [
        center.addObserver(forName: phase.begin, object: nil, queue: nil) { [weak self] _ in self?.begin() },
        center.addObserver(forName: phase.end, object: nil, queue: nil) { [weak self] _ in self?.end() },
      ]
    }
    observers.withLock { $0 = tokens }
  }

  deinit {
    observers.withLock { tokens in
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }

  /// The app is in the background from now on.
  private func begin() {
    let number = nextStay()
    activity { [weak self] isTimeUp in
      if !isTimeUp { self?.waitForQuiet(in: number) }
      self?.suspend(in: number)
    }
  }

  /// The app comes back.
  private func end() {
    _ = nextStay()
    store()?.resume()
  }

  private func nextStay() -> Int {
    stay.withLock { stay in
      stay += 1
      return stay
    }
  }

  /// Suspends the store, unless the app has come back since. The lock keeps it from coming back in between.
  private func suspend(in number: Int) {
    stay.withLock { stay in
      guard stay == number else { return }
      _ = store()?.suspend(waitingAtMost: .seconds(2))
    }
  }

  /// Returns once the store was not used for a while, is suspended, or the app has come back.
  private func waitForQuiet(in number: Int) {
    let clock = ContinuousClock()
    var (uses, quietSince) = (store()?.usage.uses ?? 0, clock.now)
    while stay.withLock({ $0 == number }), let store = store(), !store.suspension.isActive {
      let usage = store.usage
      if !usage.isIdle || usage.uses != uses { (uses, quietSince) = (usage.uses, clock.now) }
      if quietSince.duration(to: clock.now) >= quietTime { return }
      Thread.sleep(forTimeInterval: min(0.1, quietTime.seconds / 4))
    }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Store {
  /// How the system encrypts the files of a store on Apple's platforms; see ``Options/fileProtection``.
  public enum FileProtection: Sendable, Hashable {
    /// The files can be used only while the device is unlocked. A store that is open when it is locked fails from then on.
    case complete
    /// Files that are open stay usable when the device is locked, and none can be opened then.
    case completeUnlessOpen
    /// The files can be used once the device was unlocked after its start. This is what apps have unless they say otherwise, and
    /// what a store needs that is used in the background.
    case completeUntilFirstUserAuthentication
    /// The files can be used always.
    case unprotected

    private var type: FileProtectionType {
      switch self {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
      case .unprotected: .none
      }
    }

    /// Protects the folder of a file. The file itself is not touched: to protect it, the system may open and close it, which would
    /// end the locks that SQLite has on it in this process.
    ///
    /// - Throws: ``StoreError`` if the system does not allow it.
    func apply(to file: StoreFile) throws {
      do {
        try FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: file.folder)
      } catch {
        let reason = SystemReason.text(of: error)
        throw StoreError(
          .unreadable(path: file.path, why: "the protection of \(file.folder) cannot be set: \(reason)"))
      }
    }
  }
}
