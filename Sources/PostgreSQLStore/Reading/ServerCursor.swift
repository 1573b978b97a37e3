#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Steps through the rows that the server gives for a statement.
  ///
  /// What may be long comes some hundred rows at a time, so that several cursors can be open on one connection and take
  /// constant memory. What is about one object comes at once.
  final class ServerCursor: ServerRowCursor {
    /// What a cursor needs of its transaction.
    struct Source {
      let connection: PostgreSQLConnection
      let portals: ServerPortals
      /// Called before the statement is executed: what was changed has to be written.
      let prepare: () throws -> Void
    }

    /// So many rows at most come at a time.
    static let greatestPage = 500
    /// So many come first, since nobody knows yet how large they are.
    private static let firstPage = 100
    /// About so many bytes come at a time.
    private static let pageBytes = 1 << 20

    private let source: Source
    private let statement: BoundSQL
    private let isPaged: Bool
    private let mixedColumns: Set<Int>
    let columnCount: Int
    /// Called with each page before it is stepped through.
    var pageArrived: ((PostgreSQLRows) throws -> Void)?

    private var given: [Int: SQLValue] = [:]
    private let parameters = PostgreSQLParameters()
    private var page: PostgreSQLRows?
    private var portal: Int?
    private var row = 0
    private var pageSize = 0
    let values: ServerRowValues

    /// - Parameters:
    ///   - columnCount: How many columns the rows have.
    ///   - mixedColumns: Those that hold keys of objects some of which have an identity and some none.
    ///   - isPaged: Whether the rows may be many.
    init(
      _ source: Source, _ statement: BoundSQL, columnCount: Int, mixedColumns: Set<Int> = [], isPaged: Bool
    ) {
      (self.source, self.statement, self.columnCount) = (source, statement, columnCount)
      (self.mixedColumns, self.isPaged) = (mixedColumns, isPaged)
      values = ServerRowValues(mixedColumns: mixedColumns)
    }

    deinit { if let portal { source.portals.close(portal) } }

    // MARK: - Parameters

    func bind(_ value: Int64, at index: Int) { bind(.integer(value), at: index) }

    func bind(_ value: SQLValue, at index: Int) {
      // Whoever tells it another object begins anew.
      if page != nil { reset() }
      given[index] = value
    }

    /// False if a value cannot be in its column, so that there is no such object.
    private func fill() throws -> Bool {
      parameters.removeAll()
      for (index, argument) in statement.arguments.all.enumerated() {
        var argument = argument
        if let value = given[index + 1], case .one(_, let form) = argument {
          guard ServerArgument.value(value, as: form) != nil else { return false }
          argument = .one(value, form)
        }
        try ServerArgument.append(argument, to: parameters)
      }
      return true
    }

    // MARK: - Rows

    func step() throws -> Bool {
      if page == nil {
        guard try begin() else { return false }
      } else {
        row += 1
      }
      while let rows = page, row >= rows.count {
        guard let portal, rows.count == pageSize else {
          reset()
          return false
        }
        pageSize = Self.pageSize(after: rows)
        try take(source.portals.fetch(pageSize, from: portal))
      }
      values.moved(to: row)
      return true
    }

    private func begin() throws -> Bool {
      try source.prepare()
      guard try fill() else { return false }
      let connection = source.connection
      if isPaged {
        let number = try source.portals.open(statement.sql, parameters)
        portal = number
        pageSize = Self.firstPage
        try take(source.portals.fetch(pageSize, from: number))
      } else {
        let types = statement.arguments.all.map(ServerArgument.type)
        try take(connection.query(connection.prepare(statement.sql, types), parameters))
      }
      return true
    }

    /// How many rows come next, by the size of the last.
    private static func pageSize(after rows: PostgreSQLRows) -> Int {
      let step = max(1, rows.count / 10)
      var (bytes, count) = (0, 0)
      for row in stride(from: 0, to: rows.count, by: step) {
        for column in 0..<rows.columnCount { bytes += (try? rows.field(row, column).bytes().count) ?? 0 }
        count += 1
      }
      return max(1, min(greatestPage, pageBytes * count / max(1, bytes)))
    }

    private func take(_ rows: PostgreSQLRows) throws {
      (page, row) = (rows, 0)
      values.began(rows)
      try pageArrived?(rows)
    }

    func reset() {
      (page, row) = (nil, 0)
      values.ended()
      if let portal { source.portals.close(portal) }
      portal = nil
    }
  }
#endif
