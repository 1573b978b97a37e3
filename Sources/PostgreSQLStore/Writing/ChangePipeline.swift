#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// Writes a few changes, each by a prepared statement, without waiting for the answers in between.
  final class ChangePipeline {
    private let session: ServerSession
    private let columns: ChangeColumns
    private var steps: [Step] = []

    private struct Step {
      var statement: PostgreSQLStatement
      var parameters: PostgreSQLParameters
      /// The table that the statement inserts one row into; nil for other statements.
      var target: String?
    }

    init(_ session: ServerSession) {
      (self.session, columns) = (session, ChangeColumns(tables: session.tables))
    }

    /// - Parameter isOneStep: Whether a savepoint is set before, and released afterwards.
    func write(
      _ tableChanges: [ServerChanges.TableChanges], _ joinChanges: [ServerChanges.JoinChanges],
      _ waiting: ServerChanges.WaitingChanges, isOneStep: Bool = false
    ) throws {
      // Statements are prepared before the first is sent.
      let (tables, joins) = (session.tables, session.tables.layout.joins)
      for (table, changes) in tableChanges.enumerated() {
        try delete(changes.deleted, table)
      }
      for (join, changes) in joinChanges.enumerated() {
        try delete(changes.deleted.map(\.link), ofJoin: join)
      }
      for row in waiting.deleted {
        try add("DELETE FROM \(session.tables.pending) WHERE broker_row = $1", [.int8]) {
          $0.append(int8: row)
        }
      }
      for (table, changes) in tableChanges.enumerated() {
        for group in changes.updated.groups { try update(group, table) }
        for (row, object) in changes.inserted {
          try insert(into: tables.name(table), columns.names(of: table), columns.types(of: table)) {
            try columns.append(row, object, of: table, to: $0)
          }
        }
      }
      for (join, changes) in joinChanges.enumerated() {
        for (_, link) in changes.inserted {
          try insert(
            into: joins[join].sqlName, columns.names(ofJoin: join), columns.types(ofJoin: join)
          ) {
            try columns.append(link, of: join, to: $0)
          }
        }
      }
      for (row, link) in waiting.inserted {
        try insert(into: session.tables.pending, ChangeColumns.waitingNames, ChangeColumns.waitingTypes) {
          try columns.append(row, link, to: $0)
        }
      }
      if isOneStep { try addSavepoint() }
      var missing: String?
      do {
        try session.idle().pipeline { pipeline in
          for step in steps { try pipeline.send(step.statement, step.parameters) }
          try pipeline.sync { index, rows in
            if missing == nil, let target = steps[index].target, rows.affectedRows < 1 { missing = target }
          }
        }
      } catch var failure as PostgreSQLPipelineError where steps.indices.contains(failure.index) {
        // The server does not name the table of a row that it has no room for.
        if failure.error.isTooLong, failure.error.table == nil {
          failure.error.table = steps[failure.index].target
        }
        throw failure
      }
      if let missing { try InsertedRows(in: missing).check(0, of: 1) }
    }

    /// With the changes, so that nothing is waited for in between.
    private func addSavepoint() throws {
      let none = PostgreSQLParameters()
      let connection = try session.idle()
      func step(_ sql: String) throws -> Step {
        Step(statement: try connection.prepare(sql), parameters: none)
      }
      steps.insert(try step("SAVEPOINT \(ServerSession.savepoint)"), at: 0)
      steps.append(try step("RELEASE SAVEPOINT \(ServerSession.savepoint)"))
    }

    private func add(
      _ sql: String, _ types: [PostgreSQLType], insertingInto target: String? = nil,
      _ bind: (PostgreSQLParameters) throws -> Void
    ) throws {
      let parameters = PostgreSQLParameters()
      try bind(parameters)
      steps.append(
        Step(statement: try session.idle().prepare(sql, types), parameters: parameters, target: target))
    }

    private func delete(_ rows: [(row: Int64, object: StoredRow)], _ table: Int) throws {
      guard !rows.isEmpty else { return }
      let tables = session.tables
      let sql = "DELETE FROM \(tables.name(table)) WHERE \(tables.rowColumn(table)) = $1"
      guard let shard = columns.shardColumn(of: table) else {
        for (row, _) in rows { try add(sql, [.int8]) { $0.append(int8: row) } }
        return
      }
      let (form, name) = (tables.forms[table][shard], tables.layout.tables[table].columns[shard].name)
      for (row, object) in rows {
        try add("\(sql) AND \(SQL.quoted(name)) = $2", [.int8, form.type]) {
          $0.append(int8: row)
          try form.append(object.values[shard], to: $0)
        }
      }
    }

    private func delete(_ links: [JoinLink], ofJoin join: Int) throws {
      guard !links.isEmpty else { return }
      let described = session.tables.layout.joins[join]
      let conditions = described.keyColumns.enumerated().map { "\(SQL.quoted($1.name)) = $\($0 + 1)" }
      let sql = "DELETE FROM \(described.sqlName) WHERE \(conditions.joined(separator: " AND "))"
      let forms = session.tables.joinForms[join]
      for link in links {
        try add(sql, forms.map(\.type)) {
          for (form, value) in zip(forms, link.key) { try form.append(value, to: $0) }
        }
      }
    }

    private func insert(
      into table: String, _ names: [String], _ types: [PostgreSQLType],
      _ bind: (PostgreSQLParameters) throws -> Void
    ) throws {
      let places = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      try add(
        "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))", types,
        insertingInto: table, bind)
    }

    private func update(_ group: RowUpdates.Group, _ table: Int) throws {
      let (tables, replaced) = (session.tables, group.columns)
      let described = tables.layout.tables[table].columns
      let values = replaced.enumerated().map { "\(SQL.quoted(described[$1].name)) = $\($0 + 1)" }
      var condition = "\(tables.rowColumn(table)) = $\(replaced.count + 1)"
      let shard = columns.shardColumn(of: table)
      if let shard { condition += " AND \(SQL.quoted(described[shard].name)) = $\(replaced.count + 2)" }
      let forms = tables.forms[table]
      let sql = "UPDATE \(tables.name(table)) SET \(values.joined(separator: ", ")) WHERE \(condition)"
      let types = replaced.map { forms[$0].type } + [.int8] + (shard.map { [forms[$0].type] } ?? [])
      for (row, object) in group.rows {
        try add(sql, types) {
          for column in replaced { try forms[column].append(object.values[column], to: $0) }
          $0.append(int8: row)
          if let shard { try forms[shard].append(object.values[shard], to: $0) }
        }
      }
    }
  }

  /// A thread that writes what one batch changed while the next is decided.
  ///
  /// The thread has the connection until it is done, and any other use of the connection waits for that. All state is guarded by the
  /// condition's lock.
  final class ChangePusher: @unchecked Sendable {
    private let condition = NSCondition()
    private var thread: Thread?
    private var work: (() throws -> Void)?
    private var isWorking = false
    private var failure: (any Error)?
    private var isEnding = false

    /// How often a wait looks whether it was cancelled.
    private static let interval: TimeInterval = 0.05

    /// Whether this is the thread itself.
    var isCurrentThread: Bool {
      condition.lock()
      defer { condition.unlock() }
      return thread.map { $0 === Thread.current } ?? false
    }

    /// Begins to do something. What was begun before must be done.
    func begin(_ work: @escaping () throws -> Void) {
      condition.lock()
      defer { condition.unlock() }
      self.work = work
      condition.broadcast()
      guard thread == nil else { return }
      let made = Thread { [self] in run() }
      made.stackSize = 1 << 20
      thread = made
      made.start()
    }

    private func run() {
      condition.lock()
      defer { condition.unlock() }
      while true {
        while work == nil, !isEnding { condition.wait() }
        guard let current = work.take() else { return }
        isWorking = true
        condition.unlock()
        let result = Self.result(of: current)
        condition.lock()
        if case .failure(let error) = result { failure = error }
        isWorking = false
        condition.broadcast()
      }
    }

    /// Does something, and gives the memory back that it holds.
    private static func result(of work: consuming @escaping () throws -> Void) -> Result<Void, any Error> {
      Result { try work() }
    }

    /// Waits until all is done. Throws the error that it ended with, each time it is called.
    ///
    /// - Parameter look: Called now and then meanwhile.
    func wait(_ look: () -> Void) throws {
      condition.lock()
      defer { condition.unlock() }
      finish(look)
      if let failure { throw failure }
    }

    /// Waits until it is done, be that with an error or not, and forgets the error.
    func abandon(_ look: () -> Void) {
      condition.lock()
      defer { condition.unlock() }
      finish(look)
      failure = nil
    }

    private func finish(_ look: () -> Void) {
      while work != nil || isWorking {
        if !condition.wait(until: Date(timeIntervalSinceNow: Self.interval)) {
          condition.unlock()
          look()
          condition.lock()
        }
      }
    }

    /// Ends the thread, which has nothing to do any more.
    func end() {
      condition.lock()
      isEnding = true
      condition.broadcast()
      condition.unlock()
    }
  }
#endif
