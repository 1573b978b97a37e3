#if PostgreSQL
  import Bytes
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

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
#endif
