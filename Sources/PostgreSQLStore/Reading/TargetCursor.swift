#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Steps through what a relationship leads to from the object that it is told. What it leads to from those that come
  /// next is read along, since each question is a journey to the server.
  final class TargetCursor: ServerRowCursor {
    /// The transaction, as it needs it.
    struct Source {
      let connection: PostgreSQLConnection
      let upcoming: ReadAhead
      /// Called before each question: what was changed has to be written. It gives a number that is another once
      /// anything was written.
      let prepare: () throws -> Int
    }

    private let source: Source
    private let statements: Statements
    private let ownerTable: Int
    /// The table of the targets, if their rows are in the first column, and the columns of its key if that is asked by.
    private let target: (table: Int, key: [Int]?)?
    let columnCount: Int

    private var owner: Int64 = 0
    private var answer: PostgreSQLRows?
    private var state = 0
    /// By owner, the rows of the answer.
    private var groups: [Int64: Range<Int>] = [:]
    private var group: Range<Int>?
    private var row = 0
    /// For how many owners is asked at once.
    private var ownerCount: Int
    private let parameters = PostgreSQLParameters()
    let values: ServerRowValues

    /// How the targets of a list of owners are asked for.
    struct Statements {
      /// By the rows of the owners, with the owner's row behind the other columns.
      let byRow: String
      /// By the keys of the owners, with the parts of that behind the other columns, and the forms of these. Nil where rows
      /// do as well.
      var byKey: (sql: String, forms: [ColumnForm])?
    }

    init(
      _ source: Source, _ statements: Statements, from ownerTable: Int, to target: (table: Int, key: [Int]?)?,
      columnCount: Int, mixedColumns: Set<Int>
    ) {
      (self.source, self.statements, self.columnCount) = (source, statements, columnCount)
      (self.ownerTable, self.target) = (ownerTable, target)
      ownerCount = source.upcoming.sizes.firstOwners
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
      source.upcoming.noteWrites(now)
      if answer == nil || state != now || groups[owner] == nil {
        try ask()
        state = now
      }
      let found = groups[owner] ?? 0..<0
      (group, row) = (found, found.lowerBound)
    }

    private func ask() throws {
      let owners = source.upcoming.owners(from: owner, in: ownerTable, atMost: ownerCount)
      let answer: PostgreSQLRows
      groups = Dictionary(owners.rows.map { ($0, 0..<0) }, uniquingKeysWith: { first, _ in first })
      if let byKey = statements.byKey, let keys = owners.keys {
        answer = try ask(byKey.sql, keys, byKey.forms)
        try group(answer, by: keys, width: byKey.forms.count)
      } else {
        answer = try ask(owners.rows)
        try group(answer)
      }
      self.answer = answer
      values.began(answer)
      if let target {
        try source.upcoming.arrived(answer, of: target.table, keys: target.key)
      }
      // Many owners with few targets are worth asking for together; many targets take memory.
      ownerCount =
        answer.count > source.upcoming.sizes.mostTargets
        ? max(1, ownerCount / 4) : min(source.upcoming.sizes.greatestPage, ownerCount * 4)
    }

    private func ask(_ rows: ArraySlice<Int64>) throws -> PostgreSQLRows {
      let list = PostgreSQLParameters()
      for row in rows { list.append(int8: row) }
      parameters.removeAll()
      try parameters.append(array: list, of: .int8)
      return try source.connection.query(
        source.connection.prepare(statements.byRow, [PostgreSQLType.int8.array]), parameters)
    }

    private func ask(_ sql: String, _ keys: ArraySlice<RowKeyBytes>, _ forms: [ColumnForm]) throws
      -> PostgreSQLRows
    {
      parameters.removeAll()
      for (part, form) in forms.enumerated() {
        let list = PostgreSQLParameters()
        for key in keys { try key.append(part, form.type, to: list) }
        try parameters.append(array: list, of: form.type)
      }
      return try source.connection.query(
        source.connection.prepare(sql, forms.map(\.type.array)), parameters)
    }

    private func group(_ answer: PostgreSQLRows) throws {
      var first = 0
      while first < answer.count {
        let owner = try answer.field(first, columnCount).int8()
        var end = first + 1
        while end < answer.count, try answer.field(end, columnCount).int8() == owner { end += 1 }
        groups[owner] = first..<end
        first = end
      }
    }

    private func group(_ answer: PostgreSQLRows, by keys: ArraySlice<RowKeyBytes>, width: Int) throws {
      let columns = columnCount..<columnCount + width
      let owners = Dictionary(keys.map { ($0, $0.row) }, uniquingKeysWith: { first, _ in first })
      var first = 0
      while first < answer.count {
        let key = try RowKeyBytes(answer, first, columns)
        var end = first + 1
        while end < answer.count, try RowKeyBytes(answer, end, columns) == key { end += 1 }
        if let owner = owners[key] { groups[owner] = first..<end }
        first = end
      }
    }
  }

  /// The key of a row as the server sent it. Two keys are equal if their bytes are, which is so for all types but decimals
  /// and reals.
  struct RowKeyBytes: Hashable {
    /// The row that it is the key of; 0 for the key of a reference.
    let row: Int64
    private let bytes: [UInt8]
    /// Where each part ends.
    private let ends: [Int]

    init(_ rows: PostgreSQLRows, _ row: Int, _ columns: some Sequence<Int>, of number: Int64 = 0) throws {
      var (bytes, ends): ([UInt8], [Int]) = ([], [])
      for column in columns {
        bytes.append(contentsOf: try rows.field(row, column).bytes())
        ends.append(bytes.count)
      }
      (self.row, self.bytes, self.ends) = (number, bytes, ends)
    }

    func append(_ part: Int, _ type: PostgreSQLType, to list: PostgreSQLParameters) throws {
      let start = part == 0 ? 0 : ends[part - 1]
      try bytes[start..<ends[part]].withUnsafeBytes { try list.append(bytes: $0, type) }
    }

    static func == (first: RowKeyBytes, second: RowKeyBytes) -> Bool {
      first.bytes == second.bytes && first.ends == second.ends
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes)
      hasher.combine(ends)
    }
  }

  /// How much is read at a time.
  struct ReadSizes {
    /// So many rows at most.
    var greatestPage = ServerCursor.greatestPage
    /// About so many bytes.
    var pageBytes = 1 << 20
    /// For fewer owners is asked at once after an answer with more targets.
    var mostTargets = 1_000
    /// For so many owners is asked first.
    var firstOwners = 2

    /// Where each statement goes to several servers, there are to be few.
    init(isDistributed: Bool) {
      guard isDistributed else { return }
      (greatestPage, pageBytes, mostTargets, firstOwners) = (5_000, 1 << 22, 20_000, 100)
    }
  }

  /// The objects that cursors of a transaction have read and will come to: what their relationships lead to is read for
  /// many of them at once.
  final class ReadAhead {
    private struct Page {
      var rows: [Int64] = []
      /// The keys of the rows; none where nobody asks by them.
      var keys: [RowKeyBytes] = []
      var places: [Int64: Int] = [:]
    }

    /// Owners whose targets are asked for together, with their keys if these are known.
    struct Owners {
      let rows: ArraySlice<Int64>
      let keys: ArraySlice<RowKeyBytes>?
    }

    let sizes: ReadSizes
    /// By table, the last pages. An export has one for each level of nesting that is of the table.
    private var pages: [Int: [Page]] = [:]
    private var writes = 0
    private static let mostPages = 8
    private static let mostRows = 5_000

    init(_ sizes: ReadSizes) { self.sizes = sizes }

    /// Notes rows, whose numbers are in the first column.
    ///
    /// - Parameter keys: The columns with the parts of their keys; nil where these are not needed.
    func arrived(_ answer: PostgreSQLRows, of table: Int, keys: [Int]?) throws {
      var page = Page()
      for index in 0..<min(answer.count, Self.mostRows) {
        // Targets of a list that have not arrived have no row.
        guard !answer.field(index, 0).isNull else { continue }
        let row = try answer.field(index, 0).int8()
        guard page.places[row] == nil else { continue }
        page.places[row] = page.rows.count
        page.rows.append(row)
        if let keys { page.keys.append(try RowKeyBytes(answer, index, keys, of: row)) }
      }
      guard page.rows.count > 1 else { return }
      pages[table, default: []].append(page)
      if pages[table, default: []].count > Self.mostPages { pages[table]?.removeFirst() }
    }

    /// Forgets keys that may be others by now.
    ///
    /// - Parameter number: Another one once anything was written.
    func noteWrites(_ number: Int) {
      guard number != writes else { return }
      writes = number
      for (table, known) in pages {
        pages[table] = known.map { page in
          var page = page
          page.keys = []
          return page
        }
      }
    }

    /// A row and those that come behind it.
    func owners(from row: Int64, in table: Int, atMost count: Int) -> Owners {
      for page in (pages[table] ?? []).reversed() {
        guard let place = page.places[row] else { continue }
        let range = place..<min(page.rows.count, place + count)
        return Owners(rows: page.rows[range], keys: page.keys.isEmpty ? nil : page.keys[range])
      }
      return Owners(rows: [row], keys: nil)
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
