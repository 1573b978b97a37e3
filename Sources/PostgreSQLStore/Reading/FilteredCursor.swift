#if PostgreSQL
  import ObjectStore

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
