import GRDBSQLite

/// The functions and the collation that SQLite lacks for predicates.
///
/// They are the connection's, and nothing in the file needs them, so that any SQLite tool reads it. Each gives
/// null for null.
enum StoreFunctions {
  /// The beginning of the errors that the functions give to SQLite, so that they are told from SQLite's own.
  static let mark = "broker: "

  /// Ends a call with an error.
  ///
  /// - Parameter sentence: What a caller of the store reads.
  static func fail(_ context: OpaquePointer?, _ sentence: String) {
    sqlite3_result_error(context, mark + sentence, -1)
  }

  /// `broker_fold(text, options)`: the text without what the options ignore.
  static let fold = "broker_fold"
  /// `broker_ends(text, end)`
  static let ends = "broker_ends"
  /// `broker_like(text, pattern)`
  static let like = "broker_like"
  /// `broker_matches(text, pattern, options)`
  static let matches = "broker_matches"
  /// `broker_finds(text, pattern)`, of Swift's regular expressions
  static let finds = "broker_finds"
  /// `broker_count(text)`, in characters
  static let characterCount = "broker_count"
  /// `broker_single(number)`, with the precision of `Float`
  static let single = "broker_single"
  /// `broker_key_part(key, part)`: a value of the identity in a key that is made of the kind and the identity
  static let keyPart = "broker_key_part"

  /// `broker_date(value)`: a date of JSON, text or seconds since 1970, in the form of the store
  static let date = "broker_date"

  /// Adds them to a connection.
  static func register(on connection: OpaquePointer?) throws {
    try add(fold, 2, to: connection) { context, _, values in
      guard let values, let text = argument(values[0]) else { return sqlite3_result_null(context) }
      let options = TextOptions(rawValue: sqlite3_value_int64(values[1]))
      giveFolded(text, options, context)
    }
    try add(ends, 2, to: connection) { context, _, values in
      guard let values, let text = argument(values[0]), let end = argument(values[1]) else {
        return sqlite3_result_null(context)
      }
      sqlite3_result_int(context, text.suffix(end.count).elementsEqual(end) ? 1 : 0)
    }
    try add(like, 2, to: connection) { context, _, values in
      guard let values, let text = argument(values[0]), let pattern = argument(values[1]) else {
        return sqlite3_result_null(context)
      }
      sqlite3_result_int(context, Wildcards.match(text, pattern) ? 1 : 0)
    }
    try add(matches, 3, to: connection) { context, _, values in
      guard let values, let text = argument(values[0]), let pattern = argument(values[1]) else {
        return sqlite3_result_null(context)
      }
      let options = TextOptions(rawValue: sqlite3_value_int64(values[2]))
      giveMatch(text, pattern, options, context)
    }
    try add(keyPart, 2, to: connection) { context, _, values in
      guard let values, let key = argument(values[0]) else { return sqlite3_result_null(context) }
      let part = KindKey.identityPart(Int(sqlite3_value_int64(values[1])), key)
      guard let part else { return sqlite3_result_null(context) }
      giveText(part, context)
    }
    try add(date, 1, to: connection) { context, _, values in
      guard let values, let date = storedDate(values[0]) else { return sqlite3_result_null(context) }
      giveText(date, context)
    }
    try addFunctionsOfSwift(to: connection)
    try addDecimalOrder(to: connection)
    try addDecimalSums(to: connection)
  }

  /// Further nodes for predicates of Swift.
  private static func addFunctionsOfSwift(to connection: OpaquePointer?) throws {
    try add(finds, 2, to: connection) { context, _, values in
      guard let values, let text = argument(values[0]), let pattern = argument(values[1]) else {
        return sqlite3_result_null(context)
      }
      giveFound(text, pattern, context)
    }
    try add(characterCount, 1, to: connection) { context, _, values in
      guard let values, let text = argument(values[0]) else { return sqlite3_result_null(context) }
      // A carriage return and the line feed behind it are one character.
      let isPlain = text.allSatisfy { $0 < 0x80 && $0 != 0x0D }
      let count = isPlain ? text.count : String(decoding: text, as: UTF8.self).count
      sqlite3_result_int64(context, Int64(count))
    }
    try add(single, 1, to: connection) { context, _, values in
      guard let values, sqlite3_value_type(values[0]) != SQLITE_NULL else {
        return sqlite3_result_null(context)
      }
      sqlite3_result_double(context, Double(Float(sqlite3_value_double(values[0]))))
    }
  }

  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private static func add(
    _ name: String, _ count: Int32, to connection: OpaquePointer?, _ function: Function
  ) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(connection, name, count, flags, nil, function, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw StoreError.sqlite(code, message: "\(name) cannot be added", sql: "")
    }
  }

  private static func addDecimalOrder(to connection: OpaquePointer?) throws {
    let code = sqlite3_create_collation_v2(
      connection, DecimalOrder.collation, SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        DecimalOrder.compare(
          UnsafeBufferPointer(start: left?.assumingMemoryBound(to: UInt8.self), count: Int(leftCount)),
          UnsafeBufferPointer(start: right?.assumingMemoryBound(to: UInt8.self), count: Int(rightCount)))
      }, nil)
    guard code == SQLITE_OK else {
      throw StoreError.sqlite(code, message: "\(DecimalOrder.collation) cannot be added", sql: "")
    }
  }
}

// MARK: - Values
//
// Functions of their own: what C calls cannot capture even a type.

/// The UTF-8 of an argument, as long as the function runs; nil for null.
func argument(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
  guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
  // The text first: asking for it may change how the value is held, and so its length.
  let start = sqlite3_value_text(value)
  return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

/// A date of JSON in the form of the store; nil if it is none.
private func storedDate(_ value: OpaquePointer?) -> String? {
  switch sqlite3_value_type(value) {
  case SQLITE_INTEGER, SQLITE_FLOAT:
    let secondsFrom1970To2001 = 978_307_200.0
    return DateText(secondsSince2001: sqlite3_value_double(value) - secondsFrom1970To2001)?.text
  default:
    return argument(value).flatMap { ComparedType.date(.string(String(decoding: $0, as: UTF8.self))) }
  }
}

private func giveFolded(
  _ text: UnsafeBufferPointer<UInt8>, _ options: TextOptions, _ context: OpaquePointer?
) {
  giveText(TextFolding.folded(String(decoding: text, as: UTF8.self), options), context)
}

func giveText(_ text: String, _ context: OpaquePointer?) {
  var text = text
  text.withUTF8 { bytes in
    // SQLITE_TRANSIENT, which C writes as a cast of -1: SQLite takes a copy.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    bytes.withMemoryRebound(to: CChar.self) { bytes in
      sqlite3_result_text(
        context, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count), transient)
    }
  }
}

/// Matches a regular expression.
private func giveMatch(
  _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, _ options: TextOptions,
  _ context: OpaquePointer?
) {
  guard let expression = compiled(pattern, context, { try WholeMatch($0, options) }) else { return }
  let folded = TextFolding.folded(
    String(decoding: text, as: UTF8.self), options.intersection(.ignoresDiacritics))
  var budget = MatchBudget(total: 1_000, one: 1_000)
  guard let isMatch = expression.matches(folded, &budget) else {
    return StoreFunctions.fail(context, "The regular expression takes too many steps for a value.")
  }
  sqlite3_result_int(context, isMatch ? 1 : 0)
}

/// Looks for a regular expression of Swift.
private func giveFound(
  _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer?
) {
  guard let expression = compiled(pattern, context, { try PartMatch($0) }) else { return }
  sqlite3_result_int(context, expression.matches(String(decoding: text, as: UTF8.self)) ? 1 : 0)
}

/// A regular expression, which SQLite keeps compiled for as long as the pattern stays the same. Nil, and an error
/// of the function's, if it is none.
private func compiled<Expression: AnyObject>(
  _ pattern: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer?, _ compile: (String) throws -> Expression
) -> Expression? {
  let patternIndex: Int32 = 1
  if let kept = sqlite3_get_auxdata(context, patternIndex) {
    return Unmanaged<Expression>.fromOpaque(kept).takeUnretainedValue()
  }
  let pattern = String(decoding: pattern, as: UTF8.self)
  guard let expression = try? compile(pattern) else {
    StoreFunctions.fail(context, "'\(Excerpt.of(pattern))' is not a regular expression.")
    return nil
  }
  sqlite3_set_auxdata(context, patternIndex, Unmanaged.passRetained(expression as AnyObject).toOpaque()) {
    kept in
    guard let kept else { return }
    Unmanaged<AnyObject>.fromOpaque(kept).release()
  }
  return expression
}

extension DecimalSum {
  /// `broker_sum(decimal)`: the sum; null if there is no value.
  static let sum = "broker_sum"
  /// `broker_average(decimal)`: the average, rounded to 38 digits; null if there is no value.
  static let average = "broker_average"
}

extension StoreFunctions {
  private typealias Final = @convention(c) (OpaquePointer?) -> Void

  /// Adds the functions that sum decimals up.
  static func addDecimalSums(to connection: OpaquePointer?) throws {
    try add(DecimalSum.sum, to: connection) { giveResult(of: $0, \.sum) }
    try add(DecimalSum.average, to: connection) { giveResult(of: $0, \.average) }
  }

  private static func add(_ name: String, to connection: OpaquePointer?, _ final: Final) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      connection, name, 1, flags, nil, nil,
      { context, _, values in
        guard let values, let text = argument(values[0]) else { return }
        decimalSum(context, isNeeded: true)?.add(text)
      }, final, nil)
    guard code == SQLITE_OK else {
      throw StoreError.sqlite(code, message: "\(name) cannot be added", sql: "")
    }
  }
}

/// The sum of an aggregation that goes on; nil if nothing was added and it is not needed.
private func decimalSum(_ context: OpaquePointer?, isNeeded: Bool) -> DecimalSum? {
  let size = isNeeded ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
  guard let place = sqlite3_aggregate_context(context, size) else { return nil }
  let pointer = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  if let known = pointer.pointee { return Unmanaged<DecimalSum>.fromOpaque(known).takeUnretainedValue() }
  guard isNeeded else { return nil }
  let sum = DecimalSum()
  pointer.pointee = Unmanaged.passRetained(sum).toOpaque()
  return sum
}

private func giveResult(of context: OpaquePointer?, _ result: (DecimalSum) -> String?) {
  guard let sum = decimalSum(context, isNeeded: false) else { return sqlite3_result_null(context) }
  defer { Unmanaged.passUnretained(sum).release() }
  if sum.isUnreadable { return StoreFunctions.fail(context, "A value to be summed is no decimal.") }
  guard let text = result(sum) else {
    return StoreFunctions.fail(context, "The sum has more than 200 places.")
  }
  giveText(text, context)
}
