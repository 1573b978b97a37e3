#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

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
#endif
