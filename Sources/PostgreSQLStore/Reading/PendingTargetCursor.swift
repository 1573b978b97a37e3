#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Steps through the keys that a relationship of an object waits for, with the place of each: it is told the relationship
  /// and the object's key.
  ///
  /// An export asks for each of its objects, most of which wait for nothing. So after a few questions all that the relationship
  /// waits for is read, as far as memory allows, and of the rest which objects wait for something.
  final class PendingTargetCursor: Cursor {
    private let transaction: PostgreSQLTransaction
    private let asked: any Cursor
    private var relationship: SQLValue = .null
    private var owner: SQLValue = .null

    /// For which relationship of which state of the store the rest holds.
    private var known: (relationship: String, state: Int)?
    private var questions = 0
    /// By the bytes of the owners' keys: texts that look alike are equal to Swift.
    private var rowsByOwner: [[UInt8]: [Row]] = [:]
    /// The hashes of the owners whose rows were not kept; nil if there are too many.
    private var others: Set<Int>? = []

    /// The rows of the object, if they are in memory, and the one that the cursor stands on.
    private var rows: [Row]?
    private var position = -1
    private let texts = TextArena()

    private struct Row {
      let target: [UInt8]
      let place: Int64?
    }

    /// So many objects are asked for one by one first.
    private static let mostQuestions = 3
    /// So many keys are kept, and the hashes of so many objects.
    private static let (mostRows, mostOthers) = (20_000, 1_000_000)

    /// - Parameter asked: Asks the server for one object.
    init(_ transaction: PostgreSQLTransaction, _ asked: any Cursor) {
      (self.transaction, self.asked) = (transaction, asked)
    }

    func bind(_ value: Int64, at index: Int) { bind(.integer(value), at: index) }

    func bind(_ value: SQLValue, at index: Int) {
      reset()
      if index == 1 { relationship = value } else { owner = value }
      asked.bind(value, at: index)
    }

    // MARK: - Rows

    func step() throws -> Bool {
      if position < 0 { try begin() }
      guard let rows else {
        position = 0
        guard try asked.step() else {
          reset()
          return false
        }
        return true
      }
      position += 1
      guard position < rows.count else {
        reset()
        return false
      }
      texts.removeAll()
      return true
    }

    func reset() {
      if rows == nil, position >= 0 { asked.reset() }
      (rows, position) = (nil, -1)
    }

    private func begin() throws {
      rows = nil
      guard case .text(let name) = relationship, case .text(let key) = owner else { return }
      try transaction.writeChanges()
      if known?.relationship != name || known?.state != transaction.writeCount {
        known = (name, transaction.writeCount)
        (questions, rowsByOwner, others) = (0, [:], [])
      }
      questions += 1
      if questions <= Self.mostQuestions { return }
      if questions == Self.mostQuestions + 1 { try read(name) }
      let bytes = Array(key.utf8)
      if let found = rowsByOwner[bytes] {
        rows = found
      } else if let others, !others.contains(bytes.hashValue) {
        rows = []
      }
    }

    private func read(_ name: String) throws {
      let stream = try transaction.connection.stream(
        """
        SELECT owner, target, position FROM \(transaction.session.tables.pending) WHERE relationship = $1
        ORDER BY owner, position NULLS LAST, target
        """, .text(name))
      defer { stream.close() }
      var (count, last): (Int, [UInt8]) = (0, [])
      while try stream.next() {
        count += 1
        let owner = Array(try stream.field(0).text())
        // The rows of one object stay together.
        guard count <= Self.mostRows || owner == last else {
          others?.insert(owner.hashValue)
          if others?.count ?? 0 > Self.mostOthers {
            others = nil
            return
          }
          continue
        }
        last = owner
        let place = stream.field(2)
        rowsByOwner[owner, default: []].append(
          Row(target: Array(try stream.field(1).text()), place: try place.isNull ? nil : place.int8()))
      }
    }

    // MARK: - Columns

    let columnCount = 2

    private var row: Row? {
      guard let rows, rows.indices.contains(position) else { return nil }
      return rows[position]
    }

    func isNull(_ column: Int) -> Bool {
      guard rows != nil else { return asked.isNull(column) }
      return row == nil || (column == 1 && row?.place == nil)
    }

    func storage(_ column: Int) -> StorageType? {
      guard rows != nil else { return asked.storage(column) }
      return isNull(column) ? nil : column == 0 ? .text : .integer
    }

    func integer(_ column: Int) -> Int64 {
      guard rows != nil else { return asked.integer(column) }
      return column == 1 ? row?.place ?? 0 : Int64(string(0)) ?? 0
    }

    func double(_ column: Int) -> Double {
      rows == nil ? asked.double(column) : column == 1 ? Double(integer(1)) : Double(string(0)) ?? 0
    }

    func text(_ column: Int) -> UnsafeBufferPointer<UInt8> {
      guard rows != nil else { return asked.text(column) }
      let bytes = column == 0 ? row?.target ?? [] : row?.place.map { Array(String($0).utf8) } ?? []
      return texts.add(bytes)
    }

    func blob(_ column: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(text(column)) }
    func string(_ column: Int) -> String { String(decoding: text(column), as: UTF8.self) }
  }
#endif
