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

  /// What would help.
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

  /// What would have to be decided, if the store was made for another version of the model.
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
