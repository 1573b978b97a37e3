#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Steps through what a relationship leads to from the object that it is told. What it leads to from those that come
  /// next is read along, since each question is a journey to the server.
  final class TargetCursor: ServerRowCursor {
    /// What it needs of its transaction.
    struct Source {
      let connection: PostgreSQLConnection
      let upcoming: ReadAhead
      /// Called before each question: what was changed has to be written. It gives a number that is another once
      /// anything was written.
      let prepare: () throws -> Int
    }

    private let source: Source
    private let sql: String
    private let ownerTable: Int
    /// The table of the targets, if their rows are in the first column.
    private let targetTable: Int?
    let columnCount: Int

    private var owner: Int64 = 0
    private var answer: PostgreSQLRows?
    private var state = 0
    /// By owner, the rows of the answer.
    private var groups: [Int64: Range<Int>] = [:]
    private var group: Range<Int>?
    private var row = 0
    /// For how many owners is asked at once.
    private var ownerCount = 2
    private let parameters = PostgreSQLParameters()
    let values: ServerRowValues

    /// - Parameter sql: Gives the targets of a list of owners, the owner's row behind the other columns.
    init(
      _ source: Source, _ sql: String, from ownerTable: Int, to targetTable: Int?, columnCount: Int,
      mixedColumns: Set<Int>
    ) {
      (self.source, self.sql, self.columnCount) = (source, sql, columnCount)
      (self.ownerTable, self.targetTable) = (ownerTable, targetTable)
      values = ServerRowValues(mixedColumns: mixedColumns)
    }

    func bind(_ value: Int64, at index: Int) {
      owner = value
      reset()
    }

    func bind(_ value: SQLValue, at index: Int) {
      if case .integer(let row) = value { bind(row, at: index) }
    }

    // MARK: - Rows

    func step() throws -> Bool {
      if group == nil {
        try begin()
      } else {
        row += 1
      }
      guard let group, group.contains(row) else {
        reset()
        return false
      }
      values.moved(to: row)
      return true
    }

    func reset() { group = nil }

    private func begin() throws {
      let now = try source.prepare()
      if answer == nil || state != now || groups[owner] == nil {
        try ask()
        state = now
      }
      let found = groups[owner] ?? 0..<0
      (group, row) = (found, found.lowerBound)
    }

    private func ask() throws {
      let owners = source.upcoming.rows(from: owner, in: ownerTable, atMost: ownerCount)
      let list = PostgreSQLParameters()
      for owner in owners { list.append(int8: owner) }
      parameters.removeAll()
      try parameters.append(array: list, of: .int8)
      let statement = try source.connection.prepare(sql, [PostgreSQLType.int8.array])
      let answer = try source.connection.query(statement, parameters)
      self.answer = answer
      values.began(answer)
      groups = Dictionary(owners.map { ($0, 0..<0) }, uniquingKeysWith: { first, _ in first })
      var first = 0
      while first < answer.count {
        let owner = try answer.field(first, columnCount).int8()
        var end = first + 1
        while end < answer.count, try answer.field(end, columnCount).int8() == owner { end += 1 }
        groups[owner] = first..<end
        first = end
      }
      if let targetTable { source.upcoming.arrived(answer, of: targetTable) }
      // Many owners with few targets are worth asking for together; many targets take memory.
      ownerCount =
        answer.count > 1_000 ? max(1, ownerCount / 4) : min(ServerCursor.greatestPage, ownerCount * 4)
    }
  }

  /// The objects that cursors of a transaction have read and will come to: what their relationships lead to is read for
  /// many of them at once.
  final class ReadAhead {
    private struct Page {
      var rows: [Int64] = []
      var places: [Int64: Int] = [:]
    }

    /// By table, the last pages. An export has one for each level of nesting that is of the table.
    private var pages: [Int: [Page]] = [:]
    private static let mostPages = 8
    private static let mostRows = 5_000

    /// Notes rows, whose numbers are in the first column.
    func arrived(_ answer: PostgreSQLRows, of table: Int) {
      var page = Page()
      for index in 0..<min(answer.count, Self.mostRows) {
        guard let row = try? answer.field(index, 0).int8(), page.places[row] == nil else { continue }
        page.places[row] = page.rows.count
        page.rows.append(row)
      }
      guard page.rows.count > 1 else { return }
      pages[table, default: []].append(page)
      if pages[table, default: []].count > Self.mostPages { pages[table]?.removeFirst() }
    }

    /// A row and those that come behind it.
    func rows(from row: Int64, in table: Int, atMost count: Int) -> ArraySlice<Int64> {
      for page in (pages[table] ?? []).reversed() {
        if let place = page.places[row] { return page.rows[place...].prefix(count) }
      }
      return [row]
    }
  }

  /// Bytes that stay where they are until all are let go of. The memory is used again.
  final class TextArena {
    private static let size = 4_096
    private var chunks: [UnsafeMutableBufferPointer<UInt8>] = []
    private var used = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    /// Keeps a copy of bytes.
    func add(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
      if chunks.isEmpty || chunks[chunks.count - 1].count - used < bytes.count {
        chunks.append(.allocate(capacity: max(Self.size, bytes.count)))
        used = 0
      }
      let place = UnsafeMutableBufferPointer(
        rebasing: chunks[chunks.count - 1][used..<used + bytes.count])
      _ = place.initialize(fromContentsOf: bytes)
      used += bytes.count
      return UnsafeBufferPointer(place)
    }

    func removeAll() {
      used = 0
      while chunks.count > 1 { chunks.removeLast().deallocate() }
    }
  }
#endif
