import GRDBSQLite

/// What a migration does to values where SQL has no words for it. It is called from SQL by number.
final class MigrationFunctions: @unchecked Sendable {
  typealias Function = (SQLValue) throws -> SQLValue

  /// `broker_migrated(number, value)`
  private static let name = "broker_migrated"
  /// `broker_joined(part, …)`: the parts of a key as one text
  private static let joinedName = "broker_joined"
  private var functions: [Function] = []
  /// What a function threw. SQLite passes on no errors of Swift's.
  private(set) var error: (any Error)?

  /// SQL for what a function makes of a value.
  func call(_ value: String, _ function: @escaping Function) -> String {
    functions.append(function)
    return "\(Self.name)(\(functions.count - 1), \(value))"
  }

  static func joined(_ parts: [String]) -> String { "\(joinedName)(\(parts.joined(separator: ", ")))" }

  /// Adds the functions to a connection. They stay until another migration adds its own.
  func register(on connection: OpaquePointer?) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    var code = sqlite3_create_function_v2(
      connection, Self.name, 2, flags, Unmanaged.passRetained(self).toOpaque(),
      { context, _, values in
        guard let values, let own = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
        let functions = Unmanaged<MigrationFunctions>.fromOpaque(own).takeUnretainedValue()
        functions.run(Int(sqlite3_value_int64(values[0])), values[1], context)
      }, nil, nil, { own in own.map { Unmanaged<MigrationFunctions>.fromOpaque($0).release() } })
    if code == SQLITE_OK {
      code = sqlite3_create_function_v2(
        connection, Self.joinedName, -1, flags, nil,
        { context, count, values in
          guard let values else { return sqlite3_result_null(context) }
          let parts = (0..<Int(count)).map { migratedValue(values[$0]) }
          if parts.contains(.null) { return sqlite3_result_null(context) }
          giveText(KeyText.text(of: parts), context)
        }, nil, nil, nil)
    }
    guard code == SQLITE_OK else {
      throw StoreError.sqlite(code, message: "\(Self.name) cannot be added", sql: "")
    }
  }

  private func run(_ number: Int, _ value: OpaquePointer?, _ context: OpaquePointer?) {
    do {
      switch try functions[number](migratedValue(value)) {
      case .null: sqlite3_result_null(context)
      case .integer(let value): sqlite3_result_int64(context, value)
      case .real(let value): sqlite3_result_double(context, value)
      case .text(let text): giveText(text, context)
      case .blob(let bytes):
        bytes.withUnsafeBytes {
          let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
          sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient)
        }
      }
    } catch {
      self.error = error
      sqlite3_result_error(context, "a conversion failed", -1)
    }
  }
}

private func migratedValue(_ value: OpaquePointer?) -> SQLValue {
  switch sqlite3_value_type(value) {
  case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
  case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
  case SQLITE_TEXT: return argument(value).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
  case SQLITE_BLOB:
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
    return .blob(Array(bytes))
  default: return .null
  }
}
