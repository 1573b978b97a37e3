#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// How the server keeps the values of a column, and what they are in the form of the store.
  enum ColumnForm: Sendable {
    case boolean, integer, real, text, decimal, date, uuid, blob
    /// Keys some of which are numbers of rows and others texts.
    case mixed

    init(_ column: Column) {
      if column.holdsMixedKeys {
        self = .mixed
        return
      }
      self.init(column.type)
    }

    init(_ type: AttributeType) {
      switch type {
      case .boolean: self = .boolean
      case .integer16, .integer32, .integer64: self = .integer
      case .float, .double: self = .real
      case .decimal: self = .decimal
      case .date: self = .date
      case .uuid: self = .uuid
      case .binary: self = .blob
      case .string, .uri, .transformable, .composite, .undefined: self = .text
      }
    }

    /// Whether two values of a program are two of the server: of 1.0 and 1.00, or of two moments within one microsecond,
    /// that has to be asked.
    var hasOneForm: Bool { self != .decimal && self != .date && self != .mixed && self != .real }

    /// The type's name in a definition. Texts compare byte by byte, as everywhere in a store.
    var declaration: String { type == .text ? "\(typeName) COLLATE \"C\"" : typeName }

    /// The type's name alone.
    var typeName: String {
      switch self {
      case .boolean: "boolean"
      case .integer: "bigint"
      case .real: "double precision"
      case .text, .mixed: "text"
      case .decimal: "numeric"
      case .date: "timestamptz"
      case .uuid: "uuid"
      case .blob: "bytea"
      }
    }

    var type: PostgreSQLType {
      switch self {
      case .boolean: .bool
      case .integer: .int8
      case .real: .float8
      case .text, .mixed: .text
      case .decimal: .numeric
      case .date: .timestamptz
      case .uuid: .uuid
      case .blob: .bytea
      }
    }

    // MARK: - Writing

    /// Appends a value to what takes the values of a statement, of a COPY or of an array.
    ///
    /// - Throws: ``PostgreSQLDataError`` or ``StoreError`` for a value that the type does not take.
    func append(_ value: Value, to values: some ValueSink) throws {
      switch (self, value) {
      case (_, .null): values.appendNull(of: type)
      case (.boolean, .integer(let number)): values.append(bool: number != 0)
      case (.integer, .integer(let number)): values.append(int8: number)
      case (.real, .real(let number)): values.append(float8: number)
      case (.real, .integer(let number)): values.append(float8: Double(number))
      case (.mixed, .integer(let number)): try values.append(text: String(number))
      case (.text, .text(let bytes)), (.mixed, .text(let bytes)):
        try bytes.withUnsafeBufferPointer { try values.append(text: $0) }
      case (.decimal, .text(let bytes)):
        try bytes.withUnsafeBufferPointer { try values.append(numeric: $0) }
      case (.date, .text(let bytes)):
        guard let moment = bytes.withUnsafeBufferPointer({ ServerTimestamp.microseconds($0) }) else {
          throw Self.misfit(value)
        }
        values.append(timestamptz: moment)
      case (.uuid, .text(let bytes)):
        guard let uuid = bytes.withUnsafeBufferPointer({ PostgreSQLUUID(text: $0) }) else {
          throw Self.misfit(value)
        }
        values.append(uuid: uuid)
      case (.blob, .blob(let bytes)): try bytes.withUnsafeBytes { try values.append(bytea: $0) }
      default: throw Self.misfit(value)
      }
    }

    /// Whether a value can be one of a key that is looked for.
    func takes(_ value: Value) -> Bool {
      switch (self, value) {
      case (.boolean, .integer), (.integer, .integer), (.mixed, .integer), (.blob, .blob): true
      case (.text, .text(let bytes)), (.mixed, .text(let bytes)): !bytes.contains(0)
      case (.uuid, .text(let bytes)):
        bytes.withUnsafeBufferPointer { PostgreSQLUUID(text: $0) } != nil
      default: false
      }
    }

    static func misfit(_ value: Value) -> StoreError {
      StoreError.invalid("\(value.text) does not fit its column.")
    }

    // MARK: - Reading

    /// - Throws: ``PostgreSQLDataError`` if the server sends something else than the column holds.
    func value(_ field: PostgreSQLField) throws -> Value {
      guard !field.isNull else { return .null }
      switch self {
      case .boolean: return .integer(try field.bool() ? 1 : 0)
      case .integer: return .integer(try field.int8())
      case .real: return .real(try field.float8())
      case .text: return .text(Array(try field.text()))
      case .mixed:
        let text = try field.string()
        return Int64(text).flatMap { String($0) == text ? Value.integer($0) : nil } ?? Value(text: text)
      case .decimal:
        var bytes: [UInt8] = []
        try field.appendNumeric(to: &bytes)
        return .text(bytes)
      case .date: return Value(text: ServerTimestamp.text(try field.timestamptz()))
      case .uuid:
        var bytes: [UInt8] = []
        try field.uuid().append(to: &bytes)
        return .text(bytes)
      case .blob: return .blob(Array(try field.bytes()))
      }
    }
  }

  /// Moments as the server counts them: microseconds since 2000-01-01 in UTC.
  enum ServerTimestamp {
    private static let from1970To2000: Int64 = 946_684_800

    /// The moment that a text of the store means; digits beyond the microsecond are cut off.
    static func microseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
      guard let time = ISODate.read(text) else { return nil }
      var fraction = Int64(time.fraction)
      for _ in time.fractionDigits..<max(6, time.fractionDigits) { fraction *= 10 }
      for _ in 6..<max(6, time.fractionDigits) { fraction /= 10 }
      return (Int64(time.secondsSince1970) - from1970To2000) * 1_000_000 + fraction
    }

    /// The moment of a text of the form `1981-11-13 20:15:00`; nil for all others.
    static func plain(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
      guard text.count == 19, text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x20, text[13] == 0x3A,
        text[16] == 0x3A
      else { return nil }
      var isNumber = true
      func pair(_ place: Int) -> Int {
        let (tens, ones) = (text[place] &- 0x30, text[place + 1] &- 0x30)
        if tens > 9 || ones > 9 { isNumber = false }
        return Int(tens) * 10 + Int(ones)
      }
      let (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
      let seconds = pair(11) * 3600 + pair(14) * 60 + pair(17)
      guard isNumber, (1...12).contains(month), (1...31).contains(day), seconds < 86_400 else { return nil }
      let days = Calendar.daysSince1970(year: year, month: month, day: day)
      return (Int64(days * 86_400 + seconds) - from1970To2000) * 1_000_000
    }

    static func text(_ microseconds: Int64) -> String {
      var seconds = microseconds / 1_000_000
      var fraction = microseconds % 1_000_000
      if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + 1_000_000) }
      seconds += from1970To2000
      var days = seconds / 86_400
      var rest = Int(seconds % 86_400)
      if rest < 0 { (days, rest) = (days - 1, rest + 86_400) }
      guard let (year, month, day) = Calendar.date(daysSince1970: Int(days)) else { return "" }
      var text = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2)) "
      text += "\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))"
      guard fraction > 0 else { return text }
      var digits = pad(Int(fraction), 6)
      while digits.last == "0" { digits.removeLast() }
      return text + "." + digits
    }

    private static func pad(_ value: Int, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
  }
#endif
