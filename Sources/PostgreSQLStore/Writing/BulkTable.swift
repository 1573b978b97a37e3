#if PostgreSQL
  import Bytes
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The bulk rows of one entity: where they are copied to, and which have been copied.
  ///
  /// Rows go straight to a fresh table. Others go to a staging table, whose columns are `p`, a bit for each slot that a row
  /// has, `r`, the number of the row if it turns out to be new, and `c0`, `c1` and so on, a column for each slot.
  final class BulkTable {
    let entity: BulkEligibility
    let table: Int
    let forms: [ColumnForm]
    let keySlots: [Int]
    /// By index with texts, their slots.
    private let textSlots: [[Int]]
    /// Whether the one value of the key is the number of the row.
    let keyIsRow: Bool
    /// The COPY targets.
    let direct: String
    /// The purpose of the staging table, among those of the transaction.
    let purpose: String
    /// The name of the staging table; empty while it is not there.
    var staging = ""

    /// The keys that were copied straight, or staged since the staging table was emptied. Not checked for overlapping access,
    /// since every row passes here and no function of it calls out.
    @exclusivity(unchecked) var keys = KeySet()
    /// Whether the rows go to the fresh table.
    var isDirect = false
    /// Whether rows went there that were not checked for references that lead nowhere.
    var hasUncheckedRows = false
    var hasStaging: Bool { !staging.isEmpty }
    var staged = 0
    /// Bits of the slots that all staged rows have, and of those that any has.
    var inAll = UInt64.max
    var inAny: UInt64 = 0
    /// The number of the first staged row, where the keys do not say it; the others follow it.
    var firstStaged: Int64 = 0

    /// - Parameter number: A number that no other has in this transaction.
    init(_ entity: BulkEligibility, _ tables: ServerTables, number: Int) {
      self.entity = entity
      table = entity.layout.table
      let described = tables.layout.tables[table]
      keySlots = entity.layout.keySlots
      keyIsRow = described.keyIsRowID
      forms = entity.layout.slots.map { tables.forms[entity.layout.table][$0] }
      textSlots = tables.textIndexes[table].map { entity.layout.slots(of: $0.columns) }
      var names = entity.layout.slots.map { SQL.quoted(described.columns[$0].name) }
      if !described.keyIsRowID { names.insert(ServerTables.rowName, at: 0) }
      direct = "\(tables.name(entity.layout.table)) (\(names.joined(separator: ", ")))"
      purpose = "rows \(number)"
    }

    /// The values of staging columns, as they are named in statements.
    func column(_ slot: Int) -> String { "c\(slot)" }

    /// The columns of the staging table.
    func stagingColumns(_ tables: ServerTables) -> [StagingTables.Column] {
      let described = tables.layout.tables[table].columns
      return [.init(name: "p", form: .integer), .init(name: "r", form: .integer)]
        + forms.enumerated().map { slot, form in
          .init(name: column(slot), form: form, matching: described[entity.layout.slots[slot]].name)
        }
    }

    /// Whether the texts of a row fit into all indexes as they are.
    func fitsIntoIndexes(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
      for slots in textSlots {
        var bytes = 0
        for slot in slots where slot >= 0 {
          let kind = batch[row, slot].kind
          if kind == .text || kind == .blob { bytes += Int(batch[row, slot].count) }
        }
        if bytes > ValueLimit.longestIdentity { return false }
      }
      return true
    }

    func forgetStaged() {
      (staged, inAll, inAny) = (0, .max, 0)
      if !isDirect { keys.removeAll() }
    }
  }

  /// Cells of a batch as values of a COPY, without a copy between.
  extension BulkTable {
    /// A row's key; nil for one that the server cannot keep as it is.
    @inline(__always)
    func key(_ row: Int, _ batch: borrowing RowBatch) -> KeySet.Member? {
      let cells = batch.cells.base + batch.rows.base[row].firstCell
      if keySlots.count == 1, case .integer = cells[keySlots[0]].kind {
        return .number(cells[keySlots[0]].integerValue)
      }
      var hash = KeyHash()
      for slot in keySlots {
        let cell = cells[slot]
        switch cell.kind {
        case .integer, .real: hash.combine(cell.bits)
        case .text, .blob:
          guard cell.count <= ValueLimit.longestIdentity / 4 else { return nil }
          hash.combine(batch.bytes(of: cell))
        case .absent, .null, .row: return nil
        }
      }
      return .hash(hash.value)
    }

    /// Appends the values of a row. False if the server cannot keep one of them as it is; then the row has to be begun
    /// anew.
    @inline(__always)
    func append(
      _ row: Int, _ batch: borrowing RowBatch, to writer: PostgreSQLCopyWriter
    ) throws -> Bool {
      let (cells, bytes) = (batch.cells.base + batch.rows.base[row].firstCell, batch.bytes.base)
      for slot in 0..<forms.count {
        let cell = cells[slot]
        switch cell.kind {
        case .absent: guard try appendDefault(slot, to: writer) else { return false }
        case .null: writer.appendNull()
        default: guard try append(cell, bytes, forms[slot], to: writer) else { return false }
        }
      }
      return true
    }

    private func appendDefault(_ slot: Int, to writer: PostgreSQLCopyWriter) throws -> Bool {
      let cell = entity.defaults.cells[slot]
      guard cell.kind != .absent else {
        writer.appendNull()
        return true
      }
      return try append(cell, entity.defaults.bytes.base, forms[slot], to: writer)
    }

    @inline(__always)
    private func append(
      _ cell: Cell, _ base: UnsafeMutablePointer<UInt8>, _ form: ColumnForm, to writer: PostgreSQLCopyWriter
    ) throws -> Bool {
      switch (form, cell.kind) {
      case (.integer, .integer): writer.append(int8: cell.integerValue)
      case (.boolean, .integer): writer.append(bool: cell.integerValue != 0)
      case (.real, .real): writer.append(float8: cell.realValue)
      case (.text, .text):
        let bytes = UnsafeBufferPointer(start: base + cell.offset, count: Int(cell.count))
        guard !bytes.hasZero else { return false }
        try writer.append(text: bytes)
      case (.date, .text):
        let bytes = UnsafeBufferPointer(start: base + cell.offset, count: Int(cell.count))
        // A fraction of more than six digits is cut, which is to be told.
        guard bytes.count <= 26,
          let moment = ServerTimestamp.plain(bytes) ?? ServerTimestamp.microseconds(bytes)
        else {
          return false
        }
        writer.append(timestamptz: moment)
      case (.uuid, .text):
        let bytes = UnsafeBufferPointer(start: base + cell.offset, count: Int(cell.count))
        guard let uuid = PostgreSQLUUID(text: bytes) else { return false }
        writer.append(uuid: uuid)
      case (.blob, .blob):
        try writer.append(
          bytea: UnsafeRawBufferPointer(start: base + cell.offset, count: Int(cell.count)))
      case (.decimal, .text):
        let bytes = UnsafeBufferPointer(start: base + cell.offset, count: Int(cell.count))
        do { try writer.append(numeric: bytes) } catch { return false }
      default: return false
      }
      return true
    }
  }

  /// A sink of values: the parameters of a statement, the fields of a COPY, the elements of an array.
  protocol ValueSink: AnyObject {
    func appendNull(of type: PostgreSQLType)
    func append(bool value: Bool)
    func append(int8 value: Int64)
    func append(float8 value: Double)
    func append(timestamptz value: Int64)
    func append(uuid value: PostgreSQLUUID)
    func append(text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError)
    func append(bytea bytes: UnsafeRawBufferPointer) throws(PostgreSQLDataError)
    func append(numeric text: UnsafeBufferPointer<UInt8>) throws(PostgreSQLDataError)
  }

  extension ValueSink {
    func append(text: String) throws {
      var text = text
      try text.withUTF8 { try append(text: $0) }
    }
  }

  extension PostgreSQLParameters: ValueSink {
    func appendNull(of type: PostgreSQLType) { appendNull(type) }
  }

  extension PostgreSQLCopyWriter: ValueSink {
    func appendNull(of type: PostgreSQLType) { appendNull() }
  }
#endif
