#if PostgreSQL
  import CLibPQ

  /// A connection to a PostgreSQL server.
  ///
  /// `@unchecked Sendable`: it is not bound to a thread, but one thread at a time may use it. Its owner, a pool
  /// or a transaction, sees to that. Only `cancelHandle` may be used by other threads meanwhile.
  package final class PostgreSQLConnection: @unchecked Sendable {
    /// Something that runs over several calls. No other statement can begin before it ends.
    enum Activity {
      case none, rows, copyIn, copyOut, pipeline
    }

    /// libpq's connection, `nil` when closed.
    private(set) var handle: OpaquePointer?
    var activity = Activity.none {
      didSet { if activity == .none { tellRunning() } }
    }
    /// Called with each statement that has ended, and how long it took.
    package var onStatement: ((String, Duration) -> Void)?
    /// The statement that goes on over several calls, and when it began, if somebody wants to know.
    private var running: (sql: String, start: ContinuousClock.Instant)?
    /// True while a cancelled statement is being ended: waits do not ask `isCancelled` then.
    var isEnding = false
    /// When the end of a cancelled statement is given up.
    var endingDeadline: ContinuousClock.Instant?
    /// The ends of pipelines that were sent and not answered yet.
    var pendingSyncs = 0
    let notices: NoticeList
    let statements = StatementCache()
    /// For the values of statements that are given as `PostgreSQLValue`.
    let parameters = PostgreSQLParameters()

    /// Asked before every wait and about every 50 ms in one. When it says true, the statement is cancelled on
    /// the server and the call throws `CancellationError`. A statement outside of a transaction, and a COMMIT,
    /// may have taken effect just before.
    package var isCancelled: () -> Bool
    package let cancelHandle: PostgreSQLCancelHandle

    /// A check that is made while the server sends nothing.
    package struct SilenceCheck {
      /// The time between two checks.
      var interval: Duration
      /// Throws where the answer is to be waited for no longer. It is told for how long the server has sent nothing, and how
      /// to find out whether the caller waits still.
      var check: (Duration, _ isCancelled: @escaping () -> Bool) throws -> Void

      package init(
        every interval: Duration,
        _ check: @escaping (Duration, _ isCancelled: @escaping () -> Bool) throws -> Void
      ) {
        (self.interval, self.check) = (interval, check)
      }
    }

    /// Runs a statement of one call, and tells how long it took.
    func timed<Result>(_ sql: String, _ body: () throws -> Result) rethrows -> Result {
      guard let onStatement else { return try body() }
      let start = ContinuousClock.now
      defer { onStatement(sql, .now - start) }
      return try body()
    }

    /// Notes a statement that goes on until there is no activity.
    func noteRunning(_ sql: String) {
      if onStatement != nil { running = (sql, .now) }
    }

    private func tellRunning() {
      guard let statement = running else { return }
      running = nil
      onStatement?(statement.sql, .now - statement.start)
    }

    /// Asked while a statement is waited for; nil where that may take for ever. When it throws, the connection is closed.
    package var silenceCheck: SilenceCheck?
    /// The time in which statements have to be answered, and its end.
    var answerLimit: (time: Duration, end: ContinuousClock.Instant)?

    /// Runs statements that the server has to answer in time. When it does not, the connection is closed.
    ///
    /// - Throws: An error with `isConnectionLost` after that time; what `body` throws.
    package func expectingAnswer<Result>(within time: Duration, _ body: () throws -> Result) throws -> Result
    {
      answerLimit = (time, .now + time)
      defer { answerLimit = nil }
      return try body()
    }

    /// How long opening it might take, and so the first answer to a statement; nil for any time.
    package let openingTime: Duration?

    private var knownProcess: Int32?

    /// Notes which process serves this connection, where a pooler stands between and tells another number.
    package func noteProcess(_ process: Int32) { knownProcess = process }

    init(
      handle: OpaquePointer, cancelHandle: PostgreSQLCancelHandle, notices: NoticeList,
      openingTime: Duration?,
      isCancelled: @escaping () -> Bool
    ) {
      self.openingTime = openingTime
      self.handle = handle
      self.cancelHandle = cancelHandle
      self.notices = notices
      self.isCancelled = isCancelled
    }

    deinit { close() }

    /// Closes the connection. The server rolls back a transaction that is open.
    package func close() {
      guard let handle else { return }
      PQfinish(handle)
      self.handle = nil
    }

    /// The connection was closed or lost, or its state is unknown: nothing can be executed any more.
    package var isBroken: Bool {
      guard let handle else { return true }
      return PQstatus(handle) != CONNECTION_OK
    }

    /// libpq's connection.
    /// - Throws: An error with `isConnectionLost` when the connection is closed.
    func open() throws -> OpaquePointer {
      guard let handle else { throw PostgreSQLError.lost("the connection to the server is closed") }
      return handle
    }

    // MARK: - Facts

    /// The process of the server that serves this connection, as in `pg_stat_activity`.
    package var processID: Int32 { knownProcess ?? handle.map { PQbackendPID($0) } ?? 0 }

    /// A parameter that the server reports: `server_encoding`, `TimeZone`, `in_hot_standby` and others.
    package func parameter(_ name: String) -> String? {
      handle.flatMap { PQparameterStatus($0, name) }.map { String(cString: $0) }
    }

    /// Where the connection stands in a transaction.
    package enum TransactionStatus: Sendable {
      case idle, executing, inTransaction, inFailedTransaction, unknown
    }

    package var transactionStatus: TransactionStatus {
      guard let handle else { return .unknown }
      switch PQtransactionStatus(handle) {
      case PQTRANS_IDLE: return .idle
      case PQTRANS_ACTIVE: return .executing
      case PQTRANS_INTRANS: return .inTransaction
      case PQTRANS_INERROR: return .inFailedTransaction
      default: return .unknown
      }
    }

    /// Removes and returns the notices since the last call, at most the latest 100.
    package func takeNotices() -> [PostgreSQLNotice] { notices.takeAll() }
  }

  /// A message that another session sent with NOTIFY.
  package struct PostgreSQLNotification: Sendable, Equatable {
    package var channel: String
    package var payload: String
    /// The process of the server that served the sender.
    package var processID: Int32
  }

  extension PostgreSQLConnection {
    /// Removes and returns the notifications that have arrived. It does not wait.
    package func takeNotifications() throws -> [PostgreSQLNotification] {
      let handle = try open()
      guard PQconsumeInput(handle) == 1 else { throw callError() }
      var notifications: [PostgreSQLNotification] = []
      while let notification = PQnotifies(handle) {
        notifications.append(
          PostgreSQLNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra), processID: notification.pointee.be_pid))
        PQfreemem(notification)
      }
      return notifications
    }

    /// Waits for notifications of the channels that `LISTEN` named.
    /// - Returns: An empty list after the timeout.
    package func waitForNotifications(timeout: Duration) throws -> [PostgreSQLNotification] {
      guard activity == .none else { throw PostgreSQLError.misuse("another statement has not ended") }
      let deadline = ContinuousClock.now + timeout
      while true {
        let notifications = try takeNotifications()
        guard notifications.isEmpty else { return notifications }
        // Nothing runs on the server: there is nothing to cancel on it.
        guard try !wait(for: .readable, until: deadline).isEmpty else { return [] }
      }
    }
  }

  /// A warning or another message of the server that is no error.
  package struct PostgreSQLNotice: Sendable, Equatable {
    package var sqlState: String?
    package var message: String
  }

  /// The latest notices of a connection. libpq's callback appends to it while the connection reads.
  final class NoticeList {
    /// More than this many are not kept: a statement can raise one for each row.
    static let limit = 100
    private(set) var notices: [PostgreSQLNotice] = []

    func append(_ notice: PostgreSQLNotice) {
      if notices.count >= Self.limit { notices.removeFirst() }
      notices.append(notice)
    }

    func takeAll() -> [PostgreSQLNotice] {
      defer { notices = [] }
      return notices
    }
  }
#endif
