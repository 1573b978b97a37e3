#if PostgreSQL
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The connection of a transaction, which a COPY may hold, and what the transaction knows of its tables.
  final class ServerSession {
    let tables: ServerTables
    /// The catalog of where the rows of tables are; nil in a database without the extension.
    private let catalog: CitusCatalog?
    private var staging = StagingTables()
    private var stagingCount = 0
    private let connection: PostgreSQLConnection
    /// Tables that were made in this transaction and have neither keys nor indexes yet. They are empty, or bulk rows were
    /// copied to them.
    private var unkeyed: Set<Int> = []
    /// The same of join tables.
    private var unkeyedJoins: Set<Int> = []
    /// Which tables, and whether the join tables, are known to have had no rows when the transaction began.
    private let beganEmpty: [Bool]
    private let joinsBeganEmpty: Bool
    /// By table, whether it has no rows but those that bulk rows brought; nil while nobody has asked.
    private var fresh: [Bool?]
    /// By table, whether bulk rows were copied straight to it.
    @exclusivity(unchecked) private var hasBulkRows: [Bool]
    private var hasWrittenRows: [Bool]
    /// By join table, whether it was made in this transaction and has no links yet.
    private var joinsAreEmpty: [Bool]
    /// Writes what large batches changed while the next are decided.
    private let pusher = ChangePusher()
    /// The COPY that holds the connection.
    private var copy: PostgreSQLCopyWriter?
    private var copyOwner: ObjectIdentifier?
    private var copyTarget = ""
    /// The indexes that are known to keep hashes.
    private var hashIndexes: Set<String> = []
    private var lender: ServerSession?
    /// The beginning of the names of its cursors.
    private(set) var cursorPrefix = "broker_cursor"
    private let locks: ServerLocks?
    private var locked: Set<Int>
    private var hasHistory = false
    /// The changes for observers of the store. Not checked for overlapping access, since every row passes here and
    /// no function of it calls out.
    @exclusivity(unchecked) var changes: TransactionChanges
    var sizes = WriteSizes()

    /// - Parameters:
    ///   - tablesAreNew: Whether the transaction made the tables, which nobody else sees then.
    ///   - isObserved: Whether observers want to know all objects that are changed.
    init(
      _ connection: PostgreSQLConnection, _ tables: ServerTables, _ locks: ServerLocks?,
      catalog: CitusCatalog? = nil, tablesAreNew: Bool, isObserved: Bool = false
    ) {
      (self.connection, self.tables, self.locks, self.catalog) = (connection, tables, locks, catalog)
      changes = TransactionChanges(tables: tables.layout.tables.count, keepsAll: isObserved)
      locked = tablesAreNew ? Set(tables.layout.tables.indices) : []
      fresh = Array(repeating: tablesAreNew ? true : nil, count: tables.layout.tables.count)
      hasBulkRows = Array(repeating: false, count: tables.layout.tables.count)
      hasWrittenRows = hasBulkRows
      joinsAreEmpty = Array(repeating: tablesAreNew, count: tables.layout.joins.count)
      beganEmpty = Array(repeating: tablesAreNew, count: tables.layout.tables.count)
      joinsBeganEmpty = tablesAreNew
      if tablesAreNew {
        (unkeyed, unkeyedJoins) = (
          Set(tables.layout.tables.indices), Set(tables.layout.joins.indices)
        )
      }
    }

    // MARK: - The connection

    /// Lends its connection from another session of the same transaction, whose COPY ends when this one needs it.
    func share(connectionOf other: ServerSession) {
      lender = other
      cursorPrefix = "broker_old_cursor"
    }

    /// The connection, be it held by a COPY or not.
    var link: PostgreSQLConnection { connection }

    /// The connection, once the COPY that holds it has ended, and what a batch changed is written.
    func idle() throws -> PostgreSQLConnection {
      _ = try lender?.idle()
      if !pusher.isCurrentThread { try pusher.wait(passOnCancellation) }
      if let copy {
        (self.copy, copyOwner) = (nil, nil)
        try InsertedRows(in: copyTarget).check(copy.finish(), of: copy.endedRows)
      }
      return connection
    }

    /// The connection, for statements that look for rows of any table.
    func lookingUp() throws -> PostgreSQLConnection {
      for table in unkeyed.sorted() { _ = try lookingUp(in: table) }
      for join in unkeyedJoins.sorted() { _ = try lookingUp(inJoin: join) }
      return try idle()
    }

    /// The connection, for statements that look for rows of one table.
    func lookingUp(in table: Int) throws -> PostgreSQLConnection {
      let connection = try idle()
      guard unkeyed.contains(table) else { return connection }
      _ = try connection.execute(tables.keyStatement(table))
      for index in tables.layout.tables[table].indexes {
        try ServerIndexes(tables: tables, connection: connection).make(index, of: table)
      }
      unkeyed.remove(table)
      return connection
    }

    /// The connection, for statements that look for links.
    func lookingUp(inJoin join: Int) throws -> PostgreSQLConnection {
      let connection = try idle()
      guard unkeyedJoins.contains(join) else { return connection }
      for statement in tables.joinKeyStatements(join) { _ = try connection.execute(statement) }
      unkeyedJoins.remove(join)
      return connection
    }

    /// A COPY that goes on until the connection is needed for something else: the one that is open, if it is the owner's.
    func copying(for owner: AnyObject, to target: String) throws -> PostgreSQLCopyWriter {
      if let copy, copyOwner == ObjectIdentifier(owner) { return copy }
      let writer = try idle().copyIn("COPY \(target) FROM STDIN (FORMAT binary)")
      (copy, copyOwner, copyTarget) = (writer, ObjectIdentifier(owner), target)
      return writer
    }

    /// Runs statements on a thread of their own, which has the connection meanwhile.
    func push(_ statements: @escaping () throws -> Void) throws {
      _ = try idle()
      pusher.begin(statements)
    }

    /// Tells the thread that pushes of a cancellation, which shows on the thread of the transaction only.
    private func passOnCancellation() {
      if let pending = locks?.pending, pending.isCancelled { pending.cancel() }
    }

    /// Ends what has the connection, since nothing more is written.
    func end() {
      abandonCopy()
      pusher.end()
    }

    /// Ends the COPY that holds the connection, if there is one.
    func endCopy() throws { if copy != nil { _ = try idle() } }

    /// Ends a COPY without what it brought.
    func abandonCopy() {
      if !pusher.isCurrentThread { pusher.abandon(passOnCancellation) }
      copy?.abort("the import failed")
      (copy, copyOwner) = (nil, nil)
    }

    /// Has indexes keep hashes that one of the texts is too long for which are about to be written.
    ///
    /// - Parameter length: The bytes of a row's value in a column.
    func makeRoom<Row>(
      inIndexesOf table: Int, for rows: some Sequence<Row>, _ length: (Row, Int) -> Int
    ) throws {
      guard !unkeyed.contains(table) else { return }
      for (index, columns) in tables.textIndexes[table] where !hashIndexes.contains(index.name) {
        let isTooLong = rows.contains { row in
          columns.reduce(0) { $0 + length(row, $1) } > ValueLimit.longestIdentity
        }
        guard isTooLong else { continue }
        try ServerIndexes(tables: tables, connection: idle()).keepHashes(index, of: table)
        hashIndexes.insert(index.name)
      }
    }

    // MARK: - Conflicts

    /// How often statements are tried that the server ends because of what others write.
    private static let mostAttempts = 4
    /// The state to go back to.
    static let savepoint = "broker_statements"

    private static func isConflict(_ error: any Error) -> Bool {
      let known = (error as? PostgreSQLPipelineError)?.error ?? error as? PostgreSQLError
      return known.map { $0.isDeadlock || $0.isSerializationFailure } ?? false
    }

    /// Runs statements that rows of other programs may stand against, which do not know the locks of ours. Where the server
    /// ends a circle of waits by undoing them, they run again: what they write is still at hand.
    ///
    /// - Parameters:
    ///   - notes: Whether the statements tell what they changed, which is forgotten then.
    ///   - setsSavepoint: Whether the savepoint is set here; otherwise it is the first of the statements.
    func retrying<Result>(
      notes: Bool = true, setsSavepoint: Bool = true, _ body: () throws -> Result
    ) throws -> Result {
      _ = try idle()
      let noted = notes ? changes.mark : nil
      for _ in 1..<Self.mostAttempts {
        if setsSavepoint { _ = try idle().execute("SAVEPOINT \(Self.savepoint)") }
        do {
          let result = try body()
          if setsSavepoint { _ = try idle().execute("RELEASE SAVEPOINT \(Self.savepoint)") }
          return result
        } catch  where Self.isConflict(error) {
          abandonCopy()
          _ = try connection.execute("ROLLBACK TO SAVEPOINT \(Self.savepoint)")
          if let noted { changes.undo(to: noted) }
        }
      }
      return try body()
    }

    // MARK: - Locks

    /// Locks the tables that imports of entities may touch, in one order for all transactions. Returns those that were not
    /// locked before.
    func lock(_ entities: Set<Int>) throws -> Set<Int> {
      guard let locks else { return [] }
      var wanted: Set<Int> = []
      for entity in entities { wanted.formUnion(tables.linked[tables.layout.entities[entity].table]) }
      wanted.subtract(locked)
      guard !wanted.isEmpty else { return [] }
      try locks.take(wanted.sorted().map { tables.layout.tables[$0].name }, idle())
      try checkDistribution()
      locked.formUnion(wanted)
      for table in wanted where !hasBulkRows[table] { fresh[table] = nil }
      return wanted
    }

    /// Sees whether tables are still where they were when the transaction began: whoever distributes them locks them.
    private func checkDistribution() throws {
      guard let catalog, try catalog.distribution() != tables.distribution else { return }
      throw StoreError.invalid(
        "The store's tables were distributed meanwhile, or made local again. Nothing was changed. Try again.")
    }

    func isLocked(_ table: Int) -> Bool { locked.contains(table) }

    /// Locks what all imports write in the end.
    func lockHistory() throws {
      guard let locks, !hasHistory else { return }
      try locks.take(["/history"], idle())
      hasHistory = true
    }

    // MARK: - Staging tables

    /// The name of the staging table for a purpose, which is made if it is not there.
    ///
    /// - Parameter table: The table of the store that its rows go to.
    func staging(
      for purpose: String, _ columns: [StagingTables.Column], beside table: Int
    ) throws -> String {
      let connection = try idle()
      stagingCount += 1
      let (name, statements) = staging.make(
        for: purpose, columns, beside: tables.name(table), tables.placement(table), number: stagingCount,
        process: connection.processID, in: tables.layout)
      for statement in statements { _ = try connection.execute(statement) }
      return name
    }

    /// Drops the staging tables that would stay.
    func dropStaging() throws {
      let connection = try idle()
      if let statement = staging.drop() { _ = try connection.execute(statement) }
    }

    // MARK: - Fresh tables

    /// Whether a table had no rows when the transaction began, and has none now but bulk rows.
    func isFresh(_ table: Int) throws -> Bool {
      if let known = fresh[table] { return known }
      let isEmpty = try idle().query("SELECT 1 FROM \(tables.name(table)) LIMIT 1").count == 0
      fresh[table] = isEmpty
      return isEmpty
    }

    /// Notes that the writer has put rows into a table. If no other entity leads there or from there, the bulk rows know
    /// their keys.
    func noteRows(in table: Int) {
      hasWrittenRows[table] = true
      if !tables.isAlone[table] { fresh[table] = false }
    }

    /// Notes that the bulk rows do not know the keys of a table any more.
    func forgetKeys(of table: Int) { fresh[table] = false }

    /// Notes that another import begins, which does not know the keys of the former.
    func begin() {
      for table in fresh.indices where hasBulkRows[table] || hasWrittenRows[table] { fresh[table] = false }
    }

    func hasBulkRows(in table: Int) -> Bool { hasBulkRows[table] }
    func noteBulkRows(in table: Int) { hasBulkRows[table] = true }
    func noteLinks(in join: Int) { joinsAreEmpty[join] = false }

    /// Whether a table or a join table is known to have no rows, so that nothing need be looked for in it.
    func isEmpty(_ table: Int) -> Bool {
      fresh[table] == true && !hasBulkRows[table] && !hasWrittenRows[table]
    }
    func isEmptyJoin(_ join: Int) -> Bool { joinsAreEmpty[join] }

    /// Whether all rows of a table were written in this transaction, and none of them as a bulk row.
    func hasOnlyWrittenRows(_ table: Int) -> Bool { beganEmpty[table] && !hasBulkRows[table] }
    var hasOnlyWrittenLinks: Bool { joinsBeganEmpty }

    // MARK: - Savepoints

    struct State {
      fileprivate var unkeyed: Set<Int>
      fileprivate var unkeyedJoins: Set<Int>
      fileprivate var fresh: [Bool?]
      fileprivate var joinsAreEmpty: [Bool]
      fileprivate var locked: Set<Int>
      fileprivate var hasHistory: Bool
      fileprivate var changes: TransactionChanges.Mark
      fileprivate var staging: StagingTables
    }

    var savedState: State {
      State(
        unkeyed: unkeyed, unkeyedJoins: unkeyedJoins, fresh: fresh, joinsAreEmpty: joinsAreEmpty,
        locked: locked, hasHistory: hasHistory,
        changes: changes.mark, staging: staging)
    }

    /// Goes back to what was known at a savepoint.
    func restore(_ state: State) {
      (unkeyed, unkeyedJoins, staging) = (state.unkeyed, state.unkeyedJoins, state.staging)
      hashIndexes = []
      // Key sets of tables that were fresh then may have hashes of rows that are gone.
      (fresh, joinsAreEmpty) = (state.fresh, state.joinsAreEmpty)
      // Locks go with the savepoint that they were taken behind.
      (locked, hasHistory) = (state.locked, state.hasHistory)
      changes.undo(to: state.changes)
    }
  }

  /// The rows that a statement was to insert, and those that the server counted.
  struct InsertedRows {
    private let table: String

    /// - Parameter target: The table, as a statement names it; its columns may follow.
    init(in target: String) { table = String(target.split(separator: " (", maxSplits: 1).first ?? "") }

    /// - Throws: ``StoreError`` if the server has kept less rows than it was given, which no table does by itself.
    func check(_ count: Int, of given: Int) throws(StoreError) {
      guard count < given else { return }
      let rows = given == 1 ? "The row that was" : "\(given - count) of \(given) rows that were"
      throw StoreError.invalid(
        "\(rows) written to \(table) did not get there: a trigger or a rule of the table has taken \(given == 1 ? "it" : "them"),"
          + " which a store's tables must not have. Nothing was changed.")
    }
  }

  /// The locks by which writers of a store wait for each other: one for each table, one for making tables, one for the
  /// history. They are the store's own, so that readers and other programs do not wait.
  ///
  /// Whoever takes several takes them in the order of the model's tables, and that of the history last. So no two writers
  /// wait for each other.
  struct ServerLocks {
    let address: DatabaseAddress
    /// How long the access waits, and whom it tells.
    let pending: AccessRequest

    /// Takes locks, one after another.
    ///
    /// - Throws: ``StoreError`` that says who has one of them if the wait was too long; `CancellationError`.
    func take(_ keys: [String], _ connection: PostgreSQLConnection) throws {
      let all = keys.map { "broker:\(address.schema):\($0)" }.joined(separator: "\u{1}")
      while try !take(all, connection) {
        let holder = try holder(of: all, connection)
        guard pending.waitsOn(for: holder) else { return try pending.checkWait(for: address.shown, holder) }
      }
    }

    /// The lock of the tables themselves.
    func takeThatOfTables(_ connection: PostgreSQLConnection) throws { try take([""], connection) }

    /// Sees, once a lock was taken, whether the server keeps it: some have the functions, and they do nothing.
    ///
    /// - Throws: ``StoreError`` if it does not.
    func checkLocks(_ connection: PostgreSQLConnection) throws {
      let isKept = try connection.query(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid())"
      ).value { try $0.bool() }
      guard !isKept else { return }
      throw StoreError.invalid(
        "The server of \(address.shown) is none that can keep a store: its advisory locks do nothing, so that two imports"
          + " could write the same objects. Nothing was changed. broker doctor says what else it lacks.")
    }

    /// Waits for locks until they are there. False if it was time to look whom they are waited for, or whether to go on;
    /// then none of them was taken.
    private func take(_ keys: String, _ connection: PostgreSQLConnection) throws -> Bool {
      guard let wait = pending.nextMoment else {
        _ = try connection.query(prepared: Self.statement, .text(keys))
        return true
      }
      _ = try connection.execute("SAVEPOINT broker_lock; SET LOCAL lock_timeout = \(Self.milliseconds(wait))")
      do {
        _ = try connection.expectingAnswer(within: wait + Self.grace) {
          try connection.query(prepared: Self.statement, .text(keys))
        }
      } catch let error as PostgreSQLError where error.isLockTimeout {
        _ = try connection.execute("ROLLBACK TO SAVEPOINT broker_lock; RELEASE SAVEPOINT broker_lock")
        return false
      }
      _ = try connection.execute("SET LOCAL lock_timeout = DEFAULT; RELEASE SAVEPOINT broker_lock")
      return true
    }

    /// How much longer than a lock is waited for the server may take to say so.
    static let grace = Duration.seconds(5)

    /// A time as the server's settings have it, where 0 would be for ever.
    static func milliseconds(_ time: Duration) -> Int64 {
      max(1, time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000)
    }

    /// The numbers of the locks, in their order.
    private static let numbers =
      "SELECT hashtextextended(key, 0) AS number FROM unnest(string_to_array($1, E'\\x01')) AS key"
    private static let statement = "SELECT pg_advisory_xact_lock(number) FROM (\(numbers) OFFSET 0) AS locks"

    /// The holder of one of some locks; nil if that is not known.
    private func holder(of keys: String, _ connection: PostgreSQLConnection) throws -> String? {
      try ServerProcess.holder(
        ofLockWhere: """
          l.locktype = 'advisory' AND l.objsubid = 1
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (l.classid::bigint << 32) | l.objid::bigint IN (\(Self.numbers))
          """, keys, connection)
    }
  }

  /// How much is written to a server at once.
  package struct WriteSizes: Sendable {
    /// How large batches are as long as their rows go in bulk: the statements are about all of them.
    package var batch = BatchSize()
    /// How large batches are in which all has to be decided here: some thousand rows, so that each statement is worth its
    /// journey. Twice as many took no less time, and 18 MB more, half as many 9 MB less (departments with employees and
    /// skills).
    package var ruledBatch = BatchSize(bytes: 1 << 20, cells: 1 << 16)
    /// From how many changes on a batch is written by a statement for each table.
    package var changesTogether = 200
    /// From how many changes on they are pushed by another thread, while the next batch is decided.
    package var changesBeside = 2_000

    package init() {}
  }
#endif
