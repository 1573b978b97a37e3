import GRDBSQLite

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
