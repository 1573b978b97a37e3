import Foundation

/// Why a store could not be opened or used.
public struct StoreError: Error, Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case notAStore(path: String, why: String, isFile: Bool = true)
    case notCoreData(path: String, why: String)
    case modelDoesNotFit(path: String, version: String?, differences: [String])
    case missing(path: String)
    case modelNeeded(path: String)
    case modelChanged(path: String, differences: [String])
    case migrationRefused(path: String, plan: MigrationPlan)
    case migratedByOthers(path: String)
    case newerReadableFormat(path: String, format: String)
    case unreadable(path: String, why: String)
    case readOnly(path: String)
    case locked(path: String, timeout: Duration, holder: String? = nil)
    case changedWhileRead(path: String)
    case mappingAppeared(path: String)
    case basisChanged(path: String)
    case newerFormat(path: String, format: String)
    case unknownEntity(String, nearest: String?)
    case unknownProperty(String, entity: String, nearest: String?)
    case invalid(String)
    case closed
    case suspended(path: String)
    case sqlite(code: Int32, message: String, sql: String)
    case server(state: String?, message: String)
    case uncertainCommit(String)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  package static func sqlite(_ code: Int32, message: String, sql: String) -> StoreError {
    StoreError(.sqlite(code: code, message: message, sql: sql))
  }

  /// - Parameters:
  ///   - state: SQLSTATE, if the server gave one.
  ///   - message: A sentence, or several.
  package static func server(state: String?, _ message: String) -> StoreError {
    StoreError(.server(state: state, message: message))
  }

  /// - Parameter isFile: Whether another file in its place would do.
  /// - Parameter message: Sentences that say what failed, and what to do.
  package static func uncertainCommit(_ message: String) -> StoreError {
    StoreError(.uncertainCommit(message))
  }

  package static func notAStore(_ path: String, _ why: String, isFile: Bool = true) -> StoreError {
    StoreError(.notAStore(path: path, why: why, isFile: isFile))
  }

  package static func newerFormat(_ path: String, _ format: String) -> StoreError {
    StoreError(.newerFormat(path: path, format: format))
  }

  package static func missing(_ path: String) -> StoreError { StoreError(.missing(path: path)) }

  package static func modelNeeded(_ path: String) -> StoreError { StoreError(.modelNeeded(path: path)) }

  package static func modelChanged(_ path: String, _ differences: [String]) -> StoreError {
    StoreError(.modelChanged(path: path, differences: differences))
  }

  package static func migratedByOthers(_ path: String) -> StoreError {
    StoreError(.migratedByOthers(path: path))
  }

  /// - Parameter holder: Who is waited for, if that is known.
  package static func locked(_ path: String, timeout: Duration, holder: String?) -> StoreError {
    StoreError(.locked(path: path, timeout: timeout, holder: holder))
  }

  package static func mappingAppeared(_ path: String) -> StoreError {
    StoreError(.mappingAppeared(path: path))
  }

  package static func unknownEntity(_ name: String, nearest: String?) -> StoreError {
    StoreError(.unknownEntity(name, nearest: nearest))
  }

  package static func unknownProperty(_ name: String, entity: String, nearest: String?) -> StoreError {
    StoreError(.unknownProperty(name, entity: entity, nearest: nearest))
  }

  package static func invalid(_ message: String) -> StoreError {
    StoreError(.invalid(message))
  }

  package static let closed = StoreError(.closed)
  package static let readOnlyTransaction = StoreError(.invalid("A read cannot write; use a transaction."))

  /// Advice.
  package enum Remedy {
    case otherFile
    case model
    case modelOfTheStore
    case consent
  }

  package var remedy: Remedy? {
    switch kind {
    case .notAStore(_, _, let isFile): isFile ? .otherFile : nil
    case .modelNeeded: .model
    case .modelChanged: .modelOfTheStore
    case .migrationRefused: .consent
    default: nil
    }
  }

  /// Whether there is no store, or nothing was ever written to it.
  package var isMissing: Bool {
    if case .missing = kind { true } else { false }
  }

  /// Whether another program changed the store's model, between a look at the store and the transaction that was to
  /// follow. Nothing was changed, and the same may succeed if the store is opened again.
  package var isOvertaken: Bool {
    switch kind {
    case .basisChanged, .migratedByOthers, .mappingAppeared: true
    default: false
    }
  }

  /// Whether the store's model is another by now than the one that a transaction was to follow.
  package var hasOtherModel: Bool {
    if case .modelChanged = kind { true } else { false }
  }

  /// The plan of the migration, if the store was made for another version of the model.
  public var migrationPlan: MigrationPlan? {
    if case .migrationRefused(_, let plan) = kind { plan } else { nil }
  }

  /// Whether the disk, or the connection to the server, failed while the transaction was committed, so that it is not
  /// known whether it was. The same import again makes sure.
  public var isCommitUncertain: Bool {
    if case .uncertainCommit = kind { true } else { false }
  }

  /// Whether it was not tried any longer since others write. Nothing was changed.
  public var isTimeout: Bool {
    if case .locked = kind { true } else { false }
  }

  /// Whether the store was suspended before or while it was used; see ``Store/suspend(waitingAtMost:)``. Nothing was changed, and
  /// the same may succeed once it is resumed.
  public var isSuspended: Bool {
    if case .suspended = kind { true } else { false }
  }

  /// Whether a database server ended the transaction because of what others wrote at the same time. Nothing was changed,
  /// and the same may succeed if it is tried again.
  public var isConflict: Bool {
    // https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
    guard case .server(let state, _) = kind else { return false }
    return state == "40001" || state == "40P01"
  }

  /// Whether SQLite gave up: it found the file locked, or was interrupted.
  var isGivingUp: Bool {
    // SQLITE_BUSY or SQLITE_INTERRUPT, whatever the extended code adds.
    sqliteCode.map { $0 & 0xFF == 5 || $0 & 0xFF == 9 } ?? false
  }

  /// Whether SQLite refused to write since the file or the file system does not allow it.
  var isReadOnly: Bool {
    // SQLITE_READONLY, whatever the extended code adds.
    sqliteCode.map { $0 & 0xFF == 8 } ?? false
  }

  /// Whether SQLite got an error of the disk.
  var isDiskFailure: Bool {
    // SQLITE_IOERR, whatever the extended code adds.
    sqliteCode.map { $0 & 0xFF == 10 } ?? false
  }

  /// The result code of SQLite, extended, if it is SQLite that failed.
  public var sqliteCode: Int32? {
    if case .sqlite(let code, _, _) = kind { code } else { nil }
  }

  /// SQLSTATE, PostgreSQL's code of five characters, if it is a database server that failed.
  /// See [PostgreSQL Error Codes](https://www.postgresql.org/docs/current/errcodes-appendix.html).
  public var sqlState: String? {
    if case .server(let state, _) = kind { state } else { nil }
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .notAStore(let path, let why, _):
      "\(path) is not a Broker store: \(why)."
    case .notCoreData(let path, let why):
      "\(path) is not a Core Data store: \(why)."
    case .modelDoesNotFit(let path, let version, let differences):
      "No version of the model fits the Core Data store \(path)."
        + " \(version.map { "The nearest is \($0)" } ?? "It is the wrong one"): \(differences.joined(separator: "; "))."
    case .missing(let path):
      "There is no store at \(path)."
    case .modelNeeded(let path):
      "The store \(path) does not exist yet, so a model is needed to create it."
    case .modelChanged(let path, let differences):
      "The model differs from the one in the store \(path). Nothing was changed. What differs:"
        + " \(differences.joined(separator: "; "))."
    case .migrationRefused(let path, let plan):
      "The store \(path) is of another version of the model, and cannot be of this one without being told more. Nothing"
        + " was changed.\n" + plan.refused.map { "  \($0)" }.joined(separator: "\n")
    case .migratedByOthers(let path):
      "Another program has given the store \(path) another version of the model. Nothing was changed. Open it again, with"
        + " that version."
    case .newerReadableFormat(let path, let format):
      "The store \(path) was written by a newer version of Broker (format \(format)). It can be read, and not written."
    case .unreadable(let path, let why):
      "The store \(path) cannot be opened: \(why)."
    case .readOnly(let path):
      "The store \(path) is read-only: allow writing to the file and its folder."
    case .locked(let path, let timeout, let holder):
      "\(holder.map { "Others (\($0))" } ?? "Others") have been using the store \(path) for longer than the time to wait,"
        + " \(timeout). Nothing was changed."
    case .changedWhileRead(let path):
      "The store \(path) was changed while it was read, which only who may write it can be kept from. Try again."
    case .mappingAppeared(let path):
      "Another program has just made the store \(path) with a mapping of its own. Nothing was changed. Try again."
    case .basisChanged(let path):
      "Another program has just given the store \(path) another model. Nothing was changed. Try again."
    case .newerFormat(let path, let format):
      "The store \(path) was written by a newer version of Broker (format \(format))."
    case .unknownEntity(let name, let nearest):
      "There is no entity \(name)." + (nearest.map { " Did you mean \($0)?" } ?? "")
    case .unknownProperty(let name, let entity, let nearest):
      "\(entity) has no property \(name)." + (nearest.map { " Did you mean \($0)?" } ?? "")
    case .invalid(let message), .server(_, let message), .uncertainCommit(let message): message
    case .closed: "The store is closed."
    case .suspended(let path):
      "The store \(path) is suspended, as while its app is in the background. Nothing was changed. Resume it first."
    // SQLITE_TOOBIG
    case .sqlite(18, _, _):
      "A value, or the values of an object together, is longer than SQLite takes, which is 1,000,000,000 bytes."
    // SQLITE_CORRUPT, also for a page that the disk does not give.
    case .sqlite(let code, _, _) where code & 0xFF == 11: "\(CorruptFile.words) (SQLite's code \(code))."
    // SQLITE_FULL
    case .sqlite(13, _, _): "The disk is full, so the store could not be written."
    case .sqlite(_, "integer overflow", _): Self.overflow
    case .sqlite(_, let message, _) where FullTextSearch.isCause(of: message): FullTextSearch.isMissing
    case .sqlite(_, let message, _) where message.hasPrefix(StoreFunctions.mark):
      String(message.dropFirst(StoreFunctions.mark.count))
    case .sqlite(let code, let message, _):
      "SQLite: \(message) (code \(code))."
    }
  }

  /// Why there is no sum.
  package static let overflow =
    "A sum of whole numbers is larger than 64 bits hold, so it cannot be told. Sum fewer objects, or make the attribute"
    + " a decimal or a double."
}

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
