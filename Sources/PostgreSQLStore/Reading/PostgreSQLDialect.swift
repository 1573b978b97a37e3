#if PostgreSQL
  import Bytes
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// How PostgreSQL says it.
  struct PostgreSQLDialect: SQLDialect {
    /// Whether tables lie on several servers.
    var isDistributed = false
    /// Whether the server has ICU, which knows the letters of all scripts.
    var hasICU = true

    // MARK: - Statements

    func parameter(_ number: Int) -> String { "$\(number)" }

    func holds(_ value: SQLValue, as form: SQLForm) -> Bool { ServerArgument.value(value, as: form) != nil }

    func nearest(
      _ value: SQLValue, as form: SQLForm, _ operation: ComparisonOperator
    ) -> (value: SQLValue, operation: ComparisonOperator) {
      guard form == .date, case .text(let text) = value,
        let point = text.utf8.firstIndex(of: UInt8(ascii: ".")),
        let end = text.utf8.index(point, offsetBy: 7, limitedBy: text.endIndex), end < text.endIndex
      else { return (value, operation) }
      // Between two microseconds: what is before or after it is so of the one below too, or is that.
      switch operation {
      case .less, .lessOrEqual: return (.text(String(text[..<end])), .lessOrEqual)
      case .greater, .greaterOrEqual: return (.text(String(text[..<end])), .greater)
      default: return (value, operation)
      }
    }

    func rowColumn(of table: Table) -> String {
      table.keyIsRowID ? SQL.quoted(table.columns[table.key[0]].name) : ServerTables.rowName
    }

    func truth(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }
    var queryAlias: String { " AS selected" }
    var noLimit: String { "ALL" }
    var keepingOrder: String { "" }
    var onlyRow: String { " LIMIT 1" }

    func isOne(
      _ names: [String], of rows: [[SQLValue]], _ forms: [SQLForm], _ arguments: inout SQLArguments
    ) -> String? {
      let held = rows.filter { row in zip(row, forms).allSatisfy { $0 != .null && holds($0, as: $1) } }
      let first = arguments.count + 1
      for (index, form) in forms.enumerated() { arguments.append(list: held.map { $0[index] }, form) }
      guard names.count > 1 else { return "\(names[0]) = ANY(\(parameter(first)))" }
      let lists = names.indices.map { parameter(first + $0) }.joined(separator: ", ")
      return "(\(names.joined(separator: ", "))) IN (SELECT * FROM unnest(\(lists)))"
    }

    // MARK: - Orders

    func keyTerm(_ sql: String, _ column: Column) -> String {
      switch SQLForm(column) {
      // As the texts that decimals are elsewhere.
      case .decimal: "CAST(trim_scale(\(sql)) AS text) COLLATE \"C\""
      case .mixedKey: "\(Self.rowNumber(sql)) NULLS LAST, \(sql)"
      default: sql
      }
    }

    /// The number of a row, from a key that may be one; null for other keys.
    private static func rowNumber(_ key: String) -> String {
      "CASE WHEN \(key) ~ '^[0-9]+$' THEN CAST(\(key) AS numeric) END"
    }

    func sortTerm(_ sql: String, _ form: SQLForm, isAscending: Bool) -> String {
      let direction = isAscending ? " NULLS FIRST" : " DESC NULLS LAST"
      switch form {
      case .text: return "\(sql) COLLATE \"C\"\(direction)"
      case .mixedKey:
        // Null first, then numbers, then texts.
        let (present, numbered) = isAscending ? ("", " NULLS LAST") : (" DESC", " DESC NULLS FIRST")
        return
          "(\(sql) IS NOT NULL)\(present), \(Self.rowNumber(sql))\(numbered), \(sql)\(isAscending ? "" : " DESC")"
      default: return sql + direction
      }
    }

    // MARK: - Comparisons

    func same(_ left: String, _ right: String) -> String { "\(left) IS NOT DISTINCT FROM \(right)" }
    func different(_ left: String, _ right: String) -> String { "\(left) IS DISTINCT FROM \(right)" }

    func ordered(_ sql: String, _ type: ComparedType) -> String {
      type == .text || type == .json ? "\(sql) COLLATE \"C\"" : sql
    }

    func converted(_ part: SQLPart, to type: ComparedType) -> String? {
      switch (part.type, type) {
      case (.boolean, .integer): "CAST(CAST(\(part.sql) AS integer) AS bigint)"
      case (.boolean, .decimal): "CAST(CAST(\(part.sql) AS integer) AS numeric)"
      case (.boolean, .real): "CAST(CAST(\(part.sql) AS integer) AS double precision)"
      // A store compares a real with a decimal by its text.
      case (.integer, .decimal): part.isWide ? nil : "CAST(\(part.sql) AS numeric)"
      case (.integer, .real): part.isExactAsReal ? "CAST(\(part.sql) AS double precision)" : nil
      case (.decimal, .real): "CAST(\(part.sql) AS double precision)"
      // A text that is no UUID could not be made one.
      case (.text, .uuid): nil
      default: part.sql
      }
    }

    // No statement can look into a distributed table from the rows of another.
    var looksFromFew: Bool { !isDistributed }
    var readsTablesAlone: Bool { isDistributed }
    var alwaysLooksFromFarEnd: Bool { true }
    // An anti-join, where `IN` would be a list to look in, which takes for ever once it is larger than `work_mem`.
    var joinsContraries: Bool { true }
    var readsJSON: Bool { false }

    // MARK: - Values

    func value(of aggregate: Aggregate, _ sql: String, _ type: ComparedType) -> String? {
      switch (aggregate, type) {
      case (.count, _): "count(*)"
      case (.min, _), (.max, _): "\(aggregate.rawValue)(\(sql))"
      case (.sum, .integer), (.sum, .boolean): "CAST(coalesce(sum(\(sql)), 0) AS bigint)"
      case (.sum, _): "coalesce(sum(\(sql)), 0)"
      case (.average, .integer): "(CAST(sum(\(sql)) AS double precision) / count(\(sql)))"
      case (.average, .decimal): Self.decimalAverage(sql)
      // avg() of the server keeps the sum of squares too, which may be too large where the sum is not.
      case (.average, _): "(sum(\(sql)) / count(\(sql)))"
      }
    }

    /// The average of decimals, rounded to 38 digits.
    private static func decimalAverage(_ sql: String) -> String {
      // More places than any decimal has, so that the division leaves nothing out that matters.
      let average = "(round(sum(\(sql)), 300) / count(\(sql)))"
      let places = """
        38 - CASE WHEN abs\(average) >= 1 THEN length(CAST(trunc(abs\(average)) AS text)) \
        ELSE -length(substring(CAST(abs\(average) AS text) FROM '^0[.](0*)')) END
        """
      return "trim_scale(round(\(average), \(places)))"
    }

    func value(of aggregation: Aggregation, _ sql: String, _ form: SQLForm) -> String {
      let type: ComparedType =
        switch form {
        case .integer: .integer
        case .decimal: .decimal
        default: .real
        }
      switch aggregation.function {
      case .count: return "count(*)"
      case .minimum: return least(sql, form, isLast: false)
      case .maximum: return least(sql, form, isLast: true)
      // Of whole numbers the server makes a numeric: what does not fit into 64 bits is its error.
      case .sum:
        let sum = value(of: Aggregate.sum, sql, type) ?? "NULL"
        return type == .integer ? "CAST(\(sum) AS bigint)" : sum
      case .average:
        let average = value(of: Aggregate.average, sql, type) ?? "NULL"
        return type == .decimal ? average : "CAST(\(average) AS double precision)"
      }
    }

    private func least(_ sql: String, _ form: SQLForm, isLast: Bool) -> String {
      switch form {
      case .integer, .real, .decimal, .date: return "\(isLast ? "max" : "min")(\(sql))"
      case .text, .mixedKey: return "\(isLast ? "max" : "min")(\(sql) COLLATE \"C\")"
      // The server has no least and greatest of these. Their texts have the same order.
      case .boolean: return "\(isLast ? "bool_or" : "bool_and")(\(sql))"
      case .uuid: return "CAST(\(leastText("CAST(\(sql) AS text)", isLast)) AS uuid)"
      case .blob: return "decode(\(leastText("encode(\(sql), 'hex')", isLast)), 'hex')"
      }
    }

    private func leastText(_ sql: String, _ isLast: Bool) -> String {
      "\(isLast ? "max" : "min")(\(sql) COLLATE \"C\")"
    }

    func calculation(_ left: SQLPart, _ operation: ArithmeticOperator, _ right: SQLPart) -> String? {
      guard left.type == .integer, right.type == .integer else {
        guard left.isExactAsReal, right.isExactAsReal else { return nil }
        switch operation {
        case .plus, .minus: return "(\(left.sql) \(operation.rawValue) \(right.sql))"
        // The server fails where a result is too large or too near to 0.
        case .times, .divided, .remainder: return nil
        }
      }
      guard !left.isWide, !right.isWide else { return nil }
      // A remainder is never too large, that of a division by -1 included.
      let isBounded = operation == .remainder || SQLPart.greatest(left, operation, right) < 9.2e18
      guard isBounded else { return WideArithmetic(left, right)?.result(of: operation) }
      switch operation {
      case .plus, .minus, .times: return "(\(left.sql) \(operation.rawValue) \(right.sql))"
      case .divided, .remainder: return "(\(left.sql) \(operation.rawValue) NULLIF(\(right.sql), 0))"
      }
    }

    func identityPart(_ index: Int, ofKey key: String, _ storage: StorageType) -> String {
      let item = #"(?:[^,\\]|\\.)*"#
      let found = "(regexp_match(\(key), '^(?:\(item),){\(index + 1)}(\(item))'))[1]"
      let text = #"regexp_replace(\#(found), '\\(.)', '\1', 'g')"#
      switch storage {
      case .integer: return "CASE WHEN \(text) ~ '^-?[0-9]{1,18}$' THEN CAST(\(text) AS bigint) END"
      case .real:
        return
          "CASE WHEN \(text) ~ '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$' THEN CAST(\(text) AS double precision) END"
      case .text, .blob: return text
      }
    }

    // MARK: - Texts

    func text(_ sql: String, of type: ComparedType) -> String? {
      switch type {
      case .text, .json: sql
      case .uuid, .integer: "CAST(\(sql) AS text)"
      case .decimal: "CAST(trim_scale(\(sql)) AS text)"
      case .date, .boolean, .real, .blob: nil
      }
    }

    func folded(_ sql: String, _ options: TextOptions) -> String? {
      hasICU || !options.contains(.ignoresCase) ? ServerFolding.folded(sql, options) : nil
    }
    func begins(_ text: String, with other: String) -> String { "starts_with(\(text), \(other))" }
    func ends(_ text: String, with other: String) -> String { "right(\(text), length(\(other))) = \(other)" }
    func contains(_ text: String, _ other: String) -> String { "strpos(\(text), \(other)) > 0" }

    // Characters as people count them, and the regular expressions of ICU and Swift, are unknown to the server.
    func isLike(_ text: String, _ pattern: String) -> String? { nil }

    /// Of texts in ASCII, the server says what it is to be like; others may have characters that are several of the server's. Those
    /// need to begin as the pattern does, so that few of them have to be looked at.
    func mayBeLike(_ text: String, _ pattern: String, _ options: TextOptions) -> String? {
      guard let like = Self.like(TextFolding.folded(pattern, options)) else { return nil }
      let word = options.contains(.ignoresCase) ? "ILIKE" : "LIKE"
      let isInDoubt = "octet_length(\(text)) <> length(\(text)) OR strpos(\(text), chr(13)) > 0"
      let condition = "(\(text) \(word) \(SQL.literal(like)) ESCAPE '!' OR \(isInDoubt))"
      let prefix = options.isEmpty ? Wildcards.prefix(of: pattern) : ""
      return prefix.isEmpty ? condition : "(\(begins(text, with: SQL.literal(prefix))) AND \(condition))"
    }

    /// A pattern in the server's signs, with `!` before those that stand for themselves. Nil if it cannot be one.
    private static func like(_ pattern: String) -> String? {
      guard !pattern.utf8.contains(0) else { return nil }
      var (like, isEscaped) = ("", false)
      for scalar in pattern.unicodeScalars {
        switch scalar {
        case "*" where !isEscaped: like += "%"
        case "?" where !isEscaped: like += "_"
        case "\\" where !isEscaped:
          isEscaped = true
          continue
        case "%", "_", "!": like += "!" + String(scalar)
        default: like.unicodeScalars.append(scalar)
        }
        isEscaped = false
      }
      // A sign at the end that would escape stands for itself.
      return isEscaped ? like + "\\" : like
    }
    func matches(_ text: String, _ pattern: String, _ options: TextOptions) -> String? { nil }
    func finds(_ text: String, _ pattern: String) -> String? { nil }
    func characterCount(_ text: String) -> String? { nil }
    func single(_ number: String) -> String? { nil }
  }

  /// SQL that takes from texts what a comparison is to ignore, as `TextFolding` does.
  enum ServerFolding {
    /// The collation by which the server knows capitals.
    static let collation = "und-x-icu"

    static func folded(_ sql: String, _ options: TextOptions) -> String {
      var result = sql
      if options.contains(.ignoresCase) { result = caseFolded(result) }
      if options.contains(.ignoresDiacritics) {
        result = "regexp_replace(normalize(\(result), NFD), '[\(diacritics)]', '', 'g')"
      }
      return options.isEmpty ? sql : "normalize(\(result), NFC) COLLATE \"C\""
    }

    /// The way through the capital and back, letter by letter. ICU looks at what is around a sigma, and the dotless i has
    /// the capital of another letter: it is a character that means nothing meanwhile, and that character another text.
    private static func caseFolded(_ sql: String) -> String {
      let kept = "replace(replace(\(sql), U&'\\FDD0', U&'\\FDD0a'), U&'\\0131', U&'\\FDD0b')"
      let small = "lower(upper(\(kept) COLLATE \"\(collation)\") COLLATE \"\(collation)\")"
      let sigma = "replace(\(small), U&'\\03C2', U&'\\03C3')"
      return "replace(replace(\(sigma), U&'\\FDD0b', U&'\\0131'), U&'\\FDD0a', U&'\\FDD0')"
    }

    /// The marks that go, as ranges of a regular expression.
    private static let diacritics: String = {
      var ranges: [ClosedRange<UInt32>] = []
      for value in UInt32(0x300)...0x1FFFF {
        guard let scalar = Unicode.Scalar(value), TextFolding.isDiacritic(scalar) else { continue }
        if let last = ranges.last, last.upperBound + 1 == value {
          ranges[ranges.count - 1] = last.lowerBound...value
        } else {
          ranges.append(value...value)
        }
      }
      return ranges.map { "\(escaped($0.lowerBound))-\(escaped($0.upperBound))" }.joined()
    }()

    private static func escaped(_ value: UInt32) -> String {
      let digits = String(value, radix: 16)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
  }

  /// The arguments of a statement in the types of the server.
  enum ServerArgument {
    /// A value as the server can keep it in a form; nil if it cannot.
    static func value(_ value: SQLValue, as form: SQLForm) -> SQLValue? {
      switch (form, value) {
      case (_, .null): value
      // A number that is none is null elsewhere.
      case (.real, .real(let number)): number.isNaN ? .null : value
      case (.real, .integer(let number)): Int64(exactly: Double(number)) == number ? value : nil
      case (.integer, .integer), (.blob, .blob): value
      case (.integer, .real(let number)): Int64(exactly: number).map(SQLValue.integer)
      case (.boolean, .integer(let number)): number == 0 || number == 1 ? value : nil
      case (.text, .integer(let number)), (.mixedKey, .integer(let number)), (.decimal, .integer(let number)):
        .text(String(number))
      case (.text, .text(let text)), (.mixedKey, .text(let text)): text.utf8.contains(0) ? nil : value
      case (.decimal, .text(let text)): isDecimal(text) ? value : nil
      case (.date, .text(let text)): isMoment(text) ? value : nil
      case (.uuid, .text(let text)): isUUID(text) ? value : nil
      default: nil
      }
    }

    private static func isDecimal(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { bytes in
        guard let number = DecimalNumber(bytes) else { return false }
        var buffer = ByteBuffer()
        return number.append(to: &buffer)
      }
    }

    private static func isMoment(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { bytes in
        guard let time = ISODate.read(bytes) else { return false }
        return time.fractionDigits <= 6 && ServerTimestamp.microseconds(bytes) != nil
      }
    }

    private static func isUUID(_ text: String) -> Bool {
      var text = text
      return text.withUTF8 { PostgreSQLUUID(text: $0) != nil }
    }

    static func type(_ argument: SQLArgument) -> PostgreSQLType {
      switch argument {
      case .one(_, let form): ColumnForm(form).type
      case .list(_, let form): ColumnForm(form).type.array
      }
    }

    /// Appends an argument as a parameter.
    static func append(_ argument: SQLArgument, to parameters: PostgreSQLParameters) throws {
      switch argument {
      case .one(let one, let form):
        guard let kept = value(one, as: form) else {
          throw StoreError.invalid("\(KeyText.text(of: [one])) does not fit what it is compared with.")
        }
        try ColumnForm(form).append(Value(kept), to: parameters)
      case .list(let list, let form):
        let column = ColumnForm(form)
        let elements = PostgreSQLParameters()
        for element in list {
          if let kept = value(element, as: form) { try column.append(Value(kept), to: elements) }
        }
        try parameters.append(array: elements, of: column.type)
      }
    }
  }

  extension ColumnForm {
    init(_ form: SQLForm) {
      switch form {
      case .boolean: self = .boolean
      case .integer: self = .integer
      case .real: self = .real
      case .text: self = .text
      case .decimal: self = .decimal
      case .date: self = .date
      case .uuid: self = .uuid
      case .blob: self = .blob
      case .mixedKey: self = .mixed
      }
    }
  }

  /// Arithmetic with whole numbers whose results may be beyond 64 bits.
  ///
  /// The server fails there, and a store gives the nearest real, as SQLite does. So the result is a number of any size: the
  /// exact one within 64 bits, and what that real is beyond.
  private struct WideArithmetic {
    private let left: String
    private let right: String
    /// The range of the one side within which no sum or difference with the other leaves 64 bits; nil if there is none.
    private let safeRange: String?

    /// - Returns: Nil for values that are not columns, parameters or literals: each stands in the result several times.
    init?(_ left: SQLPart, _ right: SQLPart) {
      guard !left.sql.contains("("), !right.sql.contains("(") else { return nil }
      (self.left, self.right) = (left.sql, right.sql)
      let (large, small) = left.greatest < right.greatest ? (right, left) : (left, right)
      // Beyond, the bound is a rounded one.
      let bound = small.isExactAsReal ? Int64(exactly: small.greatest) : nil
      safeRange = bound.map { "\(large.sql) BETWEEN \($0 - .max) AND \(.max - $0)" }
    }

    func result(of operation: ArithmeticOperator) -> String? {
      let wide = wideResult(of: operation)
      guard let wide, let safeRange, operation == .plus || operation == .minus else { return wide }
      // Whole numbers of 64 bits are several times as fast.
      return "CASE WHEN \(safeRange) THEN \(left) \(operation.rawValue) \(right) ELSE \(wide) END"
    }

    private func wideResult(of operation: ArithmeticOperator) -> String? {
      switch operation {
      case .plus, .minus, .times:
        let exact = "(CAST(\(left) AS numeric) \(operation.rawValue) \(right))"
        let real =
          "(CAST(\(left) AS double precision) \(operation.rawValue) CAST(\(right) AS double precision))"
        return
          "CASE WHEN \(exact) BETWEEN -9223372036854775808 AND 9223372036854775807 THEN \(exact) ELSE \(Self.exact(real)) END"
      case .divided:
        // Only the least number has a quotient beyond 64 bits, by -1.
        return
          "CASE WHEN \(right) = -1 THEN - CAST(\(left) AS numeric) ELSE CAST(\(left) / NULLIF(\(right), 0) AS numeric) END"
      case .remainder: return nil
      }
    }

    /// The number that a real from 2^63 on is. A cast would round it to 15 digits.
    private static func exact(_ real: String) -> String {
      let high = "trunc(\(real) / 18446744073709551616)"
      // Reals of this size are multiples of 2,048.
      let low = "((\(real) - \(high) * 18446744073709551616) / 2048)"
      return
        "CAST(CAST(\(high) AS bigint) AS numeric) * 18446744073709551616 + CAST(CAST(\(low) AS bigint) AS numeric) * 2048"
    }
  }
#endif
