#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Steps through the rows that the server gives for a statement.
  ///
  /// A result that may be long comes some hundred rows at a time, so that several cursors can be open on one connection and take
  /// constant memory. What is about one object comes at once.
  final class ServerCursor: ServerRowCursor {
    /// The transaction, as a cursor needs it.
    struct Source {
      let connection: PostgreSQLConnection
      let portals: ServerPortals
      let sizes: ReadSizes
      /// Called before the statement is executed: what was changed has to be written.
      let prepare: () throws -> Void
    }

    /// So many rows at most come at a time.
    static let greatestPage = 500
    /// So many come first, since nobody knows yet how large they are.
    private static let firstPage = 100

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
        pageSize = nextPageSize(after: rows)
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
    private func nextPageSize(after rows: PostgreSQLRows) -> Int {
      let step = max(1, rows.count / 10)
      var (bytes, count) = (0, 0)
      for row in stride(from: 0, to: rows.count, by: step) {
        for column in 0..<rows.columnCount { bytes += (try? rows.field(row, column).bytes().count) ?? 0 }
        count += 1
      }
      return max(1, min(source.sizes.greatestPage, source.sizes.pageBytes * count / max(1, bytes)))
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

  /// A cursor whose rows were sent by the server.
  protocol ServerRowCursor: Cursor {
    /// The values of the row that it stands on.
    var values: ServerRowValues { get }
  }

  extension ServerRowCursor {
    func isNull(_ column: Int) -> Bool { values.field(column).isNull }
    func storage(_ column: Int) -> StorageType? { values.storage(column) }
    func integer(_ column: Int) -> Int64 { values.integer(column) }
    func double(_ column: Int) -> Double { values.double(column) }
    func text(_ column: Int) -> UnsafeBufferPointer<UInt8> { values.text(column) }
    func blob(_ column: Int) -> UnsafeRawBufferPointer { values.blob(column) }
    func string(_ column: Int) -> String { String(decoding: values.text(column), as: UTF8.self) }
  }

  /// The cursors that a transaction has open on the server, by their numbers.
  final class ServerPortals {
    private let session: ServerSession
    /// The number of the last one.
    private(set) var last = 0
    private var open: Set<Int> = []
    /// The cursors that nobody reads from any more. They are closed with the next that is opened, since the connection may be
    /// busy when they are let go of.
    private var outdated: Set<Int> = []

    init(_ session: ServerSession) { self.session = session }

    private func name(_ number: Int) -> String { "\(session.cursorPrefix)_\(number)" }

    /// Opens a cursor over the rows of a statement, and returns its number.
    func open(_ sql: String, _ parameters: PostgreSQLParameters) throws -> Int {
      let closing = outdated
      outdated = []
      for number in closing { try session.idle().execute("CLOSE \(name(number))") }
      last += 1
      try session.idle().query("DECLARE \(name(last)) NO SCROLL CURSOR FOR \(sql)", parameters)
      open.insert(last)
      return last
    }

    /// The next rows.
    func fetch(_ count: Int, from number: Int) throws -> PostgreSQLRows {
      try session.idle().query("FETCH \(count) FROM \(name(number))", PostgreSQLParameters())
    }

    func close(_ number: Int) { if open.remove(number) != nil { outdated.insert(number) } }

    /// Forgets the cursors behind one, since a step was undone, and the server has closed what was opened in it.
    func forget(after number: Int) {
      open = open.filter { $0 <= number }
      outdated = outdated.filter { $0 <= number }
    }
  }

  /// The values of one row after another, in the form of the store. No value allocates memory but long ones that are kept
  /// otherwise by the server.
  final class ServerRowValues {
    private enum Kind {
      case boolean, integer, real, text, mixedKey, decimal, date, uuid, blob
    }

    private let mixedColumns: Set<Int>
    private var kinds: [Kind] = []
    private var rows: PostgreSQLRows?
    private var row = 0
    /// Texts of values that the server keeps as something else.
    private let texts = TextArena()
    private var scratch: [UInt8] = []

    init(mixedColumns: Set<Int>) { self.mixedColumns = mixedColumns }

    func began(_ rows: PostgreSQLRows) {
      self.rows = rows
      if kinds.count != rows.columnCount {
        kinds = (0..<rows.columnCount).map { kind(of: rows.type(ofColumn: $0), at: $0) }
      }
    }

    func moved(to row: Int) {
      self.row = row
      texts.removeAll()
    }

    func ended() {
      rows = nil
      texts.removeAll()
    }

    private func kind(of type: PostgreSQLType, at column: Int) -> Kind {
      switch type {
      case .bool: .boolean
      case .int2, .int4, .int8: .integer
      case .float4, .float8: .real
      case .numeric: .decimal
      case .timestamptz: .date
      case .uuid: .uuid
      case .bytea: .blob
      default: mixedColumns.contains(column) ? .mixedKey : .text
      }
    }

    func field(_ column: Int) -> PostgreSQLField { rows?.field(row, column) ?? .null }

    private func kind(_ column: Int) -> Kind { kinds.indices.contains(column) ? kinds[column] : .text }

    // MARK: - Values

    func storage(_ column: Int) -> StorageType? {
      let field = field(column)
      guard !field.isNull else { return nil }
      switch kind(column) {
      case .boolean, .integer: return .integer
      case .real: return .real
      case .text, .decimal, .date, .uuid: return .text
      case .blob: return .blob
      case .mixedKey: return Self.number(field) == nil ? .text : .integer
      }
    }

    /// The number of a row that a key is; nil for other keys.
    private static func number(_ field: PostgreSQLField) -> Int64? {
      guard let bytes = try? field.text(), (1...19).contains(bytes.count), bytes[0] != UInt8(ascii: "0")
      else {
        return nil
      }
      var number: Int64 = 0
      for byte in bytes {
        guard byte &- 0x30 <= 9 else { return nil }
        let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Int64(byte &- 0x30))
        guard !overflow, !carry else { return nil }
        number = sum
      }
      return number
    }

    func integer(_ column: Int) -> Int64 {
      let field = field(column)
      switch kind(column) {
      case .boolean: return (try? field.bool()) == true ? 1 : 0
      case .integer: return (try? field.anyInteger()) ?? 0
      case .real: return Int64(exactly: double(column).rounded(.towardZero)) ?? 0
      case .mixedKey: return Self.number(field) ?? 0
      case .text, .decimal, .date, .uuid: return Int64(String(decoding: text(column), as: UTF8.self)) ?? 0
      case .blob: return 0
      }
    }

    func double(_ column: Int) -> Double {
      let field = field(column)
      switch kind(column) {
      case .real: return (try? field.float8()) ?? (try? field.float4()).map(Double.init) ?? 0
      case .boolean, .integer, .mixedKey: return Double(integer(column))
      case .text, .decimal, .date, .uuid: return Double(String(decoding: text(column), as: UTF8.self)) ?? 0
      case .blob: return 0
      }
    }

    func text(_ column: Int) -> UnsafeBufferPointer<UInt8> {
      let field = field(column)
      let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      guard !field.isNull else { return none }
      scratch.removeAll(keepingCapacity: true)
      switch kind(column) {
      case .text, .mixedKey, .blob: return (try? field.text()) ?? none
      case .decimal:
        try? field.appendNumeric(to: &scratch)
        Self.trim(&scratch)
      case .date: if let moment = try? field.timestamptz() { TimestampText.append(moment, to: &scratch) }
      case .uuid: if let uuid = try? field.uuid() { uuid.append(to: &scratch) }
      case .boolean, .integer: scratch.append(contentsOf: String(integer(column)).utf8)
      case .real: scratch.append(contentsOf: String(double(column)).utf8)
      }
      return texts.add(scratch)
    }

    func blob(_ column: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(text(column)) }

    /// Leaves out zeros that say nothing, as the store does.
    private static func trim(_ decimal: inout [UInt8]) {
      guard decimal.contains(UInt8(ascii: ".")) else { return }
      while decimal.last == UInt8(ascii: "0") { decimal.removeLast() }
      if decimal.last == UInt8(ascii: ".") { decimal.removeLast() }
    }
  }

  /// Moments in the store's form.
  enum TimestampText {
    private static let from1970To2000: Int64 = 946_684_800

    /// Appends the text of a moment, counted in microseconds since 2000-01-01.
    static func append(_ microseconds: Int64, to text: inout [UInt8]) {
      var (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
      if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + 1_000_000) }
      seconds += from1970To2000
      var (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
      if rest < 0 { (days, rest) = (days - 1, rest + 86_400) }
      guard let (year, month, day) = Calendar.date(daysSince1970: Int(days)) else { return }
      append(Int64(year), 4, to: &text)
      append(Int64(month), 2, after: "-", to: &text)
      append(Int64(day), 2, after: "-", to: &text)
      append(rest / 3600, 2, after: " ", to: &text)
      append(rest / 60 % 60, 2, after: ":", to: &text)
      append(rest % 60, 2, after: ":", to: &text)
      guard fraction > 0 else { return }
      append(fraction, 6, after: ".", to: &text)
      while text.last == UInt8(ascii: "0") { text.removeLast() }
    }

    private static func append(
      _ value: Int64, _ width: Int, after separator: Unicode.Scalar? = nil, to text: inout [UInt8]
    ) {
      if let separator { text.append(UInt8(ascii: separator)) }
      var divisor: Int64 = 1
      for _ in 1..<width { divisor *= 10 }
      while divisor > 0 {
        text.append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
        divisor /= 10
      }
    }
  }

  /// Steps through those rows of another cursor that fulfil what the server could not be asked, within a range.
  ///
  /// The columns of the other begin with those that the conditions are evaluated on, which are not shown.
  final class FilteredCursor: Cursor {
    private let rows: ServerCursor
    private let hidden: Int
    private let limit: Int?
    private let offset: Int
    private let isMeant: (ServerCursor) throws -> Bool
    private var found = 0
    private var isRunning = false

    init(
      _ rows: ServerCursor, hiding hidden: Int, limit: Int?, offset: Int,
      where isMeant: @escaping (ServerCursor) throws -> Bool
    ) {
      (self.rows, self.hidden, self.limit, self.offset, self.isMeant) = (rows, hidden, limit, offset, isMeant)
    }

    func bind(_ value: Int64, at index: Int) { rows.bind(value, at: index) }
    func bind(_ value: SQLValue, at index: Int) { rows.bind(value, at: index) }

    func step() throws -> Bool {
      if !isRunning { found = 0 }
      isRunning = true
      while limit.map({ found < offset + $0 }) ?? true {
        guard try rows.step() else {
          isRunning = false
          return false
        }
        guard try isMeant(rows) else { continue }
        found += 1
        if found > offset { return true }
      }
      reset()
      return false
    }

    func reset() {
      isRunning = false
      rows.reset()
    }

    var columnCount: Int { rows.columnCount - hidden }
    func isNull(_ column: Int) -> Bool { rows.isNull(hidden + column) }
    func storage(_ column: Int) -> StorageType? { rows.storage(hidden + column) }
    func integer(_ column: Int) -> Int64 { rows.integer(hidden + column) }
    func double(_ column: Int) -> Double { rows.double(hidden + column) }
    func text(_ column: Int) -> UnsafeBufferPointer<UInt8> { rows.text(hidden + column) }
    func blob(_ column: Int) -> UnsafeRawBufferPointer { rows.blob(hidden + column) }
    func string(_ column: Int) -> String { rows.string(hidden + column) }
  }
#endif
