#if PostgreSQL
  import Bytes
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  package import UnitOfWork

  /// Copies bulk rows to the server: straight to fresh tables, else to staging tables, from where one statement for all
  /// of them finds which are new and which differ.
  package final class ServerBulkRows: BulkRows {
    let session: ServerSession
    private let stored: ServerRows
    private var known: [Int: BulkTable] = [:]
    private var count = 0
    /// The one that was asked for last.
    private var last: BulkTable?
    var results = BulkResults()

    init(_ session: ServerSession, _ stored: ServerRows) {
      (self.session, self.stored) = (session, stored)
    }

    private func table(_ entity: BulkEligibility) -> BulkTable {
      if let last, last.entity === entity { return last }
      if let known = known[entity.layout.entity.index], known.entity === entity {
        last = known
        return known
      }
      count += 1
      let made = BulkTable(entity, session.tables, number: count)
      (known[entity.layout.entity.index], last) = (made, made)
      return made
    }

    /// Forgets what another import brought.
    func begin() {
      session.begin()
      (known, last, results) = ([:], nil, BulkResults())
    }

    package func isWorthwhile(_ records: Range<Int>, of batch: borrowing RowBatch) -> Bool {
      if records.count >= session.sizes.changesTogether { return true }
      if known.values.contains(where: { $0.staged > 0 || $0.hasUncheckedRows }) { return true }
      // After a batch that is full of few large records, more will come.
      return records.count == batch.roots.count
        && session.sizes.batch.isReached(bytes: 2 * batch.bytes.count, cells: 2 * batch.cells.count)
    }

    package func mayTake(_ entity: BulkEligibility) throws -> Bool {
      let table = table(entity)
      // Of others, it does not show which key a row of the table has.
      if session.changes.keepsAll, !table.keyIsRow { return false }
      if table.staged == 0 { table.isDirect = try session.isFresh(table.table) }
      return true
    }

    package func avoid(_ row: Int, of batch: borrowing RowBatch, _ entity: BulkEligibility) throws {
      let table = table(entity)
      if let key = table.key(row, batch) { _ = table.keys.insert(key) }
    }

    package func take(
      _ row: Int, of batch: borrowing RowBatch, _ entity: BulkEligibility
    ) throws -> BulkOutcome {
      let table = table(entity)
      if table.keys.size >= Self.mostKeys { try makeRoom(table) }
      guard table.fitsIntoIndexes(row, batch) else { return .refused }
      guard let key = table.key(row, batch), table.keys.insert(key) else { return .refused }
      let number =
        try table.keyIsRow
        ? batch[row, entity.layout.keySlots[0]].integerValue : stored.nextNumber(in: table.table)
      guard table.isDirect else { return try stage(row, number, of: batch, table) }
      let writer = try session.copying(for: table, to: table.direct)
      session.noteBulkRows(in: table.table)
      writer.beginRow()
      if !table.keyIsRow { writer.append(int8: number) }
      guard try table.append(row, batch, to: writer) else { return .refused }
      try writer.endRow()
      table.hasUncheckedRows = true
      if !table.keyIsRow { stored.useNumber(in: table.table) }
      note(.insert, number, table)
      return .inserted(number)
    }

    /// How many entries of keys are kept.
    private static let mostKeys = 1 << 24

    /// Forgets the keys of a table. What it holds has to be compared from now on.
    private func makeRoom(_ table: BulkTable) throws {
      if table.staged > 0 { try settleStaged(table) }
      _ = try session.idle()
      session.forgetKeys(of: table.table)
      table.isDirect = false
      table.keys.removeAll()
    }

    private func stage(
      _ row: Int, _ number: Int64, of batch: borrowing RowBatch, _ table: BulkTable
    ) throws -> BulkOutcome {
      if !table.hasStaging { try makeStaging(table) }
      let writer = try session.copying(for: table, to: table.staging)
      let cells = batch.cells.base + batch.rows.base[row].firstCell
      var present: UInt64 = 0
      for slot in 0..<table.forms.count where cells[slot].isPresent { present |= 1 << slot }
      writer.beginRow()
      writer.append(int8: Int64(bitPattern: present))
      writer.append(int8: number)
      guard try table.append(row, batch, to: writer) else { return .refused }
      try writer.endRow()
      session.noteBulkRows(in: table.table)
      if table.staged == 0 { table.firstStaged = number }
      table.staged += 1
      table.inAll &= present
      table.inAny |= present
      if !table.keyIsRow { stored.useNumber(in: table.table) }
      return table.keyIsRow ? .taken(number) : .takenWithoutNumber
    }

    private func makeStaging(_ table: BulkTable) throws {
      table.staging = try session.staging(
        for: table.purpose, table.stagingColumns(session.tables), beside: table.table)
    }

    // MARK: - For observers

    /// Notes a row, whose number is its key or not known to be one.
    func note(_ operation: ChangeOperation, _ number: Int64, _ table: BulkTable) {
      if table.keyIsRow, session.changes.hasRoom(for: 1) {
        let entity = table.entity.layout.entity.index
        session.changes.add(operation, .integer(number), entity: entity, table: table.table)
      } else {
        session.changes.add(operation, times: 1, table: table.table)
      }
    }

    // MARK: - Settling

    package func settle(checksReferences: Bool) throws {
      for table in known.values.sorted(by: { $0.table < $1.table }) {
        if table.staged > 0 { try settleStaged(table) }
      }
      try session.endCopy()
      guard checksReferences else { return }
      for table in known.values where table.hasUncheckedRows {
        table.hasUncheckedRows = false
        try noteMissingTargets(of: table, staged: false)
      }
    }

    package func takeResults() -> BulkResults {
      defer { results = BulkResults() }
      return results
    }

    /// Forgets the staging tables, since they went with a savepoint.
    func forgetStaging() {
      for table in known.values {
        table.staging = ""
        table.forgetStaged()
      }
    }
  }

  /// The settling of staged rows: those that differ from the server's update these, and those that are not there are
  /// inserted. Rows that do not differ are not touched, so that an import that changes nothing writes nothing.
  extension ServerBulkRows {
    func settleStaged(_ table: BulkTable) throws {
      let before = results
      try session.retrying {
        results = before
        try apply(table)
      }
      table.forgetStaged()
    }

    private func apply(_ table: BulkTable) throws {
      let connection = try session.lookingUp(in: table.table)
      var found = Found()
      if table.keyIsRow {
        try noteChanged(table, &found, connection)
      } else {
        try noteAll(table, &found, connection)
      }
      if !found.updated.isEmpty { try update(found.updated, table, connection) }
      if !found.inserted.isEmpty { try insert(found.inserted, table, connection) }
      try noteMissingTargets(of: table, staged: true)
      _ = try connection.execute("TRUNCATE \(table.staging)")
    }

    /// The staged rows by their `r`.
    private struct Found {
      var updated: [Int64] = []
      var inserted: [Int64] = []
    }

    /// Finds out what becomes of rows whose number is their key.
    private func noteChanged(
      _ table: BulkTable, _ found: inout Found, _ connection: PostgreSQLConnection
    ) throws {
      let entity = table.entity.layout.entity.index
      let updated = try updateIfMost(table, connection) { row, _ in
        note(.update, row, table)
        results.changes.append((row, entity, false))
      }
      guard updated < table.staged else { return }
      let stream = try connection.stream(comparison(table))
      while try stream.next() {
        let row = try stream.field(0).int8()
        let isNew = stream.field(1).isNull
        if isNew { found.inserted.append(row) } else { found.updated.append(row) }
        self.note(isNew ? .insert : .update, row, table)
        results.changes.append((row, entity, isNew))
      }
    }

    /// Finds out what becomes of rows whose number is not known.
    private func noteAll(
      _ table: BulkTable, _ found: inout Found, _ connection: PostgreSQLConnection
    ) throws {
      let (entity, first) = (table.entity.layout.entity.index, table.firstStaged)
      var outcomes = Array(
        repeating: (row: Int64(0), outcome: WriteCounter.Outcome.unchanged), count: table.staged)
      let updated = try updateIfMost(table, connection) { staged, row in
        guard outcomes.indices.contains(Int(staged - first)) else { return }
        outcomes[Int(staged - first)] = (row, .updated)
      }
      let stream = updated < table.staged ? try connection.stream(comparison(table)) : nil
      while try stream?.next() ?? false, let stream {
        let (staged, row) = (try stream.field(0).int8(), stream.field(1))
        guard outcomes.indices.contains(Int(staged - first)),
          outcomes[Int(staged - first)].outcome != .updated
        else { continue }
        if row.isNull {
          found.inserted.append(staged)
          outcomes[Int(staged - first)] = (staged, .inserted)
          continue
        }
        let differs = try stream.field(2).bool()
        if differs { found.updated.append(staged) }
        outcomes[Int(staged - first)] = (try row.int8(), differs ? .updated : .unchanged)
      }
      session.changes.add(.insert, times: found.inserted.count, table: table.table)
      session.changes.add(.update, times: found.updated.count + updated, table: table.table)
      for outcome in outcomes { results.rows.append((outcome.row, entity, outcome.outcome)) }
    }

    // MARK: - Statements

    private func name(_ slot: Int, _ table: BulkTable) -> String {
      let described = session.tables.layout.tables[table.table]
      return SQL.quoted(described.columns[table.entity.layout.slots[slot]].name)
    }

    private func matches(_ table: BulkTable) -> String {
      table.entity.layout.keySlots.map { "t.\(name($0, table)) = s.\(table.column($0))" }
        .joined(separator: " AND ")
    }

    /// The slots that an update may change.
    private func changeable(_ table: BulkTable) -> [Int] {
      table.forms.indices.filter {
        !table.entity.layout.keySlots.contains($0) && table.inAny & 1 << $0 != 0
      }
    }

    private func isInAll(_ slot: Int, _ table: BulkTable) -> Bool { table.inAll & 1 << slot != 0 }

    /// Whether a staged row says anything else than the table's.
    private func difference(_ table: BulkTable) -> String {
      let conditions = changeable(table).map { slot in
        var (own, new) = ("t.\(name(slot, table))", "s.\(table.column(slot))")
        // 1.0 and 1.00 are one number and two values.
        if table.forms[slot] == .decimal { (own, new) = (own + "::text", new + "::text") }
        let differs = "\(own) IS DISTINCT FROM \(new)"
        return isInAll(slot, table) ? differs : "(s.p & \(1 << slot) <> 0 AND \(differs))"
      }
      return conditions.isEmpty ? "false" : conditions.joined(separator: " OR ")
    }

    private func comparison(_ table: BulkTable) -> String {
      let (row, target) = (session.tables.rowColumn(table.table), session.tables.name(table.table))
      let join = "FROM \(table.staging) s LEFT JOIN \(target) t ON \(matches(table))"
      guard table.keyIsRow else {
        return "SELECT s.r, t.\(row), coalesce(\(difference(table)), true) \(join)"
      }
      return "SELECT s.r, t.\(row) \(join) WHERE t.\(row) IS NULL OR \(difference(table))"
    }

    // MARK: - Where most rows differ

    /// How many rows are looked at.
    private static let sample = 200

    /// Whether most of the first staged rows differ from the table's.
    private func differsMostly(_ table: BulkTable, _ connection: PostgreSQLConnection) throws -> Bool {
      guard table.staged >= session.sizes.changesTogether * 25,
        session.tables.placement(table.table) == .local
      else {
        return false
      }
      let (row, target) = (session.tables.rowColumn(table.table), session.tables.name(table.table))
      let count = try connection.query(
        """
        SELECT count(*) FROM (SELECT * FROM \(table.staging) LIMIT \(Self.sample)) s JOIN \(target) t ON \(matches(table))
        WHERE t.\(row) IS NOT NULL AND (\(difference(table)))
        """
      ).value { try $0.int8() }
      return Int(count) * 2 > min(Self.sample, table.staged)
    }

    /// If most rows differ, updates all that do. To compare all before is worth it only where few differ.
    ///
    /// - Parameter body: Called for each, with its `r` and the number of its row.
    /// - Returns: How many there were.
    private func updateIfMost(
      _ table: BulkTable, _ connection: PostgreSQLConnection, _ body: (Int64, Int64) -> Void
    ) throws -> Int {
      guard try differsMostly(table, connection) else { return 0 }
      let row = table.keyIsRow ? "" : ", t.\(session.tables.rowColumn(table.table))"
      let stream = try connection.stream(
        "\(assignment(table)) WHERE \(matches(table)) AND (\(difference(table))) RETURNING s.r\(row)")
      var count = 0
      while try stream.next() {
        let staged = try stream.field(0).int8()
        body(staged, table.keyIsRow ? staged : try stream.field(1).int8())
        count += 1
      }
      return count
    }

    /// Whether it is worth to name the rows that a statement is about.
    private func areFew(_ rows: [Int64], _ table: BulkTable) -> Bool { rows.count * 4 < table.staged }

    /// The beginning of a statement that gives rows the staged values.
    ///
    /// - Parameter few: How many staged rows the first argument lists, if it is about them only.
    private func assignment(_ table: BulkTable, few: Int? = nil) -> String {
      let values = changeable(table).map { slot in
        let (own, new) = (name(slot, table), "s.\(table.column(slot))")
        return isInAll(slot, table)
          ? "\(own) = \(new)" : "\(own) = CASE WHEN s.p & \(1 << slot) <> 0 THEN \(new) ELSE t.\(own) END"
      }
      let target = session.tables.name(table.table)
      var source = table.staging
      // The limit tells the server how many there are. It would reckon with half of all and read the whole table.
      if let few { source = "(SELECT * FROM \(source) s WHERE \(isOne(table)) LIMIT \(few))" }
      return "UPDATE \(target) t SET \(values.joined(separator: ", ")) FROM \(source) s"
    }

    private func update(
      _ rows: [Int64], _ table: BulkTable, _ connection: PostgreSQLConnection
    ) throws {
      let match = " WHERE \(matches(table))"
      if !areFew(rows, table) {
        _ = try connection.execute(assignment(table) + match + " AND (\(difference(table)))")
      } else if session.tables.placement(table.table) == .local {
        _ = try connection.query(
          assignment(table, few: rows.count) + match, PostgreSQLParameters(array: rows))
      } else {
        _ = try connection.query(
          assignment(table) + match + " AND \(isOne(table))", PostgreSQLParameters(array: rows))
      }
    }

    private func insert(
      _ rows: [Int64], _ table: BulkTable, _ connection: PostgreSQLConnection
    ) throws {
      var columns = table.forms.indices.map { table.column($0) }
      if !table.keyIsRow { columns.insert("r", at: 0) }
      let statement =
        "INSERT INTO \(table.direct) SELECT \(columns.joined(separator: ", ")) FROM \(table.staging) s"
      let count: Int
      if rows.count == table.staged {
        count = try connection.execute(statement)
      } else if areFew(rows, table) {
        count = try connection.query(
          statement + " WHERE \(isOne(table))", PostgreSQLParameters(array: rows)
        ).affectedRows
      } else {
        let (target, slot) = (session.tables.name(table.table), table.entity.layout.keySlots[0])
        count = try connection.execute(
          statement + " LEFT JOIN \(target) t ON \(matches(table)) WHERE t.\(name(slot, table)) IS NULL")
      }
      try InsertedRows(in: table.direct).check(count, of: rows.count)
    }

    /// The condition that a staged row is one of those that the first argument lists.
    private func isOne(_ table: BulkTable) -> String {
      // A list is hashed as what is selected from in each version of the server; a distributed statement takes it as it is.
      session.tables.placement(table.table) == .local ? "s.r IN (SELECT unnest($1))" : "s.r = ANY ($1)"
    }

    // MARK: - References

    /// Notes the foreign keys that lead to no object.
    ///
    /// - Parameter staged: Whether of the staged rows, or of all in the table.
    func noteMissingTargets(of table: BulkTable, staged: Bool) throws {
      guard !table.entity.references.isEmpty else { return }
      let connection = try session.lookingUp()
      let (tables, entity) = (session.tables, table.entity.layout.entity.index)
      let join = staged ? " JOIN \(table.staging) s ON \(matches(table))" : ""
      for (index, slots) in table.entity.references {
        if staged, table.inAny & 1 << slots[0] == 0 { continue }
        let relationship = tables.layout.schema.relationships[index]
        let target = tables.layout.entities[relationship.destination].table
        let described = tables.layout.tables[target]
        let keys = described.key.map { "o.\(SQL.quoted(described.columns[$0].name))" }
        let references = slots.map { "t.\(name($0, table))" }
        let isSaid = staged ? " AND s.p & \(1 << slots[0]) <> 0" : ""
        let missing = MissingReferences(
          selecting: "t.\(tables.rowColumn(table.table))",
          from: "\(tables.name(table.table)) t\(join) WHERE \(references[0]) IS NOT NULL\(isSaid)",
          references: references, target: tables.name(target), keys: keys,
          kind: tables.layout.kindCondition(of: relationship.destination, alias: "o"))
        let stream = try connection.stream(
          missing.statement(isDistributed: tables.distribution.isDistributed))
        while try stream.next() { results.missing.append((index, entity, try stream.field(0).int8())) }
      }
    }
  }
#endif
