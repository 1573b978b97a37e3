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
      if entity.isAwaited, try stored.hasPendingLinks() { return false }
      let table = table(entity)
      // Of others, it does not show which key a row of the table has.
      if session.changes.keepsAll, !table.keyIsRow { return false }
      if table.staged == 0 { table.isDirect = try session.isFresh(table.table) }
      stored.forgetRows(of: table.table)
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
#endif
