import Foundation

/// A transaction that a thread is in the middle of. A thread may be in several, of the same store or others.
///
/// It is known to the thread only, so that what a closure does of itself can be told from what others do.
package final class OngoingAccess {
  package enum Kind {
    /// With the transaction, if others may read in it.
    case reading(any StoreTransaction)
    case writing
    /// It has ended, and observers are told.
    case delivering
  }

  private let store: ObjectIdentifier
  package let kind: Kind
  /// Whether it has the connection that writes.
  package let usesWriter: Bool
  private let outer: OngoingAccess?

  private init(_ store: AnyObject, _ kind: Kind, usesWriter: Bool, outer: OngoingAccess?) {
    self.store = ObjectIdentifier(store)
    self.kind = kind
    self.usesWriter = usesWriter
    self.outer = outer
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var innermost: OngoingAccess? {
    pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` as part of an access.
  package static func run<Result>(
    _ store: AnyObject, _ kind: Kind, usesWriter: Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = innermost
    let access = OngoingAccess(store, kind, usesWriter: usesWriter, outer: outer)
    pthread_setspecific(key, Unmanaged.passUnretained(access).toOpaque())
    defer { pthread_setspecific(key, outer.map { Unmanaged.passUnretained($0).toOpaque() }) }
    return try withExtendedLifetime(access) { try body() }
  }

  /// The accesses to a store that this thread is in, the innermost first.
  package static func all(of store: AnyObject) -> [OngoingAccess] {
    var found: [OngoingAccess] = []
    var next = innermost
    while let access = next {
      if access.store == ObjectIdentifier(store) { found.append(access) }
      next = access.outer
    }
    return found
  }

  /// Whether this thread tells a store's observers of a commit.
  package static func isDelivering(_ store: AnyObject) -> Bool {
    all(of: store).contains { if case .delivering = $0.kind { true } else { false } }
  }
}
